"""Texts under terms that keep them here: no page, endpoint, study file or command has them sent outside."""

import io
import json
import sys
from pathlib import Path

import pytest
from django.core.files import File
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from django.urls import reverse
from support.campaigns import person
from support.clients import as_person, with_token
from support.language_model_server import served
from support.study_files import beginning
from support.training_studies import training_study

from accounts.permissions import Role
from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError
from foundation.options import list_options
from jobs.models import Job
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.start_transfer import start_transfer
from modelserving.models import Checkpoint, TransferRun
from modelserving.training.checkpoint import Manifest, pack, unpack, verify
from modelserving.transfer import TRANSFERS
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db(transaction=True)
OPTIONS = {"endpoint": "far", "model": "tiny", "tune_most": 0}
RESTRICTED = "The texts of this study are restricted, so they may not go to far, which is outside."
MADE_OF = "model: This checkpoint was made of restricted texts, so nothing may go to far, which is outside."
SAY_SO = (
    "standard input: The lines would go to far, which is outside; give --texts-may-leave if their terms allow that."
)


@pytest.fixture(autouse=True)
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"near={one.url} models=tiny local=1; far={one.url} models=tiny")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


@pytest.fixture
def study(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    return training_study()


def restrict(study, restricted=True):
    Study.objects.filter(pk=study.pk).update(restricted=restricted)


def train(study, out: Path, *options: str, endpoint="far") -> Path:
    """A prompted model of the study as a file, by the command."""
    chosen = [f"endpoint={endpoint}", "model=tiny", "tune_most=0", *options]
    call_command("train", "prompted", study=study.slug, set=chosen, device="cpu", out=out)
    return out


def rewrite(monkeypatch, capsys, file, *flags: str) -> str:
    """What `manage.py transfer` writes for one line."""
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(b"wat r u\n")))
    capsys.readouterr()
    call_command("transfer", str(file), *flags, device="cpu")
    return capsys.readouterr().out


# Pages and the API


def test_the_page_of_a_training_says_so_beside_the_form(study, server):
    restrict(study)
    usual = {one.name: one.default for one in list_options(TRANSFERS["prompted"].Options)}
    chosen = {f"option-{name}": value for name, value in {**usual, **OPTIONS}.items() if value is not False}
    asked = {"model": "prompted", "seed": "1", "device": "cpu", "option-shown": "prompted", **chosen}
    client = as_person(person(Role.RESEARCHER, study))
    answer = client.post(reverse("training_new", args=[study.slug]), asked)
    assert (answer.status_code, answer.content.decode().count(RESTRICTED)) == (422, 1)
    assert not Job.objects.exists()
    answer = client.post(reverse("training_new", args=[study.slug]), {**asked, "option-endpoint": "near"})
    assert answer.status_code == 302
    assert server.requests == []


def test_pages_and_api_of_runs_say_so(study, server, tmp_path):
    train(study, tmp_path / "prompted.zip")
    checkpoint, jobs = study.checkpoints.get(kind="best"), Job.objects.count()
    restrict(study)
    lead = person(Role.RESEARCHER, study)
    client, api = as_person(lead), with_token(lead)
    asked = {"model": f"checkpoint-{checkpoint.pk}", "name": "Prompted"}
    direction = study.directions.get()
    for name, more in (("transfer_new", {}), ("transfer_file", {"direction": direction.pk, "file": lines()})):
        answer = client.post(reverse(name, args=[study.slug]), {**asked, **more})
        assert (answer.status_code, RESTRICTED in answer.content.decode()) == (422, True), name
    sent = {"checkpoint": checkpoint.pk, "direction": direction.name, "file": lines()}
    for address, body in (
        ("transfers/", {"data": json.dumps({"checkpoint": checkpoint.pk, "name": "x"}),
                        "content_type": "application/json"}),
        ("transfers/file/", {"data": sent}),
        ("trainings/", {"data": json.dumps({"model": "prompted", "options": OPTIONS}),
                        "content_type": "application/json"}),
    ):  # fmt: skip
        answer = api.post(f"/api/studies/{study.slug}/{address}", **body)
        assert (answer.status_code, answer.json()) == (400, {"detail": f"model: {RESTRICTED}"}), address
    assert Job.objects.count() == jobs
    assert not TransferRun.objects.exists()
    assert server.requests == []


def lines() -> SimpleUploadedFile:
    return SimpleUploadedFile("lines.txt", b"wat r u\n")


# Study files

TRAINING = """
[[trainings]]
name = "Prompted"
model = "prompted"
direction = "informal-formal"
options = { endpoint = "far", model = "tiny", tune_most = 0 }
"""


