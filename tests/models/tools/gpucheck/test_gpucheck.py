"""gpucheck on this machine's processor, small, as one calls it on a GPU; Django cannot be imported there.

Each check is done once, all in one process; as the program does them, in a process each, they are for the soak.
"""

import json
import os
import re
import subprocess
import sys
from importlib.metadata import version

import pytest
from support.tiny_pairs import SOURCES, TARGETS

from foundation.project import ROOT
from tools.gpucheck import suite
from tools.gpucheck.bundle import LACKING
from tools.gpucheck.measured import peak_of
from tools.gpucheck.settings import CHECKS, TEXTS, Listed
from tools.gpucheck.suite import read_rows, write_rows

WITHOUT = "import sys\nfor name in ('django', 'celery', 'psycopg', 'redis'): sys.modules[name] = None\n"
EACH = """
import json, sys
from pathlib import Path
sys.path.append("platform")
from tools.gpucheck import __main__, child, suite
from tools.gpucheck.settings import CheckSettings

folder = Path(sys.argv[1])
for name in sys.argv[2:]:
    (folder / name).mkdir()
    child.main(CheckSettings(name, "cpu", True, folder / name).dumped(), str(folder / f"{name}.json"))
"""


@pytest.fixture(scope="module")
def bare(tmp_path_factory):
    """The environment of a machine that has PyTorch and no Django."""
    folder = tmp_path_factory.mktemp("bare")
    (folder / "sitecustomize.py").write_text(WITHOUT)
    return {**os.environ, "PYTHONPATH": str(folder), TEXTS: str(pairs(tmp_path_factory.mktemp("texts")))}


def pairs(folder):
    """Texts in the form of Shakespeare's corpus."""
    for name in ("train", "valid", "test"):
        (folder / f"{name}.modern.txt").write_text("".join(f"{text}\n" for text in SOURCES))
        (folder / f"{name}.original.txt").write_text("".join(f"{text}\n" for text in TARGETS))
    return folder


def called(environment, folder, *arguments):
    command = [sys.executable, "-m", "tools.gpucheck", "--out", str(folder), "--device", "cpu", *arguments]
    return subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, text=True, timeout=1200, check=False)


def well(rows):
    """The rows of the checks are as they should be; of the one that starts trainings, nothing is asked."""
    import torch

    assert {name: row["said"] for name, row in rows.items() if row["status"] != "passed"} == {}
    assert rows["machine"]["found"]["torch"] == torch.__version__
    assert rows["one_rank"]["found"]["backend"] == "gloo"
    assert rows["memory"]["found"]["split"] is True
    assert set(rows["networks"]["found"]) > {"pointer", "transformer", "multi decoder"}
    for name in ("own_transformer", "own_lstm"):
        assert rows[name]["found"]["tokens a second"] > 0
    for name in ("t5_base", "bart_large", "llama_8b_lora"):
        assert rows[name]["found"]["training"]["teraflops a step"] > 0
        assert rows[name]["found"]["written tokens a second, beam 4"] > 0
    for name in ("shakespeare_seq2seq", "shakespeare_transformer", "shakespeare_t5"):
        assert rows[name]["found"]["curves, by seconds"]["validation_loss" if name.endswith("t5") else "bleu"]
        assert 0 <= rows[name]["found"]["BLEU"] <= 100
    adapted = rows["llama_8b_lora"]["found"]
    assert adapted["training"]["trained parameters, millions"] < adapted["parameters, millions"]


