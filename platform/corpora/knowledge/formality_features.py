"""A text as a sparse row of numbers: hashed words and characters, and a few plain counts of its form."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING, TypeAlias
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from corpora.knowledge.words import tokens

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

BUCKETS = 1 << 16
VERSION = 2  # raise it when a feature changes: a model of another version is refused
CHARACTER_LENGTHS = (1, 2, 3, 4)
MULTIPLIER, TOP_BITS = np.uint64(0x9E3779B97F4A7C15), np.uint64(48)  # 64 - 48 bits are BUCKETS
PLAIN = 14
WIDTH = BUCKETS + PLAIN

Columns: TypeAlias = NDArray[np.int64]
Values: TypeAlias = NDArray[np.float64]

CONTRACTIONS = re.compile(r"(?i)n['’]?t\b|['’](?:s|m|d|ll|re|ve)\b|\b(?:dont|cant|wont|im|ive|gonna|wanna|gotta)\b")
SLANG = re.compile(
    r"(?i)\b(?:u|ur|r|lol|omg|plz|pls|thx|ya|yeah|yup|nope|hey|cuz|cos|btw|haha\w*|kinda|sorta|dude|ok)\b"
)
STRETCHED = re.compile(r"(\w)\1\1|[!?.]{2,}")
FACES = re.compile(r"[:;=8][-o']?[)(DPp/]")


def matrix(texts: Sequence[str]) -> "csr_matrix":
    """One row for each text and WIDTH columns; the words' part and the characters' part of a row have length 1."""
    from scipy.sparse import csr_matrix  # takes a second to load, which a web process would wait for

    rows = [_row(text) for text in texts]
    columns = np.concatenate([columns for columns, _ in rows]) if rows else np.zeros(0, np.int64)
    values = np.concatenate([values for _, values in rows]) if rows else np.zeros(0)
    ends = np.cumsum([0, *(len(columns) for columns, _ in rows)])
    return csr_matrix((values, columns, ends), shape=(len(texts), WIDTH))


def _row(text: str) -> tuple[Columns, Values]:
    found = tokens(text)
    words = _weighted(_word_buckets([token.lower() for token in found]))
    # The tokens joined again, so that texts that were tokenized before and texts that were not look alike.
    characters = _weighted(_character_buckets(f" {' '.join(found)} "))
    columns = np.concatenate([words[0], characters[0], np.arange(BUCKETS, WIDTH)])
    return columns, np.concatenate([words[1], characters[1], np.array(_plain(text, found))])


def _word_buckets(words: Sequence[str]) -> Columns:
    grams = [*words, *map(" ".join, pairwise(words))]
    return np.array([crc32(gram.encode("utf-8", "surrogatepass")) % BUCKETS for gram in grams], np.int64)


def _character_buckets(text: str) -> Columns:
    """The buckets of all runs of 1 to 4 characters: a polynomial of their code points modulo 2^64, its top bits."""
    points = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), np.uint32).astype(np.uint64)
    found: list[Columns] = []
    for length in CHARACTER_LENGTHS:
        runs = np.full(max(0, len(points) - length + 1), length, np.uint64)
        for at in range(length):
            runs = runs * MULTIPLIER + points[at : at + len(runs)]
        found.append(((runs * MULTIPLIER) >> TOP_BITS).astype(np.int64))
    return np.concatenate(found)


def _weighted(buckets: Columns) -> tuple[Columns, Values]:
    """Each bucket once, with the logarithm of its count; the weights have length 1."""
    columns, counts = np.unique(buckets, return_counts=True)
    weights = 1 + np.log(counts)
    return columns, weights / max(1e-12, float(np.sqrt(weights @ weights)))


def _plain(text: str, found: Sequence[str]) -> list[float]:
    """Length, case, punctuation, contractions: each about from 0 to 1."""
    size, letters = max(1, len(found)), [one for one in text if one.isalpha()] or ["x"]
    words = [token for token in found if token[:1].isalpha()]
    stripped = text.strip()
    return [
        min(1.0, float(np.log1p(len(found))) / 5),
        min(1.0, sum(map(len, words)) / max(1, len(words)) / 10),
        sum(len(word) > 7 for word in words) / size,
        sum(letter.isupper() for letter in letters) / len(letters),
        sum(len(word) > 1 and word.isupper() for word in words) / size,
        float(stripped[:1].isupper()),
        float(stripped[-1:] in (".", '"', ")")),
        min(1.0, text.count("!") / 3),
        min(1.0, text.count("?") / 3),
        min(1.0, text.count(",") / 5),
        min(1.0, len(CONTRACTIONS.findall(text)) / 3),
        min(1.0, len(SLANG.findall(text)) / 3),
        min(1.0, len(STRETCHED.findall(text)) / 3),
        sum(word.lower() in ("i", "you", "me", "my", "your", "we") for word in words) / size
        + float(FACES.search(text) is not None),
    ]
