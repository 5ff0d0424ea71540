"""Plan templates: the designs of the papers' human evaluations, to begin a plan from."""

from dataclasses import dataclass, field
from typing import Any

from evaluation.attention_checks.broken import GRAHAM
from foundation.papers import FU, GYAFC, KIRITCHENKO, MSD, Paper


@dataclass(frozen=True)
class PlanTemplate:
    """A name for people, where it comes from, and the fields of a plan that it sets."""

    label: str
    paper: Paper
    fields: dict[str, Any] = field(default_factory=dict)


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
            "judgements": 5,
        },
    ),
    "msd": PlanTemplate(
        "Content, with the reference shown",
        MSD,
        {"criteria": [_criterion("content", "content_5", "content", "source_and_reference")], "judgements": 1},
    ),
    "fu": PlanTemplate(
        "Similarity to the source",
        FU,
        {"criteria": [_criterion("similarity", "similarity_3", "meaning", "source")], "judgements": 1},
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
