"""How a report compares: each field declared once; form, API, study file and action are made from it."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.translation import gettext_lazy as _

from evaluation.comparability.report_split import ALL, TEST, USUAL
from evaluation.snapshot import joint_scores
from evaluation.snapshot_builder.judgements import VARIANTS
from foundation.options import each_once, option

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

    baseline: object = option(
        None,
        "Stars mark the systems that differ from the baseline.",
        label="Baseline",
        row="baseline",
        what="system",
    )
    alpha: float = option(0.05, "The usual level is 0.05.", label="Level", low=0.0001, high=0.5)
    correction: str = option(
        "holm", "The correction for comparing many systems at once.", label="Correction",
        choices=(("holm", _("Holm")), ("benjamini_hochberg", _("Benjamini-Hochberg")), ("none", _("none"))),
    )  # fmt: skip
    variant: str = option(
        "filtered",
        "The judgements that lead the tables; the others are shown beside them.",
        label="Judgements",
        choices=tuple(VARIANTS.items()),
    )
    split: str = option(USUAL, "All numbers of the report use these sentences.", label="Sentences", choices=SPLITS)
    human_systems: bool = option(
        False, "If not ticked, the rankings of metrics leave out people's texts, as is usual.",
        label="Rank metrics also over people's systems",
    )  # fmt: skip
    averaging: str = option(
        "sentence", "A sentence with more judgements counts once, or once for each judgement.",
        label="Means of judgements count",
        choices=(("sentence", _("each sentence once")), ("judgement", _("each judgement once"))),
    )  # fmt: skip
    joint: tuple[str, ...] = option(
        (), "Scores over several criteria, one per line, such as", label="Joint scores", characters=300,
        clean=_checked_joint,
    )  # fmt: skip
    machines: tuple[str, ...] = option(
        (), "Names of language models that rate in the study, one per line; without, no number of people has one.",
        label="Language models that count among people", characters=40, clean=each_once,
    )  # fmt: skip
