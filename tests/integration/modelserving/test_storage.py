"""Machines share files through one place: a folder, or S3 (a real server of its language on this machine)."""

import io
import shutil
import zipfile
from datetime import timedelta

import pytest
from django.core.files.storage import default_storage
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from support.campaigns import person
from support.campaigns import study as new_study
from support.checkpoints import checkpoint, packed
from support.clients import as_person, with_token
from support.s3 import s3_server
from support.training_studies import TUNE, training_study
from support.word_model import register

from config.environment.storage import storage_of
from corpora.actions.purge_removals import purge_removals
from corpora.models import Removal
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job
from modelserving import artifacts
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.start_training import start_training
from modelserving.models import Checkpoint
from modelserving.training_runs.execution import clear_up, run_training

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def s3():
    with s3_server() as client:
        yield client


@pytest.fixture
def in_s3(s3, settings):
    settings.STORAGES = {**settings.STORAGES, "default": storage_of("s3://models/restyle/files")}
    return s3


@pytest.fixture(autouse=True)
def own_machine(tmp_path, settings):
    """No test finds the copies of the one before."""
    settings.WORK_FOLDER = tmp_path / "work"


def keys(s3) -> list[str]:
    return [one["Key"] for one in s3.list_objects_v2(Bucket="models").get("Contents", [])]


def test_a_training_uses_s3_alone(in_s3, monkeypatch):
    """What it leaves is there, and another machine with a folder of its own can use it."""
    register(monkeypatch)
    study = training_study(16 + 2 * TUNE)
    run = start_training(study=study, model="words", by=None)
    run_job(run.job_id, run_training)
    clear_up(run.job_id)
    job = Job.objects.get(pk=run.job_id)
    assert job.state == Job.State.DONE, job.log
    best = run.checkpoints.get(kind="best")
    assert f"restyle/files/{best.file.name}" in keys(in_s3)
    folder = artifacts.local_copy(best)
    assert [path.name for path in folder.iterdir()] == ["words.json"]
    shutil.rmtree(folder)
    assert b"".join(artifacts.stored_chunks(best.file.name))[:2] == b"PK"
    in_s3.delete_object(Bucket="models", Key=f"restyle/files/{best.file.name}")
    with pytest.raises(UserError, match="is no longer in storage"):
        artifacts.local_copy(best)


def test_checkpoints_come_and_go_through_s3(in_s3, tmp_path):
    study = new_study()
    lead = person("researcher", study)
    with packed(tmp_path).open("rb") as file:
        answer = with_token(lead).post(f"/api/studies/{study.slug}/checkpoints/", {"file": file})
    assert answer.status_code == 201, answer.content
    pk = answer.json()["id"]
    back = with_token(lead).get(f"/api/studies/{study.slug}/checkpoints/{pk}/file/")
    assert b"".join(back.streaming_content) == (tmp_path / "dictionary.zip").read_bytes()
    stored = f"restyle/files/{Checkpoint.objects.get(pk=pk).file.name}"
    assert stored in keys(in_s3)
    assert with_token(lead).delete(f"/api/studies/{study.slug}/checkpoints/{pk}/").status_code == 204
    assert stored in keys(in_s3)  # for 30 days, in which it can be put back
    Removal.objects.update(removed_at=timezone.now() - timedelta(days=31))
    purge_removals()
    assert stored not in keys(in_s3)


@pytest.mark.parametrize(
    ("place", "backend"),
    [("/mnt/a", "FileSystemStorage"), ("file:///mnt/a", "FileSystemStorage"), ("s3://b/p", "S3Storage")],
)
def test_places(place, backend):
    found = storage_of(place)
    assert found["BACKEND"].endswith(backend)
    assert str(found["OPTIONS"].get("location")) in ("/mnt/a", "p")


def test_a_place_that_is_none():
    from django.core.exceptions import ImproperlyConfigured

    with pytest.raises(ImproperlyConfigured, match="are a folder, or s3"):
        storage_of("gs://bucket")


def upload(path) -> SimpleUploadedFile:
    return SimpleUploadedFile(path.name, path.read_bytes())


def test_an_imported_checkpoint_keeps_what_it_says(tmp_path):
    study = new_study()
    made = import_checkpoint(study=study, file=upload(packed(tmp_path)), by=None)
    assert (made.kind, made.model, made.name, made.run) == ("imported", "dictionary", "Dictionary", None)
    assert made.directions == [("informal", "formal")]
    assert made.size == (tmp_path / "dictionary.zip").stat().st_size
    assert {path.name for path in artifacts.local_copy(made).iterdir()} == set(made.manifest["files"])
    with pytest.raises(UserError, match="already has this checkpoint"):
        import_checkpoint(study=study, file=upload(tmp_path / "dictionary.zip"), by=None)


@pytest.mark.parametrize(
    ("about", "said"),
    [
        ({"model": "dictionry"}, "did you mean dictionary"),
        ({"model": "rule_based_formality"}, "needs no training, so it has no checkpoints"),
        ({"options": {"beam": 3}}, "beam: There is no such option; there are locator"),
    ],
)
def test_a_foreign_checkpoint_is_refused_and_leaves_nothing(tmp_path, about, said):
    study = new_study()
    path = packed(tmp_path, **about)
    with pytest.raises(UserError, match=said) as error:
        import_checkpoint(study=study, file=upload(path), by=None)
    assert str(error.value).startswith("dictionary.zip: ")
    assert not Checkpoint.objects.exists()


def test_a_broken_upload_is_refused_by_the_api(tmp_path):
    study = new_study()
    lead = person("researcher", study)
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as zipped:
        zipped.writestr("../evil.pkl", "x")
    file = SimpleUploadedFile("evil.zip", out.getvalue())
    answer = as_person(lead).post(f"/api/studies/{study.slug}/checkpoints/", {"file": file})
    assert answer.status_code == 400
    assert answer.json()["detail"].startswith("evil.zip, ")


def test_a_changed_file_in_storage_is_not_used(tmp_path):
    made = checkpoint(new_study(), tmp_path)
    with default_storage.open(made.file.name, "r+b") as file:
        file.seek(-30, 2)
        file.write(b"?")
    with pytest.raises(UserError, match="is not the one that was put there"):
        artifacts.local_copy(made)


def test_a_checkpoint_may_be_larger_than_other_uploads(tmp_path, settings):
    settings.UPLOAD_LIMIT_BYTES = 100
    study = new_study()
    lead = person("researcher", study)
    path = packed(tmp_path)
    answer = as_person(lead).post(f"/api/studies/{study.slug}/checkpoints/", {"file": upload(path)})
    assert answer.status_code == 201, answer.content
    settings.CHECKPOINT_LIMIT_BYTES = 100
    answer = as_person(lead).post(f"/api/studies/{study.slug}/checkpoints/", {"file": upload(path)})
    assert answer.status_code == 400
    assert (
        answer.json()["detail"] == "dictionary.zip: the file is too large; an upload may have at most 100 bytes in all."
    )


def test_few_copies_stay_on_a_machine(tmp_path, monkeypatch):
    monkeypatch.setattr(artifacts, "KEPT_COPIES", 2)
    monkeypatch.setattr(artifacts, "IN_USE_SECONDS", -1)
    found = []
    for number in range(4):
        (tmp_path / str(number)).mkdir()
        made = checkpoint(new_study(), tmp_path / str(number), trained={"seed": number})
        found.append(artifacts.local_copy(made))
    assert len(set(found)) == 4
    assert [one.exists() for one in found] == [False, False, True, True]
