"""Metric runs by real workers."""

import os
import signal

import psycopg
import pytest
from django.db import connection
from support import campaigns
from support.processes import wait_until

from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.baselines import BASELINES
from evaluation.models import MetricScore, Report
from evaluation.report_freshness import report_key
from jobs.models import Job

WAITING = """
    SELECT count(*) FROM pg_locks WHERE NOT granted AND relation = 'evaluation_metricscore'::regclass
        AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
"""


def test_a_worker_scores_and_makes_the_report(celery_workers):
    study = campaigns.study(items=4, systems=2, references=1)
    choose_metrics(study=study, metrics={"bleu": {}, "self_bleu": {}})
    run = start_metrics(study=study, by=None)

    def over():
        run.job.refresh_from_db()
        return run.job.is_over

    wait_until(over, "The metrics were not worked out")
    assert run.job.state == Job.State.DONE, run.job.log
    steps = (2 + len(BASELINES) + 1) * 2 + 2
    assert (run.job.done, run.job.total) == (steps, steps)
    assert "bleu of RuleBasedSecret" in run.job.log
    assert MetricScore.objects.count() == 4
    report = Report.objects.get()
    assert report.key == report_key(study)
    assert report.content["systems"][0]["metrics"]["bleu"]["score"] is not None


@pytest.mark.soak
def test_a_worker_that_is_stopped_gives_its_run_back_after_the_metric(celery_workers):
    study = campaigns.study(items=4, systems=2, references=1)
    choose_metrics(study=study, metrics={"bleu": {}, "self_bleu": {}})
    options = {key: value for key, value in connection.get_connection_params().items() if key != "context"}
    options.pop("cursor_factory", None)
    worker = celery_workers.children["worker"]
    with psycopg.connect(**options) as other:
        other.execute("LOCK TABLE evaluation_metricscore IN SHARE MODE")  # the first score waits to be stored
        run = start_metrics(study=study, by=None)
        wait_until(lambda: other.execute(WAITING).fetchone()[0], "No score was to be stored")
        for pid in [worker.process.pid, *celery_workers.pids("worker")]:
            os.kill(pid, signal.SIGTERM)
        other.rollback()
    wait_until(worker.ended, "The worker did not end")
    run.job.refresh_from_db()
    assert (run.job.state, run.job.fruitless) == (Job.State.QUEUED, 0), run.job.log
    assert "Its worker was asked to end; another goes on." in run.job.log
    assert MetricScore.objects.count() == 1
    celery_workers.ensure_up()
    wait_until(lambda: Job.objects.get(pk=run.job_id).is_over, "The metrics were not worked out")
    assert Job.objects.get(pk=run.job_id).state == Job.State.DONE
    assert MetricScore.objects.count() == 4
