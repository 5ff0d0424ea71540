"""Metric runs by real workers."""

from support import campaigns
from support.processes import wait_until

from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.baselines import BASELINES
from evaluation.models import MetricScore, Report
from evaluation.report_freshness.inputs import report_key
from jobs.models import Job


def test_a_worker_scores_and_makes_the_report(celery_workers):
    study = campaigns.study(items=4, systems=2, references=1)
    choose_metrics(study=study, metrics={"bleu": {}, "self_bleu": {}})
    run = start_metrics(study=study, by=None)

    def over():
        run.job.refresh_from_db()
        return run.job.is_over

    wait_until(over, "The metrics were not worked out")
    assert run.job.state == Job.State.DONE, run.job.log
    steps = (2 + len(BASELINES)) * 2 + 2
    assert (run.job.done, run.job.total) == (steps, steps)
    assert "bleu of RuleBasedSecret" in run.job.log
    assert MetricScore.objects.count() == 4
    report = Report.objects.get()
    assert report.key == report_key(study)
    assert report.content["systems"][0]["metrics"]["bleu"]["score"] is not None
