"""The same judgements three ways: as they were given, standardized by worker, and without workers who are left out."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

import numpy as np
from django.utils.translation import gettext_lazy as _
from numpy.typing import NDArray

from evaluation.snapshot import RANK, Variant
from evaluation.snapshot_builder.judgement_table import JudgementTable
from evaluation.statistics import STATISTICS

VARIANTS: Mapping[Variant, str] = {
    "raw": _("as they were given"), "z": _("standardized by rater"), "filtered": _("without raters who are left out"),
}  # fmt: skip
"""What people call each."""


def variants_of(given: JudgementTable, left_out: Sequence[str]) -> Mapping[Variant, JudgementTable]:
    """Raw, z and filtered. A place among others is no value on a worker's own scale: ranks are the same in z."""
    chosen = ~np.array([bool(why) for why in left_out], dtype=bool)
    return {
        "raw": given,
        "z": _standardized(given),
        "filtered": given if chosen.all() else _only(given, chosen[given.rater]),
    }


def without_controls(
    given: JudgementTable, controls: Collection[tuple[int, str]], owned: Collection[tuple[int, str]]
) -> JudgementTable:
    """The judgements without those of attention checks, except of texts that some system gave as well."""
    spoilt = set(controls) - set(owned)
    if not spoilt:
        return given
    chosen = np.array([(home, key) not in spoilt for home, key, _system in given.texts], dtype=bool)
    return _only(given, chosen[given.text])


def _only(given: JudgementTable, chosen: NDArray[np.bool_]) -> JudgementTable:
    columns = {name: getattr(given, name)[chosen] for name in ("text", "criterion", "rater", "value")}
    return replace(given, **columns)


def _standardized(given: JudgementTable) -> JudgementTable:
    """Each value less the worker's mean on the criterion, over their deviation; those that have no z are left out."""
    if not len(given.value):
        return given
    z = STATISTICS["worker_z"].call(given.value, given.rater, given.criterion).values
    ranks = [place for place, name in enumerate(given.criteria) if name == RANK]
    values = np.where(np.isin(given.criterion, ranks), given.value, z)
    return _only(replace(given, value=values), np.isfinite(values))
