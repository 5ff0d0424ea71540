"""Whether a study has what a model is trained on; where it has not, what is lacking, in one sentence."""

from collections.abc import Mapping
from typing import Any

from corpora.models import Direction, Reference, Sentence, Study
from evaluation.metrics import METRICS
from foundation.errors import UserError
from modelserving.transfer import Transfer

TRAIN, TUNE = Sentence.Split.TRAIN, Sentence.Split.TUNE
Styles = tuple[str, str]


def check_needs(
    kind: Transfer, study: Study, direction: Direction | None, options: Mapping[str, Any] | None = None
) -> tuple[Direction | None, Styles]:
    """The direction (None for a model of two styles) and the two styles that a training takes."""
    if kind.needs == "nothing":
        raise UserError("{label} is not trained; run it as it is.", label=kind.label, where="model")
    if lacks := kind.why_unavailable():
        raise UserError(lacks, where="model")
    direction = direction or _only(kind, study)
    styles = (direction.source_style, direction.target_style)
    if not kind.serves(*styles):
        raise kind.refuse(*styles)
    if kind.needs == "styles":
        _check_texts(study, styles)
        return None, styles
    if kind.needs == "parallel":
        _check_pairs(direction)
    if kind.needs == "optional" and kind.wants_pairs(options or {}):
        _check_split(direction, TRAIN, "to take examples from")
    _check_metric(study, options or {})
    return direction, styles


def _check_metric(study: Study, options: Mapping[str, Any]) -> None:
    """What the tune set is scored by is defined for the study's language."""
    for name in ("tune_by", "tune_metric"):
        chosen = str(options.get(name) or "")
        if chosen in METRICS and (why := METRICS[chosen].undefined_for(study.language)):
            raise UserError(why, where=name)


def _only(kind: Transfer, study: Study) -> Direction:
    """The study's direction, where there is no doubt which is meant."""
    directions = list(study.directions.all())
    if not directions:
        raise UserError("The study has no direction of transfer yet.", where="direction")
    pairs = {frozenset((direction.source_style, direction.target_style)) for direction in directions}
    if len(directions) > 1 and not (kind.needs == "styles" and len(pairs) == 1):
        names = ", ".join(direction.name for direction in directions)
        raise UserError("Say the direction: one of {names}.", names=names, where="direction")
    return directions[0]


def _check_pairs(direction: Direction) -> None:
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
