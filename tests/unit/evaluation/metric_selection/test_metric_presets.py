"""Presets name metrics that there are, and what the papers' tables take."""

import os
import subprocess
import sys

import pytest

from evaluation.metric_selection.presets import PRESETS
from evaluation.metrics import METRICS
from evaluation.tables import medlane_table_3, plaba_table_5


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
    assert {*plaba_table_5.REQUIRED, *plaba_table_5.IF_THERE} <= set(PRESETS["plaba"].metrics)
    assert {*medlane_table_3.REQUIRED, *medlane_table_3.METEOR} <= set(PRESETS["medlane"].metrics)


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
