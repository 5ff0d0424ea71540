"""Which answers a reviewer looks at, in which order, and what was said about each before."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from annotation.models import Answer, Assignment, Campaign, Review
from annotation.review.unreviewed import unreviewed_answers

OUTCOME = Answer.Outcome
SHOWS = ("waiting", "revised", "answers", "decided")


@dataclass(frozen=True)
class AnswerFilter:
    """What is looked at: `show` is one of SHOWS; `person` and `verdict` narrow it, where they are not empty."""

    show: str = "waiting"
    person: int | None = None
    verdict: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "AnswerFilter":
        """From the parameters of an address; what does not fit is left out."""
        show, verdict, person = given.get("show", ""), given.get("verdict", ""), given.get("person", "")
        return cls(
            show if show in SHOWS else "waiting",
            int(person) if person.isascii() and person.isdigit() and len(person) < 19 else None,
            verdict if verdict in Review.Verdict.values else "",
        )

    def parameters(self) -> dict[str, str]:
        given = {"show": self.show, "person": str(self.person or ""), "verdict": self.verdict}
        return {key: value for key, value in given.items() if value}


def answers_for(campaign: Campaign, chosen: AnswerFilter) -> QuerySet[Answer]:
    """In the order of the items, each with its newest verdict, if any, as `verdict`."""
    narrowed = _of_kind(campaign, chosen.show).annotate(verdict=newest_verdict())
    if chosen.person is not None:
        narrowed = narrowed.filter(person=chosen.person)
    if chosen.verdict:
        narrowed = narrowed.filter(verdict=chosen.verdict)
    joined = narrowed.select_related("campaign", "item", "assignment", "person").prefetch_related("reviews")
    return joined.order_by("item__number", "pk")


def newest_verdict() -> Subquery:
    return Subquery(Review.objects.filter(answer=OuterRef("pk")).order_by("-made_at", "-pk").values("verdict")[:1])


def _of_kind(campaign: Campaign, show: str) -> QuerySet[Answer]:
    if show == "waiting":
        return unreviewed_answers(campaign=campaign)
    if show == "revised":
        return unreviewed_answers(campaign=campaign).filter(last=Review.Verdict.REJECTED, outcome=OUTCOME.ANSWERED)
    answers = Answer.objects.filter(campaign=campaign)
    if show == "answers":
        return answers.filter(outcome=OUTCOME.ANSWERED, late=False)
    return answers.filter(Exists(Review.objects.filter(answer=OuterRef("pk"))))


def following(answers: QuerySet[Answer], answer: Answer, *, back: bool = False) -> Answer | None:
    """The answer after this one (or before it) in the order of `answers`."""
    number = answer.item.number
    if back:
        before = answers.filter(Q(item__number__lt=number) | Q(item__number=number, pk__lt=answer.pk))
        return before.order_by("-item__number", "-pk").first()
    return answers.filter(Q(item__number__gt=number) | Q(item__number=number, pk__gt=answer.pk)).first()


def reviews_of(answers: Iterable[Answer]) -> dict[int, list[Review]]:
    """By answer's key all decisions about what its author answered to its item, the oldest first. One query."""
    wanted = list(answers)
    reviews_by_place: dict[tuple[int, int, bool], list[Review]] = defaultdict(list)
    theirs = Review.objects.filter(
        answer__item__in={answer.item_id for answer in wanted},
        answer__person__in={answer.person_id for answer in wanted},
    )
    for review in theirs.select_related("answer", "reviewer").order_by("made_at", "pk"):
        reviews_by_place[review.answer.item_id, review.answer.person_id, review.answer.pilot].append(review)
    return {answer.pk: reviews_by_place[answer.item_id, answer.person_id, answer.pilot] for answer in wanted}


def to_revise(person: Any, campaigns: Iterable[Campaign]) -> dict[int, int]:
    """How many answers of the person were rejected, not changed since and can be, by campaign; only where there are."""
    newer = Answer.objects.filter(
        item=OuterRef("item"), person=person, pilot=OuterRef("pilot"), revision__gt=OuterRef("revision"),
        outcome=OUTCOME.ANSWERED, late=False,
    )  # fmt: skip
    own = Answer.objects.filter(campaign__in=list(campaigns), person=person, outcome=OUTCOME.ANSWERED)
    place = Assignment.objects.filter(
        Q(annotator=person, state=Assignment.State.DONE) | Q(state=Assignment.State.FREE),
        item=OuterRef("item"), pilot=OuterRef("pilot"),
    )  # fmt: skip
    rejected = own.annotate(verdict=newest_verdict()).filter(
        ~Exists(newer), Exists(place), verdict=Review.Verdict.REJECTED
    )
    counts: dict[int, int] = defaultdict(int)
    for campaign in rejected.values_list("campaign", flat=True):
        counts[campaign] += 1
    return dict(counts)
