"""Which units of a study a number of its report is about, by what its cell's `rows` say."""

import math
from collections.abc import Iterator, Mapping

import numpy as np
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop
from numpy.typing import NDArray

from corpora.models import Study
from evaluation.comparability.report_split import split_of
from evaluation.models import ReportChoice
from evaluation.snapshot.units import Units
from evaluation.snapshot_builder.texts import StudyTexts
from evaluation.snapshot_builder.variants import VARIANTS
from foundation.errors import UserError

Mask = NDArray[np.bool_]
NUMBERS = {"length": "words", "concepts": "concepts", "apart": "apart"}
NAMES = {"domain": "domains", "split": "splits", "section": "sections"}
ASKED = {"system", "metric", "criterion", "variant", "by", "low", "high", "direction", "mean", *NAMES}
WORDS = {
    "domain": gettext_noop("domain"), "split": gettext_noop("split"), "section": gettext_noop("section"),
    "length": gettext_noop("words"), "concepts": gettext_noop("concepts"), "apart": gettext_noop("edit distance"),
    "low": gettext_noop("from"), "high": gettext_noop("below"),
}  # fmt: skip
"""What a page calls the part of a study that a number is about."""


def units_asked_for(units: Units, asked: Mapping[str, str]) -> Mask:
    """The units that the number is about."""
    inside = np.ones(len(units.ids), dtype=bool)
    for key, column in NAMES.items():
        if asked.get(key):
            inside &= np.array(getattr(units, column), dtype=object) == asked[key]
    if asked.get("direction"):
        place = _read(asked, "direction", 0)
        if place not in range(len(units.directions)):
            raise UserError("There is no such direction.", where="direction")
        inside &= units.direction == place
    if asked.get("by") in NUMBERS:
        values = getattr(units, NUMBERS[asked["by"]])
        inside &= (values >= _read(asked, "low", -math.inf)) & (values < _read(asked, "high", math.inf))
    return inside


def within_report_split(study: Study, texts: StudyTexts, asked: Mapping[str, str]) -> Mapping[str, str]:
    """What is asked for, in the split that the report is about where no other one is named."""
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    split = split_of(choice.split, texts.units.splits, texts.rows[: len(texts.systems)])
    whole = not split or all(unit_split == split for unit_split in texts.units.splits)
    return asked if whole or "split" in asked else {**asked, "split": split}


def is_report_split(texts: StudyTexts, asked: Mapping[str, str], inside: Mask) -> bool:
    """Whether these are the units of which the score of the whole is kept: those of the report's split."""
    return bool((inside == units_asked_for(texts.units, {"split": asked.get("split", "")})).all())


def described_units(units: Units, asked: Mapping[str, str]) -> Iterator[str]:
    """Which units a number is about, in words."""
    if asked.get("direction"):
        source, target = units.directions[int(_read(asked, "direction", 0))]
        yield _("%(source)s to %(target)s") % {"source": source, "target": target}
    for key in NAMES:
        if asked.get(key):
            yield f"{_(WORDS[key])} {asked[key]}"
    if asked.get("by") in NUMBERS:
        ends = [f"{_(WORDS[key])} {asked[key]}" for key in ("low", "high") if asked.get(key)]
        yield " ".join([_(WORDS[asked["by"]]), *ends])
    if asked.get("variant", "raw") != "raw":
        yield str(VARIANTS[asked["variant"]])  # type: ignore[index]


def _read(asked: Mapping[str, str], key: str, without: float) -> float:
    try:
        return float(asked[key]) if asked.get(key) else without
    except ValueError:
        raise UserError("Expected a number.", where=key) from None
