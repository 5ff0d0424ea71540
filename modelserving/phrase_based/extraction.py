"""All phrase pairs of aligned sentences: those that hold a link and that none leaves (Koehn, Och and Marcu 2003).

With each come its two lexical weights and how it stands to its neighbours: monotone, swapped or apart of the phrase
before it and of that after it, told by the links at its corners (Koehn et al. 2005, msd-bidirectional).
"""

from collections.abc import Callable, Iterator

import numpy as np
from numpy.typing import NDArray

from modelserving.phrase_based.bitext import Bitext, Ids
from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.lexical_weights import Lexicon, parts
from modelserving.phrase_based.phrase_table import Offsets, Singles
from modelserving.phrase_based.symmetrization import Links, Places

MONOTONE, SWAP, APART = range(3)
FOUND = np.dtype(
    [
        ("target", np.uint64),  # the phrases' hashes: of 100 million phrases two have one with a chance of 1 to 3,700
        ("source", np.uint64),
        ("target_at", np.uint32),  # where it stands in the corpus
        ("source_at", np.uint32),
        ("target_length", np.uint8),
        ("source_length", np.uint8),
        ("before", np.uint8),  # its orientation to the phrase before it, and to the one after it
        ("after", np.uint8),
        ("weight", np.int32),
        ("forward", np.float32),  # log lex(t|s), log lex(s|t)
        ("backward", np.float32),
    ]
)
Found = NDArray[np.void]
SEED, STEP, STIR = 0x9E3779B97F4A7C15, 0xBF58476D1CE4E5B9, 0x94D049BB133111EB  # splitmix64's


def extract_phrases(
    bitext: Bitext, links: Links, lexicon: Lexicon, longest: int, pulse: Callable[[], None]
) -> Iterator[Found]:
    """Every phrase pair that agrees with the links.

    Args:
        bitext: Pairs of sentences.
        links: Their word alignment.
        lexicon: Lexical weights of its words.
        longest: Words of a phrase at most, on either side.
        pulse: Called between two parts of the corpus; what it raises ends the extraction.

    Yields:
        Records of FOUND, (m,), of some thousand sentences at a time.
    """
    for part in parts(bitext, links):
        pulse()
        forward, backward = lexicon.of_words(bitext, part)
        span = slice(part.first, part.last + 1)
        sides = (bitext.source.ids, bitext.source.ends[span], bitext.target.ids, bitext.target.ends[span])
        linked = (links.points, links.ends[span], bitext.weights[part.first : part.last])
        size = _extract(*sides, *linked, forward, backward, longest, np.zeros(0, dtype=FOUND))
        rows = np.zeros(size, dtype=FOUND)
        _extract(*sides, *linked, forward, backward, longest, rows)
        yield rows


@within
def _stirred(hashed: np.uint64, word: int) -> np.uint64:
    """The hash of a phrase with one word more."""
    mixed = (hashed ^ np.uint64(word)) * np.uint64(STEP) + np.uint64(SEED)
    return (mixed ^ (mixed >> np.uint64(29))) * np.uint64(STIR)


@compiled
def _extract(
    source: Ids,
    source_ends: Offsets,
    target: Ids,
    target_ends: Offsets,
    points: Places,
    point_ends: Offsets,
    weights: Ids,
    forward: Singles,
    backward: Singles,
    longest: int,
    rows: Found,
) -> int:
    """How many there are; `rows` are filled where there is room for them, and counted where there is none."""
    total = 0
    for pair in range(len(weights)):
        s0, s1, t0, t1 = source_ends[pair], source_ends[pair + 1], target_ends[pair], target_ends[pair + 1]
        linked = points[point_ends[pair] : point_ends[pair + 1]]
        total = _extract_pair(
            source[s0:s1],
            target[t0:t1],
            linked,
            forward[t0 - target_ends[0] : t1 - target_ends[0]],
            backward[s0 - source_ends[0] : s1 - source_ends[0]],
            longest,
            rows,
            total,
            s0,
            t0,
            weights[pair],
        )
    return total


@within
def _extract_pair(
    source: Ids,
    target: Ids,
    points: Places,
    forward: Singles,
    backward: Singles,
    longest: int,
    rows: Found,
    total: int,
    source_at: int,
    target_at: int,
    weight: int,
) -> int:
    grid, source_span, target_span = _linked(points, len(source), len(target))
    for start in range(len(source)):
        low, high = len(target), -1
        source_hash, source_weight = np.uint64(SEED), np.float32(0.0)
        for end in range(start, min(len(source), start + longest)):
            source_hash = _stirred(source_hash, source[end])
            source_weight += backward[end]
            low, high = min(low, source_span[end, 0]), max(high, source_span[end, 1])
            if high - low >= longest:
                break
            if high < 0 or not _closed(target_span, low, high, start, end):
                continue
            first = low
            while first >= 0 and high - first < longest and (first == low or target_span[first, 1] < 0):
                target_hash, target_weight = np.uint64(SEED), np.float32(0.0)
                for last in range(first, min(len(target), first + longest)):
                    if last > high and target_span[last, 1] >= 0:
                        break
                    target_hash = _stirred(target_hash, target[last])
                    target_weight += forward[last]
                    if last < high:
                        continue
                    if len(rows):
                        row = rows[total]
                        row.source, row.target = source_hash, target_hash
                        row.source_at, row.target_at = source_at + start, target_at + first
                        row.source_length, row.target_length = end - start + 1, last - first + 1
                        row.before = _orientation(grid[start, first], grid[end + 2, first])
                        row.after = _orientation(grid[end + 2, last + 2], grid[start, last + 2])
                        row.weight = weight
                        row.forward, row.backward = target_weight, source_weight
                    total += 1
                first -= 1
    return total


@within
def _linked(points: Places, rows: int, columns: int) -> tuple[NDArray[np.bool_], Offsets, Offsets]:
    """The links as a grid with an edge, whose first and last corner are links; each word's first and last link."""
    grid = np.zeros((rows + 2, columns + 2), dtype=np.bool_)
    grid[0, 0] = grid[rows + 1, columns + 1] = True
    source_span, target_span = np.empty((rows, 2), dtype=np.int64), np.empty((columns, 2), dtype=np.int64)
    source_span[:, 0], source_span[:, 1] = columns, -1
    target_span[:, 0], target_span[:, 1] = rows, -1
    for i, j in points:
        grid[i + 1, j + 1] = True
        source_span[i, 0], source_span[i, 1] = min(source_span[i, 0], j), max(source_span[i, 1], j)
        target_span[j, 0], target_span[j, 1] = min(target_span[j, 0], i), max(target_span[j, 1], i)
    return grid, source_span, target_span


@within
def _closed(spans: Offsets, low: int, high: int, start: int, end: int) -> bool:
    """Whether no link of the words from `low` to `high` leaves those from `start` to `end`."""
    for place in range(low, high + 1):
        if spans[place, 1] >= 0 and (spans[place, 0] < start or spans[place, 1] > end):
            return False
    return True


@within
def _orientation(straight: bool, crossed: bool) -> int:
    if straight and not crossed:
        return MONOTONE
    return SWAP if crossed and not straight else APART
