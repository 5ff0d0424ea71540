"""What will happen to a table of judgements, in numbers and questions, before anything does."""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from operator import itemgetter

from annotation.models import Criterion
from annotation.scales import SCALES
from corpora.formats import Judgement
from corpora.models import Study
from corpora.table_parser import Table
from evaluation.imported_judgements.column_guess import plain
from evaluation.imported_judgements.columns import columns_of, refuse_unready
from evaluation.imported_judgements.row_parsing import RowParser
from evaluation.imported_judgements.row_problems import RowProblems
from evaluation.imported_judgements.rows import RawJudgement
from evaluation.imported_judgements.scale_values import ValueReading, readings
from evaluation.imported_judgements.text_matching import MatchedText, Matcher
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format
from foundation.aspects import ASPECTS, aspect_named
from foundation.errors import UserError, first_five
from foundation.text_keys import text_key

LEAVE_OUT = ("leave_out", "Leave them out")
NO_SCALE = frozenset(("rank", "best_worst"))  # places among the texts of one item, which no scale holds
Texts = Mapping[str, str]


@dataclass
class Question:
    """A question; `choices` are (value, words), and `answer` is "" while it is open."""

    name: str
    sentence: str
    choices: Sequence[tuple[str, str]]
    answer: str = ""


@dataclass
class ImportPlan:
    """What will happen. `judgements` come in, and `criteria`, new ones among them, are what they are of."""

    preset: str
    judgements: list[Judgement] = field(default_factory=list)
    criteria: list[dict[str, str]] = field(default_factory=list)
    numbers: list[tuple[str, int]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    nothing: str = ""

    @property
    def open(self) -> list[Question]:
        return [question for question in self.questions if not question.answer]


def plan_import(study: Study, table: Table, mapping: Texts, settings: Texts, answers: Texts) -> ImportPlan:
    """Go through all rows; a UserError where the columns cannot make judgements."""
    return _Plan(study, table, mapping, settings, answers).made()


def first_rows(table: Table) -> list[Mapping[str, str]]:
    return [dict(zip(table.columns, row.cells, strict=True)) for row in table.sample]


def guess_meanings(study: Study, table: Table, settings: Texts) -> dict[str, str]:
    """A meaning for each column that has one, as the preset sees it."""
    rows = first_rows(table)
    preset = TOOL_FORMATS[settings.get("preset") or recognised_format(table.columns, rows)]
    criteria = list(study.criteria.values_list("name", flat=True))
    return preset.guess(table.columns, rows, criteria, list(study.systems.values_list("name", flat=True)))


class _Plan:
    def __init__(self, study: Study, table: Table, mapping: Texts, settings: Texts, answers: Texts) -> None:
        self.study, self.table, self.answers = study, table, answers
        name = settings.get("preset") or recognised_format(table.columns, first_rows(table))
        self.plan, self.preset = ImportPlan(name), TOOL_FORMATS[name]
        if refused := self.preset.refuse(table.columns):
            raise UserError(refused, where=table.name)
        columns = columns_of(mapping)
        refuse_unready(columns, criterion=settings.get("criterion", ""), finds_ratings=self.preset.finds_ratings)
        separator = settings.get("separator", "")
        self.reader = RowParser(
            columns, self.preset.unfold, separator="\t" if separator == "tab" else separator,
            criterion=settings.get("criterion", ""), system=settings.get("system", ""),
            keep_rejected=answers.get("rejected") == "keep",
        )  # fmt: skip
        self.matcher = Matcher(study, settings.get("direction", ""))
        self.unmatched, self.unknown, self.off = RowProblems(), RowProblems(), RowProblems()
        self.known = {plain(criterion.name): criterion for criterion in Criterion.objects.filter(study=study)}

    def made(self) -> ImportPlan:
        by_criterion: dict[str, list[tuple[int, RawJudgement, MatchedText]]] = {}
        read = 0
        for read, piece in enumerate(self._pieces(), 1):
            matched = self.matcher.match(piece)
            if isinstance(matched, str):
                self.unmatched.add(matched, piece.line)
                continue
            if not matched.known:
                self.unknown.add(f"“{_short(matched.output)}”", piece.line)
                if self.answers.get("outputs") == "leave_out":
                    continue
            by_criterion.setdefault(self._name(piece.criterion), []).append((read, piece, matched))
        self._ask_about_rows()
        placed = [judgement for name, pieces in by_criterion.items() for judgement in self._of_criterion(name, pieces)]
        self.plan.judgements = _last(judgement for _place, judgement in sorted(placed, key=itemgetter(0)))
        if not placed and not self.plan.open:
            self.plan.nothing = "No row of the table becomes a judgement."
        self._count(read)
        return self.plan

    def _pieces(self):  # type: ignore[no-untyped-def]
        for row in self.table.records():
            if row.ragged and not self.preset.short_rows:
                self.reader.problems.add("it has more or fewer cells than the table has columns", row.line)
                continue
            yield from self.reader.pieces(row.line, dict(zip(self.table.columns, row.cells, strict=True)))

    def _name(self, given: str) -> str:
        """The study's criterion of that name, else the name as a criterion's can be."""
        own = self.known.get(plain(given))
        return own.name if own else re.sub(r"\W+", "_", given).strip("_")[:60] or "judged"

    def _ask_about_rows(self) -> None:
        rejected, reader = self.reader.rejected, self.reader
        if rejected.count:
            self._ask("rejected", f"Did not count where they were given, {rejected.count:,}: {rejected.told()}.",
                      LEAVE_OUT, ("keep", "Take them too"))  # fmt: skip
        if reader.problems.count:
            self._ask(
                "unusable", f"Rows that cannot be used, {reader.problems.count:,}: {reader.problems.told()}.", LEAVE_OUT
            )
        if self.unmatched.count:
            sentence = f"Judgements that find no text here, {self.unmatched.count:,}: {self.unmatched.told()}."
            self._ask("unmatched", sentence, LEAVE_OUT)
        if self.unknown.count:
            texts = first_five(f"{text}, line {lines[0]}" for text, lines in islice(self.unknown.found.items(), 6))
            sentence = f"Judgements of texts that no system has written, {self.unknown.count:,}: {texts}."
            self._ask("outputs", sentence,
                      ("keep", "Take them, for a system that may be uploaded later"), LEAVE_OUT)  # fmt: skip

    def _ask(self, name: str, sentence: str, *choices: tuple[str, str], default: str = "") -> str:
        answer = self.answers.get(name, "") or default
        if answer and answer not in dict(choices):
            raise UserError(f"'{answer}' is no answer to '{name}'; it is {', '.join(dict(choices))}.", where=name)
        self.plan.questions.append(Question(name, sentence, choices, answer))
        return answer

    def _of_criterion(
        self, name: str, pieces: Sequence[tuple[int, RawJudgement, MatchedText]]
    ) -> list[tuple[int, Judgement]]:
        """The judgements on a criterion, each with its place in the table."""
        values = Counter(piece.value for _, piece, _ in pieces)
        answer = self._scale_of(
            name, values, next((piece.scale for _, piece, _ in pieces if piece.scale in SCALES), "")
        )
        if answer in ("", "leave_out"):
            return []
        reading, placed = ValueReading(answer), list[tuple[int, Judgement]]()
        own = {text: reading.value(text) for text in values}
        wrong = {text: count for text, count in values.items() if own[text] is None}
        if wrong:
            lines = {
                text: next(piece.line for _, piece, _ in pieces if piece.value == text) for text in islice(wrong, 6)
            }
            some = first_five(f"“{_short(text)}”, line {line}" for text, line in lines.items())
            self._ask(
                f"off-{name}",
                f"Values of {name} that are not on its scale, {sum(wrong.values()):,}: {some}.",
                LEAVE_OUT,
            )
        for place, piece, matched in pieces:
            if (value := own[piece.value]) is not None:
                judgement = Judgement(piece.rater, matched.source, matched.output, matched.style, name, int(value),
                                      piece.seconds, piece.line)  # fmt: skip
                placed.append((place, judgement))
        self._keep(name, reading.name)
        return placed

    def _keep(self, name: str, scale: str) -> None:
        if own := self.known.get(plain(name)):
            self.plan.criteria.append({"name": name, "scale": scale, "aspect": own.aspect, "beside": own.beside})
            return
        aspect = aspect_named(name.lower())
        if not aspect:
            choices = [(aspect_name or "none", aspect_name or "nothing of these") for aspect_name in ("", *ASPECTS)]
            answer = self._ask(f"aspect-{name}", f"What does {name} judge?", *choices)
            aspect = "" if answer == "none" else answer
        self.plan.criteria.append({"name": name, "scale": scale, "aspect": aspect, "beside": "nothing"})

    def _scale_of(self, name: str, values: Counter[str], hint: str) -> str:
        """How the values are read: asked, where it is not plain."""
        own = self.known.get(plain(name))
        some = ", ".join(f"{text} ({count:,})" for text, count in values.most_common(8))
        if name in NO_SCALE:
            return self._ask(f"scale-{name}", f"{name} orders texts and has no scale, so it cannot come in: {some}.",
                             ("leave_out", "Leave it out"))  # fmt: skip
        fitting = list(readings(values, own.scale if own else ""))
        if not fitting:
            fitting = list(readings(_usual(values), own.scale if own else ""))
        if own and own.scale not in dict(fitting):
            fitting.insert(0, (own.scale, f"{SCALES[own.scale].label}, as it is"))
        default = (
            own.scale if own and ValueReading(own.scale).fits(_usual(values)) else hint if hint in dict(fitting) else ""
        )
        sentence = f"How are the values of {name} to be read? They are {some}."
        return self._ask(
            f"scale-{name}", sentence, *fitting, ("leave_out", "Leave this criterion out"), default=default
        )

    def _count(self, read: int) -> None:
        judgements = self.plan.judgements
        self.plan.numbers = [
            ("Rows read", self.table.rows),
            ("Judgements in them", read),
            ("Judgements that come in", len(judgements)),
            ("People", len({judgement.worker for judgement in judgements})),
            ("Sources judged", len({(judgement.source, judgement.target_style) for judgement in judgements})),
            (
                "Texts judged",
                len(
                    {(judgement.source, judgement.target_style, text_key(judgement.output)) for judgement in judgements}
                ),
            ),
        ]


def _usual(values: Counter[str]) -> list[str]:
    """The values that are more than a slip: those that make 95% of all."""
    wanted, usual, total = 0.95 * sum(values.values()), list[str](), 0
    for text, count in values.most_common():
        if total >= wanted:
            break
        usual.append(text)
        total += count
    return usual


def _last(judgements: Iterable[Judgement]) -> list[Judgement]:
    """Of one person's several of a text on a criterion, the last."""
    last: dict[tuple[str, ...], Judgement] = {}
    for judgement in judgements:
        key = (
            judgement.worker,
            text_key(judgement.source),
            judgement.target_style,
            text_key(judgement.output),
            judgement.criterion,
        )
        last.pop(key, None)
        last[key] = judgement
    return list(last.values())


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= 60 else f"{line[:60]}…"
