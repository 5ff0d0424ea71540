"""A training hears that it is to stop, however often it says something."""

import uuid

import pytest
from django.utils import timezone
from support.checkpoints import training
from support.training_studies import training_study

from jobs.actions.cancel_job import cancel_job
from jobs.execution import Progress
from jobs.models import Job
from modelserving.training.callbacks import Stopped
from modelserving.training_runs.run_callbacks import RunCallbacks


@pytest.mark.django_db
def test_a_line_before_each_look_keeps_no_training_from_stopping(tmp_path):
    run = training(training_study())
    now = timezone.now()
    Job.objects.filter(pk=run.job_id).update(state="running", holder=uuid.uuid4(), started_at=now, heartbeat_at=now)
    run.job.refresh_from_db()
    callbacks = RunCallbacks(run, Progress(run.job), tmp_path, "cpu")
    callbacks.at(1, 100)
    cancel_job(job=run.job)
    callbacks.say("Epoch 1")  # what it writes tells it, and `at` looks only half a second later
    with pytest.raises(Stopped):
        callbacks.at(2, 100)
