"""Every coefficient of agreement against its definition in exact fractions, on generated judgements.

Raters are permuted, scales shifted, a rater doubled, all values made one, cells emptied: whatever is done to a table,
the fast form and the plain one say the same.
"""

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st
from support.plain_statistics import agreement as plain

from evaluation.interrater_agreement import Judgements, bootstrap_alphas
from evaluation.numerics import label_codes
from evaluation.resampling import resample_items
from evaluation.statistics import STATISTICS

LEVELS = ("nominal", "ordinal", "interval", "ratio")
WEIGHTS = {
    "cohen_kappa": lambda apart: int(apart != 0),
    "cohen_kappa_linear": abs,
    "cohen_kappa_quadratic": lambda apart: apart**2,
}
FORMS = [(form, average) for form in "1AC" for average in (False, True)]
RESAMPLES = 4

CHANGES = {
    "as given": lambda table: table,
    "raters permuted": lambda table: table[::-1],
    "scale shifted": lambda table: [[None if value is None else value + 3 for value in row] for row in table],
    "one rater doubled": lambda table: [*table, list(table[0])],
    "only ties": lambda table: [[None if value is None else 2 for value in row] for row in table],
    "missing cells": lambda table: [
        [None if (rater + item) % 3 == 0 else value for item, value in enumerate(row)]
        for rater, row in enumerate(table)
    ],
}
changes = st.sampled_from(sorted(CHANGES))


def tables(cell):
    """Raters x items of two raters or more."""
    size = st.tuples(st.integers(2, 4), st.integers(2, 7))
    return size.flatmap(
        lambda shape: st.lists(
            st.lists(cell, min_size=shape[1], max_size=shape[1]), min_size=shape[0], max_size=shape[0]
        )
    )


gaps = tables(st.none() | st.integers(0, 4))
whole = tables(st.integers(0, 4))


def long_form(table):
    """(n_judgements,) each: raters, items, values."""
    cells = [(rater, item, v) for rater, row in enumerate(table) for item, v in enumerate(row) if v is not None]
    return tuple(np.array(column) for column in zip(*cells, strict=True)) if cells else (np.zeros(0),) * 3


def agrees(found, expected):
    assert (found is None) == (expected is None)
    assert found is None or found == pytest.approx(float(expected), abs=1e-9)


@given(gaps, changes, st.sampled_from(LEVELS))
def test_alpha(table, change, level):
    table = CHANGES[change](table)
    agrees(
        STATISTICS["krippendorff_alpha"].agree(*long_form(table), level).value, plain.alpha(plain.by_item(table), level)
    )


@given(gaps, changes, st.sampled_from(LEVELS))
def test_alpha_of_resampled_items(table, change, level):
    items = [values for values in plain.by_item(CHANGES[change](table)) if len(values) > 1]
    assume(items)
    places = np.repeat(np.arange(len(items)), [len(values) for values in items])
    scores = np.concatenate(items).astype(float)
    judgements = Judgements(np.arange(len(scores)), places, scores)
    resamples = resample_items(places, label_codes(scores))
    representatives = dict(zip(resamples.unit.tolist(), places[resamples.at].tolist(), strict=True))
    for found, weights in zip(bootstrap_alphas(judgements, level)[:RESAMPLES], resamples.weights, strict=False):
        drawn = [items[representatives[unit]] for unit, times in enumerate(weights) for _ in range(int(times))]
        agrees(None if np.isnan(found) else found, plain.alpha(drawn, level))


@pytest.mark.parametrize("name", WEIGHTS)
@given(gaps, changes)
def test_kappa_of_raters_two_by_two(name, table, change):
    table = CHANGES[change](table)
    agrees(STATISTICS[name].agree(*long_form(table), "ordinal").value, plain.kappa(table, WEIGHTS[name]))


@given(gaps, changes)
def test_fleiss_kappa(table, change):
    table = CHANGES[change](table)
    agrees(STATISTICS["fleiss_kappa"].agree(*long_form(table), "nominal").value, plain.fleiss(table))


@pytest.mark.parametrize(("form", "average"), FORMS)
@given(whole, changes)
def test_intraclass_correlation(form, average, table, change):
    table = CHANGES[change](table)
    entry = STATISTICS[f"icc_{form.lower()}_{'k' if average else 1}"]
    items = list(zip(*table, strict=True))
    rows = plain.usual_items(plain.by_item(table)) if form == "1" else [row for row in items if None not in row]
    found = entry.agree(*long_form(table), "interval").value
    agrees(found, plain.icc(rows, form, average) if len(rows) > 1 else None)
