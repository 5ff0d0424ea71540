"""The language model for compiled code: an n-gram's number is a word, or the slot of (its beginning, a word).

A state is (order - 1,) int32: the numbers of the n-grams that the words before end with, short ones first, then -1.
"""

from typing import NamedTuple

import numpy as np

from foundation.errors import UserError
from foundation.kneser_ney import BOS, EOS, SPECIAL, UNK, Model, Table
from modelserving.phrase_based.jit import compiled, copy, empty_set, find, insert, within
from modelserving.phrase_based.phrase_table import Floats, Offsets, Singles, WordIds


class Ngrams(NamedTuple):
    """`logprob` and `backoff` are those of kneser_ney; `extends` says whether any n-gram begins with this one.

    For v words the arrays have the length of v and the slots of `keys` together.
    """

    keys: Offsets
    logprob: Singles
    backoff: Singles
    extends: "np.ndarray[tuple[int], np.dtype[np.bool_]]"
    size: int
    order: int


def ngrams(model: Model) -> Ngrams:
    """The tables of a model that `estimate` made: it has the ending of each of its n-grams too."""
    size = len(model.words)
    keys = empty_set(sum(len(table.keys) for table in model.tables[1:]))
    made = Ngrams(
        keys,
        np.zeros(size + len(keys), dtype=np.float32),
        np.zeros(size + len(keys), dtype=np.float32),
        np.zeros(size + len(keys), dtype=np.bool_),
        size,
        model.order,
    )
    numbers = np.arange(size)
    for length, table in enumerate(model.tables):
        if length:
            numbers = _number(keys, made.extends, numbers, table.keys, size)
        made.logprob[numbers] = table.logprob
        made.backoff[numbers] = table.backoff
    made.extends[:] |= made.backoff != 0
    return made


def check(model: Model) -> None:
    """Raise a UserError where the tables do not fit together: compiled code reads them unchecked."""
    size, below = len(model.words), 1
    good = (
        bool(model.tables) and sorted(model.words.values()) == list(range(size)) and len(model.tables[0].keys) == size
    )
    for table in model.tables:
        fits = len(table.keys) == len(table.logprob) == len(table.backoff)
        good = good and fits and _within(table, below * size)
        below = len(table.keys)
    if not good:
        raise UserError("The language model is broken: its tables do not fit together.")


def _within(table: Table, most: int) -> bool:
    return bool(((table.keys >= 0) & (table.keys < most)).all() and not np.isnan(table.logprob).any())


def number(model: Model, word: str) -> int:
    """The model's number of a word; that of <unk> for an unknown word."""
    return UNK if word in SPECIAL else model.words.get(word, UNK)


def start(grams: Ngrams) -> WordIds:
    """The state at the start of a sentence."""
    state = np.full(grams.order - 1, -1, dtype=np.int32)
    state[:1] = BOS
    return state


@compiled
def _number(
    keys: Offsets, extends: "np.ndarray[tuple[int], np.dtype[np.bool_]]", below: Offsets, table: Offsets, size: int
) -> Offsets:
    """The numbers of a table's n-grams, given those of the table below."""
    found = np.empty(len(table), dtype=np.int64)
    for i in range(len(table)):
        beginning = below[table[i] // size]
        extends[beginning] = True
        found[i] = size + insert(keys, beginning * size + table[i] % size)
    return found


@compiled
def step(grams: Ngrams, before: WordIds, word: int, after: WordIds) -> float:
    """The log-probability of a word after a state; the state after it goes into `after`, another array."""
    logprob, known, width = float(grams.logprob[word]), word, len(before)
    after[:] = -1
    after[:1] = word
    for length in range(1, width + 1):
        context = before[length - 1]
        if context < 0:
            break
        if known >= 0:
            slot = find(grams.keys, context * grams.size + word)
            known = grams.size + slot if slot >= 0 else -1
        if known < 0:
            logprob += grams.backoff[context]
            continue
        logprob = grams.logprob[known]
        if length < width:
            after[length] = known
    while width and (after[width - 1] < 0 or not grams.extends[after[width - 1]]):
        width -= 1
        after[width] = -1
    return logprob


@within
def follow(grams: Ngrams, before: WordIds, words: WordIds, after: WordIds, spare: WordIds) -> float:
    """The log-probability of the words after a state, and the state after them."""
    total = 0.0
    copy(before, spare)
    copy(before, after)
    for word in words:
        total += step(grams, spare, np.int64(word), after)  # type: ignore[arg-type]
        copy(after, spare)
    return total


@compiled
def alone(grams: Ngrams, words: WordIds, offsets: Offsets) -> Floats:
    """The log-probability of each of m texts, without the words before it."""
    found = np.empty(len(offsets) - 1)
    nothing = np.full(grams.order - 1, -1, dtype=np.int32)
    after, spare = nothing.copy(), nothing.copy()
    for i in range(len(found)):
        found[i] = follow(grams, nothing, words[offsets[i] : offsets[i + 1]], after, spare)
    return found


@compiled
def ending(grams: Ngrams, before: WordIds, spare: WordIds) -> float:
    """The log-probability that a sentence ends after a state."""
    return step(grams, before, EOS, spare)
