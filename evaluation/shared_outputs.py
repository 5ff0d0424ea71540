"""Pairs of outputs by pages, without a snapshot: the database counts the units, and a page reads only its own texts."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from django.db import connection

from corpora.models import Output, Sentence, Study, System
from corpora.texts.units import Unit
from evaluation.comparability.report_split import TEST as TEST_SPLIT
from evaluation.comparability.report_split import split_meant
from evaluation.metric_contract import Floats
from evaluation.models import ReportChoice
from evaluation.pair_values import (
    PairScore,
    PairValues,
    StudyJudgements,
    metric_scores,
    metric_values,
    study_judgements,
)
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.snapshot_builder.texts import joined_text, output_of_unit, references_of
from evaluation.system_comparison import (
    OutputPair,
    check_different,
    check_split,
    comparison_snapshot,
    direction_place,
    mean_judgements,
    number_or_none,
    outcome_mask,
    place_of,
    sorted_units,
)
from foundation.errors import UserError

SHARED_UNITS = """
WITH unit AS (
    SELECT d.id AS direction_id, d.number AS direction, min(s.number) AS first,
           array_agg(s.id ORDER BY coalesce(o.number, 0), s.number) AS ids,
           (array_agg(s.split ORDER BY coalesce(o.number, 0), s.number))[1] AS split,
           bool_and(a.id IS NOT NULL AND b.id IS NOT NULL) AS shared
    FROM corpora_sentence s JOIN corpora_direction d ON d.id = s.direction_id
    LEFT JOIN corpora_documentsentence o ON o.id = s.origin_id AND %(of_documents)s
    LEFT JOIN corpora_output a ON a.sentence_id = s.id AND a.system_id = %(first)s
    LEFT JOIN corpora_output b ON b.sentence_id = s.id AND b.system_id = %(second)s
    WHERE d.study_id = %(study)s
    GROUP BY d.id, d.number, coalesce(o.document_id, -s.id)
), numbered AS (
    SELECT *, row_number() OVER (ORDER BY direction, first) AS number FROM unit WHERE %(split)s IN ('', split)
), shown AS (
    SELECT * FROM numbered WHERE shared AND %(direction)s IN (0, direction_id)
)
"""  # wants the keys of the study, of both systems and of a direction (0: all), and a split
COUNTED = f"{SHARED_UNITS} SELECT count(*) FROM shown"  # noqa: S608 (all parts stand in this program)
LISTED = f"{SHARED_UNITS} SELECT number, ids, direction_id FROM shown ORDER BY number"  # noqa: S608
CUT = f"{SHARED_UNITS} SELECT number, ids FROM shown ORDER BY number LIMIT %(limit)s OFFSET %(start)s"  # noqa: S608
LENGTHS = """
SELECT s.id, length(s.text), length(a.text), length(b.text)
  FROM corpora_sentence s JOIN corpora_direction d ON d.id = s.direction_id
  JOIN corpora_output a ON a.sentence_id = s.id AND a.system_id = %(first)s
  JOIN corpora_output b ON b.sentence_id = s.id AND b.system_id = %(second)s
 WHERE d.study_id = %(study)s
