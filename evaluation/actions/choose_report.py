import math
from collections.abc import Sequence
from typing import Any, get_args

from django.db import transaction

from accounts.audit import audited
from corpora.actions.lock_study import lock_study
from corpora.models import Study, System
from evaluation.comparability.report_split import CHOICES as SPLITS
from evaluation.models import ReportChoice
from evaluation.snapshot import Averaging, joint_scores
from evaluation.snapshot_builder.judgements import VARIANTS
from foundation.errors import UserError

CORRECTIONS = ("holm", "benjamini_hochberg", "none")
AVERAGINGS: tuple[str, ...] = get_args(Averaging)
LOWEST, HIGHEST = 0.0001, 0.5


@audited
@transaction.atomic
def choose_report(
    *,
    study: Study,
    baseline: System | None = None,
    alpha: float = 0.05,
    correction: str = "holm",
    variant: str = "raw",
    split: str = "",
    human_systems: bool = False,
    averaging: str = "sentence",
    joint: Sequence[str] = (),
    by: Any = None,
) -> ReportChoice:
    """Say how a study's report compares: stars for what differs from `baseline` at `alpha` after `correction`.

    Without a baseline it is the first system that is no person. `variant` is which judgements lead. `split` is which
    sentences it is about: one split, "all", or "" the test split where the systems have outputs of it, else all. With
    `human_systems` metrics are ranked over systems that are people, too. `averaging` is what counts once in a mean of
    judgements: a sentence, or a judgement. `joint` are joint scores, a line each
    (`evaluation.snapshot`).
    """
    lock_study(study)
    if baseline is not None and baseline.study_id != study.pk:
        raise UserError("The baseline is another study's system.", where="baseline")
    if not (math.isfinite(alpha) and LOWEST <= alpha <= HIGHEST):
        raise UserError(
            "Expected a level from {lowest:g} to {highest:g}, such as 0.05.",
            lowest=LOWEST,
            highest=HIGHEST,
            where="alpha",
        )
    chosen = (
        ("correction", correction, CORRECTIONS), ("variant", variant, VARIANTS), ("split", split, SPLITS),
        ("averaging", averaging, AVERAGINGS),
    )  # fmt: skip
    for name, value, known in chosen:
        if value not in known:
            raise UserError(
                "Expected one of {known}, not '{value}'.", known=", ".join(filter(None, known)), value=value, where=name
            )
    choice, _ = ReportChoice.objects.update_or_create(
        study=study,
        defaults={
            "baseline": baseline,
            "alpha": alpha,
            "correction": correction,
            "variant": variant,
            "split": split,
            "human_systems": human_systems,
            "averaging": averaging,
            "joint": [str(score) for score in joint_scores(joint)],
        },
    )
    return choice
