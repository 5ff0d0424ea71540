"""The rows that the last release had and a new one lacks, with the reason of each."""

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any, NamedTuple

import numpy as np
from django.db import connection
from django.utils.translation import gettext_lazy as _

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign
from annotation.task_types import TASK_TYPES
from corpora.models import Study

REASONS = {
    "waits": _("waiting for a check or a review"),
    "rejected": _("rejected"),
    "withdrawn": _("returned, dropped or withdrawn"),
    "replaced": _("done or decided again by somebody else"),
    "left_out": _("not asked for in this release"),
    "gone": _("no longer in the study"),
}
STATUS = {"rejected": "rejected", "waiting": "waits", "returned": "withdrawn", "dropped": "withdrawn",
          "none": "withdrawn"}  # fmt: skip

ANSWERED = "SELECT DISTINCT campaign_id, item_id, person_id FROM annotation_answer WHERE campaign_id = ANY(%s)"
STATUSES = (
    EFFECTIVE_ANNOTATIONS
    + """
SELECT item_id, person_id, status FROM judged WHERE item_id = ANY(%(items)s)
"""
)
# An item with all that it came from: the item of each stage before it, and who answered there.
LINEAGE = """
WITH RECURSIVE lineage AS (
    SELECT i.id AS item, i.id, i.parent_id, 0 AS up FROM annotation_item i WHERE i.id = ANY(%(items)s)
    UNION ALL
    SELECT l.item, p.item_id, n.parent_id, l.up + 1
    FROM lineage l JOIN annotation_answer p ON p.id = l.parent_id JOIN annotation_item n ON n.id = p.item_id
)
SELECT l.item, p.item_id, p.person_id FROM lineage l JOIN annotation_answer p ON p.id = l.parent_id
ORDER BY l.item, l.up DESC
"""
# The items that stand now in the place of an item or after it, and how they were settled.
NOW = """
SELECT i.id, o.id, o.settled ->> 'verdict'
FROM annotation_item i JOIN annotation_item o ON NOT o.withdrawn AND (
    o.id = i.id AND o.campaign_id IN (SELECT c.id FROM annotation_campaign c WHERE c.task_type = ANY(%(by_item)s))
    OR i.withdrawn AND o.campaign_id = i.campaign_id AND o.parent_id = i.parent_id
    OR o.parent_id IN (SELECT a.id FROM annotation_answer a WHERE a.item_id = i.id)
       AND o.campaign_id IN (SELECT c.id FROM annotation_campaign c WHERE c.takes <> 'farthest'))
WHERE i.id = ANY(%(items)s)
"""
GONE = "SELECT id FROM annotation_item WHERE id = ANY(%s) AND withdrawn"


class Work(NamedTuple):
    """The person and the item behind a row."""

    campaign: int
    item: int
    person: int


def missing_rows(study: Study, now: np.ndarray, before: np.ndarray, campaigns: Sequence[str]) -> dict[str, int]:
    """How many rows are missing for which of the REASONS, by the identities of both releases.

    `campaigns` are those that the new release was asked for.
    """
    lost = set(np.setdiff1d(before["identity"], now["identity"]).tolist())
    if not lost:
        return {}
    work = list(_work_of(study, lost, set(before["identity"].tolist())))
    asked = set(study.campaigns.filter(slug__in=campaigns).values_list("pk", flat=True))
    reasons = Counter(_reasons(study, work, asked))
    reasons["gone"] += len(lost) - len(work)
    return {reason: reasons[reason] for reason in REASONS if reasons[reason]}


def _work_of(study: Study, lost: Set[int], before: Set[int]) -> Iterator[Work]:
    """The work behind each lost row that is still in the study: several rows may be of one answer."""
    with connection.cursor() as cursor:
        cursor.execute(ANSWERED, [list(study.campaigns.values_list("pk", flat=True))])
        answered = cursor.fetchall()
    for campaign, item, person in answered:
        number = 1
        while (key := identity_key(f"{campaign}/{item}/{person}/{number}")) in before:
            if key in lost:
                yield Work(campaign, item, person)
            number += 1


def identity_key(identity: str) -> int:
    """The key of an identity in the digests of a release."""
    return int.from_bytes(hashlib.blake2b(identity.encode(), digest_size=8).digest(), "little")


def _reasons(study: Study, work: Sequence[Work], asked: Set[int]) -> Iterator[str]:
    items = list({one.item for one in work})
    lineages = _grouped(LINEAGE, items)
    known = [*items, *(item for rows in lineages.values() for item, _person in rows)]
    statuses = _statuses(study, known)
    with connection.cursor() as cursor:
        withdrawn = {item for (item,) in cursor.execute(GONE, [items]).fetchall()}
    outcomes = _grouped(NOW, items)
    for one in work:
        earlier = [statuses.get(step, "none") for step in lineages.get(one.item, ())]
        own = [] if one.item in withdrawn else [statuses.get((one.item, one.person), "none")]
        status = next((STATUS[found] for found in [*earlier, *own] if found in STATUS), "")
        yield status or _outcome(one, outcomes.get(one.item, ()), withdrawn, asked)


def _outcome(one: Work, outcomes: Iterable[tuple[int, str | None]], withdrawn: Set[int], asked: Set[int]) -> str:
    """The reason of work that stands: by what became of it in this stage and after it."""
    verdicts = {verdict for _item, verdict in outcomes}
    for verdict, reason in ((None, "waits"), ("rejected", "rejected")):
        if verdict in verdicts:
            return reason
    if one.item in withdrawn and not verdicts:
        return "withdrawn"
    return "replaced" if one.campaign in asked else "left_out"


def _grouped(statement: str, items: Sequence[int]) -> dict[int, list[tuple[int, Any]]]:
    found: dict[int, list[tuple[int, Any]]] = {}
    by_item = [name for name in TASK_TYPES if TASK_TYPES[name].settles == "item"]
    with connection.cursor() as cursor:
        for item, *row in cursor.execute(statement, {"items": list(items), "by_item": by_item}).fetchall():
            found.setdefault(item, []).append((row[0], row[1]))
    return found


def _statuses(study: Study, items: Sequence[int]) -> dict[tuple[int, int], str]:
    campaigns = list(study.campaigns.filter(purpose=Campaign.Purpose.WORK).values_list("pk", flat=True))
    with connection.cursor() as cursor:
        rows = cursor.execute(STATUSES, {"campaigns": campaigns, "items": list(items)}).fetchall()
    return {(item, person): status for item, person, status in rows}


def missing_words(missing: Mapping[str, int]) -> str:
    """How many are missing for which reason, in the reader's language."""
    return ", ".join(f"{REASONS[reason]} ({count:,})" for reason, count in missing.items())
