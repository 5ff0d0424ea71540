"""What the page is told of a draft that was saved: how easily it reads, and what it is offered next."""

from collections.abc import Mapping
from typing import Any

from annotation.engine.drafts import is_begun
from annotation.models import Answer, Assignment
from annotation.task_types import TASK_TYPES
from evaluation.metrics import METRICS, MetricInput


def draft_feedback(found: Assignment | Answer, form: Mapping[str, str]) -> dict[str, Any]:
    """Whether the draft is `begun`, `readability` before and after, and what the kind of work `proposed`, if any."""
    kind, content, settings = TASK_TYPES[found.campaign.task_type], found.item.content, found.campaign.settings
    answer = kind.restored(kind.partial(form, content, settings), found.order)
    texts, proposed = kind.texts(answer, content), kind.proposes(answer, content, settings)
    told: dict[str, Any] = {"begun": _is_begun(found, answer)}
    if texts:
        told["readability"] = readability(*texts)
    return {**told, "proposed": proposed} if proposed else told


def _is_begun(found: Assignment | Answer, draft: dict[str, Any]) -> bool:
    if isinstance(found, Answer):
        return draft != found.content
    campaign = found.campaign
    return is_begun(TASK_TYPES[campaign.task_type], draft, found.item.content, campaign.settings, found.order)


def readability(before: str, after: str) -> dict[str, float | None]:
    """The Flesch-Kincaid grade of both texts, to a tenth; None for a text without words."""
    return {"before": _grade(before), "after": _grade(after)}


def _grade(text: str) -> float | None:
    scores = METRICS["fkgl"].score(MetricInput([], [text], []))
    return round(float(scores.sentences[0]), 1) if scores.details["words"] else None
