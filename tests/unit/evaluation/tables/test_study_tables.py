"""What every study has beside its leaderboard: seeds, variants, workers, examples; by hand and by scipy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from support.paper_snapshots import fu_like, plaba_like
from support.snapshots import (
    bare,
    by_value,
    gyafc_like,
    judged,
    msd_like,
    reported,
    snapshot_of,
    system,
    units_of,
    workers_of,
)

from evaluation.table_building import entry_json
from evaluation.table_parts.contents import Entry, Figure, MissingContent, Table
from evaluation.tables import TABLES

OF_JUDGEMENTS = ["leaderboard", "leaderboard_figure", "seeds", "variants", "workers"]
NAMES = [name for name in TABLES if TABLES[name].kind == "study"]


@pytest.fixture(scope="module")
def snapshot(formality):
    return formality


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def column(table, head):
    return [row[list(table.head).index(head)] for row in table.rows]


def test_seeds_have_means_and_deviations():
    table = made("seeds", fu_like())
    assert [cell.text for cell in column(table, "Model")] == ["style_embedding (encoder 32, style 64)"]
    snapshot = fu_like()
    values = [snapshot.scores["content_preservation"][place].corpus for place in (4, 5)]
    (cell,) = column(table, "Content")
    assert (cell.value, cell.parts["deviation"]) == pytest.approx((np.mean(values), np.std(values, ddof=1)))
    assert cell.parts["seeds"] == 2
    assert cell.small == f"± {np.std(values, ddof=1):.4f}, 2 seeds"
    one = snapshot.judgements["raw"]["similarity"]
    assert column(table, "Similarity")[0].value == pytest.approx(one.value[one.system == 4].mean())
    assert column(table, "Similarity")[0].parts == {"deviation": None, "seeds": 1.0}


def test_the_best_model_over_seeds_is_marked():
    snapshot = plaba_like()
    more = [*snapshot.systems, *(replace(row, name=f"B{row.seed}", family="B") for row in snapshot.systems[1:])]
    worse = [one and replace(one, corpus=one.corpus / 2) for one in snapshot.scores["sari"][1:]]
    scores = {"sari": [*snapshot.scores["sari"], *worse]}
    table = made("seeds", reported(replace(snapshot, systems=more, scores=scores, baselines={})))
    assert [cell.text for cell in column(table, "Model")] == ["T5", "B"]
    assert [cell.best for cell in column(table, "SARI")] == [True, False]


def test_variants_stand_side_by_side(snapshot):
    one = snapshot.judgements["raw"]["formality"]
    z = replace(one, value=stats.zscore(one.value))
    kept = one.rater != 2
    columns = {name: getattr(one, name)[kept] for name in ("unit", "system", "rater", "value", "text")}
    judgements = {"raw": {"formality": one}, "z": {"formality": z}, "filtered": {"formality": replace(one, **columns)}}
    out = workers_of(3, left_out=["", "", "Too quick."])
    table = made("variants", reported(replace(snapshot, judgements=judgements, raters=out)))
    assert list(table.head) == ["System", "Formality, raw", "Formality, z-scores", "Formality, filtered"]
    for place, name in enumerate(cell.text for cell in column(table, "System")):
        at = one.system == [row.name for row in snapshot.systems].index(name)
        found = [cell.value for cell in table.rows[place][1:]]
        assert found == pytest.approx([one.value[at].mean(), z.value[at].mean(), one.value[at & kept].mean()])
        assert table.rows[place][3].rows == {"system": name, "criterion": "formality", "variant": "filtered"}
    assert "Filtered: without 1 of 3 workers." in table.notes
    assert [row[0].text for row in table.rows if row[1].best] == ["Neural"], "the reference competes with nobody"


@pytest.mark.parametrize("name", ["leaderboard", "systems", "variants", "differences", "examples"])
def test_a_row_says_what_it_is_where_its_name_does_not(name, snapshot):
    """People, what was judged beside the systems, and the runs of one model."""
    people, *_ = [place for place, row in enumerate(snapshot.systems) if row.role == "system"]
    rows = [
        replace(row, is_human=place == people, family="Words dropped", seed=place) if row.role == "system" else row
        for place, row in enumerate(snapshot.systems)
    ]
    named = reported(replace(snapshot, systems=rows, baseline=people + 1))
    said = {
        row.name: ("written by people, " if row.is_human else "") + f"Words dropped, seed {place}"
        if row.role == "system"
        else f"the {row.role}, judged beside the systems"
        for place, row in enumerate(rows)
    }
    texts = {"Source", "Reference 1", "Reference 2"} if name == "examples" else set()
    found = {row[0].text: row[0].small for row in made(name, named).rows if row[0].text not in texts}
    assert found, "some system has a row"
    assert found == {system: said[system] for system in found}


def test_variants_say_which_of_them_order_the_systems_otherwise():
    texts = [f"sentence {one}" for one in range(30)]
    rows = [(unit, place, rater, 1.0 + 3 * place) for unit in range(30) for place in range(2) for rater in range(2)]
    snapshot = snapshot_of(units_of(texts), [system("Bad", texts), system("Good", texts)], [judged("fluency", rows)])
    one = snapshot.judgements["raw"]["fluency"]
    turned = {"raw": {"fluency": one}, "z": {"fluency": replace(one, value=-one.value)}, "filtered": {"fluency": one}}
    table = made("variants", reported(replace(snapshot, judgements=turned)))
    assert table.notes[-1] == "The order of the systems differs from the raw one in: Fluency, z-scores."
    assert "Nobody is left out, so that filtered means are the raw ones." in table.notes
    assert made("variants", snapshot).notes[-1] == "Nobody is left out, so that filtered means are the raw ones."


def test_workers_have_what_they_did(snapshot):
    known = workers_of(
        3,
        control=np.array([0.0001, 0.4, np.nan]),
        seconds=np.array([4.25, np.nan, 10]),
        left_out=["", "Too quick.", ""],
    )
    table = made("workers", replace(snapshot, raters=known))
    assert [cell.text for cell in column(table, "Worker")] == ["Worker 1", "Worker 2", "Worker 3"]
    given = sum(len(np.unique(one.text[one.rater == 0])) for one in snapshot.judgements["raw"].values())
    assert column(table, "Judgements")[0].value == given
    assert [cell.text for cell in column(table, "Seconds a text")] == ["4.2", "–", "10.0"]
    assert [cell.text for cell in column(table, "Control items, p")] == ["< 0.001", "0.400", "–"]
    assert column(table, "Control items, p")[2].why
    assert [cell.text for cell in column(table, "Left out")] == ["–", "Too quick.", "–"]


def test_agreement_of_workers_is_scipys(snapshot):
    found = column(made("workers", snapshot), "Agreement")
    for rater, cell in enumerate(found):
        values = []
        for one in snapshot.judgements["raw"].values():
            own = {text: value for text, who, value in zip(one.text, one.rater, one.value, strict=True) if who == rater}
            rest = {text: one.value[(one.text == text) & (one.rater != rater)].mean() for text in own}
            values.append(stats.spearmanr(list(own.values()), [rest[text] for text in own]).statistic)
        assert cell.value == pytest.approx(np.mean(values))


def test_who_gave_one_value_or_judged_alone_agrees_with_nobody():
    rows = [(unit, 0, rater, 3.0 if rater == 0 else float(unit % 5)) for unit in range(20) for rater in range(3)]
    rows += [(unit, 0, 3, float(unit % 4)) for unit in range(20, 40)]
    texts = [f"sentence {one}" for one in range(40)]
    found = snapshot_of(units_of(texts), [system("S", texts)], [judged("overall", rows)])
    first, second, _, alone = column(made("workers", found), "Agreement")
    assert (first.value, alone.value) == (None, None)
    assert first.why.startswith("On no criterion")
    assert second.value == pytest.approx(1)


def test_a_text_that_two_systems_gave_is_one_judgement():
    rows = [(unit, place, 0, 3.0) for unit in range(4) for place in range(2)]
    one = judged("overall", rows)
    same = replace(one, text=one.unit)
    texts = list("abcd")
    found = snapshot_of(units_of(texts), [system("A", texts), system("B", texts)], [same])
    assert column(made("workers", found), "Judgements")[0].value == 4


def test_examples_are_drawn_and_far_apart(snapshot):
    table = made("examples", snapshot)
    assert [row[0].text for row in table.rows] == ["Source", "Reference 1", "Reference 2", "Rules", "Phrases", "Neural"]
    assert [head.split(":")[0] for head in table.head[1:]] == ["Sampled"] * 3 + ["Far apart"] * 3
    one = snapshot.judgements["raw"]["formality"]
    at = [[(one.system == place) & (one.unit == unit) for unit in range(24)] for place in range(3)]
    means = np.array([[one.value[here].mean() if here.any() else np.nan for here in row] for row in at])
    spread = np.nanmax(means, axis=0) - np.nanmin(means, axis=0)
    units = [int(head.split("sentence ")[1].split(",")[0]) - 1 for head in table.head[1:]]
    assert len(set(units)) == 6
    others = [spread[unit] for unit in range(24) if unit not in units]
    assert min(spread[unit] for unit in units[3:]) >= max(others)
    for at, unit in enumerate(units, start=1):
        assert table.rows[0][at].text == snapshot.units.sources[unit]
        assert [table.rows[1][at].text, table.rows[2][at].text] == snapshot.units.references[unit]
        for place, row in enumerate(table.rows[3:]):
            if snapshot.systems[place].outputs[unit]:
                assert row[at].text == snapshot.systems[place].outputs[unit]
                assert row[at].small == f"Formality {means[place, unit]:.2f}"
            else:
                assert (row[at].text, row[at].small, row[at].why) == ("–", "", "There is none.")
    assert made("examples", snapshot) == table
    assert made("examples", replace(snapshot, seed=2)).head != table.head


def test_examples_without_judgements_have_scores_and_none_where_systems_are_alike():
    texts = list("abcdefgh")
    scores = {"pinc": [by_value([5, 5, 5, 5, 5, 5, 5, np.nan]), by_value([5, 5, 5, 5, 5, 5, 5, 9])]}
    table = made("examples", snapshot_of(units_of(texts), [system("A", texts), system("B", texts)], (), scores))
    assert all(head.startswith("Sampled") for head in table.head[1:])
    assert {cell.small for cell in table.rows[1][1:]} <= {"PINC 5.00", ""}
    assert [row[0].text for row in table.rows] == ["Source", "A", "B"], "no text has a reference"


def test_examples_of_a_study_without_outputs():
    texts = ["a", "b"]
    assert made("examples", snapshot_of(units_of(texts), [])).reasons == [
        "There is no system: add one, with its outputs."
    ]
    empty = snapshot_of(units_of(texts), [system("A", [None, None])])
    assert made("examples", empty).reasons == ["No system has an output: add outputs to a system."]


@pytest.mark.parametrize("name", OF_JUDGEMENTS)
def test_a_study_with_nothing_says_what_is_lacking(name):
    found = made(name, bare())
    assert isinstance(found, MissingContent)
    assert all(reason.endswith(".") for reason in found.reasons)


@pytest.mark.parametrize("make", [gyafc_like, msd_like, fu_like, plaba_like])
def test_each_is_kept_and_read_again(make):
    for name in NAMES:
        found = made(name, make())
        assert isinstance(found, Table | Figure | MissingContent), name
        if isinstance(found, Table):
            assert {len(row) for row in found.rows} <= {len(found.head)}, f"{name}: a row has a cell for each column"
            assert len(found.better) in (0, len(found.head)), f"{name}: `better` says it of each column"
        assert Entry.of(entry_json(name, TABLES[name], found)).content == found, name


def test_equivalence_is_to_the_baseline_and_turned_by_the_better_end():
    random = np.random.default_rng(4)
    quality = random.integers(1, 6, (2, 30)).astype(float)
    rows = [(unit, place, 0, quality[place, unit]) for unit in range(30) for place in range(2)]
    texts = [f"sentence {unit}" for unit in range(30)]
    snapshot = snapshot_of(
        units_of(texts), [system("A", texts), system("B", texts)], [judged("meaning", rows, ends=(1, 5))]
    )
    (row,) = made("equivalence", snapshot).rows
    low, high = stats.ttest_rel(quality[1], quality[0]).confidence_interval(0.9)
    assert [cell.text for cell in row[:2]] == ["Meaning", "B"]
    assert (row[2].parts["low"], row[2].parts["high"]) == pytest.approx((low, high))
    assert (row[3].value, row[4].value) == pytest.approx((max(0, -low), max(-low, high)))
    assert row[5].text == "1 to 5"


def test_models_over_seeds_are_ordered_both_ways():
    texts = [f"sentence {unit}" for unit in range(4)]
    systems = [system(f"{name}{seed}", texts, family=name, seed=seed) for name in "AB" for seed in range(3)]
    scores = {"bleu": [by_value(np.full(4, level)) for level in (5.0, 6, 7, 1, 2, 3)]}
    snapshot = snapshot_of(units_of(texts), systems, scores=scores)
    table = made("seeds_order", snapshot)
    assert [[cell.text for cell in row] for row in table.rows] == [["A", "B", "0.00"], ["B", "A", "1.00"]]
    assert isinstance(made("seeds_order", fu_like()), MissingContent)
