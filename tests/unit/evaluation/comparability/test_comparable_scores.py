"""Correlations over systems where each has other sources: easy sources lift neither people's means nor scores."""

import numpy as np
import pytest

from evaluation.comparability.incomplete_design import (
    comparable_scores,
    has_same_sources,
    values_by_pairs,
    without_effects_of_items,
)
from evaluation.resampling import Bootstrap
from evaluation.significance import mean_of_judgements

SYSTEMS, SOURCES = 6, 40


def drawn(seed=3):
    """Values (systems, sources) of people and of a metric that agrees with nothing, easy sources high in both."""
    random = np.random.default_rng(seed)
    ease = np.linspace(-2, 2, SOURCES)
    people = ease + random.normal(0, 0.1, (SYSTEMS, SOURCES)) + np.arange(SYSTEMS)[:, None] * 0.01
    metric = ease + random.normal(0, 0.1, (SYSTEMS, SOURCES)) - np.arange(SYSTEMS)[:, None] * 0.01
    starts = np.arange(SYSTEMS) * 3
    here = np.array([(np.arange(SOURCES) >= start) & (np.arange(SOURCES) < start + 25) for start in starts])
    return people, metric, here


def column(values, here):
    return [mean_of_judgements(of[inside], np.flatnonzero(inside)) for of, inside in zip(values, here, strict=True)]


def test_easy_sources_lift_no_system():
    """By their own means people and metric agree (r = 1), since later systems have easier sources."""
    people, metric, here = drawn()
    own = [
        np.array([of[inside].mean() for of, inside in zip(values, here, strict=True)]) for values in (people, metric)
    ]
    assert np.corrcoef(*own)[0, 1] > 0.99
    columns = {"people": column(people, here), "metric": column(metric, here)}
    found = comparable_scores(columns, Bootstrap(np.arange(SOURCES), 200, 1))
    assert np.corrcoef(found["people"].values, found["metric"].values)[0, 1] < 0
    for name, values in (("people", people), ("metric", metric)):
        effects = values.mean(axis=1) - values.mean()
        assert found[name].values - found[name].values.mean() == pytest.approx(effects, abs=0.1)
        assert not found[name].own
        by_pairs = values_by_pairs(columns[name], range(SYSTEMS))
        assert found[name].values.tolist() == pytest.approx(list(by_pairs.values()), abs=1e-9)
        assert found[name].drawn.shape == (200, SYSTEMS)
        within = np.percentile(found[name].drawn, [1, 99], axis=0)
        assert ((within[0] < found[name].values) & (found[name].values < within[1])).all()


def test_of_the_same_sources_they_are_the_systems_own_numbers():
    people, _, here = drawn()
    whole = column(people, np.ones_like(here))
    assert has_same_sources(whole)
    found = comparable_scores({"people": whole}, Bootstrap(np.arange(SOURCES), 200, 1))["people"]
    assert found.own
    assert found.values == pytest.approx(people.mean(axis=1))


def test_systems_that_share_too_few_sources_have_none():
    people, _, here = drawn()
    here[0] = np.arange(SOURCES) >= SOURCES - 5
    found = comparable_scores({"people": column(people, here)}, Bootstrap(np.arange(SOURCES), 200, 1))["people"]
    assert np.isnan(found.values).tolist() == [True] + [False] * (SYSTEMS - 1)


def test_without_effects_of_items_means_are_those_of_the_additive_model():
    """Against the normal equations of a dummy for each system and item, written out."""
    people, _, here = drawn()
    values = np.where(here, people, np.nan)
    rows = [(np.eye(SYSTEMS)[s], np.eye(SOURCES)[i], values[s, i]) for s, i in np.argwhere(here)]
    design, right = np.array([np.concatenate(row[:2]) for row in rows]), np.array([row[2] for row in rows])
    effects = np.linalg.lstsq(design, right, rcond=None)[0][:SYSTEMS]
    adjusted = np.nanmean(without_effects_of_items(values), axis=1)
    assert adjusted - adjusted.mean() == pytest.approx(effects - effects.mean(), abs=1e-9)
    assert without_effects_of_items(people) is people
    lacking = np.where(np.arange(SYSTEMS)[:, None] == 0, np.nan, people)
    assert without_effects_of_items(lacking) is lacking
