"""The forms in which texts are compared."""

import re
import sys
import unicodedata
from collections.abc import Iterable
from functools import cache, cached_property
from hashlib import blake2b
from typing import Generic, Self, TypeVar

PASSED_OVER = ("P", "Z", "C", "Sk")
"""Categories of Unicode that a loose key leaves out: punctuation, spaces, control characters, lone accents."""
DEIDENTIFIED = re.compile(r"\[\*\*(?>(?:[^\[*]++|\[(?!\*\*)|\*(?!\*\]))*)\*\*\]")
"""What a de-identification put in the place of a name or a date, as MIMIC-III writes it: `[**Name**]`, the innermost.

Each begins a search that ends at the next one's beginning, so that a text of beginnings alone takes linear time.
"""
UNSTORABLE = re.compile("[\0\ud800-\udfff]")
"""What PostgreSQL keeps in no text: NUL, and half of a surrogate pair."""
ASCII = bytes(n for n in range(128) if unicodedata.category(chr(n)).startswith(PASSED_OVER))


INVISIBLE = dict.fromkeys((
    0xAD, 0x200B, 0x200E, 0x200F, *range(0x202A, 0x202F), 0x2060, *range(0x2066, 0x206A), 0xFEFF,
))  # fmt: skip
"""Characters that nobody sees and that change no word; the joiners of Persian words and of emoji do."""


def composed(text: str) -> str:
    """The text in Unicode's form NFC, without invisible characters: as people read it, so as metrics compare it."""
    return text if text.isascii() else unicodedata.normalize("NFC", text.translate(INVISIBLE))


def text_key(text: str) -> str:
    """The key under which two texts are one: in Unicode's form NFC, but for white space and invisible characters.

    Capitals, punctuation and accents are style, and a transfer may change nothing else.
    """
    return " ".join((text if text.isascii() else composed(text)).split())


def name_key(name: str) -> str:
    """The key under which two names of people, systems or sets are one: as texts, and without what nobody sees.

    Characters of format (category Cf) are zero-width spaces, byte order marks, directions and the like.
    """
    return text_key(name if name.isascii() else "".join(c for c in name if unicodedata.category(c) != "Cf"))


T = TypeVar("T")


class ByText(Generic[T]):
    """Things by text: the one of this very text, else the only one of a text that differs in capitals alone.

    Texts that were collected elsewhere often come with other capitals than they were shown in. Two texts of a study
    that differ in capitals alone are found each by itself alone.
    """

    def __init__(self, pairs: Iterable[tuple[str, T]]) -> None:
        """`pairs` of a text and its thing; the first counts of several with one key."""
        self.exact: dict[str, T] = {}
        for text, thing in pairs:
            self.exact.setdefault(text_key(text), thing)

    @classmethod
    def of_keys(cls, pairs: Iterable[tuple[str, T]]) -> Self:
        """The same for texts with known keys."""
        made = cls(())
        for key, thing in pairs:
            made.exact.setdefault(key, thing)
        return made

    @cached_property
    def _folded(self) -> dict[str, T | None]:
        folded: dict[str, T | None] = {}
        for key, thing in self.exact.items():
            folded[key.casefold()] = None if key.casefold() in folded else thing
        return folded

    def get(self, text: str) -> T | None:
        key = text_key(text)
        return self.exact[key] if key in self.exact else self._folded.get(key.casefold())


def normalized_key(text: str) -> str:
    """The key of texts that are the same but for case, spaces, punctuation and the form of their Unicode (NFKC).

    "It 's FINE !" and "it\u2019s fine" have one key. A text of punctuation alone keeps it.
    """
    if text.isascii():
        return text.encode().translate(None, ASCII).lower().decode() or text.strip()  # by bytes in a fifth of the time
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold())
    return _passed_over().sub("", folded) or folded.strip()


def text_digest(text: str) -> int:
    """The normalized key as a whole number of 64 bits, as PostgreSQL keeps it."""
    if text.isascii():  # as `normalized_key`, without a string in between
        key = text.encode().translate(None, ASCII).lower() or text.strip().encode()
    else:
        key = normalized_key(text).encode(errors="surrogatepass")
    return int.from_bytes(blake2b(key, digest_size=8).digest(), signed=True)


@cache
def _passed_over() -> re.Pattern[str]:
    """One or more characters of those categories; built of ranges, once."""
    places = [n for n in range(sys.maxunicode + 1) if unicodedata.category(chr(n)).startswith(PASSED_OVER)]
    ranges: list[list[int]] = []
    for place in places:
        if ranges and ranges[-1][1] == place - 1:
            ranges[-1][1] = place
        else:
            ranges.append([place, place])
    return re.compile("[" + "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in ranges) + "]+")
