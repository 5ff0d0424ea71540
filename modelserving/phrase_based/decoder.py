"""Translating with a phrase table (Koehn et al. 2007): the best outputs of a sentence, one or n, under weights.

decoder = Decoder(table, model, weights, DecoderOptions())
decoder.translate(["wat", "r", "u", "doin", "?"])      ->  ["What", "are", "you", "doing", "?"]
decoder.nbest(words, 100)[0].features @ weights         ->  its score
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, TypeVar

import numpy as np

from foundation.kneser_ney import Model
from foundation.papers import Paper
from modelserving.phrase_based.jit import EMPTY, compiled, empty_set, find, insert, mix_bits, pop, push, within
from modelserving.phrase_based.ngram_scores import Ngrams, alone, check, ngrams, number, start
from modelserving.phrase_based.phrase_table import (
    REORDERING,
    START,
    DecoderOptions,
    Floats,
    Offsets,
    PhraseTable,
    Records,
    Singles,
    WordIds,
)
from modelserving.phrase_based.stack_search import Limits, stack_search
from modelserving.phrase_based.translation_options import (
    COPY,
    DISTORTION,
    MODEL,
    PHRASES,
    REORDER,
    UNKNOWN,
    WORDS,
    Lattice,
    TranslationOptions,
    orientation,
    translation_options,
    weight_table,
)

# The best ways through a lattice, one after the other.
#
# A way is followed back from the end. The score of the rest up to its beginning is known exactly, as each node's best
# score, so ways come off the heap in their order (A* with a perfect estimate).

TRAIL = np.dtype(
    [
        ("node", "i8"),  # where it has come to, from the end
        ("arc", "i8"), ("next", "i8"),  # the arc that leaves the node, and the trail behind that; -1 at the end
        ("tail", "f8"),  # its score
        ("priority", "f8"),  # its score with the best way to the node
    ]
)  # fmt: skip


Array = TypeVar("Array", Offsets, Records)


class Paths(NamedTuple):
    """The arcs of way i, from the beginning to the end, are `arcs[offsets[i]:offsets[i + 1]]`."""

    arcs: Offsets
    offsets: Offsets


@compiled
def nbest_paths(lattice: Lattice, options: TranslationOptions, size: int, most: int) -> Paths:
    """The best ways with `size` different texts, or fewer, where the `most` best ways have no more.

    Texts are told apart by a code of 63 bits.
    """
    trails, heap = np.empty(1024, dtype=TRAIL), np.empty(1024, dtype=np.int64)
    seen = np.full(1 << (int(np.log2(size)) + 2), EMPTY, dtype=np.int64)
    arcs, offsets, found = np.empty(1024, dtype=np.int64), np.zeros(size + 1, dtype=np.int64), 0
    start = trails[0]
    start["node"], start["arc"], start["next"] = len(lattice.nodes) - 1, -1, -1
    start["tail"], start["priority"] = 0.0, lattice.nodes[-1]["score"]
    waiting, made = push(heap, 0, trails, 0), 1
    for _ in range(most):
        if not waiting or found == size:
            break
        trail = pop(heap, waiting, trails)
        waiting -= 1
        while trails[trail]["node"]:
            node = lattice.nodes[trails[trail]["node"]]
            while made + node["last"] - node["first"] > len(trails):
                trails, heap = doubled(trails), doubled(heap)
            waiting = _spread(trail, trails, made, node["first"], node["last"], lattice, heap, waiting)
            made += node["last"] - node["first"]
            trail = made - 1
        if _new(_text(trail, trails, lattice, options), seen):
            arcs = _written(trail, trails, arcs, offsets, found)
            found += 1
    return Paths(arcs[: offsets[found]], offsets[: found + 1])


@within
def doubled(array: Array) -> Array:
    """The array with as much room again."""
    made = np.empty(2 * len(array), dtype=array.dtype)
    for i in range(len(array)):
        made[i] = array[i]
    return made


@within
def _spread(
    trail: int, trails: Records, made: int, first: int, last: int, lattice: Lattice, heap: Offsets, waiting: int
) -> int:
    """Lengthen a trail by each arc into its node; how many wait then. The best is put last and does not wait."""
    best_arc = first
    for arc in range(first, last):
        if lattice.arcs[arc]["score"] > lattice.arcs[best_arc]["score"]:
            best_arc = arc
    place = made
    for arc in range(first, last):
        if arc != best_arc:
            _lengthen(trail, trails, place, arc, lattice)
            waiting = push(heap, waiting, trails, place)
            place += 1
    _lengthen(trail, trails, place, best_arc, lattice)
    return waiting


@within
def _lengthen(trail: int, trails: Records, at: int, arc: int, lattice: Lattice) -> None:
    taken, tail, one = lattice.arcs[arc], trails[trail]["tail"], trails[at]
    one["node"], one["arc"], one["next"] = taken["node"], arc, trail
    one["tail"] = tail + taken["score"] - lattice.nodes[taken["node"]]["score"]
    one["priority"] = tail + taken["score"]


@within
def _text(trail: int, trails: Records, lattice: Lattice, options: TranslationOptions) -> int:
    """A code of the words of a trail, from the beginning on; at least 0."""
    code = 0
    while trails[trail]["arc"] >= 0:
        option = lattice.arcs[trails[trail]["arc"]]["option"]
        if option >= 0:
            for token in options.tokens[options.each[option]["first"] : options.each[option]["last"]]:
                code = mix_bits(code + token + 1)
        trail = trails[trail]["next"]
    return code & 0x7FFFFFFFFFFFFFFF


@within
def _new(code: int, seen: Offsets) -> bool:
    """Whether a code is new; it is then stored."""
    slot = mix_bits(code) & (len(seen) - 1)
    while seen[slot] != EMPTY and seen[slot] != code:
        slot = (slot + 1) & (len(seen) - 1)
    new = seen[slot] == EMPTY
    seen[slot] = code
    return bool(new)


@within
def _written(trail: int, trails: Records, arcs: Offsets, offsets: Offsets, at: int) -> Offsets:
    """The arcs of all ways with those of way `at` behind them."""
    place = offsets[at]
    while trails[trail]["arc"] >= 0:
        if place == len(arcs):
            arcs = doubled(arcs)
        arcs[place] = trails[trail]["arc"]
        place += 1
        trail = trails[trail]["next"]
    offsets[at + 1] = place
    return arcs


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


@compiled
def path_features(
    ways: Paths, lattice: Lattice, options: TranslationOptions, scores: Singles, reordering: Singles
) -> Floats:
    """(w, 15) in the order of FEATURES; `scores` and `reordering` are the table's."""
    found = np.zeros((len(ways.offsets) - 1, REORDER + 6))
    for way in range(len(found)):
        before = -1
        for arc in ways.arcs[ways.offsets[way] : ways.offsets[way + 1]]:
            found[way, MODEL] += lattice.arcs[arc]["model"]
            option = lattice.arcs[arc]["option"]
            if option >= 0:
                _add(found[way], options, option, before, scores, reordering)
                before = option
    return found


