"""Likely identifiers in a text: names, dates, numbers, addresses. Patterns alone, so they are fast.

A flag asks a person to look; it is no de-identification. What MIMIC-III's de-identification
put in (`[**...**]`) is no flag.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Literal

from corpora.knowledge import identifier_patterns as patterns
from foundation.text_keys import DEIDENTIFIED

Kind = Literal["name", "date", "number", "address", "email", "url"]
KINDS: tuple[Kind, ...] = ("email", "url", "address", "date", "number", "name")  # the first of two that overlap stands


@dataclass(frozen=True)
class Flag:
    """A likely identifier: the characters from `start` up to `end` of the text, and what it seems to be."""

    start: int
    end: int
    kind: Kind

    def json(self) -> dict[str, int | str]:
        return {"start": self.start, "end": self.end, "kind": self.kind}


def find(text: str) -> list[Flag]:
    """The likely identifiers of `text` in order; no two overlap. Doses, ages and measured values are none."""
    taken = bytearray(len(text))  # 1 at each character that is one of a flag, or no text
    for match in DEIDENTIFIED.finditer(text) if "[**" in text else ():
        taken[match.start() : match.end()] = b"\1" * len(match[0])
    flags, digits = list[Flag](), patterns.most_digits(text)
    for kind in KINDS:
        for start, end in _spans(kind, text, digits):
            if taken.find(1, start, end) < 0:
                taken[start:end] = b"\1" * (end - start)
                flags.append(Flag(start, end, kind))
    return sorted(flags, key=lambda flag: flag.start)


def holds_url(text: str) -> bool:
    """Whether a web address stands in `text`."""
    return next(_spans("url", text, 0), None) is not None


def _spans(kind: Kind, text: str, digits: int) -> Iterator[tuple[int, int]]:
    for pattern, least, may_match in patterns.PATTERNS[kind]:
        if digits >= least and may_match(text):
            for match in pattern.finditer(text):
                yield match.span("what")


def masked(text: str, flags: Iterable[Flag]) -> str:
    """`text` with `[NAME]`, `[DATE]` ... in the place of each flag. Flags are of this text and do not overlap."""
    pieces, at = [], 0
    for flag in sorted(flags, key=lambda flag: flag.start):
        pieces += [text[at : flag.start], f"[{flag.kind.upper()}]"]
        at = flag.end
    return "".join([*pieces, text[at:]])
