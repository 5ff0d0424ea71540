"""Studies drawn at random: nothing is ranked over different sentences, and an order turns round with its scale."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from support import snapshots

from evaluation.comparability.better_ends import by_direction, measured
from evaluation.comparability.report_split import in_split
from evaluation.comparability.system_ranking import by_criterion, by_metric, round_for_ranking
from evaluation.table_parts.contents import Table
from evaluation.tables import TABLES

DIRECTIONS = (("informal", "formal"), ("formal", "informal"))
SPLITS = ("train", "tune", "test")
LOW, HIGH = -3, 3
SOME, FEW = (max(1, settings.default.max_examples // part) for part in (5, 12))  # a study takes long to make
METRICS = {"formality": ("informal", "formal"), "ter": None, "pinc": None}


@st.composite
def studies(draw):
    """Units of both directions and some splits; systems that lack some, people among them, twins, constant scores."""
    units, systems = draw(st.integers(6, 14)), draw(st.integers(2, 5))
    direction = draw(st.lists(st.integers(0, draw(st.integers(0, 1))), min_size=units, max_size=units))
    splits = draw(st.lists(st.sampled_from(SPLITS[: draw(st.integers(0, 3))] or ("",)), min_size=units, max_size=units))
    lacks = draw(st.sampled_from([0, 0, 1, 3, 8]))
    seed, constant = draw(st.integers(0, 2**16)), draw(st.booleans())
    random = np.random.default_rng(seed)
    there = np.ones((systems, units), dtype=bool)
    for place in range(systems):
        there[place, random.permutation(units)[: random.integers(0, lacks + 1)]] = False
    twin = draw(st.booleans())
    if twin:
        there[1] = there[0]
    made = {
        name: np.where(there, 1.0 if constant else random.integers(LOW, HIGH + 1, there.shape) / 7, np.nan)
        for name in METRICS
    }
    ratings = random.integers(LOW, HIGH + 1, (systems, units, 2)).astype(float)
    if twin:
        ratings[1] = ratings[0]
        for values in made.values():
            values[1] = values[0]
    human = [bool(draw(st.booleans())) for _ in range(systems)]
    return there, made, ratings, direction, splits, human


def snapshot_of(study, turned=False):
    """The snapshot; `turned` has every value of every scale and metric the other way round, and its better end too."""
    there, made, ratings, direction, splits, human = study
    sign = -1 if turned else 1
    sources = [f"source {one}" for one in range(there.shape[1])]
    units = snapshots.units_of(sources, directions=DIRECTIONS, direction=direction, splits=list(splits))
    outputs = [[f"t{unit}" if has else None for unit, has in enumerate(row)] for row in there]
    systems = [
        replace(snapshots.system(f"S{place}", texts), is_human=human[place]) for place, texts in enumerate(outputs)
    ]
    rows = [
        (unit, place, rater, sign * ratings[place, unit, rater])
        for place, unit in np.argwhere(there).tolist() for rater in range(2)
    ]  # fmt: skip
    judged = []
    if rows:
        for name, poles in (("formality", ("informal", "formal")), ("fluency", None)):
            one = snapshots.judged(name, rows, aspect="style", ends=(LOW, HIGH))
            judged.append(replace(one, poles=poles and poles[::sign], better=not turned))
    scores = {name: [snapshots.by_value(sign * row) for row in values] for name, values in made.items()}
    snapshot = snapshots.snapshot_of(units, systems, judged, scores, draws=4)
    return by_direction(in_split(snapshot, "")), made, ratings


def rankings(snapshot):
    judged = {one.name: by_criterion(snapshot, one) for one in snapshot.judgements["raw"].values()}
    return judged, {key: by_metric(snapshot, key) for key in snapshot.scores}


@settings(max_examples=SOME)
@given(studies())
def test_a_ranking_is_over_the_sentences_that_all_its_systems_have(study):
    """Worked out anew from the drawn numbers, unit by unit."""
    snapshot, made, ratings = snapshot_of(study)
    there, _, _, direction, splits, _ = study
    kept = [at for at, split in enumerate(splits) if not snapshot.split or split == snapshot.split]
    judged, metrics = rankings(snapshot)
    cells = np.where(there, ratings.mean(axis=2), np.nan)[:, kept]
    ways = np.array(direction)[kept]
    people = [(ranking, cells, snapshot.judgements["raw"][name].direction) for name, ranking in judged.items()]
    scored = [(ranking, measured(snapshot, key)) for key, ranking in metrics.items()]
    for ranking, values, of in [*people, *((one, made[of.name][:, kept], of.direction) for one, of in scored)]:
        if of is not None:
            values = np.where(ways == of, values, np.nan)
        ranked = sorted(ranking.values)
        has = np.isfinite(values)
        common = has[ranked].all(axis=0) if ranked else np.zeros(len(kept), dtype=bool)
        if ranking.note.startswith("Systems have different"):
            fitted = by_differences(values, ranked)
            assert [ranking.values[place] for place in ranked] == pytest.approx(fitted, abs=1e-8)
            common[:] = False
        for place in ranked if common.any() else []:
            assert ranking.values[place] == pytest.approx(values[place, common].mean(), abs=1e-9)
            assert common.sum() >= 0.5 * has[ranked].any(axis=0).sum() or len(ranked) > 5
        competing = has.any(axis=1).sum()
        assert len(ranked) != 1 or competing == 1
        assert set(ranking.outside) == set(np.flatnonzero(has.any(axis=1)).tolist()) - set(ranked)


def by_differences(values, ranked):
    """The values that fit the differences of each two over what both have, about the mean of the systems' own."""
    rows, right = [], []
    for number, a in enumerate(ranked):
        for other, b in enumerate(ranked[:number]):
            both = np.isfinite(values[a]) & np.isfinite(values[b])
            if both.sum() >= 4:
                weight = both.sum() ** 0.5
                rows.append(weight * (np.arange(len(ranked)) == number) - weight * (np.arange(len(ranked)) == other))
                right.append(weight * (values[a, both].mean() - values[b, both].mean()))
    own = np.nanmean(values[ranked], axis=1).mean()
    fitted = np.linalg.pinv(np.array(rows)) @ np.array(right)
    return (fitted - fitted.mean() + own).tolist()


