"""What is learnt of texts of two styles without a network: the markers of each, and texts with markers to retrieve."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from foundation.errors import UserError
from modelserving.attribute_markers.deletion import MarkedText, find_markers
from modelserving.attribute_markers.options import MarkerOptions
from modelserving.attribute_markers.salience import Markers, markers_of
from modelserving.attribute_markers.tfidf import TfIdf
from modelserving.training.dataset import TrainingData
from modelserving.training.tokenization import WordTokenizer

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
