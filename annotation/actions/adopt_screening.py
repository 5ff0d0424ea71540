"""Write the decisions of a screening to its study's questions and documents."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, TypeVar

from django.db import transaction

from accounts.audit import audited
from annotation.effective_annotations import products
from annotation.models import Campaign
from corpora.actions.lock_study import lock_study
from corpora.models import Document, Question
from foundation.errors import UserError

# The fields of a question, and the key of each in a product.
CODES = {"focus": "focus", "kind": "question_kind", "type": "type"}
T = TypeVar("T")


class Adopted(NamedTuple):
    """The numbers of questions and documents chosen now; `ties` says in words which stay undecided."""

    questions: int
    documents: int
    ties: list[str]


@audited
@transaction.atomic
def adopt_screening(*, campaign: Campaign, by: Any) -> Adopted:
    """Write the decisions of the majority to the questions and documents; a tie leaves its field empty.

    A question that is left out takes its documents with it. A further adoption makes the campaign's decisions anew.
    """
    if campaign.task_type != "screen":
        raise UserError("Only a campaign that screens decides about questions and documents.")
    lock_study(campaign.study)
    said: dict[int, list[dict[str, Any]]] = defaultdict(list)
    for row in products(campaign.study, campaigns=[campaign]):
        if row.product["kind"] == "screening" and row.question_id is not None:
            said[row.question_id].append(row.product)
    if not said:
        raise UserError("No question is screened yet.")
    questions = list(Question.objects.filter(study=campaign.study, pk__in=said).order_by("number"))
    documents = list(Document.objects.filter(question__in=questions).order_by("number"))
    ties = [tie for question in questions for tie in _code(question, said[question.pk])]
    chosen = {question.pk: question.chosen for question in questions}
    ties += [
        tie
        for document in documents
        if document.question_id is not None
        for tie in _choose(document, chosen[document.question_id], said[document.question_id])
    ]
    Question.objects.bulk_update(questions, ["chosen", *CODES], batch_size=1000)
    Document.objects.bulk_update(documents, ["chosen"], batch_size=1000)
    return Adopted(
        sum(question.chosen is True for question in questions),
        sum(document.chosen is True for document in documents),
        ties,
    )


def _code(question: Question, said: Sequence[dict[str, Any]]) -> list[str]:
    """Decide about the question in place; the ties."""
    question.chosen, tied = majority(answer["chosen"] for answer in said)
    ties = [f"question {question.code} (chosen or not)"] if tied else []
    for field, key in CODES.items():
        votes = [" ".join(one[key].split()) for one in said if one["chosen"]] if question.chosen else []
        # Case does not tell focuses apart; the most frequent spelling is taken.
        spelled = Counter(votes)
        most, tied = majority(vote.casefold() for vote in votes)
        best = max((vote for vote in spelled if vote.casefold() == most), key=lambda vote: spelled[vote], default="")
        setattr(question, field, best)
        if tied:
            ties.append(f"question {question.code} ({field})")
    return ties


def _choose(document: Document, question: bool | None, said: Sequence[dict[str, Any]]) -> list[str]:
    """Decide about the document in place, by the votes of those who chose its question; the ties."""
    key = str(document.pk)
    votes = [one["documents"][key] for one in said if key in one["documents"]]
    document.chosen, tied = majority(votes) if question else (question, False)
    return [f"abstract {document.code or document.number}"] if tied else []


def majority(votes: Iterable[T]) -> tuple[T | None, bool]:
    """The most frequent vote, and whether there is a tie at the top; None for a tie and where nobody votes."""
    counted = Counter(votes).most_common(2)
    if not counted:
        return None, False
    if len(counted) == 2 and counted[0][1] == counted[1][1]:
        return None, True
    return counted[0][0], False
