"""The real processes that other tests lean on are real: another process answers, works, dies and comes back."""

import os
import signal
import urllib.error
import urllib.request

import pytest
from django.utils import timezone
from support import stuck
from support.processes import wait_until


def test_database_is_postgresql_of_this_run(db):
    from django.db import connection

    with connection.cursor() as cursor:
        cursor.execute("SELECT current_database(), current_setting('server_version_num')::int, inet_server_addr()")
        name, version, address = cursor.fetchone()
    assert name.startswith("test_")
    assert version >= 160000
    if "DATABASE_URL" in os.environ["RESTYLE_TESTS_SERVE"]:
        assert address is None


@pytest.mark.soak
def test_web_server_answers_and_survives_a_killed_worker(web_server):
    assert _status(web_server.url) < 500
    victims = web_server.pids("web")
    os.kill(victims[0], signal.SIGKILL)
    wait_until(lambda: set(web_server.pids("web")) - set(victims), "No worker took the killed one's place")
    assert _status(web_server.url) < 500


@pytest.mark.soak
def test_web_server_starts_again_after_it_was_killed(web_server):
    web_server.kill("web")
    with pytest.raises((urllib.error.URLError, ConnectionError)):
        urllib.request.urlopen(web_server.url, timeout=60)
    web_server.ensure_up()
    assert _status(web_server.url) < 500


def test_workers_work_on_the_database_of_the_test(celery_workers):
    from jobs.models import Job
    from jobs.queueing import dispatch

    job = Job.objects.create(task=stuck.QUICK, queue="default", queued_at=timezone.now())
    dispatch(job)
    wait_until(lambda: Job.objects.filter(pk=job.pk, state=Job.State.DONE).exists(), "The job did not run")


@pytest.mark.soak
def test_a_killed_worker_is_back_for_the_next_test(celery_workers):
    celery_workers.kill("gpu")
    assert celery_workers.children["gpu"].ended()
    celery_workers.ensure_up()
    assert not celery_workers.children["gpu"].ended()


def _status(url: str) -> int:
    try:
        with urllib.request.urlopen(url, timeout=30) as answer:
            return answer.status
    except urllib.error.HTTPError as error:
        return error.code
