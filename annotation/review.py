"""Reviews: the answers that wait for one, the effects of a verdict, and the evidence about an annotator's work."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from statistics import fmean
from typing import Any, NamedTuple

import orjson
from django.db import connection
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Value, When

from annotation.attention_checks import AttentionChecks
from annotation.campaigns.expected_answers import opening_words
from annotation.crowd.devices import from_one_address, in_one_browser
from annotation.independence import bar_writer
from annotation.models import Answer, Assignment, Campaign, CampaignMembership, Review
from annotation.quality import AnnotatorWork, CheckedAnswer, ComparedChoice, ComparedRating
from annotation.stages import pass_on
from annotation.task_types import TASK_TYPES, TaskType
from foundation.errors import UserError
from foundation.reading_time import word_count


def words_read(kind: TaskType, content: dict[str, Any], settings: dict[str, Any], before: str = "") -> int:
    """The words of the texts that are judged and of those beside them; for other work, of the text `before` it."""
    beside = kind.beside(content, settings)
    first = [before or opening_words(content, None)] if beside is None else beside
    judged = [text for text in kind.judged(content) if text not in first]
    return sum(word_count(text) for text in (*first, *judged))


# One person's answers in a campaign, with others' answers to the same items, as the checks want them.
#
# A handful of queries, however much they did. The time of an item is that of all its revisions together; where the page
# counted none, it is the time since the person's answer before, the most that is possible. Pilots, skips, reports and
# late work are left out.

OWN = """
SELECT DISTINCT ON (a.item_id) a.item_id, a.id, i.number, a.submitted_at,
       sum(coalesce(a.seconds, a.elapsed)) OVER (PARTITION BY a.item_id),
       bool_and(a.seconds IS NOT NULL) OVER (PARTITION BY a.item_id), i.control, i.sentence_id,
       a.content, i.content, i.expected
FROM (SELECT w.*, extract(epoch FROM w.submitted_at - max(w.submitted_at) OVER (ORDER BY w.submitted_at
                 RANGE BETWEEN UNBOUNDED PRECEDING AND '1 microsecond' PRECEDING))::float8 AS elapsed
      FROM annotation_answer w WHERE w.campaign_id = %(campaign)s AND w.person_id = %(person)s) a
JOIN annotation_item i ON i.id = a.item_id
WHERE a.campaign_id = %(campaign)s AND a.person_id = %(person)s AND a.outcome = 'answered'
  AND NOT a.late AND NOT a.pilot
ORDER BY a.item_id, a.revision DESC
"""
OTHERS = """
SELECT DISTINCT ON (a.item_id, a.person_id) a.item_id, a.content
FROM annotation_answer a
WHERE a.campaign_id = %(campaign)s AND a.person_id <> %(person)s AND a.outcome = 'answered'
  AND NOT a.late AND NOT a.pilot AND a.item_id = ANY(%(items)s)
ORDER BY a.item_id, a.person_id, a.revision DESC
"""
MEDIAN = """
SELECT percentile_cont(0.5) WITHIN GROUP (ORDER BY seconds)
FROM (SELECT sum(seconds) AS seconds FROM annotation_answer
      WHERE campaign_id = %(campaign)s AND person_id <> %(person)s AND outcome = 'answered' AND NOT pilot
        AND seconds IS NOT NULL
      GROUP BY item_id, person_id) AS taken
"""
Values = Mapping[tuple[str, str], float]


class _Own(NamedTuple):
    item: int
    key: int
    number: int
    submitted_at: Any
    seconds: float | None
    counted: bool
    control: bool
    sentence: int | None
    answer: dict[str, Any]
    content: dict[str, Any]
    expected: dict[str, Any] | None


def work_of(campaign: Campaign, person: int) -> AnnotatorWork:
    """The person's work in the order in which they last handed it in."""
    asked: dict[str, Any] = {"campaign": campaign.pk, "person": person}
    own = sorted(_own(asked), key=lambda answer: (answer.submitted_at, answer.key))
    kind = TASK_TYPES[campaign.task_type]
    others = _others({**asked, "items": [answer.item for answer in own]}) if own and _compares(kind) else {}
    with connection.cursor() as cursor:
        median = cursor.execute(MEDIAN, asked).fetchone()[0]
    reader = _Reader(campaign, kind)
    study = campaign.study_id
    beside = [
        [str(other) for other in people_near(study, person)] for people_near in (in_one_browser, from_one_address)
    ]
    return AnnotatorWork([reader.given(answer, others.get(answer.item, ())) for answer in own], median, *beside)


