"""The answers of a campaign, streamed in the order of its items.

PostgreSQL puts together what is known of each as JSON, so that Python passes most of it on as it is.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, NamedTuple

import orjson
from django.db import connection, transaction

from annotation.effective_annotations import EFFECTIVE_ANNOTATIONS
from annotation.models import Campaign

BATCH = 1000
FACTS = (
    "study", "campaign", "task", "purpose", "annotator", "revision", "state", "counts", "outcome", "late", "pilot",
    "seconds", "started_at", "submitted_at", "guideline_version", "verdict", "reason", "comment", "reply", "reviewer",
    "reviewed_at", "flags",
)  # fmt: skip
"""What is known of an answer."""
ABOUT = ("item", "control", "source_id", "split", "domain", "document", "group", "question", "topic", "source")
"""What is known of its item; the source comes from its content."""

# An assignment remembers the person who has it, and since when; of a later revision it says nothing. `judged` knows the
# answers that could count; why another one cannot is said in a word.
_ANSWERS = """, said AS (
    SELECT DISTINCT ON (r.answer_id) r.answer_id, r.verdict, r.reason, r.comment, r.reply, r.reviewer_id, r.made_at,
           CASE WHEN r.verdict = 'fixed' THEN r.content END AS fixed
    FROM annotation_review r JOIN annotation_answer a ON a.id = r.answer_id
    WHERE a.campaign_id = ANY(%(campaigns)s) ORDER BY r.answer_id, r.made_at DESC, r.id DESC
), people AS (
    SELECT * FROM unnest(%(people)s::integer[], %(names)s::text[]) AS p(id, name)
), flags AS (
    SELECT * FROM unnest(%(flagged)s::bigint[], %(flags)s::jsonb[]) AS f(id, names)
)
SELECT i.id, i.sentence_id, a.outcome, a."order", row_to_json(facts)::text, row_to_json(about)::text, i.content,
       coalesce(said.fixed, a.content), CASE WHEN said.fixed IS NOT NULL THEN a.content END
FROM annotation_answer a
{way} j ON j.id = a.id
JOIN annotation_campaign c ON c.id = a.campaign_id
JOIN annotation_item i ON i.id = a.item_id
JOIN annotation_slot s ON s.id = a.slot_id
JOIN people ON people.id = a.person_id
LEFT JOIN said ON said.answer_id = a.id
LEFT JOIN people reviewer ON reviewer.id = said.reviewer_id
LEFT JOIN flags ON flags.id = a.id
LEFT JOIN corpora_sentence t ON t.id = i.sentence_id
LEFT JOIN corpora_direction d ON d.id = t.direction_id
LEFT JOIN corpora_document o ON o.id = i.document_id
LEFT JOIN corpora_group g ON g.id = i.group_id
LEFT JOIN corpora_question q ON q.id = i.question_id,
LATERAL (SELECT CASE WHEN a.pilot THEN 'pilot' WHEN a.outcome <> 'answered' THEN a.outcome
                     WHEN j.status IS NOT NULL THEN j.status WHEN i.control THEN 'control'
                     WHEN c.purpose <> 'work' THEN c.purpose WHEN a.late THEN 'late' ELSE 'superseded' END AS state) w,
LATERAL (SELECT %(study)s::text AS study, c.slug AS campaign, c.task_type AS task, c.purpose,
                people.name AS annotator, a.revision, w.state, w.state = 'standing' AS counts, a.outcome, a.late,
                a.pilot, a.seconds,
                CASE WHEN a.revision = 1 AND s.annotator_id = a.person_id AND s.leased_at <= a.submitted_at
                     THEN s.leased_at END AS started_at,
                a.submitted_at, a.guideline_version, said.verdict, said.reason, said.comment, said.reply,
                reviewer.name AS reviewer, said.made_at AS reviewed_at, coalesce(flags.names, '[]') AS flags) facts,
LATERAL (SELECT i.number AS item, i.control,
                d.source_style || '-' || d.target_style || '-' || t.number AS source_id, t.split, t.domain,
                o.code AS document, g.number AS "group", q.code AS question, i.topic) about
WHERE a.campaign_id = ANY(%(campaigns)s)
ORDER BY i.number, s.number, a.submitted_at, a.id
"""
ALL = EFFECTIVE_ANNOTATIONS + _ANSWERS.format(way="LEFT JOIN judged")
THOSE_THAT_COUNT = EFFECTIVE_ANNOTATIONS + _ANSWERS.format(way="JOIN effective")
MOST = """
SELECT coalesce(max(cardinality("order")), 0) FROM annotation_answer WHERE campaign_id = ANY(%(campaigns)s)
"""


class AnswerRow(NamedTuple):
    """One revision of one answer; `facts` and `about` are JSON objects of `FACTS` and `ABOUT`, as text.

    `answer` is what counts, as text: what a reviewer fixed, and then `before` is what the person gave. `order` holds
    the canonical numbers of the item's candidates as they were shown.
    """

    item: int
    sentence: int | None
    outcome: str
    order: list[int]
    facts: str
    about: str
    content: dict[str, Any]
    kept: str  # the content as text
    answer: str
    before: str | None


def answer_rows(
    campaign: Campaign, which: str, names: Mapping[int, str], flags: Mapping[int, list[str]]
) -> Iterator[list[AnswerRow]]:
    """The answers, a batch at a time; flat memory, by a cursor on the server.

    `names` are pseudonyms by person, `flags` the checks by answer.
    """
    asked: dict[str, Any] = {
        "campaigns": [campaign.pk],
        "study": campaign.study.slug,
        "people": list(names),
        "names": list(names.values()),
        "flagged": list(flags),
        "flags": [orjson.dumps(flag).decode() for flag in flags.values()],
    }
    last, content = 0, dict[str, Any]()
    with connection.chunked_cursor() as cursor:
        with _planned_for_many():
            cursor.execute(THOSE_THAT_COUNT if which == "standing" else ALL, asked)
            rows = cursor.fetchmany(BATCH)  # the first of them is there once all are sorted
        while rows:
            batch = []
            for row in rows:
                if row[0] != last:  # the answers to one item follow each other
                    last, content = row[0], orjson.loads(row[6])
                batch.append(AnswerRow._make((*row[:6], content, *row[6:])))
            yield batch
            rows = cursor.fetchmany(BATCH)


@contextmanager
def _planned_for_many() -> Iterator[None]:
    """What is planned within joins by hashing, and has space to sort in memory.

    Of answers that came a moment ago the planner knows nothing, expects a handful and would go through all of them for
    each; how a cursor reads is settled when it is opened, and where it sorts when its first row is asked for.
    """
    with transaction.atomic(), connection.cursor() as cursor:  # behind a pooler the session is somebody else's then
        cursor.execute("SET LOCAL enable_nestloop = off; SET LOCAL work_mem = '32MB'")
        yield
        cursor.execute("RESET enable_nestloop; RESET work_mem")


def most_outputs(campaigns: Sequence[int]) -> int:
    """The most texts that stood beside each other in an item."""
    with connection.cursor() as cursor:
        return int(cursor.execute(MOST, {"campaigns": list(campaigns)}).fetchone()[0])