@settings(max_examples=SOME)
@given(studies())
def test_scales_that_are_turned_round_turn_orders_round(study):
    """With its better end turned as well a measure has the same order; with its values alone the opposite one."""
    snapshot, other = snapshot_of(study)[0], snapshot_of(study, turned=True)[0]
    for one in snapshot.judgements["raw"].values():
        same = by_criterion(other, other.judgements["raw"][one.name])
        assert by_criterion(snapshot, one).places == same.places
        against = by_criterion(snapshot, replace(one, better=one.better is False, poles=None))
        assert worst_first(against.places) == by_criterion(snapshot, one).places
    for key in snapshot.scores:
        end = measured(snapshot, key).better
        if end is not None:
            assert worst_first(by_metric(other, key).places) == by_metric(snapshot, key).places


def worst_first(places):
    """The places from the other end, equal ones sharing the best again."""
    return {one: 1 + sum(other > at for other in places.values()) for one, at in places.items()}


@settings(max_examples=SOME)
@given(studies())
def test_systems_of_equal_outputs_share_scores_and_places(study):
    snapshot, made, ratings = snapshot_of(study)
    there = study[0]
    twins = [
        (a, b) for a in range(len(there)) for b in range(a)
        if (there[a] == there[b]).all() and all(np.array_equal(one[a], one[b], equal_nan=True) for one in made.values())
        and (ratings[a] == ratings[b]).all()
    ]  # fmt: skip
    for found in rankings(snapshot):
        for ranking in found.values():
            for a, b in twins:
                assert ranking.values.get(a) == ranking.values.get(b)
                assert ranking.places.get(a) == ranking.places.get(b)
                assert (a in ranking.outside) == (b in ranking.outside)


@settings(max_examples=FEW)
@given(studies())
def test_tables_mark_none_but_the_best_of_what_is_ranked(study):
    """Boards and tables of the report say what the rankings do."""
    snapshot = snapshots.reported(snapshot_of(study)[0])
    judged, metrics = rankings(snapshot)
    boards = snapshot.report["leaderboard"]
    for kind, found in (("criteria", judged), ("metrics", metrics)):
        for name, ranking in found.items():
            rows = boards[kind][name]["rows"]
            ranked = [row for row in rows if row["ranked"] is not None]
            assert rows[: len(ranked)] == ranked
            places = [row["place"] for row in ranked]
            assert places == sorted(places, key=lambda place: place or 0)
            assert {int(row["system"][1:]): row["ranked"] for row in ranked} == dict(ranking.values)
            assert all(row["stars"] == "" for row in rows if row["ranked"] is None)
    for table in ("systems", "leaderboard", "seeds", "variants"):
        made = TABLES[table].make(snapshot)
        if not isinstance(made, Table):
            continue
        for row in made.rows:
            for cell in row:
                assert not (cell.best and "not ranked" in cell.small), table


def test_numbers_are_settled_before_they_are_compared():
    assert round_for_ranking(0.1 + 0.2) == round_for_ranking(0.3)
    assert round_for_ranking(1 / 3) != round_for_ranking(1 / 3 + 1e-6)
