"""A new study that comes with its table: both or neither."""

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from support.campaigns import person

from accounts.permissions import Role
from corpora.models import Study

pytestmark = pytest.mark.django_db
TABLE = b"informal,reference 1,Rules\nu r late,You are late.,You are late\ngtg now,I must go.,I got to go\n"


def begin(client, name, data, **more):
    client.force_login(person(Role.RESEARCHER))
    given = {"title": "Late", "styles": "informal, formal", "file": SimpleUploadedFile(name, data), **more}
    return client.post("/studies/new/", given)


def test_the_table_waits_for_its_columns_to_be_confirmed(client):
    answer = begin(client, "late.csv", TABLE, language="en", description="Short.")
    study = Study.objects.get(title="Late")
    upload = study.uploads.get()
    assert answer["Location"] == f"/studies/{study.slug}/texts/import/{upload.pk}/"
    assert [direction.name for direction in study.directions.all()] == ["informal-formal"]
    assert (study.language, study.description, upload.settings) == ("en", "Short.", {"report": "1"})
    assert study.role_of(upload.made_by) == Role.RESEARCHER


@pytest.mark.parametrize(
    ("name", "data"), [("late.xlsx", b"PK\x03\x04 and then nothing"), ("page.html", b"<!doctype html>")]
)
def test_a_file_that_is_no_table_makes_no_study(client, name, data):
    answer = begin(client, name, data)
    assert answer.status_code == 422
    assert 'id="id_file_error"' in answer.content.decode()
    assert not Study.objects.exists()
