"""The form of a check, the facts about somebody's work that it is told, and its findings.

Sentences and labels are plain English here, since this folder knows no web framework; pages translate the labels.
"""

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NamedTuple

from foundation.bounds import number, whole_number
from foundation.errors import UserError

Settings = Mapping[str, Any]
SHOWN = 20  # pieces of evidence that a finding keeps; it counts them all


@dataclass(frozen=True, slots=True)
class ComparedRating:
    """A number that somebody gave on a scale `width` wide, and the others' numbers in the same place."""

    name: str
    value: float
    others: tuple[float, ...]
    width: float


@dataclass(frozen=True, slots=True)
class ComparedChoice:
    """A choice among a few, and the others' choices in the same place."""

    name: str
    value: str
    others: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CheckedAnswer:
    """One answer, in its newest revision. `number` is its item's, `key` its own.

    `before` and `after` are the source and the written text, "" where the work writes nothing. `words` are the item's.
    Where the page did not count the `seconds`, they are those since the answer before, which are the most possible.
    `control` is the agreement with the expected answer of a control item, from 0 to 1, None for any other item.
    """

    key: int
    number: int
    before: str = ""
    after: str = ""
    words: int = 0
    seconds: float | None = None
    control: float | None = None
    rated: tuple[ComparedRating, ...] = ()
    decided: tuple[ComparedChoice, ...] = ()
    counted: bool = True


@dataclass(frozen=True, slots=True)
class AnnotatorWork:
    """One person's answers in a campaign, in the order in which they were handed in.

    `median_seconds` is that of the other people's answers in the campaign, None where nobody else's were timed.
    `same_browser` are the names of others who came in one browser with them, `same_address` of those who came in
    another of the same kind from one address.
    """

    answers: Sequence[CheckedAnswer]
    median_seconds: float | None = None
    same_browser: Sequence[str] = ()
    same_address: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Evidence:
    """A piece of evidence: the item and the answer that it is in, and a short text or some numbers."""

    number: int
    key: int
    text: str


@dataclass(frozen=True, slots=True)
class Finding:
    """The finding of a check: a sentence with its numbers, in how many answers, and some of them as evidence.

    `keys` are those of all the answers.
    """

    check: str
    sentence: str
    count: int
    evidence: tuple[Evidence, ...]
    keys: tuple[int, ...] = ()

    @property
    def items(self) -> list[int]:
        """The numbers of the items in the evidence."""
        return [piece.number for piece in self.evidence]


class CampaignTraits(NamedTuple):
    """The traits of a campaign that checks ask for: whether its people write, whether they judge or choose, how many
    do an item, and whether there are control items."""

    writes: bool
    chooses: bool
    overlap: int
    controls: bool


class Check(ABC):
    """A check. A campaign's `checks` hold its settings under the name of its file, as far as they differ.

    A default that is a float is a part from 0 to 1 or a number of seconds, as `bounds` says; a whole number counts.
    """

    name: ClassVar[str]
    label: ClassVar[str]
    about: ClassVar[str]
    defaults: ClassVar[dict[str, Any]]
    bounds: ClassVar[dict[str, tuple[float, float]]] = {}

    def check_settings(self, settings: Settings, where: str = "") -> dict[str, Any]:
        """The settings, complete and in their stored form; a UserError whose `where` is the key. Idempotent."""
        for key in settings:
            if key not in self.defaults:
                near = difflib.get_close_matches(str(key), self.defaults, n=3) or list(self.defaults)
                raise UserError(
                    "There is no such setting; did you mean {near}?", near=", ".join(near), where=f"{where}{key}"
                )
        given = {**self.defaults, **settings}
        return {key: self._number(key, value, where) for key, value in given.items()}

    def idle(self, about: "CampaignTraits") -> str:
        """The reason why it can find nothing in such work, as a sentence; "" where it can."""
        return ""

    @abstractmethod
    def findings(self, work: AnnotatorWork, settings: Settings) -> Iterator[Finding]:
        """The findings in this work; none where all is well, or where too little was done to say."""

    def _number(self, key: str, value: Any, where: str) -> int | float:
        whole = isinstance(self.defaults[key], int)
        low, high = self.bounds.get(key, (1, 1_000_000) if whole else (0.0, 1.0))
        if whole:
            return whole_number(value, int(low), int(high), f"{where}{key}")
        return number(value, low, high, f"{where}{key}")

    def found(self, sentence: str, evidence: Sequence[Evidence]) -> Finding:
        shown, keys = tuple(evidence[:SHOWN]), tuple(piece.key for piece in evidence)
        return Finding(self.name, sentence, len(evidence), shown, keys)


def evidence_of(given: CheckedAnswer, text: str) -> Evidence:
    return Evidence(given.number, given.key, text)


def short(text: str, longest: int = 120) -> str:
    """A text on one line, cut at a word where it is long."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[:longest].rsplit(" ", 1)[0] + " …"
