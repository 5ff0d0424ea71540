"""People of one device are kept off each other's items: one browser with eight ids would fill all assignments of an
item.

Who belongs together is worked out when somebody comes from a crowd site, and when one of them sits down in a campaign;
it stands in their memberships, which every act reads anyway. A claim of anybody else costs nothing more.
"""

from typing import Any

from django.db import connection

from accounts.database.prepared_statements import fetch_one

LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))"
# Also who is only linked by a third one, that came in two browsers.
TOGETHER = """
WITH RECURSIVE together(person_id) AS (
    SELECT %(person)s::bigint
    UNION
    SELECT theirs.person_id FROM together t
    JOIN annotation_deviceuse own ON own.person_id = t.person_id AND own.study_id = %(study)s
    JOIN annotation_deviceuse theirs ON theirs.study_id = own.study_id AND theirs.device = own.device
)
SELECT array_agg(person_id ORDER BY person_id) FROM together
"""
KEEP = """
WITH memberships AS (
    SELECT s.id FROM annotation_seat s JOIN annotation_campaign c ON c.id = s.campaign_id
    WHERE c.study_id = %(study)s AND s.person_id = ANY(%(people)s)
      AND s.apart <> array_remove(%(people)s::int[], s.person_id::int)
    ORDER BY s.id FOR UPDATE OF s
)
UPDATE annotation_seat s SET apart = array_remove(%(people)s::int[], s.person_id::int)
FROM memberships m WHERE s.id = m.id
"""
CAME = "SELECT 1 FROM annotation_deviceuse WHERE study_id = %(study)s AND person_id = %(person)s LIMIT 1"


def lock_devices(study: int) -> None:
    """Until the transaction ends nobody else comes by a device of the study, or sits down as one who did."""
    with connection.cursor() as cursor:
        cursor.execute(LOCK, [f"devices {study}"])


def people_of_same_device(study: int, person: int) -> list[int]:
    """The keys of all who are taken for this person, themselves among them."""
    row = fetch_one(TOGETHER, {"study": study, "person": person})
    return row[0] if row else [person]


def keep_apart(study: int, person: int) -> None:
    """Write down in the memberships of all who are taken for `person` who the others are. Under `lock_devices`."""
    people = people_of_same_device(study, person)
    if len(people) > 1:
        with connection.cursor() as cursor:
            cursor.execute(KEEP, {"study": study, "people": people})


def join_apart(study: int, person: int) -> None:
    """The same for a membership that was just made; of who came from no crowd site there is nothing to do."""
    if fetch_one(CAME, {"study": study, "person": person}):
        lock_devices(study)
        keep_apart(study, person)


def serialize_shared_device(context: Any) -> None:
    """Have the people of one device act one after the other, or two claims at once would not see each other."""
    if context.apart:
        with connection.cursor() as cursor:
            cursor.execute(LOCK, [f"apart {context.campaign} {min(context.person.pk, *context.apart)}"])
