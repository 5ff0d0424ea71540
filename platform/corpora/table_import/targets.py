"""The class of targets of an import: the meanings of its columns, and the plan of what will be written."""

import importlib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from corpora.models import Study
from corpora.table_parser import Note, Question, Table
from foundation.errors import UserError
from foundation.registry import Registry

Settings = Mapping[str, str]


@dataclass(frozen=True)
class Meaning:
    """A meaning of columns. `words` are those of a column's name; `named` ("system", "set") asks for a name of its own.

    A meaning with `several` may be given to more than one column.
    """

    name: str
    title: str
    words: frozenset[str] = frozenset()
    named: str = ""
    several: bool = False


@dataclass(frozen=True)
class Mapped:
    """A column with its meaning; `name` is the system's or the set's."""

    column: str
    place: int
    meaning: Meaning
    name: str = ""


@dataclass(frozen=True)
class Setting:
    """Something that holds for a whole table: `choices` are (value, words); without any it is typed.

    Where it is `of` some meanings, it is shown where a column has one of them. A `rare` one is folded away on the page.
    """

    name: str
    title: str
    choices: tuple[tuple[str, str], ...] = ()
    initial: str = ""
    help: str = ""
    flag: bool = False
    of: tuple[str, ...] = ()
    rare: bool = False


@dataclass(frozen=True)
class Doubt:
    """A question that a guess of the columns leaves open: each choice is (value, words, the mapping that it makes)."""

    name: str
    sentence: str
    choices: tuple[tuple[str, str, Mapping[str, str]], ...]


@dataclass
class Plan:
    """The plan of an import: counts with their words, questions, and `write`, which does it and returns a sentence.

    `notes` list everything that is guessed, dropped, changed or read otherwise than it stands, with its rows.

    `prepare`, which may take long, is called before; `write` is called with the person, within a transaction and under
    the study's lock. `nothing` says why there is nothing to import.
    """

    numbers: list[tuple[str, int]] = field(default_factory=list)
    questions: list[Question] = field(default_factory=list)
    notes: list[Note] = field(default_factory=list)
    nothing: str = ""
    mapping: dict[str, str] = field(default_factory=dict)
    prepare: Callable[[Callable[[], object] | None], None] = field(default=lambda on_the_way: None, repr=False)
    write: Callable[[Any], str] = field(default=lambda by: "", repr=False)

    @property
    def open(self) -> list[Question]:
        """The questions that are not answered."""
        return [question for question in self.questions if not question.answer]

    def ask(self, answers: Settings, name: str, sentence: str, *choices: tuple[str, str], default: str = "") -> str:
        """Ask, and give the answer that is there, or the `default`; one that is no choice is a UserError."""
        answer = answers.get(name, "") or default
        if answer and answer not in dict(choices):
            known = ", ".join(value for value, _ in choices)
            raise UserError(
                "'{answer}' is not an answer to '{name}'; the answers are {known}.",
                answer=answer,
                name=name,
                known=known,
                where=name,
            )
        self.questions.append(Question(name, sentence, choices, answer))
        return answer


@dataclass(frozen=True)
class Target:
    """One kind of rows that a table can hold.

    `plan(study, table, mapped, settings, answers)` goes through all rows and changes nothing. `guess(study, table,
    settings)` is a meaning for each column, as in a mapping: "source", "output: Rules", or ""; `doubts(study, table,
    guess)` are questions about it, which nobody is asked who says what the columns mean. `reads(table,
    settings)` are columns that it reads without being told, which no page shows. `recognises(table)` is the name of the
    tool that made the table, where such tables are of this target. A `slow` target always
    comes in as a job, and its plan is made and prepared before the lock is taken. `page` is the route that shows
    what came in.
    """

    title: str
    about: str
    meanings: Sequence[Meaning]
    settings: Callable[[Study], Sequence[Setting]]
    guess: Callable[[Study, Table, Settings], dict[str, str]]
    plan: Callable[[Study, Table, Sequence[Mapped], Settings, Settings], Plan]
    doubts: Callable[[Study, Table, Mapping[str, str]], Sequence[Doubt]] = lambda study, table, guess: ()
    reads: Callable[[Table, Settings], Collection[str]] = lambda table, settings: ()
    recognises: Callable[[Table], str] = lambda table: ""
    slow: bool = False
    page: str = ""


FOLDER = Path(__file__).parents[1] / "import_targets"


class Targets(Registry[Target]):
    """The targets of `corpora/import_targets` and those that were added."""

    def __init__(self) -> None:
        super().__init__("target", "corpora.import_targets", FOLDER, attribute="TARGET")
        self.others: dict[str, str] = {}

    def names(self) -> list[str]:
        return [*sorted(super().names(), reverse=True), *self.others]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def _load(self, name: str) -> Target:
        if name in self.others:
            return self._entry(importlib.import_module(self.others[name]), name)
        return super()._load(name)


TARGETS = Targets()


def add(name: str, module: str) -> None:
    """Make `TARGET` of `module`, or that of its `ENTRIES`, the target of that name; it is imported when asked for."""
    TARGETS.others[name] = module
