"""Plan the import of a table of judgements, with numbers and questions, before anything is stored."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from difflib import get_close_matches
from functools import partial
from itertools import islice
from operator import itemgetter
from pathlib import PurePath
from statistics import median

from django.db.models import Max

from corpora.formats import Judgement as Given
from corpora.models import Study
from corpora.table_parser import RowProblems, Table
from evaluation.imported_judgements.columns import Column, Moments, columns_of, refuse_unready
from evaluation.imported_judgements.criterion_planning import LEAVE_OUT, CriterionPlanner, ImportPlan
from evaluation.imported_judgements.given_marks import GivenMarks
from evaluation.imported_judgements.rows import RawJudgement, RowParser, counted_name, quoted
from evaluation.imported_judgements.text_matching import MatchedText, Matcher
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format
from evaluation.models import Judgement, RatingsImport
from foundation.errors import UserError, first_five
from foundation.text_keys import name_key, text_key
from foundation.translation import translatable, translate

Texts = Mapping[str, str]
UNIQUE = re.compile(r"^(?:[0-9a-f]{24}|A[0-9A-Z]{11,14}|R_\w{13,17}|[^\s@]{1,64}@[^\s@]{1,190}\.[^\s@.]{2,60})$")
"""Names that no two people have: of Prolific, Mechanical Turk and Qualtrics, and addresses of mail."""
ENDING = re.compile(r"(?:\.[A-Za-z]\w{0,7}){1,2}$")
LONG = 1800  # seconds


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
        self.plan, self.preset = ImportPlan(preset=name), TOOL_FORMATS[name]
        self._ask = partial(self.plan.ask, answers)
        self.places = False
        if refused := self.preset.refuse(table.columns):
            raise UserError(refused, where=table.name)
        self.columns = columns = columns_of(mapping)
        for unknown in (column.column for column in columns if column.column not in table.columns):
            near = first_five(get_close_matches(unknown, table.columns, n=3) or table.columns)
            raise UserError(
                "The table has no column '{column}'; it has {near}.", column=unknown[:60], near=near, where="mapping"
            )
        by_part = settings.get("raters") == "part"
        refuse_unready(
            columns, criterion=settings.get("criterion", ""), finds_ratings=self.preset.finds_ratings,
            rater=bool(settings.get("rater") or by_part or self.preset.finds_raters(table.columns)),
        )  # fmt: skip
        if any(column.meaning == "rater" for column in columns) and (settings.get("rater") or by_part):
            raise UserError("Both a column and the settings name the rater; leave one of them out.", where="rater")
        separator = settings.get("separator", "")
        self.reader = RowParser(
            columns, self.preset.unfold, separator="\t" if separator == "tab" else separator,
            criterion=settings.get("criterion", ""), system=settings.get("system", ""),
            keep_rejected=answers.get("rejected") == "keep", rater=settings.get("rater", ""), rater_of_part=by_part,
            moments=Moments(self._cells(columns, "started", "ended"), answers.get("dates", "")),
            milliseconds=answers.get("unit") == "milliseconds", spans=self._labels_to_take(),
            points=-1 if answers.get("spans") == "penalties" else 1, places=self.places,
        )  # fmt: skip
        self.matcher = Matcher(
            study, settings.get("direction", ""), self._first_number(columns),
            tells_outputs=any(column.meaning == "output" for column in columns),
        )  # fmt: skip
        self.unmatched, self.unknown, self.off = RowProblems(), RowProblems(), RowProblems()
        self.strays = self.bent = 0
        self.seconds: list[float] = []
        self.people: dict[str, str] = {}
        self.criteria = CriterionPlanner(study, self.plan, self._ask)
        self.marks = GivenMarks()

    def _labels_to_take(self) -> dict[str, list[str]]:
        """The labels of the table's spans by question, where they are to come in; asked where there are spans."""
        found: dict[str, dict[str, None]] = {}
        placed = 0
        if self.preset.finds_ratings:
            for row in self.table.records():
                cells = dict(zip(self.table.columns, row.cells, strict=True))
                for unfolded in self.preset.unfold(cells):
                    for question, label in unfolded.spans if not unfolded.left_out else ():
                        found.setdefault(question, {})[label] = None
                    placed += len(unfolded.placed)
        if not found:
            return {}
        some = first_five([counted_name(question, label) for question in found for label in sorted(found[question])])
        marks = [("marks", translatable("Each mark, with its place, its kind and its severity"))] * bool(placed)
        answer = self._ask(
            "spans",
            translate(
                "People marked spans of the texts: {some}. They can come in as marks, or their number in a text as a "
                "judgement.", some=some,
            ),
            *marks,
            LEAVE_OUT,
            ("penalties", translatable("Each mark is a point less, as for errors: 0 where nothing is marked")),
            ("counts", translatable("Each mark is a point")), default="marks" if placed else "leave_out",
        )  # fmt: skip
        self.places = answer == "marks"
        return {name: sorted(labels) for name, labels in found.items()} if answer not in ("", "leave_out") else {}

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
            if piece.seconds is not None:
                self.seconds.append(piece.seconds)
            if matched.by_output:
                said = translatable("The row names no source; its judged text alone identifies it.")
                if piece.number:
                    said = translatable("The row's number does not fit its text; the source was found by the text.")
                self.reader.notes.add(said, piece.line)
            self.strays += matched.stray
            self.bent += matched.bent
            if piece.marks is not None:
                self.marks.add(read, piece, matched, self.reader.problems)
                continue
            by_criterion.setdefault(self.criteria.name(piece.criterion), []).append((read, piece, matched))
        for scored in self.marks.scored(self.reader.problems):
            by_criterion.setdefault(self.criteria.name(scored[1].criterion), []).append(scored)
        self._ask_about_rows()
        self._ask_about_people()
        placed = [
            judgement for name, pieces in by_criterion.items() for judgement in self.criteria.judgements(name, pieces)
        ]
        self.plan.judgements = self._one_of_each(judgement for _place, judgement in sorted(placed, key=itemgetter(0)))
        self.plan.marks = self.marks.marked(self.people)
        self.plan.notes = list(self.reader.notes)
        if not placed and not self.plan.marks and not self.plan.open:
            self.plan.nothing = "No row of the table becomes a judgement."
        self._count(read)
        return self.plan

    def _pieces(self) -> Iterator[RawJudgement]:
        used = [self.table.columns.index(column.column) for column in self.columns]
        places = range(len(self.table.columns)) if self.preset.finds_ratings else used
        for row in self.table.records():
            if row.lacks(places) and not (row.given < len(row.cells) and self.preset.short_rows):
                self.reader.problems.add("it has more or fewer cells than the table has columns", row.line)
                continue
            cells = dict(zip(self.table.columns, row.cells, strict=True))
            yield from self.reader.pieces(row.line, cells, self._named_after(row.part or self.table.part))

    def _named_after(self, part: str) -> str:
        """The name of a file or a sheet without its ending; of files of one name in several folders, the folder's."""
        path = PurePath(part or self.table.name)
        alike = len(self.table.parts) > 1 and len({PurePath(one).name for one in self.table.parts}) == 1
        return path.parent.name if alike and path.parent.name else ENDING.sub("", path.name)

    def _cells(self, columns: Sequence[Column], *meanings: str) -> Iterator[str]:
        """The cells of the columns with these meanings, read before anything else where there are any."""
        places = [self.table.columns.index(one.column) for one in columns if one.meaning in meanings]
        if places:
            yield from (row.cells[place] for row in self.table.records() for place in places)

    def _first_number(self, columns: Sequence[Column]) -> int:
        """The number that the table gives the first source; asked where one is 0, for sources count from 1.

        A tool's own ids beside the texts that it showed say nothing of numbers.
        """
        meant = {one.meaning for one in columns}
        numbers = ("number",) if "output" in meant else ("number", "key")
        if "source" in meant or "0" not in map(str.strip, self._cells(columns, *numbers)):
            return 1
        answer = self._ask(
            "numbers", translate("A source has the number 0, and the study's sources are numbered from 1."),
            ("from_0", translatable("0 is the first source, 1 the second")),
            ("as_given", translatable("1 is the first source")),
        )  # fmt: skip
        return 0 if answer == "from_0" else 1

    def _ask_about_rows(self) -> None:
        rejected, reader = self.reader.rejected, self.reader
        if rejected.count:
            sentence = translate(
                "Did not count where they were given, {n}: {why}.", n=f"{rejected.count:,}", why=rejected.summary()
            )
            self._ask("rejected", sentence, LEAVE_OUT, ("keep", translatable("Take them too")))  # fmt: skip
        if reader.problems.count:
            self._ask(
                "unusable",
                translate(
                    "Rows that cannot be used, {n}: {why}.",
                    n=f"{reader.problems.count:,}",
                    why=reader.problems.summary(),
                ),
                LEAVE_OUT,
            )
        if reader.times.count:
            sentence = translate(
                "Times that cannot be read, {n}: {why}.", n=f"{reader.times.count:,}", why=reader.times.summary()
            )
            self._ask("times", sentence, ("without", translatable("Take these judgements without their time")))
        if reader.ordered or reader.moments.contradict:
            said = (
                translate("{n} times begin and end on two days, and do not say whether 03/04/2025 is in March or in "
                    "April.",
                          n=f"{reader.ordered:,}") if reader.ordered
                else translate("The rows do not say whether 03/04/2025 is in March or in April.")
            )  # fmt: skip
            self._ask(
                "dates", said,
                ("day", translatable("In April: the day stands first")),
                ("month", translatable("In March: the month stands first")),
            )  # fmt: skip
        self._ask_about_unit()
        if self.unmatched.count:
            sentence = translate(
                "Judgements that find no text here, {n}: {why}.", n=f"{self.unmatched.count:,}",
                why=self.unmatched.summary(),
            )  # fmt: skip
            self._ask("unmatched", sentence, LEAVE_OUT)
        if self.unknown.count:
            texts = first_five(
                translate("{text}, line {n}", text=text, n=next(iter(lines)))
                for text, lines in islice(self.unknown.lines.items(), 6)
            )
            sentence = translate(
                "Judgements of texts that no system has written, {n}: {texts}.",
                n=f"{self.unknown.count:,}",
                texts=texts,
            )
            keep = ("keep", translatable("Take them, for a system that may be uploaded later"))
            self._ask("outputs", sentence, keep, LEAVE_OUT)

    def _ask_about_people(self) -> None:
        """Ask about raters with the names of an earlier import; those of a site with unique names are the same."""
        earlier = RatingsImport.objects.filter(study=self.study)
        there = Judgement.objects.filter(ratings_import__in=earlier).values_list("worker", flat=True).distinct()
        keys = {name_key(worker): worker for worker in there}
        same = [name for key, name in self.reader.raters.items() if key in keys]
        if not same:
            return
        unique = all(UNIQUE.match(name) for name in same)
        files = first_five(dict.fromkeys(earlier.values_list("file_name", flat=True)))
        sentence = translate(
            "{n} raters of this table have the names of raters who came in before, with {files}: {names}. Are they "
            "the same people?", n=f"{len(same):,}", files=files, names=first_five(same),
        )  # fmt: skip
        answer = self._ask("people", sentence, ("same", translatable("The same people")),
                           ("others", translatable("Other people")),
                           default="same" if unique else "")  # fmt: skip
        number = (earlier.aggregate(last=Max("number"))["last"] or 0) + 1
        self.people = {
            name: f"{name} ({number})" if answer == "others" else keys.get(key, name)
            for key, name in self.reader.raters.items()
        }

    def _ask_about_unit(self) -> None:
        """Ask about the unit of times: half an hour a judgement and more looks like milliseconds."""
        if self.seconds and self.reader.named_unit == 1.0 and "seconds" in self.reader.by:
            usual = median(self.seconds) * (1000 if self.answers.get("unit") == "milliseconds" else 1)
            if usual >= LONG or "unit" in self.answers:
                said = translate("Half of the judgements took {n} or more. Are these seconds?", n=f"{usual:,.0f}")
                self._ask("unit", said, ("seconds", translatable("Seconds")),
                          ("milliseconds", translatable("Milliseconds")))  # fmt: skip

    def _one_of_each(self, judgements: Iterable[Given]) -> list[Given]:
        """The last of one person's judgements of a text on a criterion.

        The plan asks where an earlier one differs, or may be of another place of its source.
        """
        last: dict[tuple[str | int, ...], Given] = {}
        changed = RowProblems()
        for given in judgements:
            judgement = replace(given, worker=self.people.get(given.worker, given.worker))
            key = (
                judgement.worker, text_key(judgement.source), judgement.target_style, text_key(judgement.output),
                judgement.system, judgement.criterion, judgement.number,
            )  # fmt: skip
            before = last.pop(key, None)
            doubled = self.matcher.by_text.doubled(judgement.source)
            if before is not None and (doubled or before.value != judgement.value):
                changed.add(judgement.criterion, judgement.line)
            last[key] = judgement
        if changed.count:
            sentence = translate(
                "Judgements of a text that the same person judged before, {n}: {why}. They differ, or their source "
                "stands several times in the study. If they are of several systems, name the column that says which; "
                "if of several sources, the column with the source's number.",
                n=f"{changed.count:,}", why=changed.summary(),
            )  # fmt: skip
            self._ask("repeated", sentence, ("last", translatable("Keep the last of each")))
        return list(last.values())

    def _count(self, read: int) -> None:
        judgements = self.plan.judgements
        sources = {(judgement.source, judgement.target_style) for judgement in judgements}
        texts = {(judgement.source, judgement.target_style, text_key(judgement.output)) for judgement in judgements}
        self.plan.numbers = [
            (translatable("Rows read"), self.table.rows),
            (translatable("Judgements in the rows"), read),
            (translatable("New judgements"), len(judgements)),
            (translatable("People"), len({judgement.worker for judgement in judgements})),
            (translatable("Sources judged"), len(sources)),
            (translatable("Texts judged"), len(texts)),
        ]
        if self.plan.marks:
            self.plan.numbers += [
                (translatable("Texts with their marks"), len(self.plan.marks)),
                (translatable("Marks"), sum(len(one.marks) for one in self.plan.marks)),
            ]
        if self.strays:
            self.plan.numbers.append(
                (translatable("Judgements of a text that the named system did not write"), self.strays)
            )
        if self.bent:
            self.plan.numbers.append(
                (translatable("Judgements of a text that the study has with other capitals"), self.bent)
            )
