"""Why a metric will have no score in a study, before anything is scored."""

from collections.abc import Mapping
from typing import Any

from corpora.models import Sentence, Study
from evaluation.languages.writing import LOOKED_AT, language_or_unnamed
from evaluation.metrics import METRICS
from foundation.errors import UserError


def language_of(study: Study) -> str:
    """The study's language as metrics take it, by its first sources where it names none."""
    first = Sentence.objects.filter(direction__study=study).values_list("text", flat=True)[:LOOKED_AT]
    return language_or_unnamed(study.language, () if study.language else first)


def why_no_score(metric: str, settings: Mapping[str, Any], language: str) -> str:
    """What of the language or of this machine is lacking, as a sentence; "" where nothing is.

    Settings that an earlier program took may be wrong by now, which is said too.
    """
    try:
        return METRICS[metric].undefined_for(language, **settings) or METRICS[metric].unavailable(**settings)
    except UserError as error:
        return str(error)
