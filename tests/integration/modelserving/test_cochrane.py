"""Cochrane's abstracts and their plain-language summaries (Devaraj et al. 2021) as a study of documents, all the way.

The way is tested, not the score: few documents, and a few steps of small models.
"""

from pathlib import Path

import pytest
from django.core.management import call_command

from corpora.models import Study
from evaluation.actions.make_report import make_report
from foundation.errors import UserError
from foundation.project import ROOT
from jobs.execution import run_job
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.presenters.model_kinds import length_sentences
from modelserving.training_runs.execution import run_training
from modelserving.transfer import TRANSFERS
from modelserving.transfer_runs import run_transfer

COCHRANE = next((one / "shared/data/cochrane" for one in ROOT.parents if (one / "shared/data/cochrane").is_dir()), None)
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.slow,
    pytest.mark.skipif(COCHRANE is None, reason="the real data are not here: no ../shared/data/cochrane"),
]

STUDY = """
[study]
slug = "cochrane"
title = "Cochrane's abstracts in plain language"
styles = ["technical", "plain"]
unit = "document"

[[directions]]
source_style = "technical"
target_style = "plain"
train = "train.source"
tune = "tune.source"
test = "test.source"

[[references]]
direction = "technical-plain"
train = "train.target"
tune = "tune.target"
test = "test.target"

[metrics]
sari = {}
fkgl = {}
"""
PARTS = {"train": slice(0, 24), "tune": slice(24, 28), "test": slice(28, 33)}


@pytest.fixture
def study(tmp_path: Path, settings, monkeypatch) -> Study:
    settings.WORK_FOLDER = tmp_path / "work"
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path / "models"))
    (tmp_path / "models").mkdir()
    for side in ("source", "target"):
        lines = (COCHRANE / f"val.{side}").read_text(encoding="utf-8").splitlines()
        for split, part in PARTS.items():
            (tmp_path / f"{split}.{side}").write_text("\n".join([*lines[part], ""]), encoding="utf-8")
    (tmp_path / "study.toml").write_text(STUDY)
    call_command("apply_study", str(tmp_path / "study.toml"))
    return Study.objects.get()


def trained_and_scored(study, model, options, decoding):
    run = start_training(study=study, model=model, options=options, device="cpu", by=None)
    run_job(run.job_id, run_training)
    run.job.refresh_from_db()
    assert run.job.state == Job.State.DONE, run.job.log
    transfer = start_transfer(
        study=study, checkpoint=run.checkpoints.get(kind="best"), name=model, split="test", settings=decoding, by=None
    )
    run_job(transfer.job_id, run_transfer)
    transfer.job.refresh_from_db()
    assert transfer.job.state == Job.State.DONE, transfer.job.log
    run.refresh_from_db()
    [row] = make_report(study=study).content["systems"]
    return run, transfer, row


def test_documents_are_longer_than_usual_and_this_is_said_before_it_is_queued(study):
    direction, kind = study.directions.get(), TRANSFERS["seq2seq"]
    with pytest.raises(UserError, match="No pair is short enough to train on: each of 24 is longer than 100 words"):
        start_training(study=study, model="seq2seq", by=None)
    [said] = length_sentences(kind, kind.Options(longest=500), study, direction)
    assert said.endswith("of 24 pairs are longer than 500 words and would be left out.")


@pytest.mark.soak
def test_a_transformer_learns_rewrites_and_is_scored_by_documents(study):
    small = {
        "longest": 2000, "subwords": 600, "hidden": 16, "layers": 1, "heads": 2, "feedforward": 16, "epochs": 2,
        "batch": 4, "tune_by": "perplexity",
    }  # fmt: skip
    run, transfer, row = trained_and_scored(study, "transformer", small, {"beam": 1})
    assert run.counts == {"pairs": 24, "tune": 4, "technical": 24, "plain": 24}
    assert (transfer.job.total, transfer.system.outputs.count()) == (5, row["outputs"])


@pytest.mark.soak
def test_a_t5_that_was_pretrained_on_its_train_side_does_too(study, tmp_path):
    call_command(
        "pretrain", "--study", study.slug, "--out", str(tmp_path / "models" / "cochrane-t5"), "--steps", "4",
        "--words", "500", "--length", "64", "--batch", "4", "--device", "cpu",
    )  # fmt: skip
    options = {"folder": "cochrane-t5", "read": 128, "write": 32, "epochs": 1, "batch": 8, "tune_most": 2}
    kind = TRANSFERS["t5"]
    [said] = length_sentences(kind, kind.Options(**options), study, study.directions.get())
    assert said.endswith("tokens in the source or 32 in the reference and would be cut off there.")
    run, transfer, row = trained_and_scored(
        study, "t5", options | {"rate": 0.003}, {"beam": 1, "longest": 24, "sample": True}
    )
    assert run.counts["pairs"] == 24
    assert transfer.job.total == 5
    written = list(transfer.system.outputs.values_list("text", flat=True))
    assert len(written) == row["outputs"] == row["metrics"]["sari"]["n"] == row["metrics"]["fkgl"]["n"]
    assert written
