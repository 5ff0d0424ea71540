"""Presets name metrics that there are, and what the papers' tables take."""

import os
import subprocess
import sys
import tomllib

import pytest

from evaluation.metric_selection import PRESETS
from evaluation.metrics import METRICS
from evaluation.tables import medlane, plaba
from foundation.project import ROOT


@pytest.mark.parametrize("name", PRESETS)
def test_its_metrics_exist_once_each(name):
    metrics = PRESETS[name].metrics
    assert set(metrics) <= set(METRICS)
    assert len(set(metrics)) == len(metrics)


def test_what_needs_no_model_can_be_computed_anywhere():
    learnt = {"texts", "rated", "link", "style_words"}
    for name in PRESETS["no_model"].metrics:
        assert not METRICS[name].needs & learnt


def test_a_papers_set_fills_its_table():
    assert {*plaba.REQUIRED, *plaba.TABLE_5_IF_THERE} <= set(PRESETS["plaba"].metrics)
    assert {*medlane.REQUIRED, *medlane.METEOR} <= set(PRESETS["medlane"].metrics)


@pytest.mark.parametrize(
    ("name", "recipes"),
    [
        ("medlane", ["medlane-table-3", "medlane-table-6"]),
        ("msd", ["msd-table-3", "msd-table-4", "msd-table-5"]),
        ("plaba", ["plaba-table-3", "plaba-table-4", "plaba-table-5", "plaba-table-6"]),
    ],
)
def test_a_papers_set_computes_as_its_recipes(name, recipes):
    """What a recipe sets, other than a default, its paper's set does too, and nothing else of these metrics."""
    for recipe in recipes:
        read = tomllib.loads((ROOT / f"docs/recipes/{recipe}.toml").read_text(encoding="utf-8"))["metrics"]
        for metric, settings in read.items():
            local = {"model", "tune_epochs", "jar"}  # a lab's own
            other = {key: value for key, value in settings.items() if METRICS[metric].defaults[key] != value}
            assert PRESETS[name].settings.get(metric, {}) == {key: other[key] for key in other.keys() - local}, metric


def test_listing_metrics_loads_no_network():
    """The page that lists them, and says which cannot be computed here, is a web process's."""
    script = (
        "import sys; from evaluation.metrics import METRICS; told = [one.unavailable() for one in METRICS.values()]; "
        "sys.exit(', '.join({'torch', 'transformers', 'spacy'} & set(sys.modules)) or None)"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, timeout=120,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
