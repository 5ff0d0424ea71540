"""The everyday words of English, for Algorithm 1 of MedLane: a list of our own, or the user's larger one.

MedLane used the top 3,000 words of a language school, which we may not ship. The file is UTF-8; words stand between
white space, and a line that begins with `# ` is a comment.
"""

import re
from functools import lru_cache
from pathlib import Path

from corpora.knowledge import word_lists
from corpora.knowledge.lemmas import lemma
from foundation.errors import UserError

FILE = "common_words.txt"
WORD = re.compile(r"[^\W\d_]+(?:['’-][^\W\d_]+)*'?")


def load(path: Path | None = None, folder: Path | None = None) -> frozenset[str]:
    """The words of `path`, or of the user's `folder`, or of the shipped list, in small letters, each with its lemma.

    The lemmas are there since Algorithm 1 looks up lemmas, and a list may hold `better` or `children`.
    A UserError names the file and the line of an entry that is no word.
    """
    source = path or word_lists.chosen(FILE, folder)
    return _read(source, word_lists.stamp(source))


def digest(path: Path | None = None, folder: Path | None = None) -> str:
    """8 hexadecimal digits of the SHA-256 of the file that `load` would read, for signatures."""
    return word_lists.digest(path or word_lists.chosen(FILE, folder))


@lru_cache(maxsize=8)
def _read(source: Path, stamp: int) -> frozenset[str]:
    listed: set[str] = set()
    for number, line in word_lists.lines(source):
        for word in line.split():
            if not WORD.fullmatch(word):
                raise UserError(
                    "'{word}' is not a word; give only words, with spaces or line ends between them.",
                    word=word,
                    where=f"{source}, line {number}",
                )
            listed.add(word.lower())
    if not listed:
        raise UserError("The file holds no word.", where=str(source))
    return frozenset(listed | {lemma(word) for word in listed})
