"""What is learnt of texts of two styles without a network: the markers of each, and texts with markers to retrieve."""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError
from modelserving.attribute_markers.deletion import MarkedText, find_markers
from modelserving.attribute_markers.options import MarkerOptions
from modelserving.training.dataset import TrainingData
from modelserving.training.tokenization import WordTokenizer

# Attribute markers of a style: n-grams that are much more frequent in its texts than in all others (Li et al. 2018).
#
# s(u, v) = (count(u, D_v) + lambda) / (sum over other styles v' of count(u, D_v') + lambda)
#
# Equation 1: u is a marker of v where s(u, v) is above a threshold gamma. An n-gram that is so frequent has parts that
# are as frequent, so n-grams are counted length by length, and only those of frequent parts: 100,000 texts take
# seconds.

Words = Sequence[str]
Markers = dict[str, float]
"""The salience of each marker, whose words stand with single spaces between."""


def markers_of(
    texts: Mapping[str, Collection[Words]], threshold: float, smoothing: float, longest: int
) -> dict[str, Markers]:
    """The markers of each style, the most salient first, ties by spelling.

    Args:
        texts: By style, each text as its words.
        threshold: Gamma; an n-gram of just this salience is no marker.
        smoothing: Lambda, above 0.
        longest: Words of an n-gram at most.
    """
    # The least count with which an n-gram that no other style has is above the threshold.
    least = max(1, math.floor((threshold - 1) * smoothing) + 1)
    frequent = {style: frequent_ngrams(lines, longest, least) for style, lines in texts.items()}
    found = {}
    for style, counts in frequent.items():
        others = (words for other, lines in texts.items() if other != style for words in lines)
        elsewhere = Counter(gram for words in others for gram in ngrams(words, longest) if gram in counts)
        scores = ((gram, salience(count, elsewhere[gram], smoothing)) for gram, count in counts.items())
        found[style] = dict(sorted((one for one in scores if one[1] > threshold), key=lambda one: (-one[1], one[0])))
    return found


def salience(count: int, elsewhere: int, smoothing: float) -> float:
    """Equation 1, of how often an n-gram stands in the texts of a style, and in those of all others."""
    return (count + smoothing) / (elsewhere + smoothing)


def frequent_ngrams(texts: Collection[Words], longest: int, least: int) -> dict[str, int]:
    """How often each n-gram of 1 to `longest` words stands in the texts that stands there `least` times."""
    found: dict[str, int] = {}
    shorter: dict[str, int] = {}
    for n in range(1, longest + 1):
        counts = Counter(_of_frequent_parts(texts, n, shorter))
        shorter = {gram: count for gram, count in counts.items() if count >= least}
        found |= shorter
    return found


def ngrams(words: Words, longest: int) -> Iterator[str]:
    """All n-grams of 1 to `longest` words."""
    for n in range(1, longest + 1):
        for at in range(len(words) - n + 1):
            yield " ".join(words[at : at + n])


def _of_frequent_parts(texts: Iterable[Words], n: int, shorter: Mapping[str, int]) -> Iterator[str]:
    """The n-grams both of whose parts of n - 1 words are among the shorter ones."""
    for words in texts:
        for at in range(len(words) - n + 1):
            end = at + n
            if n == 1 or (" ".join(words[at : end - 1]) in shorter and " ".join(words[at + 1 : end]) in shorter):
                yield " ".join(words[at:end])


Floats = NDArray[np.float64]


