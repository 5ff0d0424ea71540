"""manage.py train and transfer, as a cluster's scheduler starts them: real processes, and two of torchrun's."""

import io
import os
import signal
import subprocess
import sys

import psutil
import pytest
from django.core.management import CommandError, call_command
from support.checkpoints import packed
from support.held_trainings import held, wait_until_held, weights
from support.processes import as_loaded, wait_until
from support.training_studies import training_study

from foundation.project import ROOT
from jobs.models import Job
from modelserving.models import Checkpoint, TrainingRun
from modelserving.training.checkpoint import verify

SMALL = ["hidden=8", "embedding=8", "batch=4", "epochs=3", "dropout=0"]
TRAIN = [sys.executable, "manage.py", "train", "seq2seq", "--device", "cpu"]
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def call(environment, *command, stdin=b""):
    return subprocess.run(
        list(command), input=stdin, cwd=ROOT, env=environment, capture_output=True, timeout=as_loaded(400), check=False
    )


@pytest.fixture
def run_here(monkeypatch, capfd, own_interrupt):
    """`run_here("train", ...)` runs a command in this process; what it wrote to its two outputs."""

    def run(*command, stdin=b""):
        monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin)))
        call_command(*command)
        return capfd.readouterr()

    return run


def test_a_model_is_trained_and_rewrites(environment, run_here, tmp_path):
    """It rewrites from the file in a process of its own, where no server is."""
    study, out = training_study(24), tmp_path / "net.zip"
    said = run_here(*TRAIN[2:], "--study", study.slug, "--set", *SMALL, "--seed", "3", "--out", str(out))
    run = TrainingRun.objects.get(study=study)
    assert (run.job.state, run.seed, run.options["hidden"]) == (Job.State.DONE, 3, 8)
    assert f"of training {run.pk}: {out}" in said.out
    assert "loss" in said.err  # the bar
    assert run.curves.filter(name="loss").exists()
    assert verify(out).trained["seed"] == 3
    lines = "wat u\n\nr u 👍\n".encode()
    alone = {
        **environment,
        "DATABASE_URL": "postgresql://nobody@127.0.0.1:9/none",
        "REDIS_URL": "redis://127.0.0.1:9/0",
    }
    first = call(alone, sys.executable, "manage.py", "transfer", str(out), stdin=lines)
    assert first.returncode == 0, first.stderr.decode()
    assert first.stdout.decode().count("\n") == 3
    assert first.stdout.decode().split("\n")[1] == ""
    pk = str(run.checkpoints.get(kind="best").pk)
    assert run_here("transfer", pk, "--set", "beam=5", stdin=lines).out == first.stdout.decode()


@pytest.mark.soak
def test_two_processes_train_what_one_does(environment):
    study = training_study(24)
    alone = call(environment, *TRAIN, "--study", study.slug, "--set", *SMALL)
    assert alone.returncode == 0, alone.stderr.decode()
    torchrun = [sys.executable, "-m", "torch.distributed.run", "--standalone", "--nproc-per-node=2", *TRAIN[1:]]
    both = call(environment, *torchrun, "--study", study.slug, "--set", *SMALL)
    assert both.returncode == 0, both.stderr.decode()
    one, two = TrainingRun.objects.filter(study=study).order_by("pk")
    assert two.job.state == Job.State.DONE
    assert two.checkpoints.count() == 2
    for name in ("loss", "bleu"):
        assert two.curves.get(name=name).values == pytest.approx(one.curves.get(name=name).values, rel=1e-4)