def control_score(work: AnnotatorWork) -> float | None:
    """The mean over the control items of how far each was answered as expected; None where there were none."""
    scored = [answer.control for answer in work.answers if answer.control is not None]
    return fmean(scored) if scored else None


def _own(asked: Mapping[str, Any]) -> Iterator[_Own]:
    with connection.cursor() as cursor:
        for *plain, answer, content, expected in cursor.execute(OWN, asked).fetchall():
            yield _Own._make((*plain, orjson.loads(answer), orjson.loads(content), orjson.loads(expected or b"null")))


def _others(asked: Mapping[str, Any]) -> dict[int, list[dict[str, Any]]]:
    answers_by_item = defaultdict(list)
    with connection.cursor() as cursor:
        for item, content in cursor.execute(OTHERS, asked).fetchall():
            answers_by_item[item].append(orjson.loads(content))
    return answers_by_item


def _compares(kind: TaskType) -> bool:
    """Whether answers of this kind can be held against each other: they rate, rank or choose."""
    return type(kind).decisions is not TaskType.decisions or kind.judges()


class _Reader:
    """Reads answers of one campaign into what checks know."""

    def __init__(self, campaign: Campaign, kind: TaskType) -> None:
        self.kind, self.settings, self.campaign = kind, campaign.settings, campaign.pk
        self.checks = AttentionChecks([campaign.pk])

    def given(self, own: _Own, others: Iterable[dict[str, Any]]) -> CheckedAnswer:
        before, after = self.kind.texts(own.answer, own.content) or ("", "")
        control = None
        if own.control and own.expected is not None:
            control = self.kind.agrees(own.answer, own.expected, own.content, self.settings)
        others, words = list(others), words_read(self.kind, own.content, self.settings, before)
        return CheckedAnswer(
            own.key, own.number, before, after, words, own.seconds, control,
            tuple(self._rated(own, others)), tuple(self._decided(own, others)), own.counted,
        )  # fmt: skip

    def _rated(self, own: _Own, others: list[dict[str, Any]]) -> Iterator[ComparedRating]:
        """Ratings of attention checks are compared with nobody's."""
        theirs = [self._values(answer, own.content) for answer in others]
        for (text, name), value in self._values(own.answer, own.content).items():
            width = self.kind.span(name, own.content, self.settings)
            beside = [] if self.checks.has(self.campaign, own.sentence, text) else theirs
            yield ComparedRating(
                name, value, tuple(ratings[text, name] for ratings in beside if (text, name) in ratings), width
            )

    def _values(self, answer: dict[str, Any], content: dict[str, Any]) -> Values:
        judgements = self.kind.judgements(answer, content, self.settings)
        return {(judgement.text, judgement.criterion): float(judgement.value) for judgement in judgements}

    def _decided(self, own: _Own, others: list[dict[str, Any]]) -> Iterator[ComparedChoice]:
        """The places where somebody chose something; a place where all say "no" gave nothing to choose."""
        theirs = [self.kind.decisions(answer, own.content, self.settings) for answer in others]
        for name, value in self.kind.decisions(own.answer, own.content, self.settings).items():
            beside = tuple(decisions[name] for decisions in theirs if name in decisions)
            if {value, *beside} != {"no"}:
                yield ComparedChoice(name, value, beside)


OUTCOME = Answer.Outcome


def unreviewed_answers(**campaigns: Any) -> QuerySet[Answer]:
    """The answers to review in the campaigns that the filter names (`campaign=...`).

    These are skips, reports and late work without a decision; answers that their author changed after a rejection; and,
    where a campaign needs review, every answer without a decision.

    Each in its newest revision; no pilots of answers, no control items, no trainings or qualifications.
    """
    newer = Answer.objects.filter(
        item=OuterRef("item"), person=OuterRef("person"), pilot=OuterRef("pilot"), revision__gt=OuterRef("revision"),
        outcome=OUTCOME.ANSWERED, late=False,
    )  # fmt: skip
    decided = Review.objects.filter(
        answer__item=OuterRef("item"), answer__person=OuterRef("person"), answer__pilot=OuterRef("pilot"),
        answer__late=False,
    )  # fmt: skip
    last = Subquery(decided.order_by("-made_at", "-pk").values("verdict")[:1])
    unusual = ~Q(outcome=OUTCOME.ANSWERED) | Q(late=True)
    work = Q(pilot=False, item__control=False, item__withdrawn=False, campaign__purpose=Campaign.Purpose.WORK)
    # Cheap conditions come first: most answers are decided by them.
    asked = Q(campaign__needs_review=True) | Q(revision__gt=1, last=Review.Verdict.REJECTED)
    usual = work & asked & ~Exists(newer)
    return Answer.objects.filter(reviews=None, **campaigns).alias(last=last).filter(unusual | usual)


