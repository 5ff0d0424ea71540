"""The units of a study (`units.py`) with their references, streamed: models are trained on them and rewrite them.

A unit of a study of documents is in a split if all its sentences are: a document in several splits would bring texts of
tests into training.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from django.db import connection

from corpora.database import stream_rows
from corpora.models import Direction, Study
from corpora.texts.columns import plain
from corpora.texts.units import text_of

CHUNK = 5000  # rows that are in memory at once
UNIT = {  # the key of a unit within its direction
    Study.Unit.SENTENCE: "s.id",
    Study.Unit.DOCUMENT: "COALESCE(o.document_id, -s.id)",
}
PLACED = """
    SELECT s.id, s.text, s.number, s.split, s.direction_id, COALESCE(o.number, 0) AS place, {unit} AS unit
    FROM corpora_sentence s LEFT JOIN corpora_documentsentence o ON o.id = s.origin_id
    WHERE s.direction_id = ANY(%(directions)s) AND (%(only)s::bigint[] IS NULL OR {unit} = ANY(%(only)s))
"""
WHOLE = {  # with the lowest number of the unit, and whether all of it is in the split
    Study.Unit.SENTENCE: "SELECT p.*, p.number AS first, %(split)s IN ('', p.split) AS whole FROM placed p",
    Study.Unit.DOCUMENT: """
        SELECT p.*, MIN(p.number) OVER unit_rows AS first, bool_and(%(split)s IN ('', p.split)) OVER unit_rows AS whole
        FROM placed p WINDOW unit_rows AS (PARTITION BY p.direction_id, p.unit)
    """,
}
ROWS = """
    WITH placed AS ({placed}), units AS ({whole})
    SELECT u.direction_id, u.unit, u.id, u.text, t.number, r.set_id, r.text, t.marks
    FROM units u JOIN corpora_direction d ON d.id = u.direction_id
    LEFT JOIN corpora_reference r ON r.sentence_id = u.id AND %(references)s
    LEFT JOIN corpora_referenceset t ON t.id = r.set_id
    WHERE u.whole ORDER BY d.number, u.first, u.place, u.number, u.id, t.number
"""
DRAWN = {
    Study.Unit.SENTENCE: """
        SELECT s.id FROM corpora_sentence s WHERE s.direction_id = ANY(%(directions)s) AND s.split = %(split)s
        ORDER BY hashint8extended(s.id, 0) LIMIT %(most)s
    """,
    Study.Unit.DOCUMENT: """
        SELECT p.unit FROM ({placed}) AS p GROUP BY p.unit HAVING bool_and(p.split = %(split)s)
        ORDER BY hashint8extended(p.unit, 0) LIMIT %(most)s
    """,
}
MIXED = "SELECT COUNT(*) FROM (SELECT FROM ({placed}) AS p GROUP BY p.direction_id, p.unit {several}) AS mixed"
SEVERAL = "HAVING COUNT(DISTINCT p.split) > 1"


class WrittenReference(NamedTuple):
    """A reference of a unit: as metrics read it, as it was written (full forms in brackets), and by sentence."""

    text: str
    marked: str
    sentences: list[str]


class UnitTexts(NamedTuple):
    """A unit by the key of its first sentence: its text, its sentences, its references by set, in the sets' order."""

    id: int
    direction: int
    source: str
    sentences: list[str]
    references: dict[int, WrittenReference]


def stream_units(
    study: Study,
    directions: Sequence[Direction],
    split: str,
    *,
    references: bool = True,
    only: Sequence[int] | None = None,
) -> Iterator[UnitTexts]:
    """The units of a split, or of all (""), by direction, in the order of their lowest source.

    Without `references` these are empty. `only` are the units that are wanted, as `draw_units` names them.
    """
    if not directions:
        return
    asked = {**_given(directions, split, only), "references": references}
    for (direction, _), rows in groupby(stream_rows(_query(ROWS, study), asked, CHUNK), key=lambda row: row[:2]):
        yield _unit(direction, [row[2:] for row in rows])


def draw_units(study: Study, directions: Sequence[Direction], split: str, most: int) -> list[int]:
    """At most that many units of a split, drawn by a hash of their keys: the same ones each time."""
    with connection.cursor() as cursor:
        cursor.execute(_query(DRAWN[Study.Unit(study.unit)], study), {**_given(directions, split), "most": most})
        return [unit for (unit,) in cursor.fetchall()]


def count_mixed(study: Study, directions: Sequence[Direction]) -> int:
    """How many documents lie in several splits; 0 in a study whose unit is the sentence."""
    if study.unit == Study.Unit.SENTENCE:
        return 0
    with connection.cursor() as cursor:
        cursor.execute(_query(MIXED, study), _given(directions))
        return int(cursor.fetchone()[0])


def _query(query: str, study: Study) -> str:
    unit = Study.Unit(study.unit)
    return query.format(placed=PLACED.format(unit=UNIT[unit]), whole=WHOLE[unit], several=SEVERAL)


def _given(directions: Sequence[Direction], split: str = "", only: Sequence[int] | None = None) -> dict[str, Any]:
    listed = None if only is None else list(only)
    return {"directions": [one.pk for one in directions], "split": split, "only": listed}


def _unit(direction: int, rows: Sequence[tuple[Any, ...]]) -> UnitTexts:
    """The unit of its rows (sentence, text, number and key of a set, reference, marks)."""
    texts: dict[int, str] = {}
    sets: dict[tuple[int, int], dict[int, tuple[str, str]]] = {}
    for pk, text, number, key, written, marks in rows:
        texts[pk] = text
        if key is not None:
            sets.setdefault((number, key), {})[pk] = plain(written, marks), written
    ids = list(texts)
    references = {key: _reference(ids, own) for (_, key), own in sorted(sets.items())}
    kept = {key: reference for key, reference in references.items() if reference.text}
    return UnitTexts(ids[0], direction, text_of(ids, texts), list(texts.values()), kept)


def _reference(ids: Sequence[int], own: dict[int, tuple[str, str]]) -> WrittenReference:
    plain_texts, marked = ({pk: both[place] for pk, both in own.items()} for place in (0, 1))
    return WrittenReference(
        text_of(ids, plain_texts, partly=True), text_of(ids, marked, partly=True), list(plain_texts.values())
    )
