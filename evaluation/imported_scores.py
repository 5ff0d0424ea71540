"""Plan the import of a table of metric scores that were computed elsewhere, before anything is stored."""

import math
import re
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from corpora.models import Study
from corpora.table_import.targets import Mapped, Plan, Settings
from corpora.table_parser import RowProblems, Table
from evaluation.actions.import_scores import GivenScores, import_scores
from evaluation.imported_judgements.columns import DIRECTION, NAMED_SYSTEM, NUMBER, OUTPUT, SOURCE, SYSTEM, plain
from evaluation.imported_judgements.rows import RawJudgement, quoted
from evaluation.imported_judgements.text_matching import Matcher
from evaluation.imported_metrics import LONGEST_NAME, LONGEST_SIGNATURE, LONGEST_VERSION
from foundation.errors import UserError, first_five
from foundation.text_keys import name_key, text_key
from foundation.translation import translatable, translate

COLUMNS = ("metric", "version", "signature", "better", "direction", "number", "source", "system", "value")
"""The columns of the table of scores that Restyle itself writes; each is the name of its meaning."""
PLACES = frozenset({"source", "number", "key", "output"})
WORDS = {
    "source": SOURCE, "number": NUMBER | {"segid", "seg", "segno"}, "output": OUTPUT | {"mt", "hyp"},
    "system": SYSTEM | {"sys"}, "direction": DIRECTION, "metric": {"metric", "metricname"}, "version": {"version"},
    "signature": {"signature"}, "better": {"better", "betterend"}, "value": {"value"},
}  # fmt: skip
MISSING = frozenset(("", "na", "n/a", "nan", "none", "null", "-"))
ENDS: Mapping[str, bool | None] = {"higher": True, "lower": False, "neither": None}


def better_end_named(higher_is_better: bool | None) -> str:
    """'higher', 'lower' or 'neither'."""
    return next(name for name, end in ENDS.items() if end is higher_is_better)


