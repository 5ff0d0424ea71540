"""TER, the translation edit rate (Snover et al. 2006): edits and shifts to the nearest reference, over its length."""

from collections.abc import Mapping

import numpy as np

from evaluation.edit_distance import (
    TercomSettings,
    edit_rate,
    ter_edits,
    tercom_settings,
    tercom_signature,
    tercom_words,
)
from evaluation.languages import is_chinese, primary, writes_spaces
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.ngrams import BY_LANGUAGE
from foundation.papers import Paper
from foundation.translation import translatable, translate

WORDLESS = translatable("TER counts words, and neither white space nor Tercom parts those of {language}.")


def _asian(language: str) -> str:
    return "yes" if _cut_by_tercom(language) else "no"


def _cut_by_tercom(language: str) -> bool:
    return is_chinese(language) or (primary(language) == "ja" and not writes_spaces(language))


class Ter(Metric):
    """sacreBLEU's TER (Tercom's), times 100; lower-cased by default, as there. Its numbers, computed faster.

    Edits are those to the nearest reference, the length is the references' mean. They are counted once a sentence and
    summed for the corpus. An empty output needs one insertion a word of its shortest reference: 100 against a single
    reference. Against empty references, an output with words has 100, an empty one 0. `asian` is sacreBLEU's
    `asian_support`: Chinese and Japanese characters are words; it needs `normalized` texts, and has them.
    """

    name = "ter"
    label = "TER"
    paper = Paper(
        "Snover, Dorr, Schwartz, Micciulla and Makhoul",
        2006,
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        "https://aclanthology.org/2006.amta-papers.25/",
    )
    unit = "0 and up, edits per 100 words"
    needs = frozenset({"references"})
    higher_is_better = False
    defaults = {"lowercase": True, "normalized": False, "no_punct": False, "asian": BY_LANGUAGE}
    choices = {"asian": (BY_LANGUAGE, "no", "yes")}
    by_language = {"asian": _asian}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        settings = tercom_settings(chosen, batch.language)
        counts = np.zeros((len(batch.outputs), 2))
        for place, (output, texts) in enumerate(zip(batch.outputs, batch.references, strict=True)):
            references = [_reference_words(text, settings) for text in texts]
            counts[place] = (
                ter_edits(tercom_words(output, settings), references),
                sum(map(len, references)) / len(references),
            )
        edits, length = counts.sum(axis=0)
        return Scores(edit_rate(counts), {"edits": float(edits), "reference_length": float(length)}, counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """The rate from edits and references' length; without words in the references 100, or 0 without edits."""
        return edit_rate(sums)

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        cut = writes_spaces(language) or (chosen["asian"] == "yes" and _cut_by_tercom(language))
        return "" if cut else translate(WORDLESS, language=language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return tercom_signature(tercom_settings(chosen))


def _reference_words(text: str, settings: TercomSettings) -> list[str]:
    """As sacreBLEU has it: it tokenizes references twice, which tells where texts are `normalized` ("1980's.")."""
    words = tercom_words(text, settings)
    return tercom_words(" ".join(words), settings) if settings.normalized else words


METRIC = Ter()
