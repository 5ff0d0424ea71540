"""Sentences that jobs stored, in the language of whoever reads them.

A worker has no reader, so it stores its sentences in English. A page looks up the message that a stored sentence was
made of, in the catalog of its language, and fills the places of the translation with the values found at those of the
message. So rows of every version are read alike. A sentence of no message stays as it is. Either form of a message with
two forms is found; the number at `{n}`, or at its first place, chooses the form of the reader's language.
"""

import re
import struct
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.utils.formats import get_format
from django.utils.translation import get_language, gettext, ngettext, to_locale
from django.utils.translation.trans_real import translation

PLACE = re.compile(r"\{(\w*+)[^{}]*\}|%\((\w+)\)[sd]")  # {name}, {name:,} and %(name)s
SENTENCES = re.compile(r"(?<=\.) (?=[A-Z])")
TELLING = 12  # characters beside its places that make a message known
LONGEST = 2000  # characters of a sentence that is looked up
NUMBER = re.compile(r"-?\d{1,3}(?>(?:,\d{3})*)(?>(?:\.\d+)?)|-?\d++(?>(?:\.\d+)?)")  # as English writes it
WORDED = frozenset({
    "along", "aspect", "because", "coefficient", "effect", "how", "interval", "points", "scaled", "test", "unit",
    "units",
})  # fmt: skip
"""The places of words of ours, such as the name of an aspect: each is a message by itself."""
ALTERNATIVES, OR = "metrics", " or "
"""The place of some of which one is enough: "SARI, FKGL or Readability"."""


class Message(NamedTuple):
    """A message with places: the words before, between and behind them, and their names; its `forms` in English."""

    words: Sequence[str]
    names: Sequence[str]
    translated: str
    forms: tuple[str, str] | None = None

    def filled(self, found: Sequence[str]) -> str:
        """The translation with the values found at the places of the sentence."""
        values = dict(zip(self.names, found, strict=True))
        read = {name: _read(name, value) for name, value in values.items()}
        said = ngettext(*self.forms, _number(values)) if self.forms else self.translated
        return filled(said, read)

    def values(self, sentence: str) -> list[str] | None:
        """The text at each place, none of them empty; None for a sentence of another message.

        The words between two places are taken where they stand first: linear in the sentence, as no pattern with
        several open places is.
        """
        start, *between, end = self.words
        if not (sentence.startswith(start) and sentence.endswith(end)):
            return None
        last = len(sentence) - len(end)
        at, found = len(start), []
        for words in between:
            then = sentence.find(words, at + 1, last)
            if then < 0:
                return None
            found.append(sentence[at:then])
            at = then + len(words)
        return [*found, sentence[at:last]] if at < last else None


def in_readers_language(stored: str) -> str:
    """A stored sentence as the present reader reads it; a place that stands before it ("row 3: ...") stays."""
    language = get_language() or settings.LANGUAGE_CODE
    if not stored or language.partition("-")[0] == "en" or len(stored) > LONGEST:
        return stored
    read = [_one(sentence, language) for sentence in SENTENCES.split(stored)]
    return " ".join(read) if all(read) else _one(stored, language) or _mixed(stored, read)


def _mixed(stored: str, read: list[str]) -> str:
    return " ".join(one or sentence for one, sentence in zip(read, SENTENCES.split(stored), strict=True))


def _one(sentence: str, language: str) -> str:
    """The sentence, also behind its place, in that language; "" where it is of no message."""
    place, colon, rest = sentence.partition(": ")
    if found := _found(sentence, language):
        return found
    return f"{place}: {found}" if colon and (found := _found(rest, language)) else ""


def _found(sentence: str, language: str) -> str:
    plain, with_places = _messages(language)
    if sentence in plain:
        return plain[sentence]
    for one in with_places:
        if (values := one.values(sentence)) is not None:
            return one.filled(values)
    return ""


def _number(values: dict[str, str]) -> int:
    """The number that a sentence counts; one where it is written in words."""
    value = values.get("n") or next(iter(values.values()), "1")
    digits = value.replace(",", "")
    return int(digits) if digits.isdecimal() else 1


def _read(name: str, value: str) -> str:
    """The value of a place in the reader's language, where it holds words of ours or a number."""
    if name in WORDED:
        return _worded(value)
    if NUMBER.fullmatch(value):
        separators = {",": get_format("THOUSAND_SEPARATOR"), ".": get_format("DECIMAL_SEPARATOR")}
        return value.translate(str.maketrans(separators))
    first, found, last = value.rpartition(OR)
    if name == ALTERNATIVES and found:
        return gettext("%(first)s or %(last)s") % {"first": first, "last": last}
    return value


def _worded(value: str) -> str:
    """Words of ours, which begin with a small letter within a sentence; what stands in brackets behind them stays."""
    words, bracket, behind = value.partition(" (")
    catalog = translation(get_language() or settings.LANGUAGE_CODE)._catalog  # type: ignore[attr-defined]  # as below
    ways = (words, words[:1].upper() + words[1:])
    return next((gettext(way) for way in ways if way in catalog), words) + bracket + behind


def filled(translated: str, values: dict[str, str]) -> str:
    return PLACE.sub(lambda place: values.get(place[1] or place[2] or "", place[0]), translated)


@cache
def _messages(language: str) -> tuple[dict[str, str], list[Message]]:
    """The catalog: messages without places by themselves, and those with places, the most telling first."""
    # Django gives its catalogs away in no other form; its own view for scripts reads them so too.
    catalog = translation(language)._catalog  # type: ignore[attr-defined]
    pairs = {id: text for id, text in catalog.items() if isinstance(id, str) and id.endswith(".") and text}
    plain = {id: text for id, text in pairs.items() if not PLACE.search(id)}
    made = [message_of(id, text) for id, text in pairs.items() if _tells(id)]
    made += [message_of(one, "", forms) for forms in _forms(language) for one in forms if _tells(one)]
    return plain, sorted(made, key=lambda one: -sum(map(len, one.words)))


def _tells(id: str) -> bool:
    return bool(PLACE.search(id)) and id.endswith(".") and len(PLACE.sub("", id)) > TELLING


def _forms(language: str) -> Iterator[tuple[str, str]]:
    """The messages with two English forms, of our compiled catalogs: gettext itself forgets the second form."""
    for folder in settings.LOCALE_PATHS:
        file = Path(folder, to_locale(language), "LC_MESSAGES", "django.mo")
        for original in _originals(file.read_bytes()) if file.exists() else ():
            one, ends, more = original.partition("\0")
            if ends and "\4" not in one:
                yield one, more


def _originals(compiled: bytes) -> Iterator[str]:
    """The English texts of a compiled catalog (gettext's manual, "The Format of GNU MO Files")."""
    order = "<" if compiled.startswith(b"\xde\x12\x04\x95") else ">"
    count, at = struct.unpack_from(f"{order}2I", compiled, 8)
    for number in range(count):
        length, start = struct.unpack_from(f"{order}2I", compiled, at + 8 * number)
        yield compiled[start : start + length].decode()


def message_of(id: str, translated: str, forms: tuple[str, str] | None = None) -> Message:
    places = list(PLACE.finditer(id))
    ends = [0, *(place.end() for place in places)]
    starts = [*(place.start() for place in places), len(id)]
    words = [id[end:start] for end, start in zip(ends, starts, strict=True)]
    return Message(words, [place[1] or place[2] or "" for place in places], translated, forms)
