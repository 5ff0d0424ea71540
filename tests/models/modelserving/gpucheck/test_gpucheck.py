"""gpucheck on this machine's processor, small, as one calls it on a GPU; Django cannot be imported there."""

import json
import os
import subprocess
import sys

import pytest
import torch

from foundation.project import ROOT
from modelserving.gpucheck import __main__ as program
from modelserving.gpucheck import suite
from modelserving.gpucheck.names import CHECKS, Listed
from modelserving.gpucheck.peaks import peak_of
from modelserving.gpucheck.report import read_rows

WITHOUT = "import sys\nfor name in ('django', 'celery', 'psycopg', 'redis'): sys.modules[name] = None\n"


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The environment of a machine that has PyTorch and no Django."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "sitecustomize.py").write_text(WITHOUT)
    return {**os.environ, "PYTHONPATH": str(folder)}


@pytest.fixture(scope="module")
def out(tmp_path_factory, bare):
    """The folder after all checks."""
    folder = tmp_path_factory.mktemp("checked")
    done = called(bare, folder)
    assert done.returncode == 0, done.stdout + (folder / "gpucheck.md").read_text()
    return folder


def called(environment, folder, *arguments):
    command = [sys.executable, "-m", "modelserving.gpucheck", "--out", str(folder), "--device", "cpu", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1200, check=False)


@pytest.mark.slow
def test_every_check_passes(out):
    rows = json.loads((out / "gpucheck.json").read_text())["checks"]
    assert list(rows) == list(CHECKS)
    assert {name: row["said"] for name, row in rows.items() if row["status"] != "passed"} == {}
    assert rows["machine"]["found"]["torch"] == torch.__version__
    assert rows["resume"]["found"]["transformer"]["equal"] is True
    assert 0 < rows["resume"]["found"]["transformer"]["killed at step"] < 200
    assert rows["one_rank"]["found"]["backend"] == "gloo"
    assert rows["memory"]["found"]["split"] is True
    assert set(rows["networks"]["found"]) > {"pointer", "transformer", "multi decoder"}
    for name in ("own_transformer", "own_lstm"):
        assert rows[name]["found"]["tokens a second"] > 0
    for name in ("t5_base", "bart_large", "llama_8b_lora"):
        assert rows[name]["found"]["training"]["teraflops a step"] > 0
        assert rows[name]["found"]["written tokens a second, beam 4"] > 0
    adapted = rows["llama_8b_lora"]["found"]
    assert adapted["training"]["trained parameters, millions"] < adapted["parameters, millions"]
    assert not (out / "work").exists()


@pytest.mark.slow
def test_what_is_known_is_not_checked_again(out, bare):
    before = read_rows(out)
    done = called(bare, out)
    assert (done.returncode, read_rows(out)) == (0, before)
    assert done.stdout.splitlines() == [f"{name}: passed before" for name in CHECKS]
    assert called(bare, out, "--only", "machine").stdout.startswith("machine ... passed in")
    after = read_rows(out)
    assert after["machine"]["at"] > before["machine"]["at"]
    assert after["kernels"] == before["kernels"]


@pytest.mark.slow
def test_one_that_breaks_or_takes_too_long_is_a_row_and_the_rest_is_done(tmp_path, monkeypatch, capsys):
    monkeypatch.setitem(CHECKS, "broken", Listed("broken", "Nothing"))
    assert suite.run(["--out", str(tmp_path), "--only", "broken", "machine", "--device", "cpu"]) == 1
    rows = read_rows(tmp_path)
    assert (rows["broken"]["status"], rows["broken"]["said"]) == ("failed", "KeyError: 'broken'")
    assert "Traceback" in rows["broken"]["traceback"]
    assert rows["machine"]["status"] == "passed"
    assert suite.run(["--out", str(tmp_path), "--only", "machine", "--device", "cpu", "--seconds", "0.01"]) == 1
    assert read_rows(tmp_path)["machine"]["said"].startswith("It was not done after 0 seconds")
    assert "| `machine` |" in (tmp_path / "gpucheck.md").read_text()


@pytest.mark.parametrize(
    ("version", "said"), [("2.8.1+cu126", "2.9 or newer, and this is 2.8.1+cu126."), ("2.13.0", "")]
)
def test_an_old_pytorch_is_refused(monkeypatch, version, said):
    monkeypatch.setattr(torch, "__version__", version)
    assert program.refusal().endswith(said)
    assert bool(program.refusal()) == bool(said)


@pytest.mark.parametrize(
    ("name", "teraflops"),
    [
        ("NVIDIA H200", 989),
        ("NVIDIA H100 PCIe", 756),
        ("NVIDIA A100-SXM4-80GB MIG 3g.40gb", 312),
        ("NVIDIA L40S", 362),
        ("Tesla T4", None),
    ],
)
def test_the_peak_is_that_of_the_chip(name, teraflops):
    assert peak_of(name) == (teraflops and teraflops * 1e12)
