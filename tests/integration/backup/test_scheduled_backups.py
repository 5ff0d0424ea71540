"""A backup a day by the clock: when it is due, where it goes, what stays, and what an admin sees of it."""

from datetime import UTC, datetime, timedelta

import pytest
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person
from support.s3 import s3_server

from accounts.permissions import Role
from backup.actions.start_backup import start_backup
from backup.archive import read
from backup.schedule import TASK, back_up, is_due
from config.environment.storage import storage_of
from config.tasks import back_up_if_due
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job

pytestmark = pytest.mark.django_db


@pytest.fixture
def folder(settings, tmp_path):
    settings.BACKUPS_KEPT = 2
    settings.STORAGES = {**settings.STORAGES, "backups": storage_of(str(tmp_path / "backups"))}
    return tmp_path / "backups"


def done(job):
    run_job(job.pk, back_up)
    job.refresh_from_db()
    return job


class TestIsDue:
    NOW = datetime(2026, 11, 23, 2, 30, tzinfo=UTC)

    @pytest.fixture(autouse=True)
    def at_two(self, settings):
        settings.BACKUP_HOUR = 2

    def begun(self, at):
        job = Job.objects.create(task=TASK, queue="default", title="Backup", queued_at=at)
        Job.objects.filter(pk=job.pk).update(made_at=at)

    def test_once_after_the_hour(self):
        assert is_due(self.NOW)
        self.begun(self.NOW - timedelta(hours=23))
        assert is_due(self.NOW)
        self.begun(self.NOW - timedelta(minutes=10))
        assert not is_due(self.NOW)

    def test_a_day_that_was_slept_through_is_made_up_for(self):
        self.begun(self.NOW - timedelta(days=3))
        assert is_due(self.NOW - timedelta(hours=2))

    def test_not_before_the_hour(self):
        self.begun(self.NOW - timedelta(days=1))
        assert not is_due(self.NOW - timedelta(hours=2))

    def test_the_clock_begins_one(self, folder):
        back_up_if_due()
        back_up_if_due()
        assert Job.objects.filter(task=TASK, queue="default", study_slug="").count() == 1


def test_into_a_folder_where_the_newest_stay(folder):
    folder.mkdir()
    oldest, older = "restyle-20200101-000000-000000.zip", "restyle-20210101-000000-000000.zip"
    for name in (oldest, older, "mine.zip", "restyle-old.zip.part"):
        (folder / name).write_bytes(b"")
    job = done(start_backup(send=False))
    assert job.state == Job.State.DONE, job.log
    assert "MB with 0 files" in job.told
    assert "1 older backup was removed" in job.told
    mine, old, new = sorted(folder.iterdir())
    assert (mine.name, old.name) == ("mine.zip", older)
    assert read(new).about["restyle"]
    assert new.stat().st_mode & 0o077 == 0


def test_into_s3(settings, tmp_path):
    with s3_server() as client:
        settings.STORAGES = {**settings.STORAGES, "backups": storage_of("s3://models/backups")}
        assert done(start_backup(send=False)).state == Job.State.DONE
        assert [job.state for job in Job.objects.all()] == [Job.State.DONE]
        (name,) = [one["Key"] for one in client.list_objects_v2(Bucket="models")["Contents"]]
        client.download_file("models", name, str(tmp_path / "site.zip"))
        assert read(tmp_path / "site.zip").about["lost"] == []
        cancelled(start_backup(send=False))
        assert len(client.list_objects_v2(Bucket="models")["Contents"]) == 1


def cancelled(job):
    Job.objects.filter(pk=job.pk).update(cancel_requested=True)
    assert done(job).state == Job.State.CANCELLED


def test_nothing_is_left_of_one_that_is_broken_off(folder):
    cancelled(start_backup(send=False))
    assert list(folder.iterdir()) == []


def test_without_a_place(settings):
    job = done(start_backup(send=False))
    assert (job.state, job.error) == (
        Job.State.FAILED,
        "There is no place for backups here: set RESTYLE_BACKUPS where workers run.",
    )


def test_one_at_a_time():
    start_backup(send=False)
    with pytest.raises(UserError, match="A backup is being made already"):
        start_backup(send=False)


def test_an_admin_sees_what_became_of_them(folder):
    admin = as_person(make.person(Role.ADMIN))
    assert "set RESTYLE_BACKUPS to the place" in admin.get(reverse("health")).content.decode()
    job = done(start_backup(send=False))
    assert job.told in admin.get(reverse("health")).content.decode()
    (shown,) = admin.get("/api/health/").json()["backups"]
    assert (shown["state"], shown["told"]) == ("done", job.told)
