"""Texts into sentences: sentencex (Wikimedia, MIT) and rules of our own for clinical notes.

Of the splitters that need no download, sentencex is kept up and does well on our table of cases
(tests/unit/corpora/knowledge/test_sentences.py) and takes microseconds a sentence; nupunkt splits after `b.i.d.`,
pysbd and syntok have had no release since 2021 and 2022.
"""

import re
from collections.abc import Iterator
from itertools import pairwise

import sentencex

from corpora.knowledge import sentence_rules as rules
from foundation.text_keys import DEIDENTIFIED

BLANK_LINES = re.compile(r"\n[^\S\n]*\n\s*")
LIST_ITEM = re.compile(r"(?:\(?\d{1,2}[.)]|[-*#•])\s+\S")
HEADING = re.compile(r"[A-Z][^.!?]{0,60}:$")
WORD = re.compile(r"[^\W_]+")
NEAR = 200  # characters
ENDED = (".", "!", "?", ":", ";")


def split(text: str, language: str = "en") -> list[str]:
    """The sentences of `text` in order, each with single spaces between its words; nothing but white space is lost.

    A blank line, a heading that ends with a colon and each item of a list end a sentence; a line break within a
    paragraph does not. `language` is a code of ISO 639, such as 'en'; our own rules are for English.
    """
    return [sentence for block in _blocks(text) for sentence in _sentences(block, language)]


def _blocks(text: str) -> Iterator[str]:
    """Paragraphs, list items and headings, each as one line."""
    unified = text.replace("\r\n", "\n").replace("\r", "\n")
    for paragraph in BLANK_LINES.split(unified):
        lines = [line for line in (" ".join(line.split()) for line in paragraph.split("\n")) if line]
        yield from _unwrapped(lines)


def _unwrapped(lines: list[str]) -> Iterator[str]:
    block: list[str] = []
    for line in lines:
        if block and _begins_block(block, line):
            yield " ".join(block)
            block = []
        block.append(line)
    if block:
        yield " ".join(block)


def _begins_block(block: list[str], line: str) -> bool:
    """Whether `line` stands for itself after `block`: an item of a list, or what follows a heading."""
    if LIST_ITEM.match(line):
        return block[-1].endswith(ENDED) or LIST_ITEM.match(block[0]) is not None
    return len(block) == 1 and HEADING.match(block[0]) is not None


def _sentences(block: str, language: str) -> Iterator[str]:
    # What MIMIC-III's de-identification put in is one long word here, so that nothing within it ends a sentence.
    hidden = DEIDENTIFIED.sub(lambda found: "X" * len(found[0]), block)
    starts = _starts(hidden, language)
    for start, end in pairwise([*starts, len(block)]):
        sentence = block[start:end].strip()
        if sentence:
            yield sentence


def _starts(hidden: str, language: str) -> list[int]:
    """Where the sentences of one block begin; the first is 0."""
    pieces = sentencex.segment(language, hidden)
    starts, at = [0], 0
    for piece in pieces[:-1]:
        at += len(piece)
        starts.append(at)
    if language == "en":
        kept = [start for start in starts if start == 0 or not _goes_on(hidden, start)]
        starts = sorted({*kept, *rules.missed(hidden)})
    return _with_words(hidden, starts)


def _goes_on(hidden: str, start: int) -> bool:
    """The rule looks no further than a few words, and only those are given to it."""
    return rules.goes_on(hidden[max(0, start - NEAR) : start], hidden[start : start + NEAR])


def _with_words(hidden: str, starts: list[int]) -> list[int]:
    """Without those that would leave a sentence of punctuation alone."""
    kept, word = [0], WORD.search(hidden)  # the first one that does not end before the last start kept
    last = WORD.search(hidden[::-1])
    end = len(hidden) - last.start() if last else 0  # of the last word
    for start in starts[1:]:
        if word and word.start() < start < end:
            kept.append(start)
            if word.end() <= start:
                word = WORD.search(hidden, start)
    return kept
