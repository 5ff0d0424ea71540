"""The ledger: what each person of a crowd site did in a campaign, and what they are due; where it pays, others too.

Pay follows the campaign's `pay`: so much for each item that was answered and not rejected (with `rejected`, for those
too), and so much for an hour of the seconds actively spent, training and qualification included. The time paid for an
item is at most what the campaign plans for it: `minutes` of its pay, else those of a lease. Both sums are rounded to
cents, half up.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from decimal import ROUND_HALF_UP, Decimal
from typing import Any

from django.db import connection

from accounts.models import Person
from annotation.crowd.participation import campaigns_of
from annotation.models import Campaign, CrowdParticipant, RecruitmentLink

CENT = Decimal("0.01")
BATCH = 500
# Whether an item (pilot apart) is answered for the pay, by its answers `a` of one person: in time or late.
IS_ANSWERED = "coalesce(bool_or(a.outcome = 'answered'), false)"
# Seconds of all revisions and all acts, on the way of these campaigns and since the person entered by this recruitment
# link; then those that are paid, by item. (`least` passes over NULL: time that was not measured is not paid.)
_WORKED = f"""
SELECT e.id, coalesce(sum(w.seconds), 0), coalesce(sum(least(w.seconds, w.planned)), 0),
       count(*) FILTER (WHERE w.answered)
FROM {{people}} e
LEFT JOIN LATERAL (
    SELECT coalesce(sum(a.seconds), 0) AS seconds, 60 * coalesce(%(minutes)s::float8, c.lease_minutes) AS planned,
           c.id = %(work)s AND {IS_ANSWERED} AS answered
    FROM annotation_answer a JOIN annotation_campaign c ON c.id = a.campaign_id
    WHERE a.person_id = e.person_id AND a.campaign_id = ANY(%(way)s)
      AND (a.campaign_id = %(work)s OR a.submitted_at >= e.entered_at)
    GROUP BY c.id, a.item_id, a.pilot
) w ON true
WHERE e.id = ANY(%(participants)s)
GROUP BY e.id
"""  # noqa: S608 (an expression of this program)
WORKED = _WORKED.format(people="annotation_crowdparticipant")
OF_THE_STUDY = _WORKED.format(people="(SELECT id, id AS person_id, now() AS entered_at FROM accounts_person)")
VERDICTS = """
SELECT person_id, accepted, rejected FROM annotation_campaignmembership
WHERE campaign_id = %s AND person_id = ANY(%s)
"""
HEAD = (
    "pseudonym", "site", "id", "session", "state", "code", "entered", "consented", "left", "seconds", "paid_seconds",
    "answered", "accepted", "rejected", "currency", "pay_items", "pay_time", "pay",
)  # fmt: skip


@dataclass(frozen=True)
class Due:
    """Money in the campaign's currency."""

    items: Decimal
    time: Decimal

    @property
    def total(self) -> Decimal:
        return self.items + self.time


@dataclass(frozen=True)
class Line:
    """One person's line. For somebody who was erased the id, the session and the code are ""."""

    participant: CrowdParticipant
    seconds: float
    paid_seconds: float
    answered: int
    accepted: int
    rejected: int
    due: Due


def participants_of(campaign: Campaign) -> Any:
    """Everybody who entered the campaign, in the order of their coming."""
    participants = CrowdParticipant.objects.filter(recruitment_link__campaign=campaign).select_related(
        "recruitment_link__training", "person"
    )
    return participants.order_by("entered_at", "pk")


def everybody_of(campaign: Campaign) -> list[CrowdParticipant]:
    """All who entered the campaign; behind them, where it pays, the people of the study who answered: rows that are
    stored nowhere, of no site, since no link brought them.
    """
    came = list(participants_of(campaign))
    if not campaign.pay:
        return came
    answered = campaign.answers.exclude(person__in=[one.person_id for one in came]).values("person")
    no_link = RecruitmentLink(campaign=campaign, site="")
    people = Person.objects.people().filter(pk__in=answered).order_by("pk")
    return came + [CrowdParticipant(recruitment_link=no_link, person=person, state="") for person in people]


