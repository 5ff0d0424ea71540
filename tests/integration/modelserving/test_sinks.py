"""Curves and results of a training at TensorBoard, MLflow and Weights & Biases, read back by their own libraries.

None of them is installed by default: a test skips where its library is missing.
"""

import json
import struct
from pathlib import Path

import pytest
from support.training_studies import training_study

from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.sinks import SINKS, Point, Report, Sink
from modelserving.training_runs.execution import run_training

pytestmark = pytest.mark.django_db(transaction=True)
SECRET_WORDS = ("thx", "thanks", "Texts to train on", "My own name")


@pytest.fixture(autouse=True)
def folders(settings, tmp_path, monkeypatch):
    settings.DATA, settings.WORK_FOLDER = tmp_path, tmp_path / "work"
    for name in ("MLFLOW_TRACKING_URI", "WANDB_MODE", "WANDB_API_KEY", "WANDB_PROJECT"):
        monkeypatch.delenv(name, raising=False)


def train(settings, *sinks) -> TrainingRun:
    settings.SINKS = list(sinks)
    study = training_study()
    run = start_training(study=study, model="seq2seq", name="My own name", device="cpu", by=None, options={
        "hidden": 8, "embedding": 8, "batch": 4, "epochs": 2, "patience": 0, "tune_by": "bleu",
    })  # fmt: skip
    run_job(run.job_id, run_training)
    return TrainingRun.objects.select_related("job").get(pk=run.pk)


def curves(run):
    return {curve.name: dict(zip(curve.steps, curve.values, strict=True)) for curve in run.curves.all()}


def test_tensorboard_has_the_curves(settings, tmp_path):
    reader = pytest.importorskip(
        "tensorboard.backend.event_processing.event_accumulator", reason="TensorBoard is not installed"
    )
    run = train(settings, "tensorboard")
    assert run.job.state == Job.State.DONE, run.job.error
    (folder,) = (tmp_path / "sinks" / "tensorboard").glob("*/*")
    found = reader.EventAccumulator(str(folder)).Reload()
    name = run.best["curve"]
    read = {event.step: event.value for event in found.Scalars(name)}
    assert read == pytest.approx(curves(run)[name])
    assert found.Scalars("options/hidden")[0].value == 8
    assert found.Scalars(f"results/best_{name}")[0].value == pytest.approx(run.best["value"])
    without_texts(tmp_path / "sinks")


def test_mlflow_has_the_curves_and_one_run_for_a_training_that_was_resumed(settings, tmp_path):
    tracking = pytest.importorskip("mlflow.tracking", reason="MLflow is not installed")
    run = train(settings, "mlflow")
    assert run.job.state == Job.State.DONE, run.job.error
    assert "gets no more" not in run.job.log
    Job.objects.update(state=Job.State.QUEUED)
    run_job(run.job_id, run_training)  # from its last checkpoint, at the end
    client = tracking.MlflowClient(tracking_uri=(tmp_path / "sinks" / "mlflow").as_uri())
    experiment = client.get_experiment_by_name(f"restyle-study-{run.study_id}")
    (kept,) = client.search_runs([experiment.experiment_id])
    name = run.best["curve"]
    read = {one.step: one.value for one in client.get_metric_history(kept.info.run_id, name)}
    assert read == pytest.approx(curves(run)[name])
    assert (kept.info.status, kept.data.params["hidden"]) == ("FINISHED", "8")
    assert kept.data.metrics[f"result best {name}"] == pytest.approx(run.best["value"])
    without_texts(tmp_path / "sinks")


def test_wandb_has_the_curves_offline(settings, tmp_path):
    records = pytest.importorskip("wandb.proto.wandb_internal_pb2", reason="Weights & Biases is not installed")
    run = train(settings, "wandb")
    assert run.job.state == Job.State.DONE, run.job.error
    assert "gets no more" not in run.job.log
    (file,) = (tmp_path / "sinks" / "wandb").rglob("*.wandb")
    rows = list(wandb_history(file, records))
    name = run.best["curve"]
    assert {row["update"]: row[name] for row in rows if name in row} == pytest.approx(curves(run)[name])
    without_texts(tmp_path / "sinks")


def wandb_history(file, records):
    """The rows of a run that was kept offline: records of protocol buffers in a log of LevelDB's format.

    Its blocks of 32 KiB hold fragments, each behind 7 bytes: a checksum, the length, and the kind (whole, first,
    middle, last).
    """
    content, place, record = file.read_bytes(), 7, b""
    assert content[:4] == b":W&B"
    while place + 7 <= len(content):
        if 2**15 - place % 2**15 < 7:
            place += 2**15 - place % 2**15
            continue
        length, kind = struct.unpack_from("<HB", content, place + 4)
        record, place = record + content[place + 7 : place + 7 + length], place + 7 + length
        if kind in (1, 4):
            found = records.Record.FromString(record)
            record = b""
            if found.WhichOneof("record_type") == "history":
                yield {item.key or item.nested_key[0]: json.loads(item.value_json) for item in found.history.item}


def without_texts(folder: Path):
    """No word of the study's texts, its title or the training's name is in any file or its name."""
    files = [one for one in folder.rglob("*") if one.is_file()]
    assert files
    for file in files:
        content = file.read_bytes() + str(file.relative_to(folder)).encode()
        assert not [word for word in SECRET_WORDS if word.encode() in content], file


class Broken(Report):
    def points(self, points: list[Point]) -> None:
        raise ConnectionError("The server\nis away.")

    def end(self, results, *, done):
        pytest.fail("It was left out")


class BrokenSink(Sink):
    program, library = "Broken", "json"

    def begin(self, subject):
        return Broken()


def test_a_sink_that_fails_is_told_once_and_stops_nothing(settings, monkeypatch):
    monkeypatch.setitem(SINKS._loaded, "tensorboard", BrokenSink())
    run = train(settings, "tensorboard")
    assert run.job.state == Job.State.DONE, run.job.error
    assert run.job.log.count("Broken gets no more of this training: The server is away.") == 1


@pytest.mark.parametrize("name", SINKS.names())
def test_a_missing_library_is_one_sentence_before_anything_begins(name, settings, monkeypatch):
    monkeypatch.setattr(type(SINKS[name]), "library", "no_such_library")
    run = train(settings, name)
    assert (run.job.state, run.data_digest) == (Job.State.FAILED, "")
    assert run.job.error == (
        f"RESTYLE_SINKS names {SINKS[name].program}, whose library this worker lacks: pip install no_such_library."
    )


def test_a_sink_that_does_not_exist_is_one_sentence(settings):
    run = train(settings, "tensorbord")
    assert (run.job.state, "tensorboard" in run.job.error) == (Job.State.FAILED, True)