class TfIdf:
    """An index over texts, by their places. 12 bytes a word and text that has it."""

    def __init__(self, texts: Iterable[Sequence[str]]) -> None:
        self._ids: dict[str, int] = {}
        words, places, counts, size = array("q"), array("q"), array("d"), 0
        for place, text in enumerate(texts):
            size = place + 1
            for word, count in Counter(text).items():
                words.append(self._ids.setdefault(word, len(self._ids)))
                places.append(place)
                counts.append(count)
        self.size = size
        self._index(np.array(words, dtype=np.int64), np.array(places, dtype=np.int64), np.array(counts))

    def _index(self, words: NDArray[np.int64], places: NDArray[np.int64], counts: Floats) -> None:
        having = np.bincount(words, minlength=len(self._ids))
        self._idf: Floats = np.log((1 + self.size) / (1 + having)) + 1
        weights = counts * self._idf[words]
        lengths = np.sqrt(np.bincount(places, weights**2, minlength=self.size))
        order = np.argsort(words, kind="stable")
        self._starts = np.concatenate([[0], np.cumsum(having)])
        self._places = places[order].astype(np.int32)
        self._weights: Floats = (weights / lengths[places])[order]

    def scores(self, words: Iterable[str]) -> Floats:
        """The cosine of each text with the words; 0 where they share none."""
        known = sorted((self._ids[word], count) for word, count in Counter(words).items() if word in self._ids)
        found = np.zeros(self.size)
        query = np.array([count * self._idf[word] for word, count in known])
        for (word, _), weight in zip(known, query / np.sqrt((query**2).sum()), strict=True):
            at = slice(self._starts[word], self._starts[word + 1])
            found[self._places[at]] += weight * self._weights[at]
        return found

    def nearest(self, words: Iterable[str], most: int) -> list[int]:
        """The places of the most alike, at most so many; equal ones in their order."""
        scores = self.scores(words)
        if most < self.size:
            candidates = np.flatnonzero(scores >= np.partition(scores, self.size - most)[self.size - most])
        else:
            candidates = np.arange(self.size)
        order = np.argsort(-scores[candidates], kind="stable")[:most]
        return [int(place) for place in candidates[order]]


STYLES = 2
TOKENIZER = WordTokenizer()


class Retrieved(NamedTuple):
    """A text of the train split, as it was written, and its markers."""

    text: str
    marked: MarkedText


@dataclass(frozen=True)
class StyleMarkers:
    """`markers` and `texts` by style. Words are compared in lower case; those of a `MarkedText` are as written.

    The texts are of the train split, each with a marker of its style and enough content.
    """

    markers: Mapping[str, Markers]
    texts: Mapping[str, Sequence[str]]
    longest: int
    _indexes: dict[str, TfIdf] = field(default_factory=dict, compare=False, repr=False)

    @property
    def styles(self) -> tuple[str, ...]:
        return tuple(self.markers)

    def mark(self, text: str, style: str) -> MarkedText:
        """The text with the markers of a style."""
        return self.mark_words(TOKENIZER.tokenize(text), style)

    def mark_words(self, words: Sequence[str], style: str) -> MarkedText:
        return MarkedText(words, find_markers(_lower(words), self.markers[style], self.longest))

    def retrieve(self, content: Sequence[str], style: str, most: int) -> list[Retrieved]:
        """The texts of a style whose content is the most like this one, at most so many, the nearest first."""
        texts = self.texts[style]
        found = self._index(style).nearest(_lower(content), most)
        return [Retrieved(texts[place], self.mark(texts[place], style)) for place in found]

    def _index(self, style: str) -> TfIdf:
        if style not in self._indexes:
            self._indexes[style] = TfIdf(_lower(self.mark(text, style).content) for text in self.texts[style])
        return self._indexes[style]


def learn_style_markers(data: TrainingData, options: MarkerOptions, label: str) -> StyleMarkers:
    """The markers of the train texts; a UserError where there are not two styles, or one of them has none."""
    if len(data.styles) != STYLES:
        raise UserError(
            "{label} is trained on texts of two styles, and there are {styles_count}.",
            label=label,
            styles_count=len(data.styles),
        )
    known: dict[str, str] = {}  # one object a word, however often it stands there
    words = {
        style: [[known.setdefault(word, word) for word in _lower(TOKENIZER.tokenize(text))] for text in lines]
        for style, lines in data.texts.items()
    }
    markers = markers_of(words, options.threshold, options.marker_smoothing, options.marker_words)
    texts = {style: _to_retrieve(lines, words[style], markers[style], options) for style, lines in data.texts.items()}
    for style, lines in texts.items():
        if not lines:
            raise UserError(
                "No text has a marker of a salience above {threshold:g} and {least_content} words besides: "
"lower the threshold.", threshold=options.threshold, least_content=options.least_content, where=style,
            )  # fmt: skip
    return StyleMarkers(markers, texts, options.marker_words)


def _to_retrieve(
    lines: Sequence[str], words: Sequence[Sequence[str]], markers: Markers, options: MarkerOptions
) -> list[str]:
    """The texts with a marker and enough content, once each."""
    marked = (MarkedText(text, find_markers(text, markers, options.marker_words)) for text in words)
    pairs = zip(lines, marked, strict=True)
    found = (line for line, one in pairs if one.spans and len(one.content) >= options.least_content)
    return list(dict.fromkeys(found))


def _lower(words: Sequence[str]) -> list[str]:
    return [word.lower() for word in words]
