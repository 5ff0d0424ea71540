"""How a job's row follows its work."""

import uuid
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from foundation import preemption
from foundation.errors import UserError
from jobs.actions.cancel_job import cancel_job
from jobs.actions.retry_job import retry_job
from jobs.execution import run_job
from jobs.models import Job
from jobs.queueing import GIVEN_BACK

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def job():
    return Job.objects.create(task="t", queue="default", title="Work", queued_at=timezone.now())


def after(job, work):
    run_job(job.pk, work)
    return Job.objects.get(pk=job.pk)


def test_work_that_ends_is_done(job):
    ended = after(job, lambda job, progress: progress.at(3, 3, "Three steps."))
    assert (ended.state, ended.done, ended.total, ended.attempts) == (Job.State.DONE, 3, 3, 1)
    assert [line[9:] for line in ended.log.splitlines()] == ["Started.", "Three steps.", "Done."]
    assert ended.started_at <= ended.heartbeat_at <= ended.ended_at


def test_the_users_mistake_is_said_as_it_is(job):
    def work(job, progress):
        raise UserError("The study has no texts.", where="study")

    ended = after(job, work)
    assert (ended.state, ended.error) == (Job.State.FAILED, "study: The study has no texts.")


def test_an_error_of_the_program_is_logged_whole_even_where_it_cannot_be_stored_as_it_is(job):
    def work(job, progress):
        raise ValueError("a \0 and half a \ud800 pair")

    ended = after(job, work)
    assert ended.state == Job.State.FAILED
    assert ended.error == "The job stopped at an error of the program: ValueError: a  and half a ? pair"
    assert "Traceback" in ended.log


def test_a_failed_transaction_does_not_keep_the_end_from_being_written(job):
    def work(job, progress):
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1 / 0")

    assert after(job, work).state == Job.State.FAILED


def test_work_stops_where_it_was_cancelled(job):
    steps = []

    def work(job, progress):
        cancel_job(job=job)
        for step in range(1, 4):
            steps.append(step)
            progress.at(step, 3, f"Step {step}.")

    ended = after(job, work)
    assert (ended.state, steps) == (Job.State.CANCELLED, [1])


def test_work_whose_process_is_to_end_is_given_back(job):
    def work(job, progress):
        preemption.ask()
        progress.at(2, 3)

    with preemption.listening():
        ended = after(job, work)
    assert (ended.state, ended.holder, ended.done, ended.furthest, ended.fruitless) == (Job.State.QUEUED, None, 2, 2, 0)
    assert [line[9:] for line in ended.log.splitlines()] == ["Started.", GIVEN_BACK]
    assert (after(job, lambda job, progress: progress.at(3, 3)).state, job.error) == (Job.State.DONE, "")


def test_what_is_done_is_done_whoever_wants_its_process(job):
    with preemption.listening():
        preemption.ask()
        assert after(job, lambda job, progress: progress.at(3, 3)).state == Job.State.DONE


def test_a_person_who_cancels_comes_before_a_machine_that_is_wanted(job):
    def work(job, progress):
        preemption.ask()
        cancel_job(job=job)
        progress.at(1, 3)

    with preemption.listening():
        assert after(job, work).state == Job.State.CANCELLED


def test_a_job_that_another_worker_took_is_left_to_it(job):
    def work(job, progress):
        Job.objects.update(holder=uuid.uuid4())
        progress.at(1, 2, "Mine?")

    ended = after(job, work)
    assert ended.state == Job.State.RUNNING
    assert "Mine?" not in ended.log


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_what_is_over_is_not_run(job, state):
    Job.objects.update(state=state)
    assert after(job, lambda *_: pytest.fail("It ran.")).state == state


def test_what_another_holds_is_not_run_until_its_heart_stops(job):
    Job.objects.update(state="running", holder=uuid.uuid4(), heartbeat_at=timezone.now())
    assert after(job, lambda *_: pytest.fail("It ran.")).state == Job.State.RUNNING
    Job.objects.update(heartbeat_at=timezone.now() - timedelta(days=1))
    assert after(job, lambda *_: None).state == Job.State.DONE


def test_a_job_that_is_gone_is_no_error(job):
    run_job(job.pk + 1, lambda *_: pytest.fail("It ran."))


@pytest.mark.parametrize("state", ["queued", "running", "done"])
def test_only_what_failed_or_was_cancelled_is_run_again(job, state):
    Job.objects.update(state=state)
    with pytest.raises(UserError, match="Only a failed or cancelled job"):
        retry_job(job=job)


@pytest.mark.parametrize("state", ["done", "failed", "cancelled"])
def test_what_is_over_is_not_cancelled(job, state):
    Job.objects.update(state=state)
    with pytest.raises(UserError, match="already over"):
        cancel_job(job=job)


def test_a_job_that_was_asked_to_stop_for_a_reason_fails_with_it(job):
    def work(job, progress):
        Job.objects.update(cancel_requested=True, stop_reason="It took too long.")
        progress.at(1, 3, "A step.")

    ended = after(job, work)
    assert (ended.state, ended.error) == (Job.State.FAILED, "It took too long.")
    assert ended.stopping_at
