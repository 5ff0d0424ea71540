"""Markers of two styles, learnt without a network, deleted and drawn anew; texts to retrieve; and their files."""

import math
from array import array
from collections import Counter
from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from foundation.errors import UserError
from modelserving.attribute_markers.options import MarkerOptions
from modelserving.training.dataset import TrainingData
from modelserving.training.tokenization import WordTokenizer

# A text cut into its attribute markers and its content, the rest without them (Li et al. 2018, section 3.1).
#
# The paper does not say which of overlapping markers are taken. Here, as in its authors' program, the text is read from
# left to right: at each word the longest marker that starts there is taken if it ends behind the last one taken. So
# markers may share words; each is whole among the markers of the text.

Span = tuple[int, int]
"""The place of a marker's first word, and the place behind its last."""


@dataclass(frozen=True)
class MarkedText:
    """The words of a text, and the places of its markers, in order."""

    words: Sequence[str]
    spans: tuple[Span, ...]

    @property
    def content(self) -> list[str]:
        """The words that belong to no marker."""
        inside = {place for start, end in self.spans for place in range(start, end)}
        return [word for place, word in enumerate(self.words) if place not in inside]

    @property
    def markers(self) -> list[list[str]]:
        """The words of each marker."""
        return [list(self.words[start:end]) for start, end in self.spans]

    @property
    def slots(self) -> list[Span]:
        """The spans, with overlapping or touching ones joined: a template has one slot for them."""
        merged: list[Span] = []
        for start, end in self.spans:
            if merged and start <= merged[-1][1]:
                merged[-1] = merged[-1][0], max(end, merged[-1][1])
            else:
                merged.append((start, end))
        return merged


def find_markers(words: Sequence[str], markers: Container[str], longest: int) -> tuple[Span, ...]:
    """The places of the markers that are taken in a text."""
    spans: list[Span] = []
    for at in range(len(words)):
        for end in range(min(at + longest, len(words)), at, -1):
            if " ".join(words[at:end]) in markers and (not spans or end > spans[-1][1]):
                spans.append((at, end))
                break
    return tuple(spans)


# Markers altered at random, so that a network learns to fit those of another text (Li et al. 2018, section 3.4).
#
# Each marker is replaced with probability `noise` by one of the same style at a word-level edit distance of 1, if there
# is one ("was very rude" by "very rude"). As in the authors' program, a marker of one word is replaced only by markers
# of two words: all single words are at distance 1 from each other.

Marker = tuple[str, ...]


class MarkerNoise:
    """The markers of a style, indexed by the rest of each when a word is left out or ignored."""

    def __init__(self, markers: Iterable[str]) -> None:
        self._known = {tuple(marker.split(" ")) for marker in markers}
        self._by_rest: dict[tuple[str | None, ...], list[Marker]] = {}
        for marker in sorted(self._known):
            for at in range(len(marker)):
                self._by_rest.setdefault(_unseen(marker, at), []).append(marker)
                self._by_rest.setdefault(_without(marker, at), []).append(marker)
        self._near: dict[Marker, list[Marker]] = {}

    def altered(
        self, markers: Sequence[Sequence[str]], noise: float, chance: np.random.Generator
    ) -> list[Sequence[str]]:
        """The markers of a text, in any case, each altered by chance."""
        found = []
        for marker in markers:
            near = self.near(tuple(map(str.lower, marker))) if chance.random() < noise else []
            found.append(near[int(chance.integers(len(near)))] if near else marker)
        return found

    def near(self, marker: Marker) -> list[Marker]:
        """The other markers at distance 1, in order."""
        if marker not in self._near:
            self._near[marker] = self._find(marker)
        return self._near[marker]

    def _find(self, marker: Marker) -> list[Marker]:
        places = range(len(marker))
        longer = self._by_rest.get(marker, [])
        if len(marker) == 1:
            return sorted({one for one in longer if len(one) == 2})
        shorter = [one for one in (_without(marker, at) for at in places) if one in self._known]
        as_long = [one for at in places for one in self._by_rest[_unseen(marker, at)] if one != marker]
        return sorted({*(one for one in longer if len(one) == len(marker) + 1), *shorter, *as_long})


