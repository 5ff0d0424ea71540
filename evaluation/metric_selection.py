"""Sets of metrics that are chosen together."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from corpora.models import Sentence, Study
from evaluation.languages import LOOKED_AT, language_or_unnamed
from evaluation.metric_contract import Setting
from evaluation.metrics import METRICS
from foundation.errors import UserError
from foundation.papers import FU, GYAFC, MEDLANE, MSD, PLABA, Paper

# Why a metric will have no score in a study, before anything is scored.


def language_of(study: Study) -> str:
    """The study's language as metrics take it, by its first sources where it names none."""
    first = Sentence.objects.filter(direction__study=study).values_list("text", flat=True)[:LOOKED_AT]
    return language_or_unnamed(study.language, () if study.language else first)


def why_no_score(metric: str, settings: Mapping[str, Any], language: str) -> str:
    """The reason in the language or on this machine why there is no score, as a sentence; "" where there is none.

    Settings that an earlier program took may be wrong by now, which is said too.
    """
    try:
        return METRICS[metric].undefined_for(language, **settings) or METRICS[metric].unavailable(**settings)
    except UserError as error:
        return str(error)


@dataclass(frozen=True)
class Preset:
    """A name for people, the metrics, the paper that reported them, and the settings that give its numbers."""

    label: str
    metrics: tuple[str, ...]
    paper: Paper | None = None
    settings: Mapping[str, Mapping[str, Setting]] = field(default_factory=dict)


SPACES: Mapping[str, Setting] = {"tokenize": "none"}
PRINTED_STEMS: Mapping[str, Setting] = {"stem": True, "references": "printed"}
NLG_EVAL: Mapping[str, Setting] = {"tokenize": "none", "lowercase": True}

PRESETS = {
    "no_model": Preset(
        "Metrics that need no model",
        (
            "bleu", "self_bleu", "chrf", "rouge_1", "rouge_2", "rouge_l", "meteor", "cider", "sari", "ter", "pinc",
            "edit_distance", "fkgl", "gunning_fog", "coleman_liau", "readability",
        ),
    ),
    "gyafc": Preset(
        "Formality, fluency and meaning",
        ("formality", "grammaticality", "semantic_similarity", "bleu", "terp", "ter", "pinc", "edit_distance"),
        GYAFC,
    ),
    "msd": Preset(
        "Style, perplexity and content",
        (
            "style_accuracy", "perplexity_lm", "perplexity_ngram", "self_bleu", "bleu", "sari", "edit_distance_masked",
            "fkgl", "gunning_fog", "coleman_liau", "readability",
        ),
        MSD,
        {"bleu": SPACES, "self_bleu": SPACES, "sari": {"like": "xu"}},
    ),
    "fu": Preset("Transfer strength and content preservation", ("transfer_strength", "content_preservation"), FU),
    "plaba": Preset(
        "Simplification of abstracts",
        ("rouge_1", "rouge_2", "rouge_l", "bleu", "self_bleu", "bertscore", "sari", "fkgl"),
        PLABA,
        {
            **dict.fromkeys(("rouge_1", "rouge_2", "rouge_l"), PRINTED_STEMS),
            "sari": {"like": "hf"}, "fkgl": {"like": "textstat", "pooled": False},
        },
    ),
    "medlane": Preset(
        "Clinical terms replaced",
        (
            "bleu_1", "bleu_2", "bleu_3", "bleu", "bleu_mean", "rouge_l", "meteor_1_5", "meteor", "cider", "sari",
            "hit", "cwr", "ascore", "fkgl",
        ),
        MEDLANE,
        {
            **dict.fromkeys(("bleu_1", "bleu_2", "bleu_3", "bleu", "bleu_mean"), NLG_EVAL),
            "rouge_l": {"like": "coco"}, "cider": {"tokenize": "none", "punctuation": True}, "sari": {"like": "hf"},
            "hit": {"like": "program"}, "cwr": {"like": "program"}, "ascore": {"like": "program", **NLG_EVAL},
        },
    ),
}  # fmt: skip
"""The tables of each paper name these, and its recipes have the same settings; a metric that this machine cannot
compute is shown as not available."""
