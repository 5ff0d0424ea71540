"""Clinical abbreviations and their full forms: a small dictionary of our own, or the user's larger one.

The file is UTF-8; a line is `abbreviation TAB full form | full form ...`, and `# ` begins a comment.
"""

from collections.abc import Container, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from corpora.knowledge import word_lists
from foundation.errors import UserError

FILE = "abbreviations.tsv"


@dataclass(frozen=True)
class Abbreviations:
    """A dictionary: `forms` gives, for each abbreviation without its full stops, its full forms, most usual first."""

    forms: Mapping[str, tuple[str, ...]]

    def full_forms(self, word: str, everyday: Container[str] = frozenset()) -> tuple[str, ...]:
        """The full forms of `word`, or () where it is no abbreviation.

        Full stops do not matter (`b.i.d.` is `bid`). An entry in small letters is found in any case; one with capitals
        is found in any case too, except where that is an everyday word (`or` is not `OR`).
        """
        bare = word.replace(".", "")
        small = bare.lower()
        for form in (bare, small):
            if form in self.forms:
                return self.forms[form]
        return () if small in everyday else self._in_capitals.get(bare.upper(), ())

    @cached_property
    def _in_capitals(self) -> dict[str, tuple[str, ...]]:
        """The entries that hold a capital, such as `Hct` and `LFTs`, all in capitals; the first of two stands."""
        return {short.upper(): full for short, full in reversed(list(self.forms.items())) if short != short.lower()}

    def holds(self, word: str, everyday: Container[str] = frozenset()) -> bool:
        """Whether `word` is one of the abbreviations."""
        return bool(self.full_forms(word, everyday))


def load(path: Path | None = None, folder: Path | None = None) -> Abbreviations:
    """The dictionary of `path`, or of the user's `folder`, or the shipped one; a file is read once.

    A UserError names the file and the line of an entry that is not well formed, and of a second entry of one name.
    """
    source = path or word_lists.chosen(FILE, folder)
    return _read(source, word_lists.stamp(source))


@lru_cache(maxsize=8)
def _read(source: Path, stamp: int) -> Abbreviations:
    forms: dict[str, tuple[str, ...]] = {}
    for number, line in word_lists.lines(source):
        where = f"{source}, line {number}"
        short, full = _entry(line, where)
        if short in forms:
            raise UserError("'{short}' occurs twice; put its full forms on one line.", short=short, where=where)
        forms[short] = full
    if not forms:
        raise UserError("The file holds no abbreviation.", where=str(source))
    return Abbreviations(forms)


def _entry(line: str, where: str) -> tuple[str, tuple[str, ...]]:
    cells = line.split("\t")
    if len(cells) != 2:
        raise UserError("A line is an abbreviation, one tab, and its full forms.", where=where)
    short = cells[0].strip().replace(".", "")
    full = tuple(form.strip() for form in cells[1].split("|"))
    if not short or " " in short:
        raise UserError("The abbreviation is one word.", where=where)
    if not all(full):
        raise UserError("A full form of '{short}' is empty.", short=short, where=where)
    return short, full
