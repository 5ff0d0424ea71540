"""Presets name metrics that there are, and what the papers' tables take."""

import pytest

from evaluation.metrics import METRICS
from evaluation.presets import PRESETS
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
