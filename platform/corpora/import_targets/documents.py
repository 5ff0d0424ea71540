"""Documents: a row a document, a section or a sentence; rows under one another with one code are one document."""

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import Any

from django.utils.translation import gettext_noop as _
from django.utils.translation import ngettext

from corpora.actions.add_documents import add_documents
from corpora.documents import PreparedDocuments
from corpora.documents import prepare_documents as prepare
from corpora.formats import RawDocument
from corpora.formats.documents_csv import documents_of
from corpora.models import Study
from corpora.studies import check_style
from corpora.table_import.column_mapping import guess_mapping
from corpora.table_import.targets import Mapped, Meaning, Plan, Setting, Settings, Target
from corpora.table_parser import RowProblems, Table
from corpora.table_parser.headers import is_comment
from corpora.text_import.text_plan import unusable_rows_message
from foundation.errors import UserError, first_five
from foundation.translation import translatable

BATCH = 10_000


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


MEANINGS = (
    Meaning("text", _("Running text"), _words("text texts body abstract content article document note report")),
    Meaning("sentence", _("Sentence"), _words("sentence sentences line source")),
    Meaning("code", _("Code of the document"), _words("code id pmid doi key uid docid doc identifier row")),
    Meaning("style", _("Style"), _words("style register version")),
    Meaning("title", _("Title"), _words("title name heading headline")),
    Meaning("section", _("Section"), _words("section part")),
    Meaning("topic", _("Topic"), _words("topic subject category")),
    Meaning("domain", _("Domain"), _words("domain genre")),
    Meaning("codes", _("Codes of the subject"), _words("codes icd mesh")),
    Meaning("translation", _("Translation of the sentence"), _words("translation translated")),
    Meaning("question", _("Code of the question"), _words("question")),
    Meaning("question_text", _("Text of the question"), _words("query")),
    Meaning("question_type", _("Type of the question")),
    Meaning("question_focus", _("Focus of the question"), _words("focus")),
    Meaning("question_kind", _("Kind of the question"), _words("kind")),
    Meaning("question_topic", _("Topic of the question")),
)  # fmt: skip


def settings(study: Study) -> list[Setting]:
    styles = tuple((style, style) for style in study.styles)
    return [
        Setting("style", _("Style"), (("", _("From the column")), *styles)),
        Setting("topic", _("Topic"), help=_("Used if no column gives it.")),
        Setting("domain", _("Domain"), help=_("Used if no column gives it.")),
        Setting("hold_flagged", _("Hold back sentences with likely identifiers"), initial="1", flag=True),
    ]


def guess(study: Study, table: Table, chosen: Settings) -> dict[str, str]:
    if len(table.columns) == 1:
        return {table.columns[0]: "text"}
    found = guess_mapping(MEANINGS, table)
    texts = {value: column for column, value in found.items() if value in ("text", "sentence")}
    if len(texts) == 2:
        found[texts["text"]] = ""
    if not texts:
        unsaid = [column for column in table.columns if not is_comment(column)] or table.columns
        found[max(unsaid, key=lambda column: _length(table, column))] = "text"
    return found


def _length(table: Table, column: str) -> int:
    place = table.columns.index(column)
    return sum(len(row.cells[place]) for row in table.sample)


class _Coming:
    """The documents of a table; those with the codes `there` are left out."""

    def __init__(self, study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings) -> None:
        self.study, self.table, self.columns, self.chosen = study, table, columns, chosen
        self.there: set[tuple[str, str]] = set()
        self.unusable = RowProblems()
        self.ready: PreparedDocuments | None = None
        names = {column.meaning.name for column in columns}
        if ("text" in names) == ("sentence" in names):
            raise UserError("One column must be the running text, or the sentence, and not both.", where="mapping")
        if not chosen.get("style") and "style" not in names:
            raise UserError("Choose the style of the documents, or the column that gives it.", where="style")
        if chosen.get("style"):
            check_style(study, chosen["style"], "style")

    def documents(self) -> Iterator[RawDocument]:
        for one in documents_of(self._lines(), self.table.name):
            if (self.style(one), one.code) not in self.there:
                yield one

    def style(self, one: RawDocument) -> str:
        return one.style or self.chosen.get("style", "")

    def _lines(self) -> Iterator[tuple[int, dict[str, str]]]:
        self.unusable = RowProblems()
        own = {name: self.chosen.get(name, "") for name in ("topic", "domain")}
        for row in self.table.records():
            if row.lacks(column.place for column in self.columns):
                self.unusable.add("it has more or fewer cells than the table has columns", str(row.line))
                continue
            cells = {column.meaning.name: row.cells[column.place] for column in self.columns}
            yield row.line, cells | {name: cells.get(name) or value for name, value in own.items()}

    def prepare(self, on_the_way: Callable[[], object] | None) -> None:
        self.ready = prepare(self.documents(), styles=self.study.styles, style=self.chosen.get("style", ""),
                             language=self.study.language, origin=self.table.name,
                             on_the_way=on_the_way)  # fmt: skip

    def write(self, by: Any) -> str:
        if self.ready is None:
            self.prepare(None)
        assert self.ready is not None
        hold = bool(self.chosen.get("hold_flagged", "1"))
        added = add_documents(study=self.study, documents=self.ready, hold_flagged=hold, by=by)
        return added.told


def plan(study: Study, table: Table, columns: Sequence[Mapped], chosen: Settings, answers: Settings) -> Plan:
    coming, made = _Coming(study, table, columns, chosen), Plan()
    count, empty, codes = 0, 0, dict[tuple[str, str], int]()
    for document in coming.documents():
        count += 1
        style = coming.style(document)
        check_style(study, style, f"{table.name}, line {document.line}")
        empty += not any(part.text for part in document.sections)
        if document.code:
            codes[style, document.code] = document.line
    coming.there = _taken(study, codes)
    made.numbers = [
        (translatable("Rows read"), table.rows),
        (translatable("New documents"), count - empty - len(coming.there)),
        (translatable("Documents that the study already has"), len(coming.there)),
        (translatable("Documents without text"), empty),
    ]
    if coming.unusable.count:
        made.ask(
            answers,
            "unusable",
            unusable_rows_message(coming.unusable),
            ("leave_out", translatable("Leave these rows out")),
        )
    if coming.there:
        some = first_five(sorted(code for _, code in coming.there))
        said = ngettext(
            "{n} document is there already: {some}.", "{n} documents are there already: {some}.", len(coming.there)
        ).format(n=f"{len(coming.there):,}", some=some)
        made.ask(answers, "there", said, ("skip", translatable("Leave them out")))  # fmt: skip
    if count - empty - len(coming.there) <= 0:
        made.nothing = "Nothing in the table is new, or has text."
    made.prepare, made.write = coming.prepare, coming.write
    return made


def _taken(study: Study, codes: dict[tuple[str, str], int]) -> set[tuple[str, str]]:
    found: set[tuple[str, str]] = set()
    rest = iter(codes)
    while some := list(islice(rest, BATCH)):
        there = study.documents.filter(code__in=[code for _, code in some]).values_list("style", "code")
        found.update(key for key in there if key in codes)
    return found


TARGET = Target(
    _("Documents"), _("Articles, abstracts or notes, which are split into sentences and looked through."),
    MEANINGS, settings, guess, plan, slow=True, page="study_documents",
)  # fmt: skip
