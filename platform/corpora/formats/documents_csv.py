"""Documents as a table: a row a document, a row a section, or a row a sentence, columns by name.

The column `text` holds running text, which is split into sentences; `sentence` holds one sentence, taken as it is.
Rows under one another with the same `code` (and `style`) are one document, and within it rows with the same `section`
one section; a row without a code is a document of its own. `codes` are separated by semicolons. The cells about the
document and its question count in its first row.
"""

from collections.abc import Iterator, Mapping
from itertools import groupby

from corpora.formats._base import DocumentFormat, RawDocument, RawQuestion, RawSection
from corpora.tabular_files import named_rows
from corpora.text_files.decoding import TextFile
from foundation.errors import UserError

QUESTION = ("text", "type", "focus", "kind", "topic")
OWN = ("style", "code", "title", "topic", "domain")
COLUMNS = (*OWN, "codes", "section", "text", "sentence", "translation", "question",
           *(f"question_{name}" for name in QUESTION))  # fmt: skip
Line = tuple[int, dict[str, str]]


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The documents, one after the other; a table without texts or with both kinds of them is a `UserError`."""
    return documents_of(named_rows(file, (), COLUMNS), file.name)


def documents_of(rows: Iterator[Line], name: str) -> Iterator[RawDocument]:
    """The documents made of rows (line, cells by name) of any file."""
    for _, group in groupby(_checked(rows, name), key=_of_document):
        yield _document(list(group))


def _checked(rows: Iterator[Line], name: str) -> Iterator[Line]:
    for line, row in rows:
        where = f"{name}, line {line}"
        if ("text" in row) == ("sentence" in row):
            raise UserError("a column 'text' or a column 'sentence' was expected, and not both.", where=where)
        if row.get("translation") and "sentence" not in row:
            raise UserError("a translation belongs to a sentence, in a table of sentences.", where=where)
        if row.get("question_text") and not row.get("question", "").strip():
            raise UserError("the question has no code; give it in the column 'question'.", where=where)
        yield line, row


def _of_document(line: Line) -> tuple[str, str, int]:
    """The key that rows of one document share; a row without a code shares it with none."""
    number, row = line
    code = row.get("code", "").strip()
    return row.get("style", "").strip(), code, 0 if code else number


def _document(lines: list[Line]) -> RawDocument:
    number, first = lines[0]
    sections = groupby((row for _, row in lines), key=lambda row: row.get("section", "").strip())
    return RawDocument(
        sections=tuple(part for title, rows in sections for part in _sections(title, list(rows))),
        codes=tuple(code for part in first.get("codes", "").split(";") if (code := part.strip())),
        question=_question(first),
        line=number,
        **{name: first.get(name, "").strip() for name in OWN},
    )


def _sections(title: str, rows: list[dict[str, str]]) -> Iterator[RawSection]:
    if "text" in rows[0]:
        for row in rows:
            yield RawSection(title, row["text"])
        return
    translations = tuple(row.get("translation", "").strip() for row in rows)
    yield RawSection(title, tuple(row["sentence"].strip() for row in rows), translations if any(translations) else None)


def _question(row: dict[str, str]) -> RawQuestion | None:
    code = row.get("question", "").strip()
    if not code:
        return None
    return RawQuestion(code, **{name: row.get(f"question_{name}", "").strip() for name in QUESTION})


FORMAT = DocumentFormat(
    "Documents, a table", "CSV with one row per document, section or sentence; columns by name.", (".csv",), read=read
)
