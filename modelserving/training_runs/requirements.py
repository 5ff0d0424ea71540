"""Whether a study has the data to train a model: texts, few of them too long, and a checkpoint to start from."""

import shutil
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from corpora.models import Direction, Reference, Sentence, Study
from corpora.texts.streamed_units import UnitTexts, draw_units, stream_units
from evaluation.metrics import METRICS
from foundation.errors import UserError
from foundation.local_resources import local_path
from foundation.side_process import in_side_process
from modelserving import artifacts
from modelserving.interface import LengthLimit, white_space_lengths
from modelserving.models import Checkpoint, TrainingRun
from modelserving.pretrained.rewards import check_rewards
from modelserving.training.dataset import START
from modelserving.training_runs.preferences import check_preferences
from modelserving.transfer import Transfer

# How many texts of a study are too long for a model, counted before its training is queued.
#
# Up to DRAWN units (sentences or documents) and about CHARACTERS are counted. A part of more is drawn, by a hash of
# their keys, so that a million pairs take as long as two thousand. Words are cut in a side process: the tokenizer is
# heavy.

DRAWN = 2_000
CHARACTERS = 2_000_000
FIRST = 100  # units that say how long the others may be
SEARCHED = 200_000  # pairs that are searched for one that is short enough
AT_ONCE = 500
Texts = tuple[str, ...]
"""A source with a reference, or a text alone."""


