"""Words that a language model quotes, found again in the text that it had."""

import unicodedata
from collections.abc import Iterator

from annotation.text_marks import snapped, words_of

Stretch = tuple[int, int]
"""The start and the end of a stretch, in characters."""

ALIKE = str.maketrans("’‘‛`“”„«»–—‑", '\'\'\'\'"""""---')


def places_of(quote: str, text: str) -> list[Stretch]:
    """The places of the quote in the text, snapped to words as people's marks are; [] where it does not stand there.

    As it stands, or else whatever its capitals, spaces, quotation marks and dashes are. Whole words go before parts.
    """
    wanted = quote.strip()
    found = list(_all(wanted, text)) or list(_alike(wanted, text))
    words = words_of(text)
    starts, ends = {start for start, _ in words}, {end for _, end in words}
    within_words = [place for place in found if place[0] in starts and place[1] in ends]
    return list(dict.fromkeys(snapped(text, *place) for place in within_words or found))


def _all(wanted: str, text: str) -> Iterator[Stretch]:
    at = text.find(wanted) if wanted else -1
    while at >= 0:
        yield at, at + len(wanted)
        at = text.find(wanted, at + 1)


def _alike(wanted: str, text: str) -> Iterator[Stretch]:
    form, places = _folded(text)
    for start, end in _all(_folded(wanted)[0].strip(), form):
        yield places[start], places[end - 1] + 1


def _folded(text: str) -> tuple[str, list[int]]:
    """The text without capitals, with one space for several, and plain signs; and the place that each of its characters
    comes from."""
    form, places = list[str](), list[int]()
    for place, sign in enumerate(text):
        alike = " " if sign.isspace() else unicodedata.normalize("NFKD", sign.translate(ALIKE)).casefold()
        if alike != " " or (form and form[-1] != " "):
            form += alike
            places += [place] * len(alike)
    return "".join(form), places
