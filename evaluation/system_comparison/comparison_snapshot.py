"""The part of a study's snapshot that two systems are compared by: texts, scores and judgements of one split."""

from collections.abc import Mapping

from corpora.models import Study
from evaluation.comparability.better_ends import by_direction
from evaluation.comparability.report_split import CHOICES, in_split
from evaluation.models import ReportChoice
from evaluation.snapshot.corpus_counts import CorpusCounts
from evaluation.snapshot.judgements import CriterionJudgements, Variant
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot_builder.build import CountedJudgements, count_judgements, read_study
from evaluation.snapshot_builder.scores import scores_of
from foundation.errors import UserError


def comparison_snapshot(study: Study, split: str = "") -> StudySnapshot:
    """A snapshot without what no comparison of outputs reads: corpus counts, baselines, concepts, the stored report.

    Args:
        study: The study.
        split: A split, "all", or "" for the one that the report is about.

    Returns:
        The snapshot; measures with poles stand once for each direction, with the better end there.

    Raises:
        UserError: There is no such split.
    """
    if split not in CHOICES:
        raise UserError("Expected one of {choices}.", choices=", ".join(one for one in CHOICES if one), where="split")
    read = read_study(study, apart=False)
    counted = count_judgements(study, read)
    choice = ReportChoice.objects.filter(study=study).first() or ReportChoice(study=study)
    metrics = [chosen.metric for chosen in study.metric_choices.all()]
    snapshot = StudySnapshot(
        study=study.slug, title=study.title, styles=study.styles, unit=study.unit,  # type: ignore[arg-type]
        units=read.texts.units, systems=read.texts.rows, judgements=_leading(counted, choice),
        raters=counted.raters, scores=scores_of(study, read.texts, metrics), baselines={}, counts=CorpusCounts(),
        baseline=None, alpha=choice.alpha, correction=choice.correction, variant=choice.variant,  # type: ignore[arg-type]
        report={}, meant=study.poles, averaging=choice.averaging,  # type: ignore[arg-type]
        language=read.texts.language,
    )  # fmt: skip
    return by_direction(in_split(snapshot, split or choice.split))


def _leading(counted: CountedJudgements, choice: ReportChoice) -> Mapping[Variant, Mapping[str, CriterionJudgements]]:
    """The judgements that lead in the report, alone."""
    return {choice.variant: counted.judgements[choice.variant]}  # type: ignore[index, dict-item]
