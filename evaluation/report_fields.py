"""How a report compares: each field declared once; form, API, study file and action are made from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from evaluation.comparability.report_split import ALL, TEST, USUAL
from evaluation.snapshot import joint_scores
from evaluation.snapshot_builder.judgements import VARIANTS
from foundation.options import option

SPLITS = (
    (USUAL, _("test split, else all")), (TEST, _("test split")), ("tune", _("tune split")), ("train", _("train split")),
    (ALL, _("all")),
)  # fmt: skip


def _checked_joint(lines: Sequence[str]) -> list[str]:
    return [str(score) for score in joint_scores(lines)]


@dataclass(frozen=True)
class ReportFields:
    """The fields that `choose_report` takes; without a baseline it is the first system that is no person.

    The help of `joint` ends with an example, which each door puts behind it (`evaluation.snapshot.EXAMPLES`).
    """

    baseline: object = option(None, "Stars mark what differs from it.", label="Baseline", row="baseline")
    alpha: float = option(0.05, "0.05 is usual.", label="Level", low=0.0001, high=0.5)
    correction: str = option(
        "holm", "For comparing many systems at once.", label="Correction",
        choices=(("holm", _("Holm")), ("benjamini_hochberg", _("Benjamini-Hochberg")), ("none", _("none"))),
    )  # fmt: skip
    variant: str = option(
        "raw", "Those that lead; the others stand beside them.", label="Judgements", choices=tuple(VARIANTS.items())
    )
    split: str = option(USUAL, "All numbers are over them.", label="Sentences", choices=SPLITS)
    human_systems: bool = option(
        False, "Otherwise what people wrote stays out of the rankings of metrics, as is usual.",
        label="Rank metrics over people's own systems too",
    )  # fmt: skip
    averaging: str = option(
        "sentence", "A sentence with more judgements weighs no more, or as much more.",
        label="Means of judgements count",
        choices=(("sentence", _("each sentence once")), ("judgement", _("each judgement once"))),
    )  # fmt: skip
    joint: tuple[str, ...] = option(
        (), "Of several criteria, a line each, such as", label="Joint scores", characters=300, clean=_checked_joint,
    )  # fmt: skip