@pytest.mark.slow
@pytest.mark.soak
def test_every_check_passes(tmp_path, bare):
    names = [name for name in CHECKS if name != "resume"]  # killed trainings go on in tests/integration
    command = [sys.executable, "-c", EACH, str(tmp_path), *names]
    done = subprocess.run(command, cwd=ROOT, env=bare, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    well({name: json.loads((tmp_path / f"{name}.json").read_text()) for name in names})


@pytest.mark.soak
def test_the_program_does_every_check_in_a_process_of_its_own_and_none_again(tmp_path, bare):
    done = called(bare, tmp_path)
    assert done.returncode == 0, done.stdout + (tmp_path / "gpucheck.md").read_text()
    rows = json.loads((tmp_path / "gpucheck.json").read_text())["checks"]
    assert list(rows) == list(CHECKS)
    well(rows)
    assert rows["resume"]["found"]["transformer"]["equal"] is True
    assert 0 < rows["resume"]["found"]["transformer"]["killed at step"] < 200
    assert not (tmp_path / "work").exists()
    before = read_rows(tmp_path)
    done = called(bare, tmp_path)
    assert (done.returncode, read_rows(tmp_path)) == (0, before)
    assert done.stdout.splitlines() == [f"{name}: passed before" for name in CHECKS]


@pytest.mark.parametrize("only", [["machine"], pytest.param([], marks=pytest.mark.soak)])
def test_a_bundle_checks_without_the_repository_and_says_its_size(tmp_path, bare, only, capsys):
    folder, texts = tmp_path / "bundle", pairs(tmp_path)
    written = [sys.executable, "-m", "tools.gpucheck", "--bundle", str(folder), "--texts", str(texts), "--no-wheels"]
    done = subprocess.run(written, cwd=ROOT, env=bare, capture_output=True, text=True, check=True)
    assert re.fullmatch(rf"{folder}: \d\.\d MB; there: sh hour\.sh\n", done.stdout)
    script = (folder / "hour.sh").read_text()
    blind = f'PYTHONPATH="{bare["PYTHONPATH"]}:$PWD'
    (folder / "hour.sh").write_text(script.replace('PYTHONPATH="$PWD', blind, 1))
    command = ["sh", str(folder / "hour.sh"), "--device", "cpu", *(["--only", *only] if only else [])]
    done = subprocess.run(
        command, cwd=tmp_path, env={**bare, "PYTHON": sys.executable}, capture_output=True, text=True, check=False
    )
    rows = read_rows(folder / "out")
    assert done.returncode == 0, done.stdout + done.stderr
    assert list(rows) == (only or list(CHECKS))
    assert suite.run(written[3:]) == 1
    assert capsys.readouterr().err == f"{folder} exists already.\n"


def test_what_a_bundle_brings_is_what_is_installed_here():
    assert all(version(name) for name in LACKING)


@pytest.mark.slow
def test_what_is_known_is_kept_and_one_that_breaks_or_takes_too_long_is_a_row(tmp_path, monkeypatch, capsys):
    done = {"status": "passed", "found": {}, "said": "", "seconds": 1.0}
    known = {**done, "device": "cpu", "small": True, "at": "before"}
    write_rows(tmp_path, dict.fromkeys(CHECKS, known))
    assert suite.run(["--out", str(tmp_path), "--device", "cpu"]) == 0
    assert capsys.readouterr().out.splitlines() == [f"{name}: passed before" for name in CHECKS]
    monkeypatch.setitem(CHECKS, "broken", Listed("broken", "Nothing"))
    assert suite.run(["--out", str(tmp_path), "--only", "broken", "machine", "--device", "cpu"]) == 1
    rows = read_rows(tmp_path)
    assert (rows["broken"]["status"], rows["broken"]["said"]) == ("failed", "KeyError: 'broken'")
    assert "Traceback" in rows["broken"]["traceback"]
    assert rows["machine"]["status"] == "passed"
    assert rows["machine"]["at"] != "before"
    assert rows["kernels"] == known
    assert suite.run(["--out", str(tmp_path), "--only", "machine", "--device", "cpu", "--seconds", "0.01"]) == 1
    assert read_rows(tmp_path)["machine"]["said"].startswith("It was not done after 0 seconds")
    assert "| `machine` |" in (tmp_path / "gpucheck.md").read_text()


@pytest.mark.parametrize(
    ("release", "said"), [("2.8.1+cu126", "2.9 or newer, and this is 2.8.1+cu126."), ("2.13.0", "")]
)
def test_an_old_pytorch_is_refused(monkeypatch, release, said):
    import torch

    from tools.gpucheck import __main__ as program

    monkeypatch.setattr(torch, "__version__", release)
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
