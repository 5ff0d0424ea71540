"""What will happen to a table of judgements, in numbers and questions, before anything does."""

from collections.abc import Iterable, Mapping
from itertools import islice
from operator import itemgetter

from corpora.formats import Judgement
from corpora.models import Study
from corpora.table_parser import Table
from evaluation.imported_judgements.columns import columns_of, refuse_unready
from evaluation.imported_judgements.criterion_planning import CriterionPlanner
from evaluation.imported_judgements.import_plan import LEAVE_OUT, ImportPlan, Question
from evaluation.imported_judgements.row_parsing import RowParser
from evaluation.imported_judgements.row_problems import RowProblems, quoted
from evaluation.imported_judgements.rows import RawJudgement
from evaluation.imported_judgements.text_matching import MatchedText, Matcher
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format
from foundation.errors import UserError, first_five
from foundation.text_keys import text_key
from foundation.translation import translatable

Texts = Mapping[str, str]


def plan_import(study: Study, table: Table, mapping: Texts, settings: Texts, answers: Texts) -> ImportPlan:
    """Go through all rows; a UserError where the columns cannot make judgements."""
    return _Planner(study, table, mapping, settings, answers).plan_judgements()


def first_rows(table: Table) -> list[Mapping[str, str]]:
    return [dict(zip(table.columns, row.cells, strict=True)) for row in table.sample]


def guess_meanings(study: Study, table: Table, settings: Texts) -> dict[str, str]:
    """A meaning for each column that has one, as the preset sees it."""
    rows = first_rows(table)
    preset = TOOL_FORMATS[settings.get("preset") or recognised_format(table.columns, rows)]
    criteria = list(study.criteria.values_list("name", flat=True))
    return preset.guess(table.columns, rows, criteria, list(study.systems.values_list("name", flat=True)))


class _Planner:
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
        self.strays = self.bent = 0
        self.criteria = CriterionPlanner(study, self.plan, self._ask)

    def plan_judgements(self) -> ImportPlan:
        by_criterion: dict[str, list[tuple[int, RawJudgement, MatchedText]]] = {}
        read = 0
        for read, piece in enumerate(self._pieces(), 1):
            matched = self.matcher.match(piece)
            if isinstance(matched, str):
                self.unmatched.add(matched, piece.line)
                continue
            if not matched.known:
                self.unknown.add(quoted(matched.output), piece.line)
                if self.answers.get("outputs") == "leave_out":
                    continue
            self.strays += matched.stray
            self.bent += matched.bent
            by_criterion.setdefault(self.criteria.name(piece.criterion), []).append((read, piece, matched))
        self._ask_about_rows()
        placed = [
            judgement for name, pieces in by_criterion.items() for judgement in self.criteria.judgements(name, pieces)
        ]
        self.plan.judgements = self._one_of_each(judgement for _place, judgement in sorted(placed, key=itemgetter(0)))
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

    def _ask_about_rows(self) -> None:
        rejected, reader = self.reader.rejected, self.reader
        if rejected.count:
            self._ask("rejected", f"Did not count where they were given, {rejected.count:,}: {rejected.summary()}.",
                      LEAVE_OUT, ("keep", "Take them too"))  # fmt: skip
        if reader.problems.count:
            self._ask(
                "unusable",
                f"Rows that cannot be used, {reader.problems.count:,}: {reader.problems.summary()}.",
                LEAVE_OUT,
            )
        if self.unmatched.count:
            sentence = f"Judgements that find no text here, {self.unmatched.count:,}: {self.unmatched.summary()}."
            self._ask("unmatched", sentence, LEAVE_OUT)
        if self.unknown.count:
            texts = first_five(f"{text}, line {lines[0]}" for text, lines in islice(self.unknown.lines.items(), 6))
            sentence = f"Judgements of texts that no system has written, {self.unknown.count:,}: {texts}."
            self._ask("outputs", sentence,
                      ("keep", "Take them, for a system that may be uploaded later"), LEAVE_OUT)  # fmt: skip

    def _ask(self, name: str, sentence: str, *choices: tuple[str, str], default: str = "") -> str:
        answer = self.answers.get(name, "") or default
        if answer and answer not in dict(choices):
            raise UserError(
                "'{answer}' is no answer to '{name}'; it is {choices}.",
                answer=answer,
                name=name,
                choices=", ".join(dict(choices)),
                where=name,
            )
        self.plan.questions.append(Question(name, sentence, choices, answer))
        return answer

    def _one_of_each(self, judgements: Iterable[Judgement]) -> list[Judgement]:
        """Of one person's several of a text on a criterion the last; asked where an earlier one says something else."""
        last: dict[tuple[str, ...], Judgement] = {}
        changed = RowProblems()
        for judgement in judgements:
            key = (
                judgement.worker, text_key(judgement.source), judgement.target_style, text_key(judgement.output),
                judgement.system, judgement.criterion,
            )  # fmt: skip
            before = last.pop(key, None)
            if before is not None and before.value != judgement.value:
                changed.add(judgement.criterion, judgement.line)
            last[key] = judgement
        if changed.count:
            sentence = (
                f"Judgements that differ from an earlier one by the same person of the same text, {changed.count:,}: "
                f"{changed.summary()}. If they are of several systems, name the column that says which."
            )
            self._ask("repeated", sentence, ("last", "Keep the last of each"))
        return list(last.values())

    def _count(self, read: int) -> None:
        judgements = self.plan.judgements
        sources = {(judgement.source, judgement.target_style) for judgement in judgements}
        texts = {(judgement.source, judgement.target_style, text_key(judgement.output)) for judgement in judgements}
        self.plan.numbers = [
            (translatable("Rows read"), self.table.rows),
            (translatable("Judgements in them"), read),
            (translatable("Judgements that come in"), len(judgements)),
            (translatable("People"), len({judgement.worker for judgement in judgements})),
            (translatable("Sources judged"), len(sources)),
            (translatable("Texts judged"), len(texts)),
        ]
        if self.strays:
            self.plan.numbers.append((translatable("Of a text that the named system did not write"), self.strays))
        if self.bent:
            self.plan.numbers.append((translatable("Of a text that the study has with other capitals"), self.bent))
