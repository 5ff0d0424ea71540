"""While PostgreSQL or Redis starts again, pages and endpoints answer 503 and say when to come again; jobs go on."""

import psycopg
import pytest
from django.db import InternalError, OperationalError, connection, transaction
from django.test import Client
from django.utils import timezone
from support import campaigns as make
from support.connections import END_ALL, beside, cut_all, refusing

from accounts.models import Person
from corpora.database import copy_rows
from jobs.execution import run_job
from jobs.models import Job

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def quick_pool(monkeypatch):
    """A pool that does not wait for long."""
    connection.close()
    connection.close_pool()
    monkeypatch.setitem(connection.settings_dict["OPTIONS"]["pool"], "timeout", 0.2)
    yield
    connection.close()
    connection.close_pool()


@pytest.fixture
def client():
    client = Client(raise_request_exception=False)
    client.force_login(make.person(study=make.study(items=1)))
    return client


def test_while_the_database_is_away_it_is_503_and_then_as_before(client, quick_pool):
    with refusing(connection):
        page, part, sent = (
            client.get("/"),
            client.get("/", headers={"HX-Request": "true"}),
            client.post("/studies/new/", {}),
        )
        answer = client.get("/api/studies/")
    assert [one.status_code for one in (page, part, sent, answer)] == [503] * 4
    assert {one["Retry-After"] for one in (page, part, sent, answer)} == {"2"}
    assert "The site is restarting" in page.text
    assert page["Refresh"] == "2"
    assert "Refresh" not in part  # a part of a page must not lead the page away
    assert "Refresh" not in sent
    assert answer.json() == {"detail": "The site is restarting; try again in a few seconds. Everything saved is safe."}
    connection.close_pool()  # it looks less and less often whether the database is back
    assert client.get("/work/").status_code == 200


def test_an_answer_that_fits_no_question_is_a_connection_that_is_lost():
    """PgBouncer, whose PostgreSQL was killed, answered a COMMIT twice; what a server tells stays what it is."""
    with connection.cursor() as cursor, pytest.raises(InternalError, match="told"):
        cursor.execute("DO $$ BEGIN RAISE EXCEPTION 'told' USING ERRCODE = 'XX000'; END $$")
    assert connection.is_usable()
    with pytest.raises(OperationalError, match="received 2"), connection.wrap_database_errors:
        raise psycopg.InternalError("received 2 results from command 'COMMIT'")
    assert not connection.is_usable()
    connection.close()
    assert Person.objects.count() == 0


def test_connections_that_a_restart_cut_are_not_lent_again(client):
    assert client.get("/work/").status_code == 200
    cut_all(connection)
    assert client.get("/work/").status_code == 200


def test_a_cache_that_is_away_is_503_too(client, settings, monkeypatch, tmp_path):
    def away(*_args, **_kwargs):
        from django.core.cache.backends.redis import RedisCache

        return RedisCache(f"unix://{tmp_path}/none.sock", {}).get("anything")

    monkeypatch.setattr("config.pages.home.home", away)
    monkeypatch.setattr("corpora.models.Study.with_role", away)
    answer = client.get("/studies/any/")
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")


def test_rows_that_a_restart_cut_while_they_were_copied_are_an_error_of_the_database():
    """Not psycopg's own, which a page would answer with 500, and which would be a job's end."""

    def rows():
        yield ("cut@example.org",)
        with beside(connection, "postgres") as other:
            other.execute(END_ALL, [connection.settings_dict["NAME"]])
        while True:
            yield ("cut@example.org",)

    with pytest.raises(OperationalError), transaction.atomic():
        copy_rows(Person, ["email"], rows())


def test_a_job_under_which_the_database_starts_again_goes_on(quick_pool):
    job = Job.objects.create(task="support.none", queue="q-away", title="Work", queued_at=timezone.now())
    steps = []

    def work(job, progress):
        steps.append(job.attempts)
        if len(steps) == 1:
            with refusing(connection):
                progress.at(1, 2, "A step.")
        progress.at(2, 2)

    run_job(job.pk, work)
    waiting = Job.objects.get(pk=job.pk)
    assert (waiting.state, waiting.holder) == (Job.State.QUEUED, None)
    assert "The database was away (OperationalError); it goes on." in waiting.log
    run_job(job.pk, work)
    assert (Job.objects.get(pk=job.pk).state, steps) == (Job.State.DONE, [1, 2])


def test_an_end_that_the_database_does_not_hear_is_told_when_it_is_back(quick_pool, monkeypatch):
    job = Job.objects.create(task="support.none", queue="q-away", title="Work", queued_at=timezone.now())
    refused = refusing(connection)
    monkeypatch.setattr("jobs.execution.time.sleep", lambda _: refused.__exit__(None, None, None))
    run_job(job.pk, lambda job, progress: refused.__enter__() and None)
    assert Job.objects.get(pk=job.pk).state == Job.State.DONE


def test_a_job_that_could_not_be_sent_is_the_next_sweeps(settings, monkeypatch, tmp_path):
    from celery import current_app
    from kombu.exceptions import OperationalError

    from jobs.actions.queue_job import queue_job
    from jobs.recovery import requeue_stale_jobs

    def away(*_args, **_kwargs):
        raise OperationalError("away")

    with monkeypatch.context() as patch:
        patch.setattr(current_app, "send_task", away)
        job = queue_job(task="support.none", queue="q-away", title="Work", study_slug="s", by=None)
    before = timezone.now()
    requeue_stale_jobs()
    assert Job.objects.get(pk=job.pk).queued_at > before
