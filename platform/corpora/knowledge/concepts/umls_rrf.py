"""The UMLS's own files (RRF: fields between bars, a line a row), read as streams that are sorted by CUI.

Fields: the UMLS Reference Manual, chapter 3, https://www.ncbi.nlm.nih.gov/books/NBK9685/.
"""

import re
from collections.abc import Callable, Generator, Iterator
from contextlib import ExitStack, closing
from itertools import groupby
from pathlib import Path
from typing import NamedTuple

from corpora.knowledge.concepts.mentions import Concept
from foundation.errors import UserError

NAMES, TYPES, DEFINITIONS = "MRCONSO.RRF", "MRSTY.RRF", "MRDEF.RRF"
FIELDS = {NAMES: 18, TYPES: 6, DEFINITIONS: 8}
CUI, LANGUAGE, TS, STT, PREFERRED, ATOM, STRING = 0, 1, 2, 4, 6, 7, 14  # of MRCONSO
TYPE = 1  # of MRSTY
DEFINED_ATOM, SOURCE, DEFINITION, SUPPRESSED = 1, 4, 5, 6  # of MRDEF
LAY_FIRST = ("MEDLINEPLUS", "CHV", "NCI", "MSH")  # sources of definitions, the plainest first
LONGEST_DEFINITION = 400  # characters
LONGEST_NAME = 100
KEPT_NAMES = 40
TAG = re.compile(r"<[^<>]+>")
STEP = 1_000_000  # characters read between two reports

Row = list[str]
Read = Callable[[int], None]


class Named(NamedTuple):
    """A concept with all its terms: each with whether its source prefers it."""

    concept: Concept
    terms: list[tuple[str, bool]]


def concepts(folder: Path, language: str, read: Read) -> Iterator[Named]:
    """The concepts that have a name in `language`, from MRCONSO, MRSTY and, if it is there, MRDEF.

    `read` hears how many characters of MRCONSO were read. A UserError names the file and the line that is wrong.
    """
    with ExitStack() as files:
        names = files.enter_context(closing(_rows(folder / NAMES, read)))
        types = files.enter_context(closing(_Beside(folder / TYPES)))
        there = (folder / DEFINITIONS).is_file()
        defined = files.enter_context(closing(_Beside(folder / DEFINITIONS))) if there else None
        for cui, rows in groupby(names, key=lambda row: row[CUI]):
            found = [row for row in rows if row[LANGUAGE] == language]
            if found:
                said = _definition(defined.of(cui), {row[ATOM] for row in found}) if defined else ""
                semantic = tuple(dict.fromkeys(row[TYPE] for row in types.of(cui)))
                yield _named(cui, found, semantic, said)


def _named(cui: str, rows: list[Row], types: tuple[str, ...], definition: str) -> Named:
    usual = sorted(rows, key=lambda row: (row[TS], row[STT], row[PREFERRED]) != ("P", "PF", "Y"))
    names = {row[STRING].casefold(): row[STRING] for row in reversed(usual) if len(row[STRING]) <= LONGEST_NAME}
    kept = tuple(reversed(names.values()))[:KEPT_NAMES] or (usual[0][STRING][:LONGEST_NAME],)
    terms = [(row[STRING], row[PREFERRED] == "Y") for row in rows]
    return Named(Concept(cui, kept, types, definition), terms)


def _definition(rows: list[Row], atoms: set[str]) -> str:
    """The plainest of those that belong to one of the `atoms`, so that it is in their language."""
    here = [row for row in rows if row[DEFINED_ATOM] in atoms and row[SUPPRESSED] in ("N", "")]
    if not here:
        return ""
    order = {source: at for at, source in enumerate(LAY_FIRST)}
    text = min(here, key=lambda row: order.get(row[SOURCE], len(order)))[DEFINITION]
    return _shortened(" ".join(TAG.sub(" ", text).split()))


def _shortened(text: str) -> str:
    """At most so many characters, to the end of a sentence where there is one."""
    if len(text) <= LONGEST_DEFINITION:
        return text
    end = text.rfind(". ", 0, LONGEST_DEFINITION)
    return text[: end + 1] if end > 0 else text[:LONGEST_DEFINITION].rsplit(" ", 1)[0] + " …"


class _Beside:
    """A file that is read along with MRCONSO."""

    def __init__(self, path: Path) -> None:
        self._rows = _rows(path, lambda count: None)
        self._groups = groupby(self._rows, key=lambda row: row[CUI])
        self._cui, self._held = "", list[Row]()

    def of(self, cui: str) -> list[Row]:
        """The rows of `cui`; asked for in rising order."""
        while self._cui < cui:
            following = next(self._groups, None)
            if following is None:
                return []
            self._cui, self._held = following[0], list(following[1])
        return self._held if self._cui == cui else []

    def close(self) -> None:
        self._rows.close()


def _rows(path: Path, read: Read) -> Generator[Row, None, None]:
    expected, before, count, said = FIELDS[path.name], "", 0, 0
    try:
        with path.open(encoding="utf-8", newline="\n") as file:
            for number, line in enumerate(file, 1):
                row = line.rstrip("\r\n").split("|")
                where = f"{path.name}, line {number}"
                if len(row) != expected + 1:
                    raise UserError(
                        "A row has {expected} fields with a bar after each; this is not one.",
                        expected=expected,
                        where=where,
                    )
                if row[CUI] < before:
                    raise UserError("The rows must be sorted by CUI, as the UMLS delivers them.", where=where)
                before, count = row[CUI], count + len(line)
                if count - said >= STEP:
                    said = count
                    read(count)
                yield row
    except FileNotFoundError:
        raise UserError(
            "There is no {name} in the folder; it holds the UMLS's RRF files.", name=path.name, where=str(path.parent)
        ) from None
    except (OSError, UnicodeDecodeError):
        raise UserError("The file cannot be read as UTF-8.", where=str(path)) from None