# The answers that a reviewer looks at, their order, and the earlier decisions about each.

SHOWS = ("waiting", "revised", "answers", "decided")


@dataclass(frozen=True)
class AnswerFilter:
    """The answers looked at: `show` is one of SHOWS; `person` and `verdict` narrow it, where they are not empty."""

    show: str = "waiting"
    person: int | None = None
    verdict: str = ""

    @classmethod
    def read(cls, given: Mapping[str, str]) -> "AnswerFilter":
        """Read the parameters of an address; misfits are left out."""
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
    """The answers in the order of the items, each with its newest verdict, if any, as `verdict`."""
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
        return unreviewed_answers(campaign=campaign).filter(Q(last=Review.Verdict.REJECTED), outcome=OUTCOME.ANSWERED)
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
    """All decisions about the author's answers to the same item, by answer's key, the oldest first. One query."""
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
    """The number of rejected answers that the person can change and has not, by campaign; only where there are some."""
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


# The effects of a verdict on the answer's assignment, its author's membership, and the stages that built on it.

State, Verdict, Outcome = Assignment.State, Review.Verdict, Answer.Outcome
GOOD = frozenset({Verdict.ACCEPTED.value, Verdict.FIXED.value})


def record(
    answer: Answer, verdict: str, by: Any, *, comment: str = "", reason: str = "", content: Any = None
) -> Review:
    """Store the verdict and do what follows from it. UserError where the answer is not open for it."""
    membership = _membership(answer)  # the membership first and then the assignments, as a submission locks them
    assignments = list(_assignments(answer).select_for_update().order_by("pk"))
    changed = changed_since(answer)
    if changed and not answer.late and verdict != Verdict.DROPPED:
        raise UserError("The author has changed this answer; decide on the newest revision.", where="verdict")
    earlier, at_first = newest_verdict_of(answer), _first_verdict(answer)
    review = Review.objects.create(
        answer=answer, verdict=verdict, reviewer=by, comment=comment, reason=reason, content=content
    )
    if verdict == Verdict.DROPPED:
        _drop(answer)
    elif verdict == Verdict.RETURNED or any(assignment.state == State.DROPPED for assignment in assignments):
        _bring_back(answer)
    if verdict != Verdict.DROPPED and answer.outcome == Outcome.ANSWERED and not changed:
        _place(answer, verdict)
    if answer.outcome == Outcome.ANSWERED:
        _count_first(membership, at_first, _first_verdict(answer))
        _count(membership, answer, verdict, earlier)
    if verdict == Verdict.FIXED:
        bar_writer(answer.item_id, by.pk, _written(answer, content))
    if _is_passed_on(answer):
        pass_on(answer.item_id)
    return review


def refuse_own(answer: Answer, by: Any) -> None:
    """Raise a UserError where `by` made the answer, or had a hand in its item."""
    if by is not None and (by.pk == answer.person_id or by.pk in answer.item.people):
        raise UserError("You cannot decide on your own work; ask somebody else.", where="verdict")


def changed_since(answer: Answer) -> bool:
    """Whether a newer revision, handed in in time, stands in the place of this answer."""
    mine = Answer.objects.filter(item=answer.item_id, pilot=answer.pilot, person=answer.person_id, late=False)
    return mine.filter(outcome=Outcome.ANSWERED, revision__gt=answer.revision).exists()


def _membership(answer: Answer) -> CampaignMembership:
    CampaignMembership.objects.get_or_create(campaign=answer.campaign, person=answer.person)
    return CampaignMembership.objects.select_for_update().get(campaign=answer.campaign_id, person=answer.person_id)


def _assignments(answer: Answer) -> QuerySet[Assignment]:
    return Assignment.objects.filter(item=answer.item_id, pilot=answer.pilot)


def newest_verdict_of(answer: Answer) -> Review | None:
    """The newest decision about what this person answered to the item."""
    theirs = {"answer__item": answer.item_id, "answer__person": answer.person_id, "answer__pilot": answer.pilot}
    return Review.objects.filter(**theirs, answer__outcome=Outcome.ANSWERED).order_by("-made_at", "-pk").first()


def _first_verdict(answer: Answer) -> str:
    """The newest decision about the first revision of it that was accepted or rejected; "" before there is one."""
    theirs = Answer.objects.filter(item=answer.item_id, person=answer.person_id, pilot=answer.pilot)
    newest = Review.objects.filter(answer=OuterRef("pk")).order_by("-made_at", "-pk").values("verdict")[:1]
    judged = theirs.filter(outcome=Outcome.ANSWERED).annotate(verdict=Subquery(newest))
    verdicts = (
        judged.filter(verdict__in=[*GOOD, Verdict.REJECTED]).order_by("revision").values_list("verdict", flat=True)
    )
    return verdicts.first() or ""


