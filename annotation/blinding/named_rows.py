"""The row that a page or a script names: by its handle, or, where it was opened before the upgrade, by its key.

Pages of the release before this one hold keys of the database. What is typed in one that stays open over an upgrade is
taken; a key of a row that is younger than the upgrade names nothing, as keys tell in which order rows were made.
"""

from django.db import connection

from annotation.blinding.handles import NOTHING, Kind, key_of

UPGRADE = "0021_own_scales"  # the migration by which this release's handles were there for sure
LONGEST = 18  # digits of a key
OLDER = "(SELECT applied FROM django_migrations WHERE app = 'annotation' AND name = %(upgrade)s)"
OWN = {
    Kind.ASSIGNMENT: "annotation_slot r WHERE r.annotator_id = %(person)s AND r.leased_at",
    Kind.ANSWER: "annotation_answer r WHERE r.person_id = %(person)s AND r.submitted_at",
    Kind.REVIEW: (
        "annotation_review r JOIN annotation_answer a ON a.id = r.answer_id"
        " WHERE a.person_id = %(person)s AND r.made_at"
    ),
    Kind.PARTICIPANT: "annotation_entrant r WHERE r.person_id = %(person)s AND r.entered_at",
}


def named_row(kind: Kind, named: str, person: int) -> int:
    """The key of a row of theirs; 0, which is no key, where nothing of this kind and person is named so."""
    if not (named.isascii() and named.isdigit() and len(named) <= LONGEST):
        return key_of(kind, named, person)
    with connection.cursor() as cursor:
        statement = f"SELECT 1 FROM {OWN[kind]} < {OLDER} AND r.id = %(key)s"  # noqa: S608 (of this module's words)
        cursor.execute(statement, {"key": int(named), "person": person, "upgrade": UPGRADE})
        return int(named) if cursor.fetchone() else NOTHING
