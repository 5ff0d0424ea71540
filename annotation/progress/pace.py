"""The pace of a campaign, and the time when it would be done at this pace."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Any

from django.db.models import Count, Min, Q
from django.db.models.functions import TruncDate
from django.utils import timezone

from annotation.models import Answer, Campaign

WINDOW = timedelta(hours=24)
DAYS = 14
BAR, GAP, HEIGHT = 20, 4, 72  # of the chart, in its own units


@dataclass(frozen=True)
class Pace:
    """Items handed in during the last 24 hours. `an_hour` counts from the first of them until now, at least an hour."""

    handed_in: int
    an_hour: float
    hours_left: float | None


@dataclass(frozen=True)
class Bar:
    """A day of the chart; x, y and height are of its bar."""

    day: date
    count: int
    x: int
    y: int
    height: int


def paces(left: Mapping[Campaign, int], now: datetime | None = None) -> dict[int, Pace]:
    """The pace of the last 24 hours of each campaign by its key, and the hours that the `left` items would take at it.

    The hours are None where nothing came in. One query.
    """
    now = now or timezone.now()
    recent = _first_answers(left).filter(submitted_at__gt=now - WINDOW).order_by().values_list("campaign")
    seen = {key: (count, first) for key, count, first in recent.annotate(Count("pk"), Min("submitted_at"))}
    return {campaign.pk: _pace(seen.get(campaign.pk), still, now) for campaign, still in left.items()}


def _pace(seen: tuple[int, datetime] | None, left: int, now: datetime) -> Pace:
    if seen is None:
        return Pace(0, 0.0, None)
    count, first = seen
    an_hour = count / max(1.0, (now - first).total_seconds() / 3600)
    return Pace(count, an_hour, left / an_hour)


def answers_by_day(campaign: Campaign, today: date | None = None, days: int = DAYS, person: Any = None) -> list[Bar]:
    """The last days, today last, each with its answers (of `person` alone, if one is given) and its bar.

    None where nobody answered in them.
    """
    today = today or timezone.localdate()
    first = today - timedelta(days=days - 1)
    counted = (
        _first_answers([campaign])
        .filter(**({"person": person} if person else {}))
        .annotate(day=TruncDate("submitted_at"))
        .filter(day__gte=first, day__lte=today)
        .order_by()
        .values_list("day")
        .annotate(Count("pk"))
    )
    counts = dict(counted)
    most = max(counts.values(), default=0)
    return [_bar(first + timedelta(days=n), n, counts, most) for n in range(days)] if most else []


def _bar(day: date, number: int, counts: dict[date, int], most: int) -> Bar:
    count = counts.get(day, 0)
    height = max(2, round(HEIGHT * count / most)) if count else 0
    return Bar(day, count, number * (BAR + GAP), HEIGHT - height, height)


def _first_answers(campaigns: Iterable[Campaign]) -> Any:
    """The first answer to each item that somebody handed in, whatever they changed later, in each campaign's phase."""
    wanted = list(campaigns)
    pilots = [campaign.pk for campaign in wanted if campaign.is_pilot]
    phase = Q(pilot=True, campaign__in=pilots) | Q(pilot=False) & ~Q(campaign__in=pilots)
    answers = Answer.objects.filter(phase, campaign__in=wanted, revision=1, late=False)
    return answers.filter(outcome=Answer.Outcome.ANSWERED)
