"""The form of an eligibility rule, and the facts about a person that it is told.

Sentences and labels are plain English here, since this folder knows no web framework; pages translate the labels."""

import difflib
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, ClassVar, Literal, NamedTuple

from foundation.bounds import whole_number
from foundation.errors import UserError


@dataclass(frozen=True)
class EligibilityRecord:
    """The facts about a person that a campaign's rules may know.

    `credentials` are the verified ones that have not run out. `accepted` and `rejected` count the newest verdicts on
    their answers, by campaign of the study, `accepted_at_first` and `rejected_at_first` those on the first revision of
    each that was judged; `alike` names the campaigns of this kind of work. `done` counts their answers in this
    campaign, `today` those of this day. `qualifications` hold (score, attempts begun) by campaign; the score, from 0 to
    1, is that of the best attempt that was gone through to its end, None before there is one.
    """

    languages: frozenset[str] = frozenset()
    credentials: frozenset[str] = frozenset()
    topics: frozenset[str] = frozenset()
    accepted: Mapping[str, int] = field(default_factory=dict)
    rejected: Mapping[str, int] = field(default_factory=dict)
    accepted_at_first: Mapping[str, int] = field(default_factory=dict)
    rejected_at_first: Mapping[str, int] = field(default_factory=dict)
    alike: frozenset[str] = frozenset()
    done: int = 0
    today: int = 0
    qualifications: Mapping[str, tuple[float | None, int]] = field(default_factory=dict)

    def counted(self, of: Iterable[str]) -> tuple[int, int]:
        """The numbers of their accepted and rejected answers in these campaigns; in all alike where none is named."""
        return self._sum(self.accepted, of), self._sum(self.rejected, of)

    def counted_at_first(self, of: Iterable[str]) -> tuple[int, int]:
        """The same numbers for the first verdicts: a rejection stays one, though a revision was accepted."""
        return self._sum(self.accepted_at_first, of), self._sum(self.rejected_at_first, of)

    def _sum(self, counts: Mapping[str, int], of: Iterable[str]) -> int:
        campaigns = set(of) or self.alike
        return sum(count for slug, count in counts.items() if slug in campaigns)


class RuleField(NamedTuple):
    """One thing that a rule asks; `key` is its key in the rule's table, "" where it is the whole value.

    A whole number is at least 1 and at most `high`; `usual` is the value of a key that is left out.
    """

    key: str
    kind: Literal["flag", "whole", "part", "names", "campaign", "campaigns"]
    label: str
    help: str = ""
    high: int = 1_000_000
    usual: Any = None

    def checked(self, value: Any, where: str) -> Any:
        """The value in its stored form; a UserError that names the place."""
        if self.kind == "whole":
            return whole_number(value, 1, self.high, where)
        if self.kind == "part":
            return part(value, where)
        if self.kind == "campaigns":
            return names([] if value is None else value, where, needed=False)
        if self.kind == "names":
            return names(value, where)
        if self.kind == "flag" and not isinstance(value, bool):
            raise UserError("Expected true or false, found {value!r}.", value=value, where=where)
        if self.kind == "campaign" and (not isinstance(value, str) or not value):
            raise UserError("Expected the short name of a campaign to pass.", where=where)
        return value


class EligibilityRule(ABC):
    """A rule. A campaign's `eligibility` holds its value under the name of its file; a rule left out asks nothing."""

    name: ClassVar[str]
    label: ClassVar[str]
    about: ClassVar[str]
    asks: ClassVar[tuple[RuleField, ...]]

    def check(self, value: Any) -> Any:
        """The value in its stored form; a UserError whose `where` is the key. Idempotent.

        A number in place of a table stands for the first field.
        """
        where, first = f"eligibility.{self.name}", self.asks[0]
        if not first.key:
            return first.checked(value, where)
        if first.kind in ("whole", "part") and isinstance(value, (int, float)):
            value = {first.key: value}
        given = table(value, where, [ask.key for ask in self.asks])
        return {ask.key: ask.checked(given.get(ask.key, ask.usual), f"{where}.{ask.key}") for ask in self.asks}

    @abstractmethod
    def unmet(self, record: EligibilityRecord, value: Any) -> str | None:
        """The reason why this person may not go on, as a sentence for them; None where they may."""


def part(value: Any, where: str) -> float:
    if not isinstance(value, (int, float)) or isinstance(value, bool) or not 0 < value <= 1:
        raise UserError("Expected a part above 0 and at most 1, found {value!r}.", value=value, where=where)
    return float(value)


def names(value: Any, where: str, *, needed: bool = True) -> list[str]:
    """A list of short names, each once, in their order."""
    given = value if isinstance(value, list) else None
    if given is None or any(not isinstance(name, str) or not name.strip() or len(name) > 100 for name in given):
        raise UserError("Expected a list of names, found {value!r}.", value=value, where=where)
    if needed and not given:
        raise UserError("Expected at least one name.", where=where)
    return list(dict.fromkeys(name.strip() for name in given))


def table(value: Any, where: str, keys: Iterable[str]) -> dict[str, Any]:
    known = list(keys)
    if not isinstance(value, Mapping):
        raise UserError(
            "Expected a table of {known}; found {value!r}.", known=", ".join(known), value=value, where=where
        )
    for key in value:
        if key not in known:
            near = difflib.get_close_matches(str(key), known, n=3) or known
            raise UserError(
                "There is no such setting; did you mean {near}?", near=", ".join(near), where=f"{where}.{key}"
            )
    return dict(value)
