"""The time that somebody worked at an item: as their browser counted it, and no more than the server saw of it.

Browsers and programs say any number. The server knows when it gave out the lease, or, where there is none of this
assignment any more (a revision, or work that comes after its assignment went to somebody else), when the person last
handed something in in this campaign. The seconds of work that they handed in meanwhile are taken off: no minute counts
twice.
"""

from accounts.database.prepared_statements import fetch_one

LONGEST = 24 * 3600.0

# An expression for statements that name an assignment `s`, with the values `seconds`, `lease` and `person`.
# PostgreSQL's `least` passes over NULL, so a time that was not counted must not come by it. The order and the limit of
# the answers handed in meanwhile have the index walked from its end; else all answers of the person may be read.
# OFFSET 0: when it began is worked out once.
SEEN = """
CASE WHEN %(seconds)s::float8 IS NOT NULL THEN least(%(seconds)s::float8, greatest(0, (
    SELECT extract(epoch FROM now() - b.began)::float8 - coalesce((
        SELECT sum(newest.seconds) FROM (
            SELECT a.seconds FROM annotation_answer a
            WHERE a.campaign_id = s.campaign_id AND a.person_id = %(person)s AND a.submitted_at > b.began
            ORDER BY a.submitted_at DESC LIMIT 1000) newest), 0)
    FROM (SELECT coalesce(
        CASE WHEN s.lease = %(lease)s::uuid THEN s.leased_at END,
        (SELECT max(a.submitted_at) FROM annotation_answer a
         WHERE a.campaign_id = s.campaign_id AND a.person_id = %(person)s),
        (SELECT t.made_at FROM annotation_campaignmembership t
         WHERE t.campaign_id = s.campaign_id AND t.person_id = %(person)s)
    ) AS began OFFSET 0) b))) END
"""
OF_ASSIGNMENT = f"SELECT {SEEN} FROM annotation_assignment s WHERE s.id = %(assignment)s"  # noqa: S608 (the above)


def clean_seconds(seconds: float | None) -> float | None:
    """Active seconds as the browser counted them; None where they are impossible."""
    return seconds if seconds is not None and 0 <= seconds <= LONGEST else None


def seen_seconds(seconds: float | None, *, assignment: int, person: int) -> float | None:
    """The seconds of a revision, for which there is no lease. The person's membership is locked by the caller."""
    row = fetch_one(
        OF_ASSIGNMENT, {"seconds": clean_seconds(seconds), "assignment": assignment, "person": person, "lease": None}
    )
    return row[0] if row else None
