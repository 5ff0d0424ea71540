"""The phrase table of a corpus. Memory is bounded: phrase pairs go to files, which are sorted a part at a time.

Found pairs are split into files by the hash of their target phrase. Each file then holds all that is known of
its target phrases: equal pairs become one, with p(s|t), and go to files by the hash of their source phrase. Each of
these holds all translations of its source phrases: with p(t|s), the best of them go into the table.
"""

import shutil
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO

import numpy as np
from numpy.typing import NDArray

from modelserving.phrase_based import word_alignment
from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.phrase_table import REORDERING, SCORES, Floats, Offsets, PhraseTable, Singles
from modelserving.phrase_based.word_alignment import Bitext, Ids, Links, Places, align, mapped
from modelserving.phrase_based.word_translation_file import WordTranslations

# The probability of a word as the translation of another, and of each word of the corpus given its linked words.
#
# Equations of Koehn, Och and Marcu (2003): w(t|s) is the share of t in all links of s; a word without a link is linked
# to an empty word. A phrase's lexical weight is the product, over its words, of the mean of w over the word's links.
# Since a phrase holds all links of its words, its logarithm is the sum of the values here.

PART = 5000  # pairs that are looked at together


@dataclass(frozen=True)
class Part:
    """The pairs from `first` to `last` and their m links.

    `pairs`, `sources` and `targets` (m,) are each link's pair, and the places of its words in the corpus.
    """

    first: int
    last: int
    pairs: Offsets
    sources: Offsets
    targets: Offsets


def parts(bitext: Bitext, links: Links) -> Iterator[Part]:
    """All pairs in parts of some thousands."""
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

    The empty word has the number after the last word's.
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
        """The weights of the keys; 1 for a word that was never unlinked, whose weight is not used."""
        found = np.minimum(np.searchsorted(self.keys, keys), max(0, len(self.keys) - 1))
        return np.where(self.keys[found] == keys, chances[found], 1.0) if len(self.keys) else np.ones(len(keys))


def _means(places: Offsets, chances: Floats, unlinked: Floats) -> Singles:
    counts = np.bincount(places, minlength=len(unlinked))
    sums = np.bincount(places, weights=chances, minlength=len(unlinked))
    return np.log(np.where(counts > 0, sums / np.maximum(counts, 1), unlinked)).astype(np.float32)


def lexicon(bitext: Bitext, links: Links, pulse: Callable[[], None]) -> Lexicon:
    """The lexicon, counted over the whole corpus by the weight of each pair; `pulse` is called now and then."""
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
    """The keys of a part's links, with unlinked words linked to the empty word, and their weights."""
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