@pytest.mark.soak
def test_it_is_stopped_and_goes_on(environment):
    study = training_study(24)
    command = [*TRAIN, "--study", study.slug, "--set", *SMALL[:3], "epochs=10000", "patience=0"]
    process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    wait_until(lambda: Checkpoint.objects.filter(kind="last").exists() or process.poll() is not None, "Nothing kept")
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=as_loaded(120))
    assert process.returncode == 130, said.decode()
    run = TrainingRun.objects.get(study=study)
    assert f"Stopped; go on with: manage.py train --resume {run.pk}" in said.decode()
    assert b"Traceback" not in said
    assert run.job.state == Job.State.CANCELLED
    done = run.job.done
    assert done > 0
    process = subprocess.Popen(
        [*TRAIN[:3], "--resume", str(run.pk)], cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    wait_until(lambda: Job.objects.get(pk=run.job_id).done > done or process.poll() is not None, "It did not go on")
    process.terminate()  # as schedulers do
    _, said = process.communicate(timeout=as_loaded(120))
    assert process.returncode == os.EX_TEMPFAIL, said.decode()
    assert f"Stopped by SIGTERM; go on with: manage.py train --resume {run.pk}" in said.decode()
    assert Job.objects.get(pk=run.job_id).attempts == 1


@pytest.mark.soak
@pytest.mark.parametrize(
    ("number", "processes", "status"), [(signal.SIGUSR1, 1, os.EX_TEMPFAIL), (signal.SIGTERM, 2, 1)]
)
def test_a_cluster_that_takes_its_machine_back_starts_the_same_command_again(
    environment, tmp_path, number, processes, status
):
    study, file = training_study(24), tmp_path / "number"
    torchrun = ["-m", "torch.distributed.run", "--standalone", f"--nproc-per-node={processes}"]
    options = ["--study", study.slug, "--set", *SMALL[:3], "epochs=5", "patience=0"]
    command = [TRAIN[0], *(torchrun if processes > 1 else []), *TRAIN[1:], *options]
    undisturbed = call(environment, *command)
    assert undisturbed.returncode == 0, undisturbed.stderr.decode()
    command += ["--number-to", str(file)]
    with held():
        process = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        wait_until_held()
        for one in [*psutil.Process(process.pid).children(recursive=True), process]:
            os.kill(one.pid, number)  # Slurm's signals go to all processes of a step
    _, said = process.communicate(timeout=as_loaded(120))
    assert process.returncode == status, said.decode()
    first, run = TrainingRun.objects.order_by("pk")
    assert file.read_text() == f"{run.pk}\n"
    assert f"Stopped by {number.name}; go on with: manage.py train --resume {run.pk}" in said.decode()
    assert (run.job.state, run.checkpoints.count()) == (Job.State.CANCELLED, 2)
    again = call(environment, *command)
    assert again.returncode == 0, again.stderr.decode()
    assert TrainingRun.objects.get(pk=run.pk).job.state == Job.State.DONE
    assert weights(run) == weights(first)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["train", "seq2sqe", "--study", "none"], "There is no study 'none'."),
        (["train"], "Say the model and --study, or --resume with the number of a training."),
        (["train", "--resume", "99"], "There is no training 99."),
        (["transfer", "nothing"], "There is no file, no checkpoint and no untrained model 'nothing'."),
        (["transfer", "manage.py"], "manage.py: The file is not a checkpoint, or is broken: it is not a readable ZIP archive."),  # noqa: E501
        (["transfer", "rule_based_formality", "--set", "strngth=1", "--direction", "informal-formal"],
         "strngth: There is no such option; did you mean strength?"),
    ],
)  # fmt: skip
def test_what_cannot_be_done_is_one_sentence(monkeypatch, arguments, sentence):
    monkeypatch.chdir(ROOT)
    with pytest.raises(CommandError) as refused:
        call_command(*arguments)
    assert str(refused.value) == sentence
    assert refused.value.returncode == 1


def test_what_a_study_lacks(own_interrupt):
    study = training_study(24)
    study.directions.get().sentences.update(split="test")
    with pytest.raises(CommandError, match=r"hidden: Expected a whole number\."):
        call_command(*TRAIN[2:], "--study", study.slug, "--set", "hidden=x")
    with pytest.raises(CommandError, match="There is nothing to train on"):
        call_command(*TRAIN[2:], "--study", study.slug)
    assert not TrainingRun.objects.exists()


def test_rules_and_dictionaries_rewrite_too(run_here, tmp_path):
    rules = ["transfer", "rule_based_formality", "--direction", "informal-formal"]
    assert run_here(*rules, stdin=b"u r gr8\n").out == "You are great.\n"
    assert run_here("transfer", str(packed(tmp_path)), stdin=b"pt was seen\n").out == "patient was seen\n"
    with pytest.raises(CommandError, match=r"standard input: The lines are not in UTF-8\."):
        run_here("transfer", str(packed(tmp_path, "b.zip")), stdin=b"\xff\n")
