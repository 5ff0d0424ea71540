"""Texts that people wrote elsewhere, in the columns of any table or in a project of a known tool, as rows of gold.

A row of gold is a source with its rewrite, the pseudonym of its author, and when it was written. Names of other sites
may be addresses, so they stay here as pseudonyms alone.
"""

import hashlib
import hmac
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.conf import settings as site
from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext

from annotation.actions.import_gold import check_asked
from annotation.actions.import_written import import_written
from annotation.gold.adoption import LocatedRow
from annotation.pseudonyms import LENGTH
from corpora.gold_records import GoldRow, one_line
from corpora.models import Sentence, Study
from corpora.table_import.targets import Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import RowProblems, Table
from evaluation.imported_judgements.columns import Moments
from evaluation.imported_judgements.judgement_plan import first_rows
from evaluation.imported_judgements.rows import LEFT_OUT, UnfoldedRow
from evaluation.imported_judgements.text_matching import SentencesByText
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format
from foundation.errors import UserError, first_five
from foundation.text_keys import name_key, text_key
from foundation.translation import translatable, translate

MEANINGS = (
    Meaning("source", _("Source")),
    Meaning("number", _("Number of the source")),
    Meaning("text", _("Text that somebody wrote"), named="question", several=True),
    Meaning("author", _("Author")),
    Meaning("written", _("When it was written")),
    Meaning("direction", _("Direction or target style")),
    Meaning("state", _("Whether it counts")),
)
TEXT = {"text", "rewrite", "rewritten", "written", "answer", "simplification", "simplified", "paraphrase", "target"}
AUTHOR = {"author", "writer", "annotator", "user", "worker", "workerid", "person"}
WRITTEN = {"written", "writtenat", "createdat", "updatedat", "submittedat", "time", "date", "submittime"}
KEPT = {"rater": "author", "ended": "written", "source": "source", "number": "number", "key": "number",
        "direction": "direction", "state": "state"}  # fmt: skip
SHORTEST = 15  # characters of what looks like a text, and not like a label


def preset_of(table: Table, chosen: Settings) -> str:
    return chosen.get("preset") or recognised_format(table.columns, first_rows(table))


def settings(study: Study) -> list[Setting]:
    presets = tuple((name, TOOL_FORMATS[name].title) for name in TOOL_FORMATS.names())
    directions = tuple((one.name, f"{one.source_style} → {one.target_style}") for one in study.directions.all())
    splits = tuple((value, str(label)) for value, label in Sentence.Split.choices)
    return [
        Setting("preset", _("Made by"), (("", _("Detect")), *presets)),
        Setting("direction", _("Direction"), directions, directions[0][0] if len(directions) == 1 else ""),
        Setting("split", _("Split of new sources"), splits, "test"),
        Setting("author", _("Author"), help=_("Used if one person made the whole table."), rare=True),
    ]