MONOTONE, SWAP, APART = range(3)
FOUND = np.dtype(
    [
        ("target", np.uint64),  # the phrases' hashes: two of 100 million phrases share one with a chance of 1 to 3,700
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
    """The number of phrase pairs; `rows` are filled where there is room for them, and counted where there is none."""
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
    """The links as a grid with an edge, with links at its first and last corner; each word's first and last link."""
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


TOGETHER = 1_000_000  # rows that are sorted together
A_WORD = 7  # phrase pairs that a word gives rise to, more or less
FILES = 256  # at most: so many are open together
ARRAYS, ENDS = ("source", "target", "scores", "reordering"), ("source_offsets", "options", "target_offsets")
SMOOTHING = 0.5  # added to the counts of orientations, as Moses does
PAIR = np.dtype(
    [
        ("source", np.uint64),
        ("target", np.uint64),
        ("target_at", np.uint32),
        ("source_at", np.uint32),
        ("target_length", np.uint8),
        ("source_length", np.uint8),
        ("count", np.float64),
        ("given_target", np.float32),  # log p(s|t)
        ("forward", np.float32),
        ("backward", np.float32),
        ("orientations", np.float32, (len(REORDERING),)),  # how often
    ]
)
Pulse = Callable[[], None]


@dataclass(frozen=True)
class Shape:
    """The limits of a table: phrases of at most `longest` words a side, and for each source phrase the `best` ones by
    p(t|s) of the translations seen `seen` times or more; `lexicalized` says whether it has reordering."""

    longest: int = 7
    best: int = 100
    seen: int = 1
    lexicalized: bool = True


def build(bitext: Bitext, links: Links, shape: Shape, pulse: Pulse) -> PhraseTable:
    """The table of the whole corpus, with mapped files in the bitext's folder; equal arguments give equal tables."""
    bits = _bits(max(len(bitext.source.ids), len(bitext.target.ids)))
    found, pairs = bitext.folder / "found", bitext.folder / "pairs"
    rows = extract_phrases(bitext, links, lexicon(bitext, links, pulse), shape.longest, pulse)
    _share(found, rows, "target", bits)
    _share(pairs, (_by_target(rows) for rows in _each(found, FOUND, bits, pulse)), "source", bits)
    writer = _Writer(bitext, shape)
    for some in _each(pairs, PAIR, bits, pulse):
        writer.add(_by_source(some, shape))
    return writer.table()


def _bits(words: int) -> int:
    """The power of 2 that gives enough files for some hundred thousand rows in each."""
    files = min(FILES, words * A_WORD / TOGETHER)
    return max(0, int(np.ceil(np.log2(max(1.0, files)))))


def _share(folder: Path, parts: Iterable[NDArray[np.void]], key: str, bits: int) -> None:
    """Append the rows of each part to files, by the first bits of their key."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir()
    files = [(folder / str(number)).open("wb") for number in range(1 << bits)]
    try:
        for rows in parts:
            _append(files, rows, (rows[key] >> np.uint64(64 - bits)).astype(np.uint8) if bits else None)
    finally:
        for file in files:
            file.close()


def _append(files: Sequence[BinaryIO], rows: NDArray[np.void], which: NDArray[np.uint8] | None) -> None:
    if which is None:
        files[0].write(rows.tobytes())
        return
    rows = rows[np.argsort(which, kind="stable")]
    ends = np.cumsum(np.bincount(which, minlength=len(files)))
    for file, part in zip(files, np.split(rows, ends[:-1]), strict=True):
        file.write(part.tobytes())


def _each(folder: Path, kind: np.dtype[Any], bits: int, pulse: Pulse) -> Iterator[NDArray[np.void]]:
    """The rows of each file, which is then deleted."""
    for number in range(1 << bits):
        pulse()
        path = folder / str(number)
        rows = np.fromfile(path, dtype=kind)
        path.unlink()
        if len(rows):
            yield rows
    folder.rmdir()


def _by_target(rows: Found) -> NDArray[np.void]:
    """The rows of some target phrases with equal pairs joined. The highest of their lexical weights counts."""
    rows = rows[np.lexsort((rows["source"], rows["target"]))]
    starts = _starts(rows["target"], rows["source"])
    first = rows[starts]
    pairs = np.zeros(len(starts), dtype=PAIR)
    for name in ("source", "target", "target_at", "source_at", "target_length", "source_length"):
        pairs[name] = first[name]
    pairs["count"] = np.add.reduceat(rows["weight"], starts, dtype=np.float64)
    for name in ("forward", "backward"):
        pairs[name] = np.maximum.reduceat(rows[name], starts)
    for column in range(len(REORDERING)):
        seen = rows["before" if column < 3 else "after"] == column % 3
        pairs["orientations"][:, column] = np.add.reduceat(np.where(seen, rows["weight"], 0), starts)
    pairs["given_target"] = np.log(_shares(pairs["count"], _starts(pairs["target"])))
    return pairs


def _by_source(pairs: NDArray[np.void], shape: Shape) -> tuple[NDArray[np.void], Floats]:
    """The translations of some source phrases that are kept, the most likely first, and their p(t|s)."""
    pairs = pairs[np.lexsort((pairs["target"], -pairs["count"], pairs["source"]))]
    starts = _starts(pairs["source"])
    rank = np.arange(len(pairs)) - np.repeat(starts, np.diff([*starts, len(pairs)]))
    keep = (rank < shape.best) & (pairs["count"] >= shape.seen)
    return pairs[keep], _shares(pairs["count"], starts)[keep]


def _starts(*keys: NDArray[np.uint64]) -> Offsets:
    """The places at which another key begins in sorted keys."""
    changes = np.zeros(len(keys[0]), dtype=bool)
    changes[:1] = True
    for key in keys:
        changes[1:] |= key[1:] != key[:-1]
    return np.flatnonzero(changes)


def _shares(counts: Floats, starts: Offsets) -> Floats:
    """The share of each in the count of its group."""
    totals = np.add.reduceat(counts, starts)
    return np.asarray(counts / np.repeat(totals, np.diff([*starts, len(counts)])))


class _Writer:
    """The table's arrays as files that grow."""

    def __init__(self, bitext: Bitext, shape: Shape) -> None:
        self.bitext, self.shape = bitext, shape
        self.folder = bitext.folder / "table"
        shutil.rmtree(self.folder, ignore_errors=True)
        self.folder.mkdir()
        self.ends = dict.fromkeys(ENDS, 0)
        for name in (*ARRAYS, *ENDS):
            (self.folder / name).touch()
        for name in ENDS:
            self._append(name, np.zeros(1, dtype=np.int64))

    def add(self, kept: tuple[NDArray[np.void], Floats]) -> None:
        pairs, given_source = kept
        if not len(pairs):
            return
        starts = _starts(pairs["source"])
        heads = pairs[starts]
        self._append("source", _words(self.bitext.source.ids, heads["source_at"], heads["source_length"]))
        self._append_ends("source_offsets", heads["source_length"])
        self._append_ends("options", np.diff([*starts, len(pairs)]))
        self._append("target", _words(self.bitext.target.ids, pairs["target_at"], pairs["target_length"]))
        self._append_ends("target_offsets", pairs["target_length"])
        scores = [np.log(given_source), pairs["forward"], pairs["given_target"], pairs["backward"]]
        self._append("scores", np.stack(scores, axis=1).astype(np.float32))
        if self.shape.lexicalized:
            self._append("reordering", _orientation_chances(pairs["orientations"]))

    def _append_ends(self, name: str, lengths: NDArray[Any]) -> None:
        ends = self.ends[name] + np.cumsum(lengths, dtype=np.int64)
        self.ends[name] = int(ends[-1])
        self._append(name, ends)

    def _append(self, name: str, rows: NDArray[Any]) -> None:
        with (self.folder / name).open("ab") as file:
            file.write(np.ascontiguousarray(rows).tobytes())

    def table(self) -> PhraseTable:
        return PhraseTable(
            words={word: number for number, word in enumerate(self.bitext.words)},
            source=self._read("source", np.int32),
            source_offsets=self._read("source_offsets", np.int64),
            options=self._read("options", np.int64),
            target=self._read("target", np.int32),
            target_offsets=self._read("target_offsets", np.int64),
            scores=self._read("scores", np.float32).reshape(-1, len(SCORES)),
            reordering=self._read("reordering", np.float32).reshape(-1, len(REORDERING)),
        )

    def _read(self, name: str, kind: type) -> NDArray[Any]:
        return mapped(self.folder / name, kind)


def _words(ids: NDArray[np.int32], starts: NDArray[np.uint32], lengths: NDArray[np.uint8]) -> NDArray[np.int32]:
    """The words of phrases, one behind the other."""
    ends = np.cumsum(lengths, dtype=np.int64)
    shift = np.repeat(starts.astype(np.int64) - ends + lengths, lengths)
    return np.asarray(ids[np.arange(ends[-1]) + shift])


def _orientation_chances(counts: NDArray[np.float32]) -> NDArray[np.float32]:
    """The logarithms for monotone, swap and apart, before and after."""
    smoothed = counts.reshape(-1, 2, 3) + SMOOTHING
    chances = np.log(smoothed / smoothed.sum(axis=2, keepdims=True))
    return np.asarray(chances.reshape(-1, len(REORDERING)), dtype=np.float32)


# The words that stand for a single word in rewrites: the phrases of a phrase table whose source is one word.


def learn_word_translations(
    texts: word_alignment.Bitext, shape: Shape, seed: int, pulse: Callable[[], None]
) -> WordTranslations:
    """Align the words of the pairs, extract their phrases, and take the best one for each source word.

    Args:
        texts: The pairs; their folder takes what is written on the way.
        shape: Of the phrase table.
        seed: Equal seeds give equal translations.
        pulse: Called while it works; what it raises ends it.
    """
    if not len(texts):
        return {}
    return word_translations(build(texts, align(texts, seed, pulse), shape, pulse))


def word_translations(table: PhraseTable) -> WordTranslations:
    """The most frequent translation of each source phrase of one word, unless that is the word itself.

    Equally frequent ones are ranked by the other three scores, then by their order in the table.
    """
    names = sorted(table.words, key=table.words.__getitem__)
    found = {}
    for phrase in np.flatnonzero(np.diff(table.source_offsets) == 1).tolist():
        best = _best(table, int(table.options[phrase]), int(table.options[phrase + 1]))
        word = names[table.source[table.source_offsets[phrase]]]
        ids = table.target[table.target_offsets[best] : table.target_offsets[best + 1]]
        written = [names[number] for number in ids.tolist()]
        if written != [word]:
            found[word] = written
    return found


def _best(table: PhraseTable, first: int, last: int) -> int:
    scores = table.scores[first:last].astype(np.float64)
    return first + max(range(last - first), key=lambda at: (scores[at, 0], scores[at, 1:].sum()))