"""
LENGTH_OF_SOURCE, LENGTH_OF_OUTPUT = "length:source", "length:output"  # characters


def _means_everywhere(snapshot: StudySnapshot, judged: CriterionJudgements, place: int) -> Floats:
    return mean_judgements(snapshot, judged, place, np.ones(len(snapshot.units.ids), dtype=bool))


@dataclass(frozen=True)
class SharedOutputs:
    """The units that two systems have outputs for, as a list that a page of them is cut from; nothing else is read.

    `systems` are their keys, `asked` the parameters of `SHARED_UNITS`, `split` is "" for all units, and `direction` the
    place of a direction or "".
    """

    study: Study
    names: tuple[str, str]
    systems: tuple[int, int]
    split: str
    asked: dict[str, int | str]
    direction: str = ""

    def count(self) -> int:
        with connection.cursor() as cursor:
            cursor.execute(COUNTED, self.asked)
            (count,) = cursor.fetchone()
        return int(count)

    def __getitem__(self, part: slice) -> list[OutputPair]:
        start = part.start or 0
        limit = None if part.stop is None else part.stop - start
        with connection.cursor() as cursor:
            cursor.execute(CUT, self.asked | {"limit": limit, "start": start})
            rows = cursor.fetchall()
        return self.read([number for number, _ in rows], [Unit(ids) for _, ids in rows], few=limit is not None)

    def found(self, search: str, differing: bool) -> "SharedOutputs | list[OutputPair]":
        """Those that hold all words of a search, and where only outputs that differ are meant, differ."""
        words = search.casefold().split()
        if not words and not differing:
            return self
        return [pair for pair in self[:] if pair.holds(words) and not (differing and pair.same)]

    def listed(self) -> list[tuple[int, list[int], int]]:
        """The number of each unit, its sentences and the key of its direction."""
        with connection.cursor() as cursor:
            cursor.execute(LISTED, self.asked)
            return list(cursor.fetchall())

    def judgements(self) -> StudyJudgements:
        split = self.split or "all"
        return study_judgements(
            self.study, split, lambda: comparison_snapshot(self.study, split, scores=False), _means_everywhere
        )

    def scores(self, numbers: Collection[int]) -> dict[int, list[PairScore]]:
        """All measures' values of some pairs, by their numbers; of those that are there."""
        chosen = {number: (ids[0], direction) for number, ids, direction in self.listed() if number in numbers}
        if not chosen:
            return {}
        styles = {pk: (source, target) for pk, source, target in
                  self.study.directions.values_list("pk", "source_style", "target_style")}  # fmt: skip
        by_metrics = metric_scores(self.study, self.systems, {pk: styles[of] for pk, of in chosen.values()})
        judged = self.judgements()
        return {number: [*judged.scores(self.names, pk), *by_metrics[pk]] for number, (pk, _) in chosen.items()}

    def chosen(self, asked: Mapping[str, str]) -> "SharedOutputs | SortedOutputs | list[OutputPair]":
        """Those that are asked for, in the order that is asked for: `sorted` and `found` say by what."""
        if asked.get("by") or asked.get("outcome"):
            return self.sorted(asked)
        return self.found(asked.get("search", ""), bool(asked.get("differing")))

    def sorted(self, asked: Mapping[str, str]) -> "SortedOutputs":
        """Those that are asked for, by the values of the one measure that is asked for; those without a value last.

        `by` is the key of a measure, by whose `of` (difference, first, second) they are sorted, the `highest` `order`
        first; `outcome` keeps those that the first or the second wins by it, or neither.

        Raises:
            UserError: Something that is asked for is not there.
        """
        if not asked.get("by"):
            outcome_mask(None, asked.get("outcome", ""))
        rows = self.listed()
        values = self._values(asked.get("by", ""), rows)
        inside = np.ones(len(rows), dtype=bool)
        if asked.get("search") or asked.get("differing"):
            found = {pair.number for pair in self.found(asked.get("search", ""), bool(asked.get("differing")))[:]}
            inside &= np.array([number in found for number, _, _ in rows], dtype=bool)
        if asked.get("outcome"):
            inside &= outcome_mask(values, asked["outcome"])
        if values.key == LENGTH_OF_SOURCE:
            asked = {**asked, "of": "first"}
        places = sorted_units(values, [int(place) for place in np.flatnonzero(inside)], asked)
        return SortedOutputs(self, [rows[place][:2] for place in places], values, places)

    def _values(self, by: str, rows: Sequence[tuple[int, list[int], int]]) -> PairValues:
        kind, _, key = by.partition(":")
        ids = [units[0] for _, units, _ in rows]
        values = None
        if kind == "metric":
            places = {pk: place for place, pk in enumerate(self.study.directions.values_list("pk", flat=True))}
            values = metric_values(self.study, key, self.systems, ids, [places[of] for *_, of in rows])
        elif kind == "criterion":
            values = self.judgements().values(by, self.names, ids)
        elif by in (LENGTH_OF_SOURCE, LENGTH_OF_OUTPUT):
            values = self._lengths(by, rows)
        if values is None or (rows and not np.isfinite(values.difference).any()):
            raise UserError("This measure does not compare the two systems.", where="by")
        return values

    def _lengths(self, by: str, rows: Sequence[tuple[int, list[int], int]]) -> PairValues:
        with connection.cursor() as cursor:
            cursor.execute(LENGTHS, self.asked)
            lengths = {row[0]: row[1:] for row in cursor.fetchall()}
        source, first, second = (
            np.array([sum(lengths[pk][column] for pk in ids) for _, ids, _ in rows], dtype=np.float64)
            for column in range(3)
        )
        return PairValues(by, source, source) if by == LENGTH_OF_SOURCE else PairValues(by, first, second)

    def read(self, numbers: Sequence[int], units: Sequence[Unit], *, few: bool) -> list[OutputPair]:
        stored = Sentence.objects.filter(direction__study=self.study)
        written: dict[int, dict[int, str]] = {system: {} for system in self.systems}
        outputs = Output.objects.filter(system__in=written)
        if few:
            keys = [pk for unit in units for pk in unit.ids]
            stored, outputs = stored.filter(pk__in=keys), outputs.filter(sentence__in=keys)
        sources = dict(stored.values_list("pk", "text"))
        for system, sentence, text in outputs.values_list("system_id", "sentence_id", "text"):
            written[system][sentence] = text
        first, second = written.values()
        return [
            OutputPair(
                number, number - 1, joined_text(unit, sources), [reference.text for reference in references],
                (output_of_unit(unit, first) or "", output_of_unit(unit, second) or ""),
            )
            for number, unit, references in zip(
                numbers, units, references_of(self.study, units, few=few), strict=True
            )
        ]  # fmt: skip