def apply(text: str):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened={"sources": b"wat r u\n"}.__getitem__)


def test_a_study_file_does_not_train_on_a_study_that_is_restricted(server):
    study, _ = apply(beginning("sources"))
    restrict(study)
    with pytest.raises(UserError) as refused:
        apply(beginning("sources") + TRAINING)
    assert str(refused.value) == f"study.toml, training Prompted, model: {RESTRICTED}"
    assert not study.trainings.exists()
    assert not Job.objects.exists()
    restrict(study, False)
    assert apply(beginning("sources") + TRAINING)[1] == ["training Prompted"]
    assert server.requests == []


def test_a_template_of_restricted_texts_keeps_them_from_its_first_training_on(server):
    text = '[study]\nslug = "notes"\ntitle = "Notes"\ntemplate = "medlane"\n'
    text += TRAINING.replace("informal-formal", "clinical-plain")
    with pytest.raises(UserError, match=RESTRICTED):
        apply(text)
    assert not Study.objects.exists()
    apply(text.replace('"far"', '"near"'))
    assert Study.objects.get().restricted
    assert server.requests == []


# Files of the command


def test_a_file_sends_lines_outside_only_where_somebody_says_that_they_may(
    study, server, tmp_path, monkeypatch, capsys
):
    file = train(study, tmp_path / "prompted.zip", "shots=2")
    assert verify(file).trained["restricted"] is False
    restrict(study)  # which a file that was taken before does not know
    with pytest.raises(CommandError) as refused:
        rewrite(monkeypatch, capsys, file)
    assert (str(refused.value), server.requests) == (SAY_SO, [])
    assert rewrite(monkeypatch, capsys, file, "--texts-may-leave").startswith("WAT R U ")
    assert len(server.requests) == 1


def test_a_file_of_an_endpoint_of_the_lab_needs_no_word(study, server, tmp_path, monkeypatch, capsys):
    restrict(study)
    file = train(study, tmp_path / "prompted.zip", "shots=2", endpoint="near")
    assert rewrite(monkeypatch, capsys, file).startswith("WAT R U ")
    assert len(server.requests) == 1


def test_a_file_that_was_made_of_restricted_texts_sends_nothing_outside_whatever_is_said(
    study, server, tmp_path, monkeypatch, capsys
):
    restrict(study)
    file = train(study, tmp_path / "prompted.zip", endpoint="near")
    assert verify(file).trained["restricted"] is True
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"near={server.url} models=tiny")  # as another site has it
    for flags in ((), ("--texts-may-leave",)):
        with pytest.raises(CommandError) as refused:
            rewrite(monkeypatch, capsys, file, *flags)
        assert str(refused.value) == MADE_OF.replace("far", "near")
    other = training_study()
    with file.open("rb") as opened:
        imported = import_checkpoint(study=other, file=File(opened, "prompted.zip"), by=None)
    with pytest.raises(UserError) as caught:
        start_transfer(study=other, checkpoint=imported, name="Prompted", by=None)
    assert str(caught.value) == MADE_OF.replace("far", "near")
    page = as_person(person(Role.RESEARCHER, other)).get(reverse("checkpoint", args=[other.slug, imported.pk]))
    assert "restricted texts: nothing may go to an outside service" in page.content.decode()
    assert server.requests == []


def test_a_file_whose_manifest_names_another_endpoint_than_its_model_is_refused_at_its_first_call(
    study, server, tmp_path, monkeypatch, capsys
):
    """The manifest can be written by anybody: what is asked is what the model really asks."""
    file = train(study, tmp_path / "prompted.zip")
    files = tmp_path / "files"
    manifest = unpack(file, files)
    forged = {**vars(manifest), "options": {**manifest.options, "endpoint": "near"}}
    pack(files, Manifest(**forged), tmp_path / "forged.zip")
    with pytest.raises(CommandError) as refused:
        rewrite(monkeypatch, capsys, tmp_path / "forged.zip")
    assert (str(refused.value), server.requests) == (SAY_SO, [])


def test_a_checkpoint_of_a_study_goes_by_the_studys_terms_whatever_is_said(
    study, server, tmp_path, monkeypatch, capsys
):
    train(study, tmp_path / "prompted.zip")
    best = Checkpoint.objects.get(kind="best")
    restrict(study)
    with pytest.raises(CommandError) as refused:
        rewrite(monkeypatch, capsys, best.pk, "--texts-may-leave")
    assert (str(refused.value), server.requests) == (f"model: {RESTRICTED}", [])
    restrict(study, False)
    assert rewrite(monkeypatch, capsys, best.pk).startswith("WAT R U ")