def lines(campaign: Campaign, participants: Iterable[CrowdParticipant]) -> list[Line]:
    """The lines of these participants, in their order; three queries, however many."""
    listed = list(participants)
    worked = _worked(campaign, [one for one in listed if one.pk])
    # People of the study are paid for other campaigns in the ledgers of those.
    others = _sums(OF_THE_STUDY, campaign, [campaign.pk], [one.person_id for one in listed if not one.pk])
    verdicts = _verdicts(campaign, listed)
    ledger_lines = []
    for participant in listed:
        seconds, paid, answered = worked[participant.pk] if participant.pk else others[participant.person_id]
        accepted, rejected = verdicts.get(participant.person_id, (0, 0))
        money = due(campaign.pay, paid, answered, rejected)
        ledger_lines.append(Line(participant, seconds, paid, answered, accepted, rejected, money))
    return ledger_lines


def due(pay: dict[str, Any], seconds: float, answered: int, rejected: int) -> Due:
    """The pay due for so many items and paid seconds."""
    paid = answered if pay.get("rejected") else max(0, answered - rejected)
    by_item = Decimal(str(pay.get("item", 0))) * paid
    by_hour = Decimal(str(pay.get("hour", 0))) * Decimal(str(seconds)) / 3600
    return Due(_cents(by_item), _cents(by_hour))


def rows(campaign: Campaign) -> Iterator[Sequence[object]]:
    """The whole ledger as rows of cells, its head first, read in batches."""
    yield HEAD
    everybody = everybody_of(campaign)
    for start in range(0, len(everybody), BATCH):
        for line in lines(campaign, everybody[start : start + BATCH]):
            yield cells(campaign, line)


def cells(campaign: Campaign, line: Line) -> tuple[object, ...]:
    """A line as the cells under `HEAD`; times in ISO 8601, UTC."""
    participant = line.participant
    return (
        participant.person.pseudonym, participant.recruitment_link.site, participant.external_id,
        participant.session_id, participant.state, participant.code, _moment(participant.entered_at),
        _moment(participant.consented_at), _moment(participant.left_at), f"{line.seconds:.1f}",
        f"{line.paid_seconds:.1f}", line.answered, line.accepted, line.rejected, campaign.pay.get("currency", ""),
        line.due.items, line.due.time, line.due.total,
    )  # fmt: skip


def _worked(campaign: Campaign, participants: list[CrowdParticipant]) -> dict[int, tuple[float, float, int]]:
    recruitment_links = {participant.recruitment_link_id: participant.recruitment_link for participant in participants}
    for recruitment_link in recruitment_links.values():
        recruitment_link.campaign = campaign
    way = {
        campaign_on_way.pk
        for recruitment_link in recruitment_links.values()
        for campaign_on_way in campaigns_of(recruitment_link)
    }
    return _sums(WORKED, campaign, way, [participant.pk for participant in participants])


def _sums(statement: str, campaign: Campaign, way: Iterable[int], of: list[int]) -> dict[int, tuple[float, float, int]]:
    asked = {"work": campaign.pk, "way": list(way), "participants": of, "minutes": campaign.pay.get("minutes")}
    with connection.cursor() as cursor:
        return {key: (seconds, paid, done) for key, seconds, paid, done in cursor.execute(statement, asked).fetchall()}


def _verdicts(campaign: Campaign, participants: list[CrowdParticipant]) -> dict[int, tuple[int, int]]:
    with connection.cursor() as cursor:
        rows = cursor.execute(
            VERDICTS, [campaign.pk, [participant.person_id for participant in participants]]
        ).fetchall()
    return {person: (accepted, rejected) for person, accepted, rejected in rows}


def _cents(amount: Decimal) -> Decimal:
    return amount.quantize(CENT, ROUND_HALF_UP)


def _moment(when: datetime | None) -> str:
    return when.isoformat(timespec="seconds") if when else ""
