"""The sums that a person's membership grows by each of their answers, so that none costs more than the one before it.

`recent_seconds` are the active seconds of their newest answers, oldest first. `paid_seconds` are the seconds of all
their acts, for an item up to what the campaign plans for it; `answered` counts the items with an answer of theirs, of
the pilot and late ones too. Both are the ledger's. `summed_done` is the `done` that belongs to these sums. Where it
differs or is empty, or `answered` is, something else was written since (by a version that knows no sums, by a change of
what is paid, by taking back a skip). The next to need the sums then makes them anew from the answers.
"""

from collections.abc import Iterable
from typing import Any

from django.db import connection, transaction

from accounts.database.prepared_statements import fetch_one
from annotation.crowd.ledger import IS_ANSWERED

RECENT = 30  # newest answers that the pace is taken from
# Seconds of an item that are paid, of a campaign `c`.
PLANNED = "60 * coalesce((c.pay ->> 'minutes')::float8, c.lease_minutes)"
# The person's revision and seconds so far on the item of an assignment `s`, and its planned seconds: a row `before`.
BEFORE = f"""
    SELECT coalesce(max(a.revision), 0) AS revision, coalesce(sum(a.seconds), 0) AS seconds,
           {IS_ANSWERED} AS answered,
           (SELECT {PLANNED} FROM annotation_campaign c WHERE c.id = s.campaign_id) AS planned
    FROM annotation_answer a
    WHERE a.item_id = s.item_id AND a.person_id = %(person)s AND a.pilot = s.pilot
"""  # noqa: S608 (expressions of this program)
# Assignments of an UPDATE of `annotation_campaignmembership`, as `m`, by a row `written` of an answer and the row
# `before`. (`least` passes over NULL: time that was not measured is not paid.)
PAID = """paid_seconds = m.paid_seconds - least(before.seconds, before.planned)
                            + least(before.seconds + coalesce(written.seconds, 0), before.planned)"""
ADDED = f"""recent_seconds = CASE WHEN written.seconds IS NULL THEN m.recent_seconds ELSE
               (m.recent_seconds || written.seconds)[greatest(1, cardinality(m.recent_seconds) + 2 - {RECENT}):] END,
           answered = m.answered + (NOT before.answered)::int,
           {PAID}"""

_ANSWERS = "FROM annotation_answer a WHERE a.campaign_id = m.campaign_id AND a.person_id = m.person_id"
SUM = f"""
UPDATE annotation_campaignmembership m SET summed_done = m.done,
    recent_seconds = array(
        SELECT recent.seconds FROM (
            SELECT a.seconds, a.submitted_at, a.id {_ANSWERS} AND a.outcome = 'answered' AND a.seconds IS NOT NULL
            ORDER BY a.submitted_at DESC, a.id DESC LIMIT {RECENT}) recent
        ORDER BY recent.submitted_at, recent.id),
    (paid_seconds, answered) = (
        SELECT coalesce(sum(least(worked.seconds, {PLANNED})), 0), count(*) FILTER (WHERE worked.answered)
        FROM (SELECT coalesce(sum(a.seconds), 0) AS seconds, {IS_ANSWERED} AS answered
              {_ANSWERS} GROUP BY a.item_id, a.pilot) worked)
FROM annotation_campaign c
WHERE c.id = m.campaign_id AND m.id = ANY(%(memberships)s::bigint[])
RETURNING m.recent_seconds, m.paid_seconds, m.answered
"""  # noqa: S608 (expressions of this program)
IS_STALE = "(m.answered IS NULL OR m.summed_done IS DISTINCT FROM m.done)"  # of a membership `m`
LOCK_STALE = f"""
SELECT m.id FROM annotation_campaignmembership m
WHERE m.person_id = %(person)s AND m.campaign_id = ANY(%(campaigns)s) AND {IS_STALE}
ORDER BY m.id FOR UPDATE
"""  # noqa: S608 (an expression of this program)
FORGET = """
UPDATE annotation_campaignmembership SET summed_done = NULL
WHERE campaign_id = %(campaign)s AND (%(person)s::bigint IS NULL OR person_id = %(person)s::bigint)
"""


def sum_anew(membership: int) -> tuple[list[float], float, int]:
    """The sums of a membership that the caller has locked, from its answers."""
    row = fetch_one(SUM, {"memberships": [membership]})
    assert row is not None
    return row[0], row[1], row[2]


def sum_stale(campaigns: Iterable[int], person: int) -> None:
    """Sum anew the outdated memberships of the person in these campaigns."""
    # Locked by a statement of its own, so that the next one sees what was written until then.
    with transaction.atomic(), connection.cursor() as cursor:
        stale = cursor.execute(LOCK_STALE, {"campaigns": list(campaigns), "person": person}).fetchall()
        cursor.execute(SUM, {"memberships": [key for (key,) in stale]})


def forget_sums(campaign: int, person: int | None = None) -> None:
    """Drop outdated sums of all who work in the campaign, or of one; in the caller's transaction."""
    with connection.cursor() as cursor:
        cursor.execute(FORGET, {"campaign": campaign, "person": person})


def add_act(membership: int, answer: int, *, is_answer: bool) -> None:
    """Add an act that was written by itself (a revision, a skip, a report) to the sums of the membership."""
    with connection.cursor() as cursor:
        cursor.execute(ADD_ANSWER if is_answer else ADD_ACT, {"membership": membership, "answer": answer})


_ADD: Any = f"""
UPDATE annotation_campaignmembership m SET {{added}}
FROM annotation_answer written JOIN annotation_campaign c ON c.id = written.campaign_id,
     LATERAL (SELECT coalesce(sum(a.seconds), 0) AS seconds, {PLANNED} AS planned, {IS_ANSWERED} AS answered
              FROM annotation_answer a
              WHERE a.item_id = written.item_id AND a.person_id = written.person_id AND a.pilot = written.pilot
                AND a.id <> written.id) before
WHERE m.id = %(membership)s AND written.id = %(answer)s
"""  # noqa: S608 (expressions of this program)
ADD_ANSWER, ADD_ACT = _ADD.format(added=ADDED), _ADD.format(added=PAID)