@within
def _add(
    found: Floats, options: TranslationOptions, option: int, before: int, scores: Singles, reordering: Singles
) -> None:
    """Add a phrase behind the one `before` (-1 where it is the first)."""
    one, past_start, past_end, past_row = options.each[option], -1, -1, COPY
    if before >= 0:
        past = options.each[before]
        past_start, past_end, past_row = past["start"], past["end"], past["row"]
    found[PHRASES] += 1
    found[WORDS] -= one["last"] - one["first"]
    found[DISTORTION] -= abs(one["start"] - past_end - 1)
    towards = orientation(one["start"], one["end"], past_start, past_end)
    if one["row"] == COPY:
        found[UNKNOWN] -= 1
    else:
        for i in range(PHRASES):
            found[i] += scores[one["row"], i]
        if len(reordering):
            found[REORDER + towards] += reordering[one["row"], towards]
    if len(reordering) and past_row != COPY:
        found[REORDER + 3 + towards] += reordering[past_row, 3 + towards]


PAPER = Paper(
    "Koehn et al.", 2007, "Moses: Open Source Toolkit for Statistical Machine Translation",
    "https://aclanthology.org/P07-2045/",
)  # fmt: skip
USUAL = DecoderOptions()
REPEATED = 20  # ways through the lattice that are tried for each text that is asked for


@dataclass(frozen=True)
class Derivation:
    """An output: `features` (15,) in the order of FEATURES; `phrases` are (first word, last word, what they became)."""

    words: tuple[str, ...]
    score: float
    features: Floats
    phrases: tuple[tuple[int, int, tuple[str, ...]], ...]


