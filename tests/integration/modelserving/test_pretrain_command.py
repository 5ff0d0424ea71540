"""manage.py pretrain: on a study's texts, stopped and gone on with, by two processes, or one sentence."""

import json
import os
import signal
import subprocess
import sys

import pytest
from django.core.management import CommandError, call_command
from support.processes import as_loaded, wait_until
from support.training_studies import training_study

from corpora.models import Sentence
from foundation.project import ROOT
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.pretraining.training import SIZES, Size
from modelserving.training_runs.execution import run_training

SMALL = ["--words", "150", "--length", "16", "--batch", "4", "--device", "cpu"]
PRETRAIN = [sys.executable, "manage.py", "pretrain"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def call(environment, *command):
    patience = as_loaded(400)
    return subprocess.run(list(command), cwd=ROOT, env=environment, capture_output=True, timeout=patience, check=False)


def weights(folder):
    return (folder / "model.safetensors").read_bytes()


def test_a_study_is_pretrained_on_and_its_test_texts_are_not(monkeypatch, capfd, own_interrupt, tmp_path):
    monkeypatch.setitem(SIZES, "tiny", Size(2, 32, 64, 2))
    study = training_study(24)
    study.terms, study.terms_version = "Nobody passes these on.", 2
    study.save()
    held = Sentence.objects.filter(direction__study=study, split="test").values_list("text", flat=True)
    notes = tmp_path / "notes.txt"
    notes.write_text("\n".join([*held, "a line of a lab's own"]))
    root = tmp_path / "models"
    root.mkdir()
    monkeypatch.setenv("RESTYLE_MODELS", str(root))
    command = [*PRETRAIN[2:], "--study", study.slug, "--texts", str(notes), *SMALL, "--steps", "3"]
    call_command(*command, "--out", str(root / "ours"))
    said = capfd.readouterr()
    assert "manage.py train t5 --set folder=ours --study ..." in said.out
    assert f"{len(held)} texts left out: they stand in the test split of this study." in said.err
    about = json.loads((root / "ours" / "pretraining.json").read_text())
    assert about["texts"]["texts"] == 2 * 16 + 1  # sources and references of train, and the line that is free
    assert (about["study"]["slug"], about["study"]["terms_version"]) == (study.slug, 2)
    assert about["study"]["terms"] == "Nobody passes these on."
    assert about["validation_loss"] > 0
    assert "may not have this folder" in about["notice"]
    assert not (root / "ours" / "state").exists()
    options = {"folder": "ours", "epochs": 1, "write": 8, "read": 16}
    run = start_training(study=study, model="t5", options=options, device="cpu", by=None, send=False)
    run_job(run.job_id, run_training)
    assert Job.objects.get(pk=run.job_id).state == Job.State.DONE


@pytest.mark.soak
def test_it_is_stopped_and_killed_and_ends_as_one_that_was_left_alone(environment, tmp_path):
    texts = tmp_path / "notes.txt"
    texts.write_text("\n".join(f"Patient {number} was seen. There was no fever." for number in range(60)))
    command = [*PRETRAIN, "--texts", str(texts), *SMALL, "--steps", "16", "--keep-every", "2", "--architecture", "bart"]
    left = call(environment, *command, "--out", str(tmp_path / "left"))
    assert left.returncode == 0, left.stderr.decode()
    out = tmp_path / "parts"
    last = out / "state" / "last" / "position.json"
    for number, status in ((signal.SIGKILL, -9), (signal.SIGTERM, os.EX_TEMPFAIL), (signal.SIGINT, 130)):
        before = last.stat().st_mtime_ns if last.exists() else 0
        process = subprocess.Popen(
            [*command, "--out", str(out)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )

        def kept(before=before, process=process):
            return process.poll() is not None or (last.exists() and last.stat().st_mtime_ns > before)

        wait_until(kept, "Nothing kept")
        process.send_signal(number)
        _, said = process.communicate(timeout=as_loaded(120))
        assert process.returncode == status, said.decode()
        assert b"Traceback" not in said
        if status == 130:
            assert "Stopped; the same command goes on." in said.decode()
    done = call(environment, *command, "--out", str(out))
    assert done.returncode == 0, done.stderr.decode()
    assert weights(out) == weights(tmp_path / "left")


@pytest.mark.soak
def test_two_processes_do_what_one_does(environment, tmp_path):
    from safetensors.numpy import load_file

    texts = tmp_path / "notes.txt"
    texts.write_text("\n".join(f"Patient {number} was seen. There was no fever." for number in range(60)))
    for processes, name in ((1, "alone"), (2, "both")):
        torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
        given = ["--texts", str(texts), *SMALL, "--steps", "2", "--rate", "0.00001", "--out", str(tmp_path / name)]
        done = call(environment, sys.executable, *torchrun, *PRETRAIN[1:], *given)
        assert done.returncode == 0, done.stderr.decode()
    alone, both = (load_file(tmp_path / name / "model.safetensors") for name in ("alone", "both"))
    assert alone.keys() == both.keys()
    assert max(float(abs(alone[name] - both[name]).max()) for name in alone) < 1e-4  # dropout is each process's own
    assert not (tmp_path / "both" / "state").exists()


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ([], "Say --study, --texts, or both."),
        (["--study", "none"], "There is no study 'none'."),
        (["--texts", "none.txt"], "none.txt: There is no such file."),
        (["--texts", "manage.py", "--rate", "7"], "--rate: Expected a number from 10⁻⁸ to 1."),
        (["--texts", "manage.py", "--from", "none"], "--from: There is no pretrained model 'none' below RESTYLE_MODELS; put it there."),  # noqa: E501
        (["--texts", "tests/__init__.txt"], "tests/__init__.txt: There is no such file."),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence_and_changes_nothing(monkeypatch, tmp_path, arguments, sentence):
    monkeypatch.chdir(ROOT)
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    with pytest.raises(CommandError) as raised:
        call_command("pretrain", *arguments, "--out", str(tmp_path / "out"), "--device", "cpu")
    assert str(raised.value) == sentence
    assert not (tmp_path / "out").exists()


def test_a_model_that_is_gone_on_from_keeps_its_architecture_and_size(monkeypatch, own_interrupt, tmp_path):
    from support import tiny_transformers

    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    tiny_transformers.make("t5", tmp_path / "tiny")
    texts = tmp_path / "notes.txt"
    texts.write_text("she saw a dr\nu guys luv that song\n")
    given = ["--texts", str(texts), "--from", "tiny", "--out", str(tmp_path / "on"), "--device", "cpu"]
    for name, value in (("architecture", "bart"), ("size", "small"), ("words", "500")):
        with pytest.raises(CommandError, match=f"--{name}: A model that is gone on from keeps its own."):
            call_command("pretrain", *given, f"--{name}", value)
    call_command("pretrain", *given, "--steps", "2", "--length", "16", "--batch", "2")
    about = json.loads((tmp_path / "on" / "pretraining.json").read_text())
    assert about["from"]["folder"] == "tiny"
    assert about["from"]["digest"]
    assert about["architecture"] == "t5"
    with pytest.raises(CommandError, match="There is a pretrained model already"):
        call_command("pretrain", *given)
