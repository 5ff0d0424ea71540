"""A disk that is really full, of the database or of this machine: everybody is told so, and nothing is half stored."""

import errno
import os
from contextlib import suppress

import pytest
from django.conf import settings as django_settings
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import connection
from django.test import Client
from django.urls import reverse
from support import campaigns as make
from support.clients import with_token
from support.small_disk import small_disk

from accounts.permissions import Role
from annotation.models import Answer
from embedded.folders import own, server_account
from foundation.disk import is_disk_full

FULL = "disk is full"


@pytest.fixture
def small():
    with small_disk("1m") as folder:
        yield folder


def fill(folder):
    with open(folder / "filler", "ab", buffering=0) as filler, suppress(OSError):
        while True:
            filler.write(b"0" * 4096)


@pytest.fixture
def full_database(small, transactional_db):
    """The answers lie on a disk of their own, which is full from `fill` on."""
    own(small, server_account(django_settings.DATA))
    with connection.cursor() as cursor:
        cursor.execute(f"CREATE TABLESPACE small LOCATION '{small}'")
        cursor.execute("TRUNCATE annotation_answer CASCADE")  # a row that is new wants a page that is new
        cursor.execute("ALTER TABLE annotation_answer SET TABLESPACE small")
        yield small
        (small / "filler").unlink(missing_ok=True)
        cursor.execute("ALTER TABLE annotation_answer SET TABLESPACE pg_default")
        cursor.execute("DROP TABLESPACE small")


def test_an_answer_that_cannot_be_stored_is_told_and_comes_in_when_there_is_space(full_database):
    study = make.study(items=2)
    campaign, who = make.campaign(study), make.person(study=study)
    work = make.held(campaign, who)
    client = Client(raise_request_exception=False)
    client.force_login(who)
    page = client.get(reverse("campaign_work", args=[study.slug, campaign.slug])).content.decode()
    slot = page.partition('data-slot="')[2].partition('"')[0]
    form = {
        "slot": slot,
        "lease": work.lease,
        "key": "6b1f7c52-6a0c-4a3e-9b1e-0d8f0a2f4a11",
        "text": "I have to see number one.",
    }
    fill(full_database)
    submit = reverse("campaign_submit", args=[study.slug, campaign.slug])
    for headers in ({}, {"HX-Request": "true"}):
        answer = client.post(submit, form, headers=headers)
        assert (answer.status_code, FULL in answer.content.decode()) == (507, True)
    assert not Answer.objects.exists()
    (full_database / "filler").unlink()
    assert client.post(submit, form).status_code == 302
    assert Answer.objects.get().content["text"] == form["text"]


def test_an_upload_without_space_is_told_in_page_and_api(small, db, settings):
    settings.FILE_UPLOAD_TEMP_DIR = str(small)
    study, admin = make.study(), make.person(Role.ADMIN)
    fill(small)
    rows = b"source,formal\n" + b"gotta see,I have to see.\n" * 200_000
    client = Client(raise_request_exception=False)
    client.force_login(admin)
    answer = client.post(reverse("table_new", args=[study.slug]), {"files": SimpleUploadedFile("t.csv", rows)})
    assert (answer.status_code, FULL in answer.content.decode()) == (507, True)
    script = with_token(admin)
    script.raise_request_exception = False
    answer = script.post(f"/api/studies/{study.slug}/systems/", {"file": SimpleUploadedFile("t.txt", rows)})
    assert (answer.status_code, FULL in answer.json()["detail"]) == (507, True)


def test_an_error_that_came_from_a_full_disk_is_one():
    def fails():
        try:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        except OSError as error:
            raise ValueError("The file could not be written.") from error

    with pytest.raises(ValueError, match="file") as caught:
        fails()
    assert is_disk_full(caught.value)
    assert not is_disk_full(ValueError("No space left on device"))
