"""Plan templates: designs of human evaluations, to begin a plan from, for a kind of transfer or for any.

GYAFC (section 5.1): 500 random sentences of each domain's test set, five people; the source is rated for formality and
fluency, the reference for all three and in the ranking. Fu et al. (Comparison with Human Judgments): 200 random pairs,
three people; their program (`eval/score.py`) draws 100 of each direction. Simplification and detoxification are
judged on the aspects of ASSET and of ParaDetox; their scales and numbers here are ours.
"""

from dataclasses import dataclass, field
from typing import Any

from evaluation.attention_checks.broken import GRAHAM
from foundation.papers import ASSET, FU, GYAFC, KIRITCHENKO, MSD, PARADETOX, Paper
from foundation.translation import translatable


@dataclass(frozen=True)
class PlanTemplate:
    """A template: its name for people, its source, and the fields of a plan that it sets.

    `kind` is the kind of transfer that it is for; "" where it fits any.
    """

    label: str
    paper: Paper
    fields: dict[str, Any] = field(default_factory=dict)
    kind: str = ""


def _criterion(name: str, scale: str, aspect: str, beside: str) -> dict[str, Any]:
    return {"name": name, "scale": scale, "aspect": aspect, "beside": beside}


PLAN_TEMPLATES = {
    "gyafc": PlanTemplate(
        "Formality, fluency, meaning and a ranking",
        GYAFC,
        {
            "criteria": [
                _criterion("formality", "formality_7", "style", "nothing"),
                _criterion("fluency", "fluency_5", "fluency", "nothing"),
                _criterion("meaning", "meaning_6", "meaning", "source"),
            ],
            "ranks": True,
            "rate_source": True,
            "rate_reference": True,
            "sampling": "random",
            "size": 500,
            "judgements": 5,
        },
        kind=translatable("Formality"),
    ),
    "simplification": PlanTemplate(
        "Fluency, meaning and simplicity",
        ASSET,
        {
            "criteria": [
                _criterion("fluency", "slider_100", "fluency", "nothing"),
                _criterion("meaning", "slider_100", "meaning", "source"),
                _criterion("simplicity", "slider_100", "simplicity", "source"),
            ],
            "judgements": 3,
        },
        kind=translatable("Simplification"),
    ),
    "detoxification": PlanTemplate(
        "Style, content and fluency",
        PARADETOX,
        {
            "criteria": [
                _criterion("style", "likert_5", "style", "nothing"),
                _criterion("fluency", "fluency_5", "fluency", "nothing"),
                _criterion("meaning", "similarity_3", "meaning", "source"),
            ],
            "judgements": 3,
        },
        kind=translatable("Detoxification"),
    ),
    "msd": PlanTemplate(
        "Content, with the reference shown",
        MSD,
        {"criteria": [_criterion("content", "content_5", "content", "source_and_reference")], "judgements": 1},
        kind=translatable("Clinical language"),
    ),
    "fu": PlanTemplate(
        "Similarity to the source",
        FU,
        {
            "criteria": [_criterion("similarity", "similarity_3", "meaning", "source")],
            "sampling": "random",
            "size": 200,
            "judgements": 3,
        },
    ),
    "direct": PlanTemplate(
        "Direct assessment, with attention checks",
        GRAHAM,
        {
            "criteria": [_criterion("overall", "slider_100", "overall", "source")],
            "controls": {"every": 10, "kinds": ["broken"]},
            "use_controls": True,
            "outputs_per_item": 1,
        },
    ),
    "best_worst": PlanTemplate("The best and the worst of a few", KIRITCHENKO, {"criteria": [], "best_worst": True}),
}
