"""What the page is told of a draft that was saved: how easily it reads, and what it is offered next."""

from collections.abc import Mapping
from typing import Any

from annotation.engine.drafts import is_begun
from annotation.models import Answer, Assignment
from annotation.task_types import TASK_TYPES
from evaluation.metrics import METRICS, MetricInput


def draft_feedback(assignment_or_answer: Assignment | Answer, form: Mapping[str, str]) -> dict[str, Any]:
    """Whether the draft is `begun`, `readability` before and after, and what the kind of work `proposed`, if any."""
    kind, content, settings = (
        TASK_TYPES[assignment_or_answer.campaign.task_type],
        assignment_or_answer.item.content,
        assignment_or_answer.campaign.settings,
    )
    answer = kind.restored(kind.partial(form, content, settings), assignment_or_answer.order)
    texts, proposed = kind.texts(answer, content), kind.proposes(answer, content, settings)
    feedback: dict[str, Any] = {"begun": _is_begun(assignment_or_answer, answer)}
    if texts:
        feedback["readability"] = readability(*texts)
    return {**feedback, "proposed": proposed} if proposed else feedback


def _is_begun(assignment_or_answer: Assignment | Answer, draft: dict[str, Any]) -> bool:
    if isinstance(assignment_or_answer, Answer):
        return draft != assignment_or_answer.content
    campaign = assignment_or_answer.campaign
    return is_begun(
        TASK_TYPES[campaign.task_type],
        draft,
        assignment_or_answer.item.content,
        campaign.settings,
        assignment_or_answer.order,
    )


def readability(before: str, after: str) -> dict[str, float | None]:
    """The Flesch-Kincaid grade of both texts, to a tenth; None for a text without words."""
    return {"before": _grade(before), "after": _grade(after)}


def _grade(text: str) -> float | None:
    scores = METRICS["fkgl"].score(MetricInput([], [text], []))
    return round(float(scores.sentences[0]), 1) if scores.details["words"] else None
