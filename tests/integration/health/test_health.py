"""What load balancers and an admin are told of how the site is."""

import json
import os
import socket
import subprocess
import sys
from datetime import UTC, datetime, timedelta
from importlib.metadata import version
from io import StringIO

import pytest
import redis
from django.core.cache import cache
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.core.management import call_command
from django.db.migrations.loader import MigrationLoader
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from foundation.project import ROOT
from health import checks
from health import findings as asking
from health.findings import Asked, findings, serving
from health.storage_usage import PLACE
from jobs import workers
from jobs.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def there(embedded_servers, monkeypatch):
    """Redis, where no worker has given a sign; no check remembers an answer."""
    fresh = {name: Asked(name, check, kept=0) for name, check in checks.CHECKS.items()}
    monkeypatch.setattr(asking, "_asked", fresh)
    with redis.Redis.from_url(os.environ["REDIS_URL"]) as client:
        client.delete(workers.KEY)
        yield client
        client.delete(workers.KEY)


@pytest.fixture
def folder(settings, tmp_path):
    """A storage of the test's own."""
    backend = "django.core.files.storage.FileSystemStorage"
    settings.STORAGES = {**settings.STORAGES, "default": {"BACKEND": backend, "OPTIONS": {"location": tmp_path}}}
    cache.delete(PLACE)
    yield tmp_path
    cache.delete(PLACE)


def works(client, queues=workers.QUEUES, **more):
    workers.report_alive(client, workers.liveness_report("all@here", queues, datetime.now(UTC), **more))


def asked(answer):
    return {name: one["said"] for name, one in answer.json()["checks"].items() if not one["well"]}


def test_a_process_that_answers_is_live_whatever_it_is_called_and_asks_nobody(django_assert_num_queries):
    with django_assert_num_queries(0), override_settings(ALLOWED_HOSTS=["one.example"], SECURE_SSL_REDIRECT=True):
        answer = Client().get("/health/live", headers={"host": "10.1.2.3:8000"})
    assert (answer.status_code, answer.json()) == (200, {"live": True})
    assert "no-store" in answer["Cache-Control"]
    assert not answer.cookies


@override_settings(ALLOWED_HOSTS=["one.example"])
def test_no_other_page_is_answered_under_any_name():
    assert Client().get("/accounts/login/", headers={"host": "10.1.2.3:8000"}).status_code == 400


def test_the_site_is_well_where_all_is_there(there, folder):
    works(there)
    answer = Client().get("/health/status", headers={"host": "10.1.2.3"})
    assert asked(answer) == {}
    assert (answer.status_code, answer.json()["well"]) == (200, True)
    assert [*folder.rglob("*")] in ([], [folder / "health"]), "what was written to try the storage stays there"


def test_a_queue_without_a_worker_is_named(there, folder):
    works(there, ["default", "metrics"])
    answer = Client().get("/health/status")
    assert (answer.status_code, asked(answer)) == (503, {"workers": "No worker responds for quick, gpu, serve."})
    with override_settings(READY_QUEUES=["default", "metrics"]):
        assert Client().get("/health/status").status_code == 200


def test_what_only_jobs_need_takes_no_node_out(there, folder, settings):
    """No worker at all, no Redis, no storage: people are served all the same."""
    (folder / "file").write_text("no folder")
    place = {"BACKEND": settings.STORAGES["default"]["BACKEND"], "OPTIONS": {"location": folder / "file"}}
    settings.STORAGES = {**settings.STORAGES, "default": place}
    answer = Client().get("/health/status")
    assert (answer.status_code, set(asked(answer))) == (503, {"workers", "storage"})
    answer = Client().get("/health/ready")
    assert (answer.status_code, answer.json()["ready"]) == (200, True)
    assert list(answer.json()["checks"]) == ["database", "migrations", "disk"]


