"""How many texts of a study are too long for a model, counted before its training is queued.

Up to DRAWN units (sentences or documents) and about CHARACTERS are counted; of more a part is drawn, by a hash of their
keys, so that a million pairs take as long as two thousand. Words are cut in a side process: what cuts them is heavy.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from corpora.models import Direction, Sentence, Study
from corpora.texts.streamed_units import UnitTexts, draw_units, stream_units
from foundation.errors import UserError
from foundation.side_process import in_side_process
from modelserving.interface import LengthLimit, white_space_lengths

DRAWN = 2_000
CHARACTERS = 2_000_000
FIRST = 100  # units that say how long the others may be
SEARCHED = 200_000  # pairs that are searched for one that is short enough
AT_ONCE = 500
TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE
Texts = tuple[str, ...]
"""A source with a reference, or a text alone."""


@dataclass(frozen=True)
class LengthCount:
    """Of `total` pairs, or texts of a `style`, so many are too `long`; `drawn`: they are a part of all."""

    total: int
    long: int
    drawn: bool
    limit: LengthLimit
    style: str = ""


class PairsOfSplit:
    """The pairs of a direction in a split."""

    def __init__(self, study: Study, direction: Direction, split: str) -> None:
        self.study, self.split, self.directions = study, split, [direction]
        self.what = "pair"

    def all(self, only: Sequence[int] | None = None) -> Iterator[Texts]:
        for unit in stream_units(self.study, self.directions, self.split, only=only):
            yield from self.of(unit)

    def of(self, unit: UnitTexts) -> Iterator[Texts]:
        return ((unit.source, written.text) for written in unit.references.values())

    def some(self) -> tuple[list[Texts], bool]:
        """Those that are counted, and whether there are more."""
        units = draw_units(self.study, self.directions, self.split, DRAWN + 1)
        first = list(self.all(units[:FIRST]))
        of_each = 1 + sum(len(text) for texts in first for text in texts) // FIRST
        most = min(DRAWN, max(FIRST, CHARACTERS // of_each))
        rest = list(self.all(units[FIRST:most])) if units[FIRST:most] else []
        return first + rest, len(units) > most


class TextsOfSplit(PairsOfSplit):
    """What is written in a style in a split, parallel or not."""

    def __init__(self, study: Study, style: str, split: str) -> None:
        self.study, self.split, self.what = study, split, f"text in {style}"
        self.directions = [one for one in study.directions.all() if style in (one.source_style, one.target_style)]
        self._from = {one.pk for one in self.directions if one.source_style == style}

    def of(self, unit: UnitTexts) -> Iterator[Texts]:
        if unit.direction in self._from:
            return iter([(unit.source,)])
        return ((written.text,) for written in unit.references.values())


def count_lengths(
    limit: LengthLimit, study: Study, direction: Direction | None, styles: tuple[str, str]
) -> list[LengthCount]:
    """Of the train split: its pairs in the direction, or without one what is written in each of the styles."""
    if direction is not None:
        return [_count(limit, PairsOfSplit(study, direction, TRAIN))]
    return [_count(limit, TextsOfSplit(study, style, TRAIN), style) for style in styles]


def _count(limit: LengthLimit, source: PairsOfSplit, style: str = "") -> LengthCount:
    listed, drawn = source.some()
    return LengthCount(len(listed), sum(excess > 1 for excess in _excesses(limit, listed)), drawn, limit, style)


def refuse_nothing_left(limit: LengthLimit, study: Study, direction: Direction | None, styles: tuple[str, str]) -> None:
    """A UserError where all that there is to train on is too long; of what is cut off only, something is left."""
    for split, use in ((TRAIN, "to train on"), *([(TUNE, "to tune on")] if limit.tune else [])):
        if limit.cuts:
            return
        if direction is not None:
            _refuse(limit, PairsOfSplit(study, direction, split), use)
        else:
            for style in styles:
                _refuse(limit, TextsOfSplit(study, style, split), use)


def _refuse(limit: LengthLimit, source: PairsOfSplit, use: str) -> None:
    listed, drawn = source.some()
    least, total = min(_excesses(limit, listed), default=0.0), len(listed)
    if least > 1 and drawn:
        least, total = _least(limit, source)
    if least > 1:
        at_least = "at least " if limit.at_least else ""
        raise UserError(
            "No {what} is short enough {use}: of {total:,} each is longer than {source:,} {unit}; the "
            "shortest has {at_least}{least:,}.",
            what=source.what,
            use=use,
            total=total,
            source=limit.source,
            unit=limit.unit,
            at_least=at_least,
            least=round(least * limit.source),
            where="longest",
        )


def _least(limit: LengthLimit, source: PairsOfSplit) -> tuple[float, int]:
    """The least excess of all, and their number; 0 where so many are too long that the search is given up."""
    least, total, every = float("inf"), 0, source.all()
    while part := list(islice(every, AT_ONCE)):
        least, total = min(least, *_excesses(limit, part)), total + len(part)
        if least <= 1 or total >= SEARCHED:
            return min(least, 1.0), total
    return least, total


def _excesses(limit: LengthLimit, listed: Sequence[Texts]) -> list[float]:
    """How long each pair or text is at its longer side, in limits: above 1 it is too long."""
    flat = [f"{limit.prefix}{text}" if place == 0 else text for texts in listed for place, text in enumerate(texts)]
    count = limit.lengths
    lengths = iter(count(flat) if count is white_space_lengths else in_side_process(count, flat))
    if limit.together:
        return [sum(next(lengths) for _text in texts) / limit.source for texts in listed]
    most = limit.source, limit.target
    return [max(next(lengths) / allowed for _text, allowed in zip(texts, most, strict=False)) for texts in listed]