@dataclass(frozen=True)
class LengthCount:
    """The number of too `long` ones among `total` pairs, or texts of a `style`; `drawn`: these are a part of all."""

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
        """The counted ones, and whether there are more."""
        units = draw_units(self.study, self.directions, self.split, DRAWN + 1)
        first = list(self.all(units[:FIRST]))
        of_each = 1 + sum(len(text) for texts in first for text in texts) // FIRST
        most = min(DRAWN, max(FIRST, CHARACTERS // of_each))
        rest = list(self.all(units[FIRST:most])) if units[FIRST:most] else []
        return first + rest, len(units) > most


class TextsOfSplit(PairsOfSplit):
    """The texts in a style in a split, parallel or not."""

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
    """The counts of the train split: of its pairs in the direction, or without one of the texts in each style."""
    if direction is not None:
        return [_count(limit, PairsOfSplit(study, direction, TRAIN))]
    return [_count(limit, TextsOfSplit(study, style, TRAIN), style) for style in styles]


def _count(limit: LengthLimit, source: PairsOfSplit, style: str = "") -> LengthCount:
    listed, drawn = source.some()
    return LengthCount(len(listed), sum(excess > 1 for excess in _excesses(limit, listed)), drawn, limit, style)


def refuse_nothing_left(limit: LengthLimit, study: Study, direction: Direction | None, styles: tuple[str, str]) -> None:
    """Raise a UserError where all training data is too long; data that is only cut off leaves something."""
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
            "No {what} is short enough {use}: each of {total:,} is longer than {source:,} {unit}; the shortest "
            "has {at_least}{least:,}.",
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
    """The length of each pair or text at its longer side, in limits: above 1 it is too long."""
    flat = [f"{limit.prefix}{text}" if place == 0 else text for texts in listed for place, text in enumerate(texts)]
    count = limit.lengths
    lengths = iter(count(flat) if count is white_space_lengths else in_side_process(count, flat))
    if limit.together:
        return [sum(next(lengths) for _text in texts) / limit.source for texts in listed]
    most = limit.source, limit.target
    return [max(next(lengths) / allowed for _text, allowed in zip(texts, most, strict=False)) for texts in listed]


# The checkpoint that a training run starts from: one of its study by its name, or a file below RESTYLE_MODELS.
#
# A model may take a part of another's: `dictionary` has a locator of `declare`.
#
# The run's dataset snapshot holds it, so any machine that resumes the run starts from the same weights.

SAME = ""
OPTIONS = {"start_from": SAME, "locator": "declare"}  # each with the model that the checkpoint is of


def check_start(study: Study, model: str, options: Mapping[str, Any]) -> None:
    """Raise a UserError where there is no such checkpoint, or it is of another model."""
    where, name = _named(options)
    wanted, checkpoint = OPTIONS[where] or model, _of_study(study, name)
    if checkpoint and checkpoint.model != wanted:
        raise UserError(
            "'{name}' is a checkpoint of {model}, not of {wanted}.",
            name=name,
            model=checkpoint.model,
            wanted=wanted,
            where=where,
        )
    if name and not checkpoint:
        _file(name, where)


def write_start(run: TrainingRun, folder: Path) -> None:
    """Put the checkpoint that the run starts from, if any, into the folder of its data."""
    where, name = _named(run.options)
    if not name:
        return
    folder.mkdir(parents=True, exist_ok=True)
    checkpoint = _of_study(run.study, name)
    if checkpoint:
        artifacts.fetch(str(checkpoint.file.name), folder / START)
    else:
        shutil.copyfile(_file(name, where), folder / START)


def _named(options: Mapping[str, Any]) -> tuple[str, str]:
    """The option that names a checkpoint, and its name; "" where none does."""
    return next(((where, options[where]) for where in OPTIONS if options.get(where)), ("start_from", ""))


def _of_study(study: Study, name: str) -> Checkpoint | None:
    """The newest of that name."""
    return study.checkpoints.filter(name=name).order_by("-made_at", "-pk").first() if name else None


def _file(name: str, where: str) -> Path:
    path = local_path(name, where=where)
    if path is None or not path.is_file():
        raise UserError(
            "The study has no checkpoint '{name}', and there is no such file below RESTYLE_MODELS.",
            name=name,
            where=where,
        )
    return path


TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE
Styles = tuple[str, str]


def check_needs(
    kind: Transfer, study: Study, direction: Direction | None, options: Mapping[str, Any] | None = None, *,
    silver: bool = False,
) -> tuple[Direction | None, Styles]:  # fmt: skip
    """The direction (None for a model of two styles) and the two styles that a training takes; with `silver` pairs
    people need not have written any to train on."""
    if kind.needs == "nothing":
        raise UserError("{label} needs no training; run it at once.", label=kind.label, where="model")
    if lacks := kind.why_unavailable():
        raise UserError(lacks, where="model")
    direction = direction or _only(kind, study)
    styles = (direction.source_style, direction.target_style)
    if not kind.serves(*styles):
        raise kind.refuse(*styles)
    if kind.needs == "styles":
        _check_texts(study, styles)
        return None, styles
    judged = bool(options) and kind.wants_preferences(options)
    if options and judged:
        check_preferences(direction, options)
    if options and kind.wants_texts(options):
        _check_texts(study, styles)
        if named := str(options.get("rewards", "")):
            check_rewards(named, study.language)
    elif kind.needs == "parallel" and not judged:
        _check_pairs(direction, silver)
    if kind.needs == "optional" and kind.wants_pairs(options or {}):
        _check_split(direction, TRAIN, "to take examples from")
    _check_metric(study, options or {})
    return direction, styles


def _check_metric(study: Study, options: Mapping[str, Any]) -> None:
    """Raise a UserError where the metric of the tune set is undefined for the study's language."""
    for name in ("tune_by", "tune_metric"):
        chosen = str(options.get(name) or "")
        if chosen in METRICS and (why := METRICS[chosen].undefined_for(study.language)):
            raise UserError(why, where=name)


def _only(kind: Transfer, study: Study) -> Direction:
    """The study's direction, if there is no doubt which is meant."""
    directions = list(study.directions.all())
    if not directions:
        raise UserError("The study has no direction of transfer yet.", where="direction")
    pairs = {frozenset((direction.source_style, direction.target_style)) for direction in directions}
    if len(directions) > 1 and not (kind.needs == "styles" and len(pairs) == 1):
        names = ", ".join(direction.name for direction in directions)
        raise UserError("Say the direction: one of {names}.", names=names, where="direction")
    return directions[0]


def _check_pairs(direction: Direction, silver: bool) -> None:
    if not silver:
        _check_split(direction, TRAIN, "to train on")
    _check_split(direction, TUNE, "to tune on")


def _check_split(direction: Direction, split: str, use: str) -> None:
    pairs = Reference.objects.filter(set__direction=direction, sentence__split=split).exclude(text="")
    if not pairs.exists():
        raise UserError(
            "There is nothing {use}: no source of the {split} split has a reference; "
            "{advice}, and share the sources out among the splits.",
            use=use,
            split=split,
            advice=_how_to_get_some(direction),
            where=direction.name,
        )


def _how_to_get_some(direction: Direction) -> str:
    study = direction.study
    if study.unit == Study.Unit.DOCUMENT and study.document_links.exists():
        return "take the linked documents as references on the page Groups"
    return "add references"


def _check_texts(study: Study, styles: Styles) -> None:
    for split, use in ((TRAIN, "to train on"), (TUNE, "to tune on")):
        for style in styles:
            if not _has_text(study, style, split):
                raise UserError(
                    "There is nothing {use}: the {split} split has no text in the style {style}, neither "
                    "sources nor references.",
                    use=use,
                    split=split,
                    style=style,
                    where=style,
                )


def _has_text(study: Study, style: str, split: str) -> bool:
    sources = Sentence.objects.filter(direction__study=study, direction__source_style=style, split=split)
    written = Reference.objects.filter(
        set__direction__study=study, set__direction__target_style=style, sentence__split=split
    )
    return sources.exists() or written.exclude(text="").exists()