def guess_scores(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    """A meaning for each column by its name; other columns of numbers are scores of the metric that they are named
    after, or of the system."""
    if tuple(table.columns) == COLUMNS:
        return {column: column for column in COLUMNS}
    found: dict[str, str] = {}
    systems = set(study.systems.values_list("name", flat=True))
    for place, column in enumerate(table.columns):
        known = next((name for name, words in WORDS.items() if plain(column) in words), "")
        cells = [row.cells[place].strip() for row in table.sample]
        if known and known not in found.values():
            found[column] = known
        elif any(_number(cell) is not None for cell in cells) and not known:
            found[column] = f"score: @ {column}" if column in systems else f"score: {column}"
    if "metric" in found.values() and "value" not in found.values():
        scores = [column for column, meaning in found.items() if meaning.startswith("score")]
        found |= dict.fromkeys(scores[:1], "value")
    return {column: found.get(column, "") for column in table.columns}


DECIMAL_COMMA = re.compile(r"[+-]?\d{1,12},\d{1,20}")
THOUSANDS = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")


def _number(cell: str) -> float | None:
    """The number of a cell, with a decimal comma too; None for "1,234", which may be either."""
    has_comma = DECIMAL_COMMA.fullmatch(cell) and not THOUSANDS.fullmatch(cell)
    try:
        value = float(cell.replace(",", ".") if has_comma else cell)
    except ValueError:
        return None
    return value if math.isfinite(value) else None


class _Column(NamedTuple):
    """A column of scores; without a `metric` the row or the settings name it, and so with the `system`."""

    place: int
    metric: str = ""
    system: str = ""


@dataclass
class _Metric:
    """The scores of one metric in the rows. `said` holds, by field, the different things that were said."""

    values: dict[int, dict[int, float]] = field(default_factory=lambda: defaultdict(dict))
    said: dict[str, dict[str, None]] = field(default_factory=lambda: defaultdict(dict))
    missing: RowProblems = field(default_factory=RowProblems)
    off: RowProblems = field(default_factory=RowProblems)

    @property
    def count(self) -> int:
        return sum(map(len, self.values.values()))


def plan_scores(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    """Go through all rows; a UserError where the columns cannot make scores."""
    return _Planner(study, table, columns, chosen, answers).plan_import()


class _Planner:
    def __init__(
        self, study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings
    ) -> None:
        self.study, self.table, self.chosen, self.answers = study, table, chosen, answers
        self.place_of = {one.meaning.name: one.place for one in columns if one.meaning.name != "score"}
        self.columns = list(self._score_columns(columns))
        self._refuse_unready()
        self.plan = Plan()
        self.matcher = Matcher(
            study, chosen.get("direction", ""), self._first_number(), tells_outputs="output" in self.place_of
        )
        self.rows_of: dict[str, int] = defaultdict(int)
        self.systems = dict(study.systems.values_list("name", "pk"))
        self.first_of = {pk: first for first, ids in self.matcher.units.items() for pk in ids}
        self.metrics: dict[str, _Metric] = defaultdict(_Metric)
        self.unusable, self.unmatched, self.repeated = RowProblems(), RowProblems(), RowProblems()

    def plan_import(self) -> Plan:
        rows = 0
        for row in self.table.records():
            rows += 1
            if row.lacks([*self.place_of.values(), *(one.place for one in self.columns)]):
                self.unusable.add("it has more or fewer cells than the table has columns", row.line)
                continue
            self._read(row.line, row.cells)
        self._refuse_odd_order()
        self._ask_about_rows()
        given = [self._given(name, metric) for name, metric in self.metrics.items()]
        ready = [one for one in given if one is not None and one.values]
        sentences = {unit for one in ready for values in one.values.values() for unit in values}
        systems = {system for one in ready for system in one.values}
        self.plan.numbers = [
            (translatable("Rows read"), rows),
            (translatable("Metrics"), len(ready)),
            (translatable("Scores"), sum(len(values) for one in ready for values in one.values.values())),
            (translatable("Systems scored"), len(systems)),
            (translatable("Sources scored"), len(sentences)),
            (translatable("Outputs of these systems without a score"), self._without(ready)),
        ]
        if not ready and not self.plan.open:
            self.plan.nothing = translatable("No row of the table becomes a score.")
        name = self.table.name

        def write(by: Any) -> str:
            count = import_scores(study=self.study, file_name=name, metrics=ready, by=by)
            if count == 1:
                return translate("1 score is imported.")
            return translate("{count} scores are imported.", count=f"{count:,}")

        self.plan.write = write
        return self.plan

    def _score_columns(self, columns: Sequence[Mapped]) -> Iterator[_Column]:
        for one in columns:
            if one.meaning.name == "value":
                yield _Column(one.place)
            elif one.meaning.name == "score":
                match = NAMED_SYSTEM.match(one.name)
                yield (
                    _Column(one.place, match["name"].strip(), match["system"].strip())
                    if match
                    else _Column(one.place, one.name.strip())
                )

    def _refuse_unready(self) -> None:
        if not self.columns:
            raise UserError(
                "No column holds scores: map one to the score of a metric, or to the value.", where="mapping"
            )
        self.in_order = not PLACES & self.place_of.keys()
        named = "system" in self.place_of or self.chosen["system"] or all(one.system for one in self.columns)
        if self.in_order and not named:
            raise UserError(
                "No column names the scored thing: the source, its number, or the scored text.", where="mapping"
            )
        if any(not one.metric for one in self.columns) and "metric" not in self.place_of and not self.chosen["metric"]:
            raise UserError("Name the metric of the scores, or the column that says it.", where="metric")
        for name in {*(one.metric for one in self.columns), self.chosen["metric"]}:
            _refuse_name(name, "metric")

    def _first_number(self) -> int:
        """The number that the table gives the first source; asked where one is 0, for sources count from 1."""
        place = self.place_of.get("number")
        if place is None or "source" in self.place_of or "output" in self.place_of:
            return 1
        if not any(row.cells[place].strip() == "0" for row in self.table.records()):
            return 1
        answer = self.plan.ask(
            self.answers, "numbers",
            translate("A source has the number 0, and the study's sources are numbered from 1."),
            ("from_0", translatable("0 is the first source, 1 the second")),
            ("as_given", translatable("1 is the first source")),
        )  # fmt: skip
        return 0 if answer == "from_0" else 1

    def _read(self, line: int, cells: Sequence[str]) -> None:
        """The scores of a row, each for the outputs that it is of."""
        told = {name: cells[place] for name, place in self.place_of.items()}
        placed: dict[str, list[tuple[int, int]] | str] = {}
        if self.in_order:
            for system in dict.fromkeys(self._system(column, told) for column in self.columns):
                self.rows_of[name_key(system)] += 1
        for column in self.columns:
            name = column.metric or told.get("metric", "").strip() or self.chosen["metric"]
            if not name:
                self.unusable.add("it names no metric", line)
                continue
            _refuse_name(name, f"{self.table.name}, line {line}")
            metric = self.metrics[name]
            for said in ("version", "signature", "better"):
                if words := told.get(said, "").strip() or self.chosen.get(said, ""):
                    metric.said[said].setdefault(words)
            cell = cells[column.place].strip()
            if cell.lower() in MISSING:
                metric.missing.add("it has no score", line)
                continue
            value = _number(cell)
            if value is None:
                metric.off.add(quoted(cell), line)
                continue
            system = self._system(column, told)
            if system not in placed:
                placed[system] = self._outputs(line, told, system)
            found = placed[system]
            if isinstance(found, str):
                self.unmatched.add(found, line)
                continue
            for key, unit in found:
                if metric.values[key].get(unit, value) != value:
                    self.repeated.add(name, line)
                metric.values[key][unit] = value

    def _system(self, column: _Column, told: Mapping[str, str]) -> str:
        return column.system or told.get("system", "") or self.chosen["system"]

    def _refuse_odd_order(self) -> None:
        """Rows that name no source stand for the sources in their order, so each system has one for each."""
        if not self.in_order:
            return
        sources = sum(style == self.matcher.style for style, _ in self.matcher.by_text.by_number)
        odd = next((key for key, rows in self.rows_of.items() if rows != sources), None)
        if odd is not None:
            raise UserError(
                "No column names the source, so rows stand for the sources in their order; “{system}” has {rows:,} "
                "rows, and the direction has {sources:,} sources.",
                system=odd, rows=self.rows_of[odd], sources=sources, where=self.table.name,
            )  # fmt: skip

    def _outputs(self, line: int, told: Mapping[str, str], system: str) -> list[tuple[int, int]] | str:
        """The outputs that a row is of, each by its system and unit; or why there are none.

        A text without a system's name is that of every system that wrote it for the source.
        """
        piece = RawJudgement(
            line, "", told.get("source", ""), self._number_of(told, system),
            told.get("direction", "").strip(), told.get("output", ""), system, "", "", "", None,
        )  # fmt: skip
        matched = self.matcher.match(piece)
        if isinstance(matched, str):
            return matched
        unit = self.first_of.get(matched.sentence, matched.sentence)
        if unit != matched.sentence:
            return "the study's outputs are documents, and it names a later sentence of one"
        if matched.bent:
            return "the study has this text with other capitals"
        if matched.system:
            return [(self.systems[matched.system], unit)]
        if matched.stray:
            known = self.matcher.names.get(name_key(system))
            return f"{known} wrote another text" if known else f"the study has no system “{system}”"
        key = text_key(matched.output)
        wrote = [name for name in self.systems if (text := self.matcher.written_by(name, unit)) is not None
                 and text_key(text) == key]  # fmt: skip
        return [(self.systems[name], unit) for name in wrote] or "no system wrote this text"

    def _number_of(self, told: Mapping[str, str], system: str) -> str:
        if self.in_order:
            return str(self.rows_of[name_key(system)])
        return (told.get("number") or told.get("key") or "").strip()

    def _ask_about_rows(self) -> None:
        leave_out = ("leave_out", translatable("Leave them out"))
        for name, problems, sentence in (
            ("unusable", self.unusable, translatable("Rows that cannot be used, {count}: {rows}.")),
            ("unmatched", self.unmatched, translatable("Scores that find no output here, {count}: {rows}.")),
        ):
            if problems.count:
                said = translate(sentence, count=f"{problems.count:,}", rows=problems.summary())
                self.plan.ask(self.answers, name, said, leave_out)
        if self.repeated.count:
            said = translate(
                "Scores that differ from an earlier one of the same metric and output, {count}: {rows}.",
                count=f"{self.repeated.count:,}", rows=self.repeated.summary(),
            )  # fmt: skip
            self.plan.ask(self.answers, "repeated", said, ("last", translatable("Keep the last of each")))

    def _given(self, name: str, metric: _Metric) -> GivenScores | None:
        """The scores to store of a metric; None where it is left out, or a question about it is open."""
        leave_out = ("leave_out", translatable("Leave them out"))
        for kind, problems, sentence in (
            ("missing", metric.missing, translatable("Cells without a score of {metric}, {count}: {rows}.")),
            ("off", metric.off, translatable("Scores of {metric} that are no numbers, {count}: {rows}.")),
        ):
            if problems.count:
                said = translate(sentence, metric=name, count=f"{problems.count:,}", rows=problems.summary())
                self.plan.ask(self.answers, f"{kind}-{name}", said, leave_out)
        if not metric.count:
            return None
        stored = self.study.imported_metrics.filter(name=name).first()
        version = self._one(name, metric, "version", LONGEST_VERSION) or (stored.version if stored else "")
        signature = self._one(name, metric, "signature", LONGEST_SIGNATURE) or (stored.signature if stored else "")
        adds = stored is not None and self._asked_of_stored(name, stored) == "add"
        if not version and not signature:
            said = translate("Nothing says which version of {metric} gave the scores, nor with which settings.",
                             metric=name)  # fmt: skip
            self.plan.ask(self.answers, f"version-{name}", said,
                          ("unknown", translatable("Import them; the report says that it is not known")))  # fmt: skip
        better = self._better(name, metric, better_end_named(stored.higher_is_better) if stored else "")
        return GivenScores(name, ENDS[better], metric.values, version, signature, adds) if better else None

    def _one(self, name: str, metric: _Metric, kind: str, longest: int) -> str:
        """The one version or signature of a metric. UserError: several, or too long."""
        said = list(metric.said[kind])
        if len(said) > 1:
            raise UserError(
                "{metric} has several values in the column of its {kind}: {said}. Import each under a name of its own.",
                metric=name, kind=kind, said=first_five(said), where=self.table.name,
            )  # fmt: skip
        if said and len(said[0]) > longest:
            raise UserError("It has at most {longest} characters.", longest=longest, where=kind)
        return said[0] if said else ""

    def _asked_of_stored(self, name: str, stored: Any) -> str:
        sentence = translate(
            "The study has scores of {metric} already, imported with {file}.", metric=name, file=stored.file_name
        )
        return self.plan.ask(
            self.answers, f"there-{name}", sentence,
            ("replace", translatable("Replace all of them")),
            ("add", translatable("Keep them, and add scores of outputs that have none")),
        )  # fmt: skip

    def _better(self, name: str, metric: _Metric, stored: str) -> str:
        """The better end: as a column says it, else as it was stored, else as it is asked."""
        said = list(metric.said["better"])
        if len(said) > 1 or (said and said[0] not in ENDS):
            raise UserError(
                "The better end of {metric} is {said}; expected one of {ends} for the whole metric.",
                metric=name, said=first_five(said), ends=", ".join(ENDS), where=self.table.name,
            )  # fmt: skip
        return self.plan.ask(
            self.answers, f"better-{name}", translate("Which scores of {metric} are the better ones?", metric=name),
            ("higher", translatable("Higher is better")),
            ("lower", translatable("Lower is better")),
            ("neither", translatable("Neither end is the better one")),
            default=said[0] if said else stored,
        )  # fmt: skip

    def _without(self, ready: Sequence[GivenScores]) -> int:
        """How many outputs of the scored systems have no score, over all metrics."""
        names = {pk: name for name, pk in self.systems.items()}
        return sum(
            self.matcher.written_by(names[system], unit) is not None and unit not in values
            for one in ready for system, values in one.values.items() for unit in self.matcher.units
        )  # fmt: skip


def _refuse_name(name: str, where: str) -> None:
    if len(name) > LONGEST_NAME or "(" in name or any(ord(sign) < 32 for sign in name):
        raise UserError(
            "“{name}” is not a name of a metric: such a name has at most {most} characters, in one line, and no “(”.",
            most=LONGEST_NAME, name=name[:60], where=where,
        )  # fmt: skip
