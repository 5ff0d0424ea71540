"""Texts with parts of them marked, as `Cell.marks` has them: from where to where, in characters."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from evaluation.snapshot.units import ConceptMention
from foundation.word_diff import matches
from foundation.word_diff.words import UNSPACED
from foundation.word_diff.words import words as words_of

WORD = re.compile(r"\S+")
INSIDE = re.compile(r"\w(?:.*\w)?", re.DOTALL)  # a word without the punctuation around it


class HighlightedText(NamedTuple):
    """A text and its marked parts, in order and not overlapping."""

    text: str
    marks: list[tuple[int, int]]


def lacking_in(other: str, text: str) -> HighlightedText:
    """The text with the runs of words marked that the other text lacks, case and punctuation aside."""
    words = _places(text)
    words_here, words_there = (
        [_plain(of[start:end]) for start, end in places] for of, places in ((text, words), (other, _places(other)))
    )
    same = [
        (0, 0),
        *((start, start + length) for _, start, length in matches(words_there, words_here)),
        (len(words_here), len(words_here)),
    ]
    runs = [(end, start) for (_, end), (start, _) in pairwise(same) if end < start]
    return HighlightedText(text, [(words[start][0], words[end - 1][1]) for start, end in runs])


def _places(text: str) -> list[tuple[int, int]]:
    """Where its words stand: between white space, or single characters in scripts that write none."""
    if not UNSPACED.search(text):
        return [match.span() for match in WORD.finditer(text)]
    places, at = [], 0
    for word in words_of(text):
        if word.text:
            places.append((at, at + len(word.text)))
        at += len(word.text) + len(word.space)
    return places


def with_concepts(text: str, mentions: Sequence[ConceptMention]) -> HighlightedText:
    """'dyspnea [C0013404]', marked: the paper has them in red."""
    return _put_in(
        text,
        [(mention.start, mention.end, f"{text[mention.start : mention.end]} [{mention.cui}]") for mention in mentions],
    )


def with_forms(text: str, forms: Sequence[str]) -> HighlightedText:
    """The text with its full forms in brackets again, marked; as it is where they do not all stand in it in order."""
    insertions, after = [], 0
    for form in forms:
        start = text.find(form, after)
        if start < 0 or not form:
            return HighlightedText(text, [])
        after = start + len(form)
        insertions.append((start, after, f"[{form}]"))
    return _put_in(text, insertions)


def _put_in(text: str, parts: Sequence[tuple[int, int, str]]) -> HighlightedText:
    """The text with each part replaced, and the replacements marked."""
    pieces, marks, end, length = [], [], 0, 0
    for start, stop, fresh in parts:
        length += start - end
        marks.append((length, length + len(fresh)))
        pieces += [text[end:start], fresh]
        length, end = length + len(fresh), stop
    return HighlightedText("".join([*pieces, text[end:]]), marks)


def _plain(word: str) -> str:
    match = INSIDE.search(word)
    return match[0].lower() if match else word