def guess(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    """By what the tool says of its columns; what was shown is the source where nothing else is."""
    preset = TOOL_FORMATS[preset_of(table, chosen)]
    meant = preset.guess(table.columns, first_rows(table), (), ())
    found = {column: KEPT[meaning] for column, meaning in meant.items() if meaning in KEPT}
    words = {"text": TEXT, "author": AUTHOR, "written": WRITTEN}
    for column in table.columns:
        name = "".join(sign for sign in column.casefold().removeprefix("data.") if sign.isalnum())
        for meaning, known in words.items():
            if name in known and column not in found and meaning not in found.values() and not preset.reads(column):
                found[column] = meaning
    if "source" not in found.values():
        shown = [column for column, meaning in meant.items() if meaning == "output"]
        found |= dict.fromkeys(shown[:1], "source")
    return {column: found.get(column, "") for column in table.columns}


@dataclass(frozen=True)
class _Written:
    line: int
    question: str
    source: str
    number: str
    direction: str
    text: str
    author: str
    moment: str


class _Reading:
    """The texts of a table. `refused` are those that do not count or have no author, by reason."""

    def __init__(self, table: Table, columns: Sequence[Mapped], chosen: Settings) -> None:
        self.table, self.chosen, self.preset = table, chosen, TOOL_FORMATS[preset_of(table, chosen)]
        self.by: dict[str, list[Mapped]] = defaultdict(list)
        for column in columns:
            self.by[column.meaning.name].append(column)
        self.refused, self.unusable = RowProblems(), RowProblems()

    def texts(self) -> Iterator[_Written]:
        for row in self.table.records():
            cells = dict(zip(self.table.columns, row.cells, strict=True))
            for unfolded in self.preset.unfold(cells):
                yield from self._of(row.line, unfolded)

    def _of(self, line: int, row: UnfoldedRow) -> Iterator[_Written]:
        own = [(one.name or one.column, row.cells.get(one.column, "")) for one in self.by["text"]]
        asked = [(question, value) for question, _place, value in row.ratings] if self.preset.finds_ratings else []
        said = [(question, one_line(text).strip()) for question, text in [*own, *asked] if text.strip()]
        state = row.left_out or self._cell("state", row).casefold()
        if said and state in LEFT_OUT:
            self.refused.add(f"“{state}”", line)
            return
        author = name_key(row.rater or self._cell("author", row) or self.chosen.get("author", ""))
        about = (self._cell("source", row), self._cell("number", row), self._cell("direction", row))
        moment = row.written_at or self._cell("written", row)
        for question, text in said:
            yield _Written(line, question, *about, text, author, moment)

    def _cell(self, meaning: str, row: UnfoldedRow) -> str:
        return next((cell for one in self.by[meaning] if (cell := row.cells.get(one.column, "").strip())), "")


def plan(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    check_asked(study, {})
    reading, made = _Reading(table, columns, chosen), Plan()
    texts = list(reading.texts())
    asked = _questions(reading, texts, made, answers)
    rows = list(_rows(study, reading, [one for one in texts if one.question in asked], chosen))
    made.numbers = [
        (translatable("Rows read"), table.rows),
        (translatable("Texts that people wrote"), len(rows)),
        (translatable("People"), len({one.row.annotators for one in rows})),
        (translatable("Sources"), len({one.row.source_id for one in rows})),
        (translatable("New sources"), len({one.row.source_id for one in rows if one.sentence is None})),
    ]
    leave_out = ("leave_out", translatable("Leave these rows out"))
    if reading.refused.count:
        said = translate("Did not count where they were given, {n}: {why}.", n=f"{reading.refused.count:,}",
                         why=reading.refused.summary())  # fmt: skip
        made.ask(answers, "rejected", said, leave_out)
    if reading.unusable.count:
        said = translate("Rows that cannot be used, {n}: {why}.", n=f"{reading.unusable.count:,}",
                         why=reading.unusable.summary())  # fmt: skip
        made.ask(answers, "unusable", said, leave_out)
    if not rows and not made.open:
        made.nothing = translatable("The table holds no text that somebody wrote for a source.")

    def write(by: Any) -> str:
        count = import_written(study=study, file_name=table.name[:200], rows=rows, by=by)
        return ngettext("%(n)s text is imported as gold.", "%(n)s texts are imported as gold.", count) % {"n": count}

    made.write = write
    return made


def _questions(reading: _Reading, texts: Sequence[_Written], made: Plan, answers: Settings) -> set[str]:
    """The questions whose answers are taken: columns that are named, or what looks like texts; asked of several."""
    own = {one.name or one.column for one in reading.by["text"]}
    said: dict[str, list[str]] = defaultdict(list)
    for one in texts:
        said[one.question].append(one.text)
    likely = [name for name, values in said.items() if name not in own and _are_texts(values)]
    if own or len(likely) < 2:
        return own or set(likely)
    sentence = translate("People wrote texts for several questions: {some}.", some=first_five(likely))
    all_of_them = ("all", translatable("Take the texts of all questions"))
    answer = made.ask(answers, "question", sentence, all_of_them, *((name, name) for name in likely))
    return set(likely) if answer in ("", "all") else {answer}


def _are_texts(values: Sequence[str]) -> bool:
    texts = [value for value in values if " " in value and len(value) >= SHORTEST and any(map(str.isalpha, value))]
    return 2 * len(texts) >= len(values)


def _rows(study: Study, reading: _Reading, texts: Sequence[_Written], chosen: Settings) -> Iterator[LocatedRow]:
    sentences, moments = SentencesByText(study), Moments([one.moment for one in texts])
    splits = dict(study.directions.values_list("sentences__pk", "sentences__split"))
    for one in texts:
        styles = _styles(study, one.direction or chosen.get("direction", ""))
        number = one.number.partition("_")[0].rpartition("-")[2]
        numbered = sentences.by_number.get((styles[1], int(number)) if number.isdecimal() else ("", 0))
        source = one.source or (numbered[1] if numbered else "")
        if why := "" if source and one.author else (
            translatable("it does not say who wrote it") if source else translatable("it has no source")
        ):  # fmt: skip
            reading.unusable.add(why, one.line)
            continue
        known = sentences.find(source, styles[1], int(number) if number.isdecimal() else 0)
        key = str(known) if known is not None else hashlib.sha256(text_key(source).encode()).hexdigest()[:12]
        split = (splits.get(known) if known is not None else "") or chosen.get("split", "") or "test"
        product: Mapping[str, Any] = {"kind": "rewrite", "source": source, "text": one.text}
        row = GoldRow(
            "rewrite", key, *styles, product, split, annotators=(_pseudonym(study, one.author),),
            written_at=moments.moment(one.moment), campaign=one.question[:100], license=study.license,
        )  # fmt: skip
        yield LocatedRow(row, sentence=known)


def _styles(study: Study, named: str) -> tuple[str, str]:
    """The styles of a direction by its name or its target style; the study's only one where nothing is named."""
    directions = list(study.directions.all())
    found = [one for one in directions if not named or named in (one.name, one.target_style)]
    if not directions and not named:
        return study.styles[0], study.styles[1]
    if len(found) != 1:
        raise UserError("Choose the direction of the texts.", where="direction")
    return found[0].source_style, found[0].target_style


def _pseudonym(study: Study, author: str) -> str:
    message = f"written elsewhere\n{study.pk}\n{author}".encode()
    return hmac.new(site.SECRET_KEY.encode(), message, hashlib.sha256).hexdigest()[:LENGTH]


def reads(table: Table, chosen: Settings) -> list[str]:
    return [column for column in table.columns if TOOL_FORMATS[preset_of(table, chosen)].reads(column)]


TARGET = Target(
    _("Texts that people wrote"),
    _("Rewrites from elsewhere with their authors and times, as gold: of a table, or of a project of a known tool."),
    MEANINGS, settings, guess, plan, reads=reads, page="study_gold",
)  # fmt: skip
