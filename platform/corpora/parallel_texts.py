"""References and outputs joined to the sources on the source text.

Two sources are the same where they are equal but for outer space; case counts.
"""

from collections.abc import Iterable, Sequence

from corpora.formats import FORMATS, names_of
from corpora.formats._base import TableFormat
from corpora.tabular_files import Column, complete_rows
from corpora.text_files.decoding import TextFile
from foundation.errors import UserError, first_five


def read_joined(
    file: TextFile, sources: Sequence[str], source: Column, text: Column, *, form: str = "", missing: bool = False
) -> list[str | None]:
    """A text for every source, from a table's columns `source` and `text`.

    `form` names the table's format; empty is by the file's suffix, and TSV where that says nothing.
    """
    table = FORMATS[form or form_of(file.name)]
    if not isinstance(table, TableFormat):
        raise UserError(
            "'{form}' is not a table; one of {formats} was expected.",
            form=form,
            formats=", ".join(names_of(TableFormat)),
            where=file.name,
        )
    columns = (source, text)
    found = [(line, cells[0], cells[1]) for line, cells in complete_rows(table.rows(file, columns), columns, file.name)]
    return join(sources, found, name=file.name, missing=missing)


def form_of(name: str) -> str:
    """The table's format by the suffix of its name; TSV where it has none that is known."""
    ending = name.lower()
    matching = (form for form in names_of(TableFormat) if ending.endswith(FORMATS[form].suffixes))
    return next(matching, "tsv")


def join(
    sources: Sequence[str], rows: Iterable[tuple[int, str, str]], *, name: str, missing: bool = False
) -> list[str | None]:
    """The texts of `rows` (line, source, text) in the order of `sources`; a source that stands twice gets it twice.

    Rows with an unknown source, different texts for one source, empty texts, and (unless `missing`) sources without
    a row are each one `UserError` that names the first five places.
    """
    known = {text.strip() for text in sources}
    texts: dict[str, tuple[int, str]] = {}
    strange: list[int] = []
    doubled: list[str] = []
    empty: list[int] = []
    for line, source, text in rows:
        key = source.strip()
        first = texts.setdefault(key, (line, text))
        if key not in known:
            strange.append(line)
        elif not text.strip():
            empty.append(line)
        elif first[1].strip() != text.strip():
            doubled.append(f"{line} (first on line {first[0]})")
    lacking = [number for number, text in enumerate(sources, 1) if text.strip() not in texts]
    _refuse(f"the source is not among the {len(sources):,} sources on line", strange, name)
    _refuse("the text is empty on line", empty, name)
    _refuse("a source has another text than on an earlier line, on line", doubled, name)
    if not missing:
        _refuse("there is no row for source", lacking, name)
    return [texts[text.strip()][1] if text.strip() in texts else None for text in sources]


def _refuse(fault: str, places: Sequence[object], name: str) -> None:
    if places:
        raise UserError("{fault} {places}.", fault=fault, places=first_five(places), where=name)
