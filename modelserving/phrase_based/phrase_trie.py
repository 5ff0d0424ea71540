"""Which phrases a sentence holds: the source phrases as a trie, walked from each of its words."""

from typing import NamedTuple

import numpy as np

from modelserving.phrase_based.hash_set import empty_set, find, insert
from modelserving.phrase_based.jit import compiled
from modelserving.phrase_based.phrase_table import Offsets, PhraseTable, WordIds

Spans = Offsets
"""(n, longest): of n words the phrase that begins at i and has k + 1 words is spans[i, k], -1 where there is none."""


class Trie(NamedTuple):
    """A path's number is its only word, or `size` + the slot of (the path before, the last word).

    `phrase` (size + slots,) is the source phrase that a path spells, or -1.
    """

    keys: Offsets
    phrase: WordIds
    size: int
    longest: int


def trie(table: PhraseTable) -> Trie:
    size = len(table.words)
    keys = empty_set(len(table.source))
    phrase = np.full(size + len(keys), -1, dtype=np.int32)
    made = Trie(keys, phrase, size, max(1, table.longest))
    _fill(made, table.source, table.source_offsets)
    return made


@compiled
def _fill(trie: Trie, words: WordIds, offsets: Offsets) -> None:
    for i in range(len(offsets) - 1):
        path = np.int64(words[offsets[i]])
        for word in words[offsets[i] + 1 : offsets[i + 1]]:
            path = np.int64(trie.size + insert(trie.keys, path * trie.size + word))
        trie.phrase[path] = i


@compiled
def spans(trie: Trie, sentence: WordIds) -> Spans:
    """The phrases of a sentence of n words, in which numbers from `size` on are no words of the table."""
    count = len(sentence)
    found = np.full((count, trie.longest), -1, dtype=np.int64)
    for i in range(count):
        path = np.int64(sentence[i])
        for k in range(min(trie.longest, count - i)):
            word = sentence[i + k]
            if word >= trie.size:
                break
            if k:
                slot = find(trie.keys, path * trie.size + word)
                if slot < 0:
                    break
                path = np.int64(trie.size + slot)
            found[i, k] = trie.phrase[path]
    return found
