"""What of a study may be trained on: its units (sentences, or documents) that are not held out, streamed."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from corpora.models import Direction, Study
from corpora.splits import HeldOut
from corpora.texts.streamed_units import UnitTexts, stream_units


class Pair(NamedTuple):
    """A source with one of its references, by the keys of the unit and of the set; `marked` is it as written.

    `sentences` are those of both, where they are documents.
    """

    unit: int
    source: str
    set: int
    target: str
    marked: str
    sentences: Sequence[str] = ()


class StyledText(NamedTuple):
    """What is written in a style, and its sentences, where it is a document."""

    text: str
    sentences: Sequence[str] = ()


class UsableTexts:
    """The pairs and texts of a study that are not held out; `left` counts texts that are, by where they stand."""

    def __init__(self, study: Study, left: Counter[str]) -> None:
        self.study, self.held_out, self.left = study, HeldOut(study), left
        self.directions = list(study.directions.order_by("number"))
        self.whole = study.unit == Study.Unit.DOCUMENT

    def pairs(self, direction: Direction, split: str) -> Iterator[Pair]:
        """The rewrites of a split's sources that there are, in the order of the sources and of the sets."""
        units = stream_units(self.study, [direction], split)
        made = (pair for unit in units for pair in self._pairs(unit))
        parts = _sentences if self.whole else None
        return self.held_out.free(split, made, lambda pair: [pair.source, pair.target], parts=parts)

    def _pairs(self, unit: UnitTexts) -> Iterator[Pair]:
        for key, written in unit.references.items():
            sentences = [*unit.sentences, *written.sentences] if self.whole else ()
            yield Pair(unit.id, unit.source, key, written.text, written.marked, sentences)

    def texts(self, style: str, split: str) -> Iterator[str]:
        """What is written in a style: the sources of directions from it, then the rewrites of directions to it.

        What is held out is counted here, since each text stands among these.
        """
        parts = _sentences if self.whole else None
        free = self.held_out.free(split, self._texts(style, split), lambda one: [one.text], self.left, parts)
        return (one.text for one in free)

    def _texts(self, style: str, split: str) -> Iterable[StyledText]:
        start = [one for one in self.directions if one.source_style == style]
        for unit in stream_units(self.study, start, split, references=False):
            yield StyledText(unit.source, unit.sentences if self.whole else ())
        end = [one for one in self.directions if one.target_style == style]
        for unit in stream_units(self.study, end, split):
            for written in unit.references.values():
                yield StyledText(written.text, written.sentences if self.whole else ())


def _sentences(one: Pair | StyledText) -> Sequence[str]:
    return one.sentences
