"""How likely a word is written for a word, and how likely each word of the corpus is for those that it is linked to.

Equations of Koehn, Och and Marcu (2003): w(t|s) is how often s is linked to t among all of its links, with an empty
word that stands for the links of words without one. A phrase's lexical weight is the product, over its words, of the
mean of w over the word's links; as a phrase holds its words' links whole, it is the sum of what stands here.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

from modelserving.phrase_based.bitext import Bitext, Ids
from modelserving.phrase_based.phrase_table import Floats, Offsets, Singles
from modelserving.phrase_based.symmetrization import Links

PART = 5000  # pairs that are looked at together


@dataclass(frozen=True)
class Part:
    """The pairs from `first` to `last` and their m links.

    `pairs`, `sources` and `targets` (m,) say of each link its pair and the places of its words in the corpus.
    """

    first: int
    last: int
    pairs: Offsets
    sources: Offsets
    targets: Offsets


def parts(bitext: Bitext, links: Links) -> Iterator[Part]:
    """All pairs, some thousands at a time."""
    for first in range(0, len(bitext), PART):
        last = min(len(bitext), first + PART)
        ends = links.ends[first : last + 1]
        points = links.points[ends[0] : ends[-1]].astype(np.int64)
        pairs = np.repeat(np.arange(first, last), np.diff(ends))
        yield Part(
            first, last, pairs, bitext.source.ends[pairs] + points[:, 0], bitext.target.ends[pairs] + points[:, 1]
        )


@dataclass(frozen=True)
class Lexicon:
    """w of every two words that are linked somewhere; `keys` are the source word times `size`, plus the target word.

    The number of the empty word is that after the last word's.
    """

    size: int
    keys: Offsets
    forward: Floats  # w(t|s)
    backward: Floats  # w(s|t)

    def of_words(self, bitext: Bitext, part: Part) -> tuple[Singles, Singles]:
        """The log of each target word's mean w(t|s), and of each source word's mean w(s|t), of this part's corpus."""
        found = np.searchsorted(
            self.keys, bitext.source.ids[part.sources] * np.int64(self.size) + bitext.target.ids[part.targets]
        )
        targets, sources = bitext.target, bitext.source
        t0, t1 = targets.ends[part.first], targets.ends[part.last]
        s0, s1 = sources.ends[part.first], sources.ends[part.last]
        empty = self.size - 1
        unlinked_targets = self._looked_up(empty * self.size + targets.ids[t0:t1].astype(np.int64), self.forward)
        unlinked_sources = self._looked_up(sources.ids[s0:s1].astype(np.int64) * self.size + empty, self.backward)
        return (
            _means(part.targets - t0, self.forward[found], unlinked_targets),
            _means(part.sources - s0, self.backward[found], unlinked_sources),
        )

    def _looked_up(self, keys: Offsets, chances: Floats) -> Floats:
        """1 where a word was never unlinked: not asked for then."""
        found = np.minimum(np.searchsorted(self.keys, keys), max(0, len(self.keys) - 1))
        return np.where(self.keys[found] == keys, chances[found], 1.0) if len(self.keys) else np.ones(len(keys))


def _means(places: Offsets, chances: Floats, unlinked: Floats) -> Singles:
    counts = np.bincount(places, minlength=len(unlinked))
    sums = np.bincount(places, weights=chances, minlength=len(unlinked))
    return np.log(np.where(counts > 0, sums / np.maximum(counts, 1), unlinked)).astype(np.float32)


def lexicon(bitext: Bitext, links: Links, pulse: Callable[[], None]) -> Lexicon:
    """Counted over the whole corpus, each pair as often as it weighs; `pulse` is called now and then."""
    size = len(bitext.words) + 1
    keys, counts = np.zeros(0, dtype=np.int64), np.zeros(0)
    waiting: list[tuple[Offsets, Floats]] = []
    for part in parts(bitext, links):
        pulse()
        waiting.append(_summed(*_counted(bitext, part, size)))
        if sum(len(some) for some, _ in waiting) > len(keys):  # so that each key is sorted again but a few times
            keys, counts = _merged([(keys, counts), *waiting])
            waiting = []
    keys, counts = _merged([(keys, counts), *waiting])
    sources, targets = np.divmod(keys, size)
    by_source = np.bincount(sources, weights=counts, minlength=size)
    by_target = np.bincount(targets, weights=counts, minlength=size)
    return Lexicon(size, keys, counts / by_source[sources], counts / by_target[targets])


def _counted(bitext: Bitext, part: Part, size: int) -> tuple[Offsets, Floats]:
    """The keys of a part's links, of its words without one with the empty word, and their weights."""
    empty = size - 1
    linked = bitext.source.ids[part.sources] * np.int64(size) + bitext.target.ids[part.targets]
    sources, source_weights = _unlinked(bitext.source.ids, bitext.source.ends, part, part.sources, bitext.weights)
    targets, target_weights = _unlinked(bitext.target.ids, bitext.target.ends, part, part.targets, bitext.weights)
    keys = np.concatenate([linked, sources * size + empty, empty * size + targets])
    return keys, np.concatenate([bitext.weights[part.pairs], source_weights, target_weights]).astype(np.float64)


def _unlinked(ids: Ids, ends: Offsets, part: Part, linked: Offsets, weights: Ids) -> tuple[Offsets, Ids]:
    start, end = ends[part.first], ends[part.last]
    bare = np.bincount(linked - start, minlength=int(end - start)) == 0
    of_words = np.repeat(weights[part.first : part.last], np.diff(ends[part.first : part.last + 1]))
    return ids[start:end][bare].astype(np.int64), of_words[bare]


def _summed(keys: Offsets, counts: Floats) -> tuple[Offsets, Floats]:
    found, places = np.unique(keys, return_inverse=True)
    return found, np.bincount(places, weights=counts, minlength=len(found)).astype(np.float64)


def _merged(some: list[tuple[Offsets, Floats]]) -> tuple[Offsets, Floats]:
    return _summed(np.concatenate([keys for keys, _ in some]), np.concatenate([counts for _, counts in some]))