class _Parts(NamedTuple):
    """The parts that do not depend on weights: `words` are the language model's numbers of the table's vocabulary,
    `targets` those of its translations, `alone` the estimates of these."""

    table: PhraseTable
    model: Model
    names: list[str]
    trie: Trie
    grams: Ngrams
    targets: WordIds
    alone: Floats


class Decoder:
    """Stateless once it is made: several threads may use one at the same time, in parallel."""

    def __init__(
        self,
        table: PhraseTable,
        model: Model,
        weights: Floats = START,
        search: DecoderOptions = USUAL,
    ) -> None:
        """A UserError where the table or the model is broken."""
        table.check()
        check(model)
        self._prepare(_parts(table, model), weights, search)

    def _prepare(self, parts: _Parts, weights: Floats, search: DecoderOptions) -> None:
        self._parts, self.search = parts, search
        self.weights = np.array(weights, dtype=np.float64)
        self._lexicon = weight_table(parts.table, parts.targets, parts.alone, self.weights, search.options)
        below = math.log(search.threshold) if search.threshold else -math.inf
        self._limits = Limits(search.stack, search.distortion, max(search.cells, search.stack), below)

    @property
    def tuned(self) -> list[int]:
        """The features whose weights matter: not that of unknown words; those of reordering if the table has them."""
        last = REORDER + len(REORDERING) if self._parts.table.lexicalized else REORDER
        return [feature for feature in range(last) if feature != UNKNOWN]

    def weighing(self, weights: Floats) -> "Decoder":
        """The same decoder with other weights."""
        other = Decoder.__new__(Decoder)
        other._prepare(self._parts, weights, self.search)
        return other

    def translate(self, words: Sequence[str]) -> list[str]:
        """The best output of a sentence; a word in no phrase stays as it is. An empty sentence stays empty."""
        return list(self.nbest(words, 1)[0].words)

    def nbest(self, words: Sequence[str], size: int) -> list[Derivation]:
        """At most `size` outputs with different texts, the best first, each by its best derivation."""
        if not words:
            return [Derivation((), 0.0, np.zeros_like(self.weights), ())]
        table, grams = self._parts.table, self._parts.grams
        tokens, fresh = self._numbered(words)
        known = np.array([number(self._parts.model, word) for word in words], dtype=np.int32)
        guesses = grams.logprob[known].astype(np.float64)
        found = translation_options(self._lexicon, spans(self._parts.trie, tokens), tokens, known, guesses)
        lattice = stack_search(found, grams, start(grams), self.weights, table.lexicalized, self._limits)
        ways = nbest_paths(lattice, found, size, REPEATED * size)
        features = path_features(ways, lattice, found, table.scores, table.reordering)
        taken = np.split(lattice.arcs["option"][ways.arcs], ways.offsets[1:-1])
        return [
            self._derivation(found, way[:-1].tolist(), row, fresh) for way, row in zip(taken, features, strict=True)
        ]

    def _numbered(self, words: Sequence[str]) -> tuple[WordIds, list[str]]:
        """The table's numbers of the words; words that it lacks get further numbers, and are listed."""
        known, fresh = self._parts.table.words, dict[str, int]()
        tokens = [known[word] if word in known else len(known) + fresh.setdefault(word, len(fresh)) for word in words]
        return np.array(tokens, dtype=np.int32), list(fresh)

    def _derivation(
        self, found: TranslationOptions, taken: list[int], features: Floats, fresh: list[str]
    ) -> Derivation:
        phrases = []
        for one in taken:
            option = found.each[one]
            tokens = found.tokens[option["first"] : option["last"]].tolist()
            phrases.append((int(option["start"]), int(option["end"]), tuple(self._spelt(tokens, fresh))))
        words = tuple(word for _, _, said in phrases for word in said)
        return Derivation(words, float(features @ self.weights), features, tuple(phrases))

    def _spelt(self, tokens: list[int], fresh: list[str]) -> list[str]:
        names = self._parts.names
        return [names[token] if token < len(names) else fresh[token - len(names)] for token in tokens]


def _parts(table: PhraseTable, model: Model) -> _Parts:
    table = table.fixed()
    names = sorted(table.words, key=table.words.__getitem__)
    grams = ngrams(model)
    numbers = np.array([number(model, word) for word in names], dtype=np.int32)
    targets = numbers[table.target]
    return _Parts(table, model, names, trie(table), grams, targets, alone(grams, targets, table.target_offsets))
