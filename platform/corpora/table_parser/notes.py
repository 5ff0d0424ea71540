"""Notes and questions to a person about a table on its way in."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from foundation.errors import SHOWN, UserError, first_five
from foundation.translation import translatable, translate

KEPT = 100
"""Rows of a note that are named."""
MOST_LINES = 1000
"""Lines of a problem that are kept."""


@dataclass(frozen=True)
class Note:
    """Something that was guessed, dropped, changed or read otherwise: a sentence, as of a `UserError`, and where.

    `rows` are the first of `count` places.
    """

    template: str
    rows: tuple[str, ...] = ()
    count: int = 0
    values: Mapping[str, object] = field(default_factory=dict)

    @property
    def sentence(self) -> str:
        values: dict[str, Any] = dict(self.values)
        return UserError(self.template, **values).sentence

    def __str__(self) -> str:
        if not self.rows:
            return self.sentence
        where = first_five([*self.rows, *[""] * (self.count - len(self.rows))])
        return f"{self.sentence} ({translate('rows {where}', where=where)})"


class Notes:
    """Notes as they come up, row after row."""

    def __init__(self) -> None:
        self._found: dict[tuple[str, tuple[tuple[str, object], ...]], tuple[list[str], list[int]]] = {}

    def add(self, template: str, row: object = "", **values: object) -> None:
        """Count one more row for the sentence; without a row, it is about the table."""
        rows, count = self._found.setdefault((template, tuple(values.items())), ([], [0]))
        if row != "":
            count[0] += 1
            if len(rows) < KEPT:
                rows.append(str(row))

    def __iter__(self) -> Iterator[Note]:
        for (template, values), (rows, count) in self._found.items():
            yield Note(template, tuple(rows), count[0], dict(values))


@dataclass
class RowProblems:
    """Rows that cannot be used, by error: how many, and the first lines."""

    lines: dict[str, dict[object, None]] = field(default_factory=lambda: defaultdict(dict))
    counts: Counter[str] = field(default_factory=Counter)

    def add(self, what: str, line: object) -> None:
        self.counts[what] += 1
        if len(self.lines[what]) < MOST_LINES:
            self.lines[what][line] = None

    @property
    def count(self) -> int:
        return self.counts.total()

    def summary(self) -> str:
        """The errors, each with its first lines."""
        first = {what: [str(line) for line in islice(lines, SHOWN)] for what, lines in self.lines.items()}
        return "; ".join(self._places(what, lines) for what, lines in first.items())

    def _places(self, what: str, lines: list[str]) -> str:
        if self.counts[what] > len(lines):
            said = translatable("{what} (lines {lines} and others)")
        else:
            said = translatable("{what} (lines {lines})") if len(lines) > 1 else translatable("{what} (line {lines})")
        return translate(said, what=what, lines=", ".join(lines))


@dataclass(frozen=True)
class Question:
    """A question to answer before anything comes in; `choices` are (value, words).

    A question about how the file is read has the name of the field of `Reading` that it settles.
    """

    name: str
    sentence: str
    choices: tuple[tuple[str, str], ...]
    answer: str = ""


def told(sentence: str, notes: Iterable[Note]) -> str:
    """The sentence about the import, and all notes after it."""
    return " ".join([sentence, *map(str, notes)])
