"""Gold rewrites on their way out: which count, with what provenance, and in which formats."""

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import chain
from typing import Any

from django.db import connection

from annotation.effective_annotations import COUNTED, EFFECTIVE_ANNOTATIONS, rewrite_campaigns
from annotation.pseudonyms import pseudonyms
from corpora.database import stream_rows
from corpora.formats import GoldRow, csv_cells, gyafc
from corpora.models import Study
from foundation.errors import UserError

# The gold rewrites of a study, streamed; PostgreSQL puts each together, so that Python only passes it on.

NAMES = (
    "source_id", "source", "source_style", "target_style", "text", "split", "domain", "annotator", "written_at",
    "guideline_version", "revision", "campaign", "study", "license",
)  # fmt: skip
"""The columns of a rewrite, which are in this order everywhere."""

# Rewrites of one source stand together, in the order of the campaigns and their assignments.
GOLD = (
    EFFECTIVE_ANNOTATIONS
    + COUNTED
    + """, gold AS (
SELECT d.source_style || '-' || d.target_style || '-' || t.number AS source_id, t.text AS source, d.source_style,
       d.target_style, counted.text AS text, t.split, t.domain,
       %(people)s::jsonb ->> counted.person_id::text AS annotator,
       counted.submitted_at AS written_at, counted.guideline_version::text AS guideline_version, counted.revision,
       c.slug AS campaign, %(study)s::text AS study, %(license)s::text AS license
FROM counted
JOIN annotation_campaign c ON c.id = counted.campaign_id
JOIN annotation_item i ON i.id = counted.item_id
JOIN annotation_assignment s ON s.id = counted.slot_id
JOIN corpora_sentence t ON t.id = i.sentence_id
JOIN corpora_direction d ON d.id = t.direction_id
ORDER BY d.number, t.number, c.made_at, c.id, s.number, counted.submitted_at, counted.id
)
"""
)
COUNTS = (
    EFFECTIVE_ANNOTATIONS
    + COUNTED
    + """
SELECT count(*), count(DISTINCT i.sentence_id), count(DISTINCT counted.person_id),
       count(*) FILTER (WHERE counted.verdict IN ('accepted', 'fixed'))
FROM counted JOIN annotation_item i ON i.id = counted.item_id
"""
)


def rewrite_rows(study: Study, columns: str = "gold.*") -> Iterator[tuple[Any, ...]]:
    """Rows of `columns` of the gold rewrites that count; flat memory, by a cursor on the server."""
    campaigns = rewrite_campaigns(study)
    if not campaigns:
        return
    people = json.dumps(pseudonyms(study))
    given: dict[str, Any] = {"campaigns": campaigns, "people": people, "study": study.slug, "license": study.license}
    yield from stream_rows(f"{GOLD} SELECT {columns} FROM gold", given)  # noqa: S608 (`columns` is written in this room)


def rewrite_counts(study: Study) -> dict[str, int]:
    """How many rewrites count, of how many sources, by how many people, and how many a reviewer accepted."""
    campaigns = rewrite_campaigns(study)
    counts = (0, 0, 0, 0)
    if campaigns:
        with connection.cursor() as cursor:
            cursor.execute(COUNTS, {"campaigns": campaigns})
            counts = cursor.fetchone()
    return dict(zip(("rewrites", "sources", "people", "accepted"), counts, strict=True))


# The forms in which gold rewrites leave the site, each as chunks of bytes.

LINES = 1000  # of JSON in one chunk


@dataclass(frozen=True)
class RewriteFormat:
    """A form: what it is for people, and the file it makes."""

    label: str
    about: str
    suffix: str
    media_type: str
    chunks: Callable[[Study], Iterator[bytes]]


def export_rewrites(study: Study, form: str) -> Iterator[bytes]:
    """The study's gold rewrites in a form, streamed. UserError at once where the form cannot hold them."""
    if form not in REWRITE_FORMATS:
        raise UserError(
            "There is no format '{form}'; the formats are {rewrite_formats}.",
            form=form,
            rewrite_formats=", ".join(REWRITE_FORMATS),
            where="format",
        )
    chunks = REWRITE_FORMATS[form].chunks(study)
    first = next(chunks, b"")  # what can go wrong does so before the first byte
    return chain([first], chunks)


def _jsonl(study: Study) -> Iterator[bytes]:
    lines: list[str] = []
    for (line,) in rewrite_rows(study, "row_to_json(gold)::text"):
        lines.append(line)
        if len(lines) == LINES:
            yield ("\n".join(lines) + "\n").encode()
            lines = []
    if lines:
        yield ("\n".join(lines) + "\n").encode()


def _csv(study: Study) -> Iterator[bytes]:
    return csv_cells.write(chain([NAMES], rewrite_rows(study)))


def _gyafc(study: Study) -> Iterator[bytes]:
    columns = "source_id, source_style, target_style, source, text, split, domain"
    return gyafc.write(
        GoldRow("rewrite", key, style, target_style, {"source": source, "text": text}, split, domain)
        for key, style, target_style, source, text, split, domain in rewrite_rows(study, columns)
    )


REWRITE_FORMATS = {
    "jsonl": RewriteFormat(
        "JSON lines", "One object per rewrite, with its provenance.", ".jsonl", "application/x-ndjson", _jsonl
    ),
    "gyafc": RewriteFormat(
        "GYAFC layout",
        "A ZIP archive of folders by domain and split, with one text per line; formal.ref0 and so on hold "
        "the rewrites.",
        ".zip",
        "application/zip",
        _gyafc,
    ),
    "csv": RewriteFormat(
        "CSV", "A table for spreadsheets, in which no cell runs as a formula.", ".csv", "text/csv; charset=utf-8", _csv
    ),
}