def test_a_node_whose_own_disk_takes_nothing_is_taken_out(there, folder, settings, tmp_path):
    settings.DATA = tmp_path / "gone"
    answer = Client().get("/health/ready")
    assert (answer.status_code, asked(answer)) == (503, {"disk": "The disk cannot be written."})


def test_a_check_that_is_slow_today_is_as_it_was_found_last(there, monkeypatch):
    from threading import Event

    go_on, began = Event(), Event()

    def slow():
        if began.is_set():
            go_on.wait()
        began.set()

    monkeypatch.setitem(asking._asked, "database", Asked("database", slow, kept=0))
    try:
        assert not [one for one in serving() if not one.well]
        assert not [one for one in serving(limit=0.01) if not one.well], "slow was taken for away"
        (late,) = [one for one in findings(limit=0.01) if one.name == "database"]
        assert late.said, "whoever looks at the whole site is told that it is slow"
        monkeypatch.setattr(asking, "HOLDS_SECONDS", 0)
        # Others may be slow as well where the machine is busy.
        assert "database" in [one.name for one in serving(limit=0.01) if not one.well]
    finally:
        go_on.set()


def test_a_storage_that_cannot_be_written_is_told_without_its_place(there, folder, settings):
    works(there)
    (folder / "file").write_text("no folder")
    backend = settings.STORAGES["default"]["BACKEND"]
    place = {"BACKEND": backend, "OPTIONS": {"location": folder / "file"}}
    settings.STORAGES = {**settings.STORAGES, "default": place}
    answer = Client().get("/health/status")
    assert asked(answer) == {"storage": "No file can be written in the storage."}
    assert str(folder) not in answer.content.decode()


def test_a_database_of_an_older_version_is_told(there, folder, monkeypatch):
    works(there)
    monkeypatch.setattr(checks, "_known", lambda: {("jobs", "0001_initial"), ("jobs", "9999_of_tomorrow")})
    assert asked(Client().get("/health/ready")) == {
        "migrations": "1 migration is not applied: type ./manage.py migrate."
    }


def test_the_migrations_of_this_version_are_those_that_django_loads():
    assert checks._known() == set(MigrationLoader(None).graph.nodes)


def test_where_nothing_is_there_it_says_so_within_seconds_and_tells_no_secret(tmp_path):
    """No PostgreSQL, no Redis, in a process of its own: it lives, and is not ready."""
    script = (
        "import django, time; django.setup()\n"
        "from django.test import Client\n"
        "print(Client().get('/health/live').status_code)\n"
        "print(Client().get('/health/ready').status_code)\n"
        "answer = Client().get('/health/status')\n"
        "print(answer.status_code); print(answer.content.decode())"
    )
    environment = {
        **os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "platform")]),
        "DATABASE_URL": f"postgresql://somebody:hidden-word@/gone?host={tmp_path}", "RESTYLE_DATA": str(tmp_path),
        "REDIS_URL": f"unix://{tmp_path}/gone.sock", "SECRET_KEY": "k" * 50, "ALLOWED_HOSTS": "testserver",
    }  # fmt: skip
    done = subprocess.run([sys.executable, "-c", script], env=environment, capture_output=True, text=True, check=True)
    live, ready, status, said = done.stdout.splitlines()
    assert (live, ready, status) == ("200", "503", "503")
    assert [name for name, one in json.loads(said)["checks"].items() if one["well"]] == ["disk", "storage"]
    for secret in ("hidden-word", "somebody", str(tmp_path)):
        assert secret not in said


def test_a_check_that_hangs_holds_nobody_up(there, monkeypatch):
    from threading import Event

    go_on, runs = Event(), []

    def hangs():
        runs.append(1)
        go_on.wait()

    monkeypatch.setitem(asking._asked, "storage", Asked("storage", hangs, kept=0))
    try:
        for _ in range(3):
            (late,) = [finding for finding in findings(limit=0.01) if finding.name == "storage"]
            assert late.said == "No answer came within 0.01 seconds."
        assert len(runs) == 1, "a second check was begun while the first hangs"
    finally:
        go_on.set()


