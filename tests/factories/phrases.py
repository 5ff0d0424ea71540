"""Phrase tables made by hand or by chance, and every way in which one translates a sentence."""

from collections.abc import Iterator, Sequence
from itertools import chain

import numpy as np

from foundation import seeds
from foundation.kneser_ney import END, Model, estimate
from modelserving.phrase_based.phrase_table import FEATURES, PhraseTable

Entry = tuple[str, str, Sequence[float], Sequence[float]]
"""A source phrase, a translation, its four scores, and its six logarithms of orientation or none."""


def phrase_table(entries: Sequence[Entry]) -> PhraseTable:
    """The entries as arrays; those of one source phrase stand together."""
    words: dict[str, int] = {}
    rows = sorted(entries, key=lambda entry: entry[0])
    phrases = sorted({entry[0] for entry in rows})
    counts = [sum(entry[0] == phrase for entry in rows) for phrase in phrases]
    source, target = ([_numbers(text, words) for text in texts] for texts in (phrases, [entry[1] for entry in rows]))
    return PhraseTable(
        words,
        np.array(list(chain(*source)), dtype=np.int32),
        _offsets([len(each) for each in source]),
        _offsets(counts),
        np.array(list(chain(*target)), dtype=np.int32),
        _offsets([len(each) for each in target]),
        np.array([entry[2] for entry in rows], dtype=np.float32).reshape(-1, 4),
        np.array([entry[3] for entry in rows if len(entry[3])], dtype=np.float32).reshape(-1, 6),
    )


def _numbers(text: str, words: dict[str, int]) -> list[int]:
    return [words.setdefault(word, len(words)) for word in text.split()]


def _offsets(lengths: Sequence[int]) -> "np.ndarray[tuple[int], np.dtype[np.int64]]":
    return np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)


def random_table(seed: int, *, lexicalized: bool) -> tuple[list[Entry], Model, "np.ndarray"]:
    """A small table over the words a to e (e has no translation of its own), a language model, and weights."""
    chance = seeds.generator(seed, "table")
    phrases = ["a", "b", "c", "d", "a b", "b c", "c d", "d a", "a b c"]
    entries = [
        (phrase, " ".join(chance.choice(list("vwxyz"), int(chance.integers(1, 4)))), -chance.random(4) * 3, ())
        for phrase in phrases
        for _ in range(int(chance.integers(1, 4)))
    ]
    if lexicalized:
        entries = [(*entry[:3], -chance.random(6) * 2) for entry in entries]
    texts = [list(chance.choice(list("vwxyz"), int(chance.integers(1, 9)))) for _ in range(30)]
    weights = chance.random(len(FEATURES))
    weights[5], weights[8] = -0.5, 10.0
    return entries, estimate(texts, 3), weights


def every_way(
    words: Sequence[str], entries: Sequence[Entry], model: Model, reach: int
) -> Iterator[tuple[tuple[str, ...], "np.ndarray"]]:
    """The output and the features of each derivation, found by trying all of them."""
    known: dict[str, list[Entry]] = {}
    for entry in entries:
        known.setdefault(entry[0], []).append(entry)
    for word in words:
        if word not in known:
            known[word] = [(word, word, (), ())]
    for phrases in _orders(words, known, reach, ()):
        yield _said(phrases), _features(phrases, model)


def _orders(words, known, reach, phrases):
    """Each order of phrases (start, end, entry) within the limit on jumps."""
    covered = {i for start, end, _ in phrases for i in range(start, end + 1)}
    if len(covered) == len(words):
        yield phrases
        return
    gap, past = min(set(range(len(words))) - covered), phrases[-1][1] + 1 if phrases else 0
    for start in range(len(words)):
        for end in range(start, len(words)):
            far = abs(start - past) > reach or (start > gap and end + 1 - gap > reach)
            if not far and not covered & set(range(start, end + 1)):
                for entry in known.get(" ".join(words[start : end + 1]), []):
                    yield from _orders(words, known, reach, (*phrases, (start, end, entry)))


def _said(phrases) -> tuple[str, ...]:
    return tuple(word for _, _, entry in phrases for word in entry[1].split())


def _features(phrases, model: Model) -> "np.ndarray":
    found = np.zeros(len(FEATURES))
    state, before = model.start, (-1, -1, ("", "", (), ()))
    for word in (*_said(phrases), END):
        logprob, state = model.step(state, word)
        found[6] += logprob
    for start, end, entry in phrases:
        found[:4] += entry[2] if len(entry[2]) else 0.0
        found[8] -= not len(entry[2])
        found[4] += 1
        found[5] -= len(entry[1].split())
        found[7] -= abs(start - before[1] - 1)
        towards = 0 if start == before[1] + 1 else 1 if end + 1 == before[0] else 2
        found[9 + towards] += entry[3][towards] if len(entry[3]) else 0.0
        found[12 + towards] += before[2][3][3 + towards] if len(before[2][3]) else 0.0
        before = (start, end, entry)
    return found