def _count_first(membership: CampaignMembership, was: str, now: str) -> None:
    """Count the verdict on the first revision that was judged; only a new verdict on that one changes the count."""
    membership.accepted_at_first += (now in GOOD) - (was in GOOD)
    membership.rejected_at_first += (now == Verdict.REJECTED) - (was == Verdict.REJECTED)


def _is_passed_on(answer: Answer) -> bool:
    campaign = answer.campaign
    if answer.pilot or answer.item.control or campaign.purpose != Campaign.Purpose.WORK:
        return False
    return TASK_TYPES[campaign.task_type].settles == "item" or campaign.followers.exists()


def _count(membership: CampaignMembership, answer: Answer, verdict: str, earlier: Review | None) -> None:
    """Keep the counts of the newest verdicts, and pause somebody who was rejected too often in a row."""
    if earlier is not None:
        membership.accepted -= earlier.verdict in GOOD
        membership.rejected -= earlier.verdict == Verdict.REJECTED
    membership.accepted += verdict in GOOD
    membership.rejected += verdict == Verdict.REJECTED
    said_again = earlier is not None and earlier.answer_id == answer.pk and earlier.verdict == Verdict.REJECTED
    if verdict in GOOD:
        membership.rejected_in_row = 0
    elif verdict == Verdict.REJECTED and not said_again:
        membership.rejected_in_row += 1
    most = answer.campaign.eligibility.get("pause_after")
    if most and membership.rejected_in_row >= most and membership.state == CampaignMembership.State.WORKING:
        membership.state = CampaignMembership.State.PAUSED
        membership.reason = f"{membership.rejected_in_row} of your answers in a row were rejected."
    membership.save(
        update_fields=[
            "accepted",
            "rejected",
            "accepted_at_first",
            "rejected_at_first",
            "rejected_in_row",
            "state",
            "reason",
        ]
    )


def _written(answer: Answer, content: Any) -> Iterator[str]:
    campaign = answer.campaign
    kind = TASK_TYPES[campaign.task_type]
    return kind.wrote(content, answer.item.content, campaign.settings) if kind.writes() else iter(())


def _drop(answer: Answer) -> None:
    """Take the item out; people with a lease on it are told when they hand in, and their work is kept as late."""
    _assignments(answer).filter(state=State.LEASED).update(annotator=None)
    _assignments(answer).update(state=State.DROPPED, lease=None, lease_expires_at=None)


def _bring_back(answer: Answer) -> None:
    """Restore held and dropped assignments: done where somebody filled them, else free."""
    _assignments(answer).filter(state__in=[State.HELD, State.DROPPED]).update(
        state=Case(When(annotator=None, then=Value(State.FREE.value)), default=Value(State.DONE.value))
    )


def _place(answer: Answer, verdict: str) -> None:
    """Free the assignment of a returned or rejected answer; let an accepted one that has none fill a free one.

    The author of a rejected answer may change it until somebody else takes the item (`reopening.py`). Control items,
    trainings and qualifications are everybody's own.
    """
    own = _assignments(answer).filter(annotator=answer.person_id)
    is_shared = not answer.item.control and answer.campaign.purpose == Campaign.Purpose.WORK
    if verdict == Verdict.RETURNED or (verdict == Verdict.REJECTED and is_shared):
        own.filter(state=State.DONE).update(state=State.FREE, annotator=None, lease=None)
    if verdict not in GOOD or own.filter(state=State.DONE).exists():
        return
    assignment = own.first() or _assignments(answer).filter(state=State.FREE).first()
    if assignment is None:
        raise UserError("This item has all its answers from other people; return one of them first.")
    _assignments(answer).filter(pk=assignment.pk).update(
        state=State.DONE, annotator=answer.person_id, lease=None, lease_expires_at=None
    )


def places_for_change(answer: Answer, person: Any) -> QuerySet[Assignment]:
    """The assignment that a change of the person's answer fills: their own, else a free one after a rejection."""
    if answer.person_id != person.pk:
        return Assignment.objects.none()
    own, free = Q(annotator=person, state=Assignment.State.DONE), Q(state=Assignment.State.FREE)
    newest = newest_verdict_of(answer)
    may_be = own | free if newest is not None and newest.verdict == Review.Verdict.REJECTED else own
    places = Assignment.objects.filter(may_be, item=answer.item_id, pilot=answer.pilot)
    return places.order_by(Case(When(own, then=Value(0)), default=Value(1)), "pk")