def test_a_finding_holds_for_a_while():
    runs = []
    kept = Asked("x", lambda: runs.append(1), kept=1000)
    assert kept.ask().result().well
    assert kept.ask().result().well
    assert len(runs) == 1


@pytest.fixture
def admin():
    return as_person(make.person(Role.ADMIN))


def test_the_page_shows_workers_queues_storage_database_and_versions(admin, there, folder):
    study = make.study()
    since = timezone.now() - timedelta(hours=3)
    job = Job.objects.create(
        task="t", queue="gpu", title="A long training", study_slug=study.slug, state="running", queued_at=since
    )
    for hours in (1, 2):
        queued_at = timezone.now() - timedelta(hours=hours)
        Job.objects.create(task="t", queue="metrics", title="W", study_slug=study.slug, queued_at=queued_at)
    works(there, ["gpu"], jobs=[job.pk])
    there.rpush("metrics", "a message")
    default_storage.save("checkpoints/one", ContentFile(b"x" * 5000))
    page = admin.get(reverse("health")).content.decode()
    assert f'href="{reverse("job", args=[study.slug, job.pk])}" dir="auto">A long training</a>' in page
    for said in (
        "all@here",
        f"{os.getpid()} on {socket.gethostname()}",
        "2 h",
        str(folder),
        "PostgreSQL",
        version("torch"),
    ):
        assert said in page
    told = admin.get(reverse("api:health")).json()
    (worker,) = told["workers"]
    assert (worker["lives"], worker["queues"], worker["pid"]) == (True, ["gpu"], os.getpid())
    assert worker["jobs"] == [{"id": job.pk, "title": job.title, "study_slug": study.slug, "state": "running"}]
    queues = {one["name"]: one for one in told["queues"]}
    assert (queues["metrics"]["waiting"], queues["metrics"]["messages"], queues["metrics"]["workers"]) == (2, 1, 0)
    assert 7200 <= queues["metrics"]["oldest_seconds"] < 9000
    assert (queues["gpu"]["running"], queues["gpu"]["waiting"], queues["gpu"]["workers"]) == (1, 0, 1)
    storage = told["storage"]
    assert (storage["place"], storage["used_bytes"], storage["files"], storage["whole"]) == (str(folder), 5000, 1, True)
    assert storage["free_bytes"] > 0
    assert told["database"]["used_bytes"] > 1_000_000
    assert told["versions"]["Django"] == version("django")
    assert told["versions"]["PyTorch"] == version("torch")


def test_a_worker_that_was_killed_is_shown_as_silent(admin, there, folder):
    works(there)
    said = json.loads(there.hget(workers.KEY, "all@here"))
    old = (datetime.now(UTC) - timedelta(minutes=7)).isoformat()
    there.hset(workers.KEY, "all@here", json.dumps({**said, "seen_at": old}))
    page = admin.get(reverse("health")).content.decode()
    assert "silent" in page
    assert "7 min ago" in page


def test_only_admins_find_it_in_their_menu(admin):
    assert 'href="/health/"' in admin.get("/").content.decode()
    assert 'href="/health/"' not in as_person(make.person(Role.RESEARCHER)).get("/").content.decode()


def test_files_in_a_bucket_are_counted_too(admin, there, settings):
    from support.s3 import s3_server

    from config.environment.storage import storage_of

    cache.delete(PLACE)
    with s3_server():
        settings.STORAGES = {**settings.STORAGES, "default": storage_of("s3://fresh/site")}
        for _ in range(2):
            call_command("make_bucket", stdout=StringIO())
        works(there)
        default_storage.save("a/b", ContentFile(b"x" * 700))
        assert Client().get("/health/status").status_code == 200
        told = admin.get(reverse("api:health")).json()["storage"]
    cache.delete(PLACE)
    assert (told["place"], told["used_bytes"], told["files"]) == ("s3://fresh/site", 700, 1)
    assert told["free_bytes"] is None
