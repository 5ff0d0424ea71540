"""The translations of a sentence's spans, as a lattice of the best ones, and the cost of the spans left over."""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.jit import compiled, copy, within
from modelserving.phrase_based.phrase_table import Floats, Offsets, PhraseTable, Records, Singles, WordIds

# The result of a search: hypotheses as nodes, and every way to reach one as an arc.

NODE = np.dtype(
    [
        ("score", "f8"),  # of the best way to it
        ("gap", "i8"), ("mask", "i8"),  # its coverage, see future_cost.py
        ("start", "i8"), ("end", "i8"),  # its last phrase; start is -1 where no phrase can be swapped with it
        ("option", "i8"),  # its last phrase's, -1 where it has none
        ("first", "i8"), ("last", "i8"),  # its arcs are those from the first to before the last
    ]
)  # fmt: skip
ARC = np.dtype(
    [
        ("node", "i8"),  # where it comes from
        ("option", "i8"),  # its option; -1 into the end
        ("score", "f8"),  # of the best way over it
        ("model", "f8"),  # the language model's score of it, not weighed
    ]
)


class Lattice(NamedTuple):
    """Node 0 is the empty hypothesis, the last one the end. `states` (n, order - 1) are the language model's."""

    nodes: Records
    arcs: Records
    states: WordIds


@within
def lattice(nodes: int, arcs: int, state: WordIds) -> Lattice:
    """A lattice with room for so many, and the empty hypothesis in it."""
    made = Lattice(
        np.empty(nodes, dtype=NODE), np.empty(arcs, dtype=ARC), np.empty((nodes, len(state)), dtype=np.int32)
    )
    one = made.nodes[0]
    one["score"], one["gap"], one["mask"], one["first"], one["last"] = 0.0, 0, 0, 0, 0
    one["start"], one["end"], one["option"] = -1, -1, -1
    copy(state, made.states[0])
    return made


@within
def orientation(start: int, end: int, before: int, after: int) -> int:
    """0 monotone, 1 swap, 2 apart: of a phrase from `start` to `end` to the one before it, from `before` to `after`."""
    if start == after + 1:
        return 0
    return 1 if end + 1 == before else 2


PHRASES, WORDS, MODEL, DISTORTION, UNKNOWN, REORDER = 4, 5, 6, 7, 8, 9
"""Places in FEATURES, behind the four SCORES."""
COPY = -1
OPTION = np.dtype(
    [
        ("start", "i8"), ("end", "i8"),  # its first and last word in the source
        ("row", "i8"),  # the table's, or COPY
        ("score", "f8"),  # weighed, without language model and reordering
        ("estimate", "f8"),  # the score with its words' own probabilities
        ("first", "i8"), ("last", "i8"),  # its words are those from the first to before the last
    ]
)  # fmt: skip


class WeightedTable(NamedTuple):
    """A table under weights. Source phrase i keeps `rows[first[i]:first[i + 1]]` of the table's m, the best first.

    `score` and `estimate` (m,) are an option's. `tokens[offsets[j]:offsets[j + 1]]` are translation j, `words` the
    language model's numbers of the same.
    """

    rows: Offsets
    first: Offsets
    score: Floats
    estimate: Floats
    tokens: WordIds
    words: WordIds
    offsets: Offsets
    reordering: Singles
    weights: Floats


class TranslationOptions(NamedTuple):
    """`each` (k,) are a sentence's options, OPTION. Those of the span from i with j + 1 words are those from
    `spans[i * longest + j]` to the next number of `spans`, the best first.

    `tokens` are their words, `words` the language model's numbers of the same. `leaning` (k, 6) are the weighed
    logarithms of REORDERING.
    """

    each: Records
    longest: int
    spans: Offsets
    tokens: WordIds
    words: WordIds
    leaning: Floats


def weight_table(table: PhraseTable, words: WordIds, alone: Floats, weights: Floats, most: int) -> WeightedTable:
    """The `most` best rows of each source phrase; `alone` (m,) are the language model's estimates of all rows."""
    score = table.scores @ weights[:PHRASES] + weights[PHRASES] - weights[WORDS] * np.diff(table.target_offsets)
    estimate = score + weights[MODEL] * alone
    rows, first = _best(table.options, estimate, most)
    return WeightedTable(
        rows, first, score, estimate, table.target, words, table.target_offsets, table.reordering, weights
    )


@compiled
def _best(offsets: Offsets, estimate: Floats, most: int) -> tuple[Offsets, Offsets]:
    rows = np.empty(offsets[-1], dtype=np.int64)
    first = np.zeros(len(offsets), dtype=np.int64)
    for i in range(len(offsets) - 1):
        order = np.argsort(-estimate[offsets[i] : offsets[i + 1]], kind="mergesort")
        kept = min(len(order), most)
        for place in range(kept):
            rows[first[i] + place] = offsets[i] + order[place]
        first[i + 1] = first[i] + kept
    return rows[: first[-1]].copy(), first