@dataclass(frozen=True)
class SortedOutputs:
    """Units of two systems in an order: the number and the sentences of each, and its place among the `values`."""

    shared: SharedOutputs
    rows: Sequence[tuple[int, list[int]]]
    values: PairValues
    places: Sequence[int]

    def count(self) -> int:
        return len(self.rows)

    def __getitem__(self, part: slice) -> list[OutputPair]:
        rows = self.rows[part]
        return self.shared.read([number for number, _ in rows], [Unit(ids) for _, ids in rows], few=True)

    def values_of(self, number: int) -> tuple[float | None, float | None]:
        """The measure's values of the pair with a number."""
        place = next(place for (of, _), place in zip(self.rows, self.places, strict=True) if of == number)
        return number_or_none(self.values.first[place]), number_or_none(self.values.second[place])


def shared_outputs(study: Study, first: str, second: str, split: str = "", direction: str = "") -> SharedOutputs:
    """As `compare_systems`, without the measures: what it reads of the study does not grow with it."""
    check_different(first, second)
    check_split(split)
    systems = dict(System.objects.filter(study=study).values_list("name", "pk"))
    place_of(list(systems), first, "first")
    place_of(list(systems), second, "second")
    directions = list(study.directions.values_list("pk", flat=True))
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    meant = _split_meant(study, split or choice.split)
    asked: dict[str, int | str] = {
        "study": study.pk, "first": systems[first], "second": systems[second], "split": meant,
        "direction": directions[direction_place(direction, len(directions))] if direction else 0,
        "of_documents": study.unit == Study.Unit.DOCUMENT,
    }  # fmt: skip
    return SharedOutputs(study, (first, second), (systems[first], systems[second]), meant, asked, direction)


def _split_meant(study: Study, chosen: str) -> str:
    """As `report_split.split_of`, which reads all texts."""
    tested = Output.objects.filter(system__study=study, sentence__split=TEST_SPLIT).exclude(text="")
    return split_meant(chosen, tested.exists, Sentence.objects.filter(direction__study=study, split=chosen).exists)