def _unseen(marker: Marker, at: int) -> tuple[str | None, ...]:
    return (*marker[:at], None, *marker[at + 1 :])


def _without(marker: Marker, at: int) -> Marker:
    return (*marker[:at], *marker[at + 1 :])


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
    # The least count at which an n-gram that no other style has exceeds the threshold.
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
    """Equation 1, for the counts of an n-gram in the texts of a style, and in those of all others."""
    return (count + smoothing) / (elsewhere + smoothing)


def frequent_ngrams(texts: Collection[Words], longest: int, least: int) -> dict[str, int]:
    """The counts of the n-grams of 1 to `longest` words that stand in the texts `least` times or more."""
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
    """The n-grams whose two parts of n - 1 words are both among the shorter ones."""
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
        """The cosine of each text with the words; 0 for a text that shares none."""
        known = sorted((self._ids[word], count) for word, count in Counter(words).items() if word in self._ids)
        found = np.zeros(self.size)
        query = np.array([count * self._idf[word] for word, count in known])
        for (word, _), weight in zip(known, query / np.sqrt((query**2).sum()), strict=True):
            at = slice(self._starts[word], self._starts[word + 1])
            found[self._places[at]] += weight * self._weights[at]
        return found

    def nearest(self, words: Iterable[str], most: int) -> list[int]:
        """The places of the most similar texts, at most so many; equal ones in their order."""
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
    known: dict[str, str] = {}  # one object for each word, however often it occurs
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


# Markers and texts to retrieve as files of lines.
#
# markers.tsv    style TAB salience TAB marker, the most salient first
# retrieved.tsv  style TAB text of the train split, as it was written
#
# A style is its place among the styles, 0 or 1.

MARKER_FILE, TEXT_FILE = "markers.tsv", "retrieved.tsv"


def save_style_markers(known: StyleMarkers, folder: Path) -> None:
    """Write both files; that of texts where there are some to retrieve."""
    _write(folder / MARKER_FILE, [
        (str(place), repr(value), marker)
        for place, found in enumerate(known.markers.values()) for marker, value in found.items()
    ])  # fmt: skip
    if not known.texts:
        return
    _write(folder / TEXT_FILE, [
        (str(place), " ".join(text.split())) for place, lines in enumerate(known.texts.values()) for text in lines
    ])  # fmt: skip


def load_style_markers(folder: Path, styles: Sequence[str], longest: int, retrieves: bool = True) -> StyleMarkers:
    """The markers and texts that were saved there; a UserError names the file that is missing or broken.

    Without `retrieves` there are no texts to retrieve.
    """
    markers: dict[str, dict[str, float]] = {style: {} for style in styles}
    for place, value, marker in _read(folder / MARKER_FILE, 3, len(styles)):
        try:
            markers[styles[int(place)]][marker] = float(value)
        except ValueError:
            raise _broken(folder / MARKER_FILE) from None
    return StyleMarkers(markers, _texts(folder / TEXT_FILE, styles) if retrieves else {}, longest)


def _texts(path: Path, styles: Sequence[str]) -> dict[str, list[str]]:
    texts: dict[str, list[str]] = {style: [] for style in styles}
    for place, text in _read(path, 2, len(styles)):
        texts[styles[int(place)]].append(text)
    if not all(map(len, texts.values())):
        raise _broken(path)
    return texts


def _write(path: Path, rows: Sequence[Sequence[str]]) -> None:
    path.write_text("".join("\t".join(row) + "\n" for row in rows), encoding="utf-8", newline="\n")


def _read(path: Path, width: int, styles: int) -> list[list[str]]:
    try:
        lines = path.read_bytes().decode().split("\n")
    except (OSError, UnicodeDecodeError):
        raise _broken(path) from None
    rows = [line.split("\t") for line in lines[:-1]]
    places = set(map(str, range(styles)))
    if lines[-1] or not rows or any(len(row) != width or row[0] not in places for row in rows):
        raise _broken(path)
    return rows


def _broken(path: Path) -> UserError:
    return UserError("The file of markers or of texts to retrieve is missing or broken.", where=path.name)