@compiled
def translation_options(
    weighted: WeightedTable, spans: Offsets, tokens: WordIds, words: WordIds, alone: Floats
) -> TranslationOptions:
    """The options of the n words' spans, and a copy of each word that is no phrase.

    `tokens` (n,) is the sentence, `words` (n,) are the language model's numbers of it and `alone` (n,) their estimates.
    """
    found = _room(weighted, spans)
    option, used = 0, 0
    for i in range(spans.shape[0]):
        for k in range(spans.shape[1]):
            phrase = spans[i, k]
            if phrase >= 0:
                for row in weighted.rows[weighted.first[phrase] : weighted.first[phrase + 1]]:
                    _take(found, option, used, i, i + k, weighted, row)
                    option, used = option + 1, found.each[option]["last"]
            elif k == 0:
                _copy(found, option, used, i, weighted.weights, alone[i])
                found.tokens[used], found.words[used] = tokens[i], words[i]
                option, used = option + 1, used + 1
    return found


@within
def _room(weighted: WeightedTable, spans: Offsets) -> TranslationOptions:
    """Arrays of the right lengths, and the places of the spans' options."""
    longest = spans.shape[1]
    first = np.zeros(spans.size + 1, dtype=np.int64)
    words = 0
    for place, phrase in enumerate(spans.ravel()):
        rows = weighted.rows[weighted.first[phrase] : weighted.first[phrase + 1]] if phrase >= 0 else weighted.rows[:0]
        copied = phrase < 0 and place % longest == 0
        first[place + 1] = first[place] + len(rows) + int(copied)
        words += int(copied)
        for row in rows:
            words += int(weighted.offsets[row + 1] - weighted.offsets[row])
    each, leaning = np.empty(first[-1], dtype=OPTION), np.zeros((first[-1], 6))
    return TranslationOptions(
        each, longest, first, np.empty(words, dtype=np.int32), np.empty(words, dtype=np.int32), leaning
    )


@within
def _take(
    found: TranslationOptions, at: int, used: int, start: int, end: int, weighted: WeightedTable, row: int
) -> None:
    """Write the table's row as option `at`, its words behind the used ones."""
    first, last = weighted.offsets[row], weighted.offsets[row + 1]
    one = found.each[at]
    one["start"], one["end"], one["row"] = start, end, row
    one["score"], one["estimate"] = weighted.score[row], weighted.estimate[row]
    one["first"], one["last"] = used, used + last - first
    for i in range(first, last):
        found.tokens[used + i - first], found.words[used + i - first] = weighted.tokens[i], weighted.words[i]
    for i in range(6 if len(weighted.reordering) else 0):
        found.leaning[at, i] = weighted.weights[REORDER + i] * weighted.reordering[row, i]


@within
def _copy(found: TranslationOptions, at: int, used: int, start: int, weights: Floats, alone: float) -> None:
    """Write a word that stays as it is as option `at`."""
    score = weights[PHRASES] - weights[WORDS] - weights[UNKNOWN]
    one = found.each[at]
    one["start"], one["end"], one["row"] = start, start, COPY
    one["score"], one["estimate"] = score, score + weights[MODEL] * alone
    one["first"], one["last"] = used, used + 1


# An estimate of the least cost of the words that are not yet translated (Koehn 2004, section 3.3).
#
# A coverage is the first untranslated word (`gap`) and a mask of the translated words behind it: bit b is word
# gap + 1 + b. The distortion limit keeps the mask within `reach` bits, so that the work is linear in the sentence.

NEVER = -np.inf


class FutureCost(NamedTuple):
    """`near[i, k]` (n, reach + 1) is the best score of the k words from i, `rest[i]` (n + 1,) of all from i."""

    near: Floats
    rest: Floats


@within
def future_cost(options: TranslationOptions, reach: int) -> FutureCost:
    """Best scores of spans and of the rest behind each word, reordering aside."""
    longest = options.longest
    count = (len(options.spans) - 1) // longest
    near, rest = np.full((count + 1, reach + 1), NEVER), np.full(count + 1, NEVER)
    near[:, 0] = 0.0
    rest[count] = 0.0
    for i in range(count - 1, -1, -1):
        for k in range(1, min(longest, count - i) + 1):
            place = i * longest + k - 1
            if options.spans[place + 1] == options.spans[place]:
                continue
            best = options.each[options.spans[place]]["estimate"]
            rest[i] = max(rest[i], best + rest[i + k])
            for more in range(min(reach, count - i) - k + 1):
                near[i, k + more] = max(near[i, k + more], best + near[i + k, more])
    return FutureCost(near, rest)


@within
def cost_of_rest(costs: FutureCost, gap: int, mask: int) -> float:
    """The best score of all words that a coverage leaves."""
    total, start, at = 0.0, gap, gap + 1
    while mask:
        if mask & 1:
            total += costs.near[start, at - start]
            start = at + 1
        mask >>= 1
        at += 1
    return float(total + costs.rest[start])


@within
def cover(gap: int, mask: int, start: int, end: int) -> tuple[int, int]:
    """The coverage once the words from `start` to `end` are translated too."""
    bits = (1 << (end - start + 1)) - 1
    if start > gap:
        return gap, mask | bits << (start - gap - 1)
    gap, mask = end + 1, mask >> (end - gap)
    while mask & 1:
        gap, mask = gap + 1, mask >> 1
    return gap, mask >> 1


@within
def is_free(gap: int, mask: int, start: int, end: int) -> bool:
    """Whether none of the words from `start` to `end` is translated."""
    if start < gap:
        return False
    bits = (1 << (end - start + 1)) - 1
    return (mask << 1) >> (start - gap) & bits == 0
