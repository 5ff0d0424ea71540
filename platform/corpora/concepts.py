"""The concepts of a study's sentences: the job that links them, and their counts for the page and the API."""

from collections.abc import Sequence
from dataclasses import dataclass

import orjson
from django.db import connection
from django.db.models import Count, Model, Q

from corpora.knowledge.concepts import Linker, linker
from corpora.models import DocumentSentence, Sentence, Study
from foundation.translation import translate
from jobs.execution import JobResult, Progress
from jobs.models import Job

BATCH = 500
OF_STUDY: Sequence[tuple[type[Model], str]] = ((DocumentSentence, "document__study"), (Sentence, "direction__study"))
SHOWN = 50

# A text that was masked meanwhile differs from the one that was linked.
WRITE = """
    UPDATE {table} AS s SET concepts = t.concepts FROM unnest(%s::bigint[], %s::text[], %s::jsonb[])
    AS t(id, text, concepts) WHERE s.id = t.id AND s.text = t.text
"""
FREQUENT = """
    WITH mentions AS (
        SELECT c->>'cui' AS cui, c->'names'->>0 AS name FROM corpora_documentsentence s
        JOIN corpora_document d ON d.id = s.document_id, jsonb_array_elements(s.concepts) c WHERE d.study_id = %(study)s
        UNION ALL
        SELECT c->>'cui', c->'names'->>0 FROM corpora_sentence s
        JOIN corpora_direction d ON d.id = s.direction_id, jsonb_array_elements(s.concepts) c
        WHERE d.study_id = %(study)s AND s.origin_id IS NULL
    )
    SELECT cui, min(name), count(*), count(*) OVER (), sum(count(*)) OVER () FROM mentions
    GROUP BY cui ORDER BY count(*) DESC, cui LIMIT %(shown)s
"""


@dataclass(frozen=True)
class Linked:
    """How many sentences there are and how many are linked; mentions, different concepts, and the most frequent ones
    as (id, name, mentions). A source that was selected from a document counts once, there."""

    sentences: int
    linked: int
    mentions: int
    concepts: int
    frequent: list[tuple[str, str, int]]


def linked_of(study: Study) -> Linked:
    """The concepts linked in a study, counted."""
    counts = [
        model._default_manager.filter(**{path: study}).aggregate(
            all=Count("pk"), done=Count("pk", Q(concepts__isnull=False))
        )
        for model, path in OF_STUDY
    ]
    with connection.cursor() as cursor:
        cursor.execute(FREQUENT, {"study": study.pk, "shown": SHOWN})
        rows = cursor.fetchall()
    concepts, mentions = (rows[0][3], int(rows[0][4])) if rows else (0, 0)
    total, done = (sum(count[key] for count in counts) for key in ("all", "done"))
    frequent = [(cui, name, count) for cui, name, count, *_ in rows]
    return Linked(total, done, mentions, concepts, frequent)


def link_study(job: Job, progress: Progress) -> JobResult:
    """Link every sentence of the job's study that is not linked yet, a batch at a time."""
    study = Study.objects.get(slug=job.study_slug)
    waiting = [model._default_manager.filter(**{path: study, "concepts__isnull": True}) for model, path in OF_STUDY]
    total = sum(rows.count() for rows in waiting)
    found = linker()
    progress.at(0, total, f"By {found.name}.")
    done = 0
    for rows in waiting:
        last = 0
        while batch := list(rows.filter(pk__gt=last).order_by("pk").values_list("pk", "text")[:BATCH]):
            _link(rows.model, batch, found)
            last, done = batch[-1][0], done + len(batch)
            progress.at(done, total)
    return _told(linked_of(study))


def _told(linked: Linked) -> JobResult:
    said = translate(
        "Linked sentences: {linked} of {all}; mentions: {mentions}; different concepts: {concepts}.",
        linked=f"{linked.linked:,}", all=f"{linked.sentences:,}", mentions=f"{linked.mentions:,}",
        concepts=f"{linked.concepts:,}",
    )  # fmt: skip
    if linked.sentences and not linked.mentions:
        none = translate(
            "No concept was found: look whether the concepts at hand are of these texts' language and field."
        )
        return JobResult(said, none)
    return JobResult(said)


def _link(model: type[Model], batch: list[tuple[int, str]], found: Linker) -> None:
    ids, texts = zip(*batch, strict=True)
    concepts = [orjson.dumps([one.json() for one in found.link(text)]).decode() for text in texts]
    with connection.cursor() as cursor:
        cursor.execute(WRITE.format(table=model._meta.db_table), [list(ids), list(texts), concepts])
