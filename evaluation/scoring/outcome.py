"""What metrics gave a study's systems, in the sentence with which their job ends."""

from corpora.models import Study
from evaluation.models import MetricScore
from jobs.execution.progress import JobResult

NAMED = 3  # scores that are lacking, each with its reason; of more their number


def scoring_outcome(study: Study) -> JobResult:
    """How many scores there are of those that were asked for; a warning names those that are lacking."""
    metrics = list(study.metric_choices.values_list("metric", flat=True))
    scores = MetricScore.objects.filter(system__study=study, metric__in=metrics)
    reasons = {
        (metric, system): why for metric, system, why in scores.values_list("metric", "system__name", "undefined")
    }
    asked = [(metric, system) for metric in metrics for system in study.systems.values_list("name", flat=True)]
    lacking = [(*key, reasons.get(key, "It was not computed")) for key in asked if reasons.get(key, "none")]
    said = f"The report is ready: {len(asked) - len(lacking):,} of {len(asked):,} scores."
    if not lacking:
        return JobResult(said)
    named = "; ".join(f"{metric} of {system}: {why.rstrip('.')}" for metric, system, why in lacking[:NAMED])
    more = f"; and {len(lacking) - NAMED:,} more" if len(lacking) > NAMED else ""
    return JobResult(said, f"Without a score: {named}{more}.")
