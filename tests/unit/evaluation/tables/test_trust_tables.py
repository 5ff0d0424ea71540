"""Which metric to trust, and what each is fooled by: numbers worked out by hand and by scipy."""

from dataclasses import replace

import numpy as np
import pytest
from scipy import stats
from support.paper_snapshots import fu_like, plaba_like
from support.snapshots import bare, by_metric, by_value, gyafc_like, judged, reported, snapshot_of, system, units_of

from evaluation.aggregation import judgement_sums, score_sums
from evaluation.comparability.incomplete_design import values_by_pairs
from evaluation.snapshot import RANK
from evaluation.table_building import entry_json
from evaluation.table_parts.aspects import share_below
from evaluation.table_parts.contents import Entry, Figure, MissingContent
from evaluation.tables import TABLES
from evaluation.tables.trust import HEAD

NAMES = ["trust_by_criterion", "trust_figure", "foils", "foils_figure"]
LOW_IS_GOOD = {"ter", "perplexity_ngram", RANK}
LABELS = {"bleu": "BLEU", "ter": "TER", "pinc": "PINC", "style_accuracy": "Style acc.",
          "perplexity_ngram": "PPL (n-gram)", "content_preservation": "Content"}  # fmt: skip


@pytest.fixture(scope="module")
def snapshot(formality):
    return formality


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def of(row, head):
    return row[HEAD.index(head)]


def metric_rows(table):
    """Without the rows of one rater and of the sentinels."""
    return [row for row in table.rows if not of(row, "Metric").text.startswith(("One rater", "Sentinel"))]


def outputs(snapshot, metric, criterion):
    """Scores and mean judgements of the outputs that have both."""
    one = snapshot.judgements["raw"][criterion]
    pairs = [
        (found.sentences[unit], one.value[(one.system == place) & (one.unit == unit)].mean())
        for place, found in enumerate(snapshot.scores[metric])
        if found is not None
        for unit in np.unique(one.unit[one.system == place])
        if not np.isnan(found.sentences[unit])
    ]
    return np.array(pairs).T


def test_agreement_by_sentence_is_scipys_turned_where_low_is_good(snapshot):
    table = made("trust_by_criterion", snapshot)
    assert list(table.head) == HEAD
    rows = [row for row in metric_rows(table) if of(row, "Level").text == "sentence"]
    assert len(table.rows) == len(metric_rows(table)) + 4 * (4 + 1)
    assert len(rows) == 4 * 6
    for criterion, label in (("formality", "Formality"), (RANK, "Rank")):
        for metric, named in LABELS.items():
            x, y = outputs(snapshot, metric, criterion)
            sign = (-1) ** ((metric in LOW_IS_GOOD) + (criterion in LOW_IS_GOOD))
            (row,) = [one for one in rows if (of(one, "Criterion").text, of(one, "Metric").text) == (label, named)]
            found = of(row, "Agreement")
            assert found.value == pytest.approx(sign * stats.pearsonr(x, y).statistic)
            assert found.parts["low"] < found.value < found.parts["high"]
            assert of(row, "n").value == len(x)


def test_agreement_by_system_is_of_the_systems_numbers(snapshot):
    """One system lacks an output, so both are the values that fit the differences of each two."""
    one = snapshot.judgements["raw"]["meaning"]
    assert [int(found.there.sum()) for found in snapshot.scores["bleu"][:3]] != [12] * 3
    means, scores = (
        list(values_by_pairs(column, range(3)).values())
        for column in (judgement_sums(snapshot, one), score_sums(snapshot, "bleu"))
    )
    for row in made("trust_by_criterion", snapshot).rows:
        if [of(row, head).text for head in HEAD[:3]] == ["Meaning", "system", "BLEU"]:
            assert of(row, "Agreement").value == pytest.approx(stats.pearsonr(scores, means).statistic)
            assert of(row, "n").value == of(row, "Systems").value == 3, "source and reference are no systems"
            assert of(row, "Judgements").value == 3 * len(np.unique(one.text[one.system < 3]))
            assert of(row, "Raters").value == 3


def test_metrics_stand_from_the_most_to_the_least_trustworthy(snapshot):
    rows = metric_rows(made("trust_by_criterion", snapshot))
    for criterion in ("Formality", "Fluency", "Meaning", "Rank"):
        here = [row for row in rows if [of(row, "Criterion").text, of(row, "Level").text] == [criterion, "sentence"]]
        values, groups = ([of(row, head).value for row in here] for head in ("Agreement", "Group"))
        assert values == sorted(values, reverse=True)
        assert groups == sorted(groups)
        assert groups[0] == 1
        lows = [of(row, "Agreement").parts["low"] for row in here]
        shown = [group == 1 and low > 0 for group, low in zip(groups, lows, strict=True)]
        assert [of(row, "Agreement").best for row in here] == shown
        assert of(here[0], "p").why == "It is first in its group."


def good_and_bad(systems=2):
    """One metric says what people say, one is noise, one is constant; a fourth is the first one turned round."""
    size, random = 60, np.random.default_rng(4)
    texts = [f"sentence {one}" for one in range(size)]
    values = [np.clip(1 + place + np.arange(size) % 3, 1, 5).astype(float) for place in range(systems)]
    rows = [(unit, place, 0, values[place][unit]) for unit in range(size) for place in range(systems)]
    scores = {
        "content_preservation": [by_value(value + random.normal(0, 0.1, size)) for value in values],
        "style_accuracy": [by_value(random.normal(0, 1, size)) for _ in values],
        "pinc": [by_value(np.ones(size)) for _ in values],
        "ter": [by_value(-value) for value in values],
    }
    named = [system(f"S{place}", texts) for place in range(systems)]
    return snapshot_of(units_of(texts), named, [judged("meaning", rows, aspect="meaning", ends=(1, 5))], scores)


def test_a_metric_of_noise_is_in_another_group_and_a_constant_one_in_none():
    rows = [
        row for row in metric_rows(made("trust_by_criterion", good_and_bad())) if of(row, "Level").text == "sentence"
    ]
    assert [of(row, "Metric").text for row in rows] == ["TER", "Content", "Style acc.", "PINC"]
    assert of(rows[0], "Agreement").value == pytest.approx(1), "turned round: a low TER is good"
    assert of(rows[2], "Group").value > of(rows[1], "Group").value
    constant = rows[3]
    assert (of(constant, "Agreement").value, of(constant, "Group").value) == (None, None)
    assert of(constant, "Agreement").why
    assert of(constant, "p").why == of(constant, "Agreement").why


def test_two_systems_agree_with_nobody():
    rows = [row for row in made("trust_by_criterion", good_and_bad()).rows if of(row, "Level").text == "system"]
    assert {of(row, "Agreement").value for row in rows} == {None}
    assert "A correlation needs three points or more; there are 2." in {of(row, "Agreement").why for row in rows}
    assert {row["panel"] for row in made("trust_figure", good_and_bad()).rows} == {"Meaning, by sentence"}
    assert len({row["panel"] for row in made("trust_figure", good_and_bad(3)).rows}) == 2


def test_the_figure_draws_what_the_table_says(snapshot):
    table, figure = made("trust_by_criterion", snapshot), made("trust_figure", snapshot)
    said = [(f"{of(row, 'Criterion').text}, by {of(row, 'Level').text}", of(row, "Metric").text,
             of(row, "Agreement").value) for row in metric_rows(table)]  # fmt: skip
    assert [(row["panel"], row["metric"], row["agreement"]) for row in figure.rows] == said
    assert {row["group"] for row in figure.rows} <= {"1", "2", "3"}
    first = figure.rows[0]
    assert f"{first['panel']}: {first['metric']} agrees most, {first['agreement']:.3f}" in figure.describes


def test_the_notes_name_the_test_and_the_correction(snapshot):
    assert "PERM-BOTH" in made("trust_by_criterion", snapshot).notes[0]
    strict = reported(replace(snapshot, correction="holm", alpha=0.01))
    assert "corrected (Holm), level 0.01" in made("trust_by_criterion", strict).notes[0]


def test_without_a_metric_that_varies_there_is_nothing_to_draw():
    snapshot = good_and_bad()
    found = made("trust_figure", reported(replace(snapshot, scores={"pinc": snapshot.scores["pinc"]})))
    assert isinstance(found, MissingContent)
    assert found.reasons[0].startswith("No metric has a correlation with what people say: ")


def test_foils_have_their_scores_and_places():
    snapshot = plaba_like()
    table = made("foils", snapshot)
    assert list(table.head) == ["Metric", "Fooled by", "Source copied"]
    corpus = [one.corpus for one in snapshot.scores["sari"]]
    foil = snapshot.baselines["copied_source"]["sari"].corpus
    (row,) = [row for row in table.rows if row[0].text == "SARI"]
    assert row[2].value == foil == corpus[0], "one system copies too"
    place = 1 + sum(one > foil for one in corpus)
    assert row[2].parts == {"place": place, "of": 5}
    assert row[2].small == f"{place} of 5"
    (same,) = [row for row in table.rows if row[0].text == "Self-BLEU"]
    assert (same[1].text, same[2].small) == ("–", ""), "neither end is good, and nothing fools it"


def fooled(score, metric="pinc", systems=(10.0, 20.0, 30.0, 40.0)):
    texts = ["a b", "c d"]
    baselines = {"copied_source": {metric: by_value([score, score])}}
    named = [system(f"S{one}", texts) for one in range(len(systems))] + [system("P", texts, is_human=True)]
    scores = {metric: [by_value([one, one]) for one in (*systems, 99.0)]}
    return snapshot_of(units_of(texts), named, (), scores, baselines=baselines)


@pytest.mark.parametrize(
    ("score", "metric", "place", "share", "names"),
    [
        (35.0, "pinc", 2, 0.75, "Source copied"),
        (30.0, "pinc", 2, 0.75, "Source copied"),  # a tie shares the better place
        (25.0, "pinc", 3, 0.5, "Source copied"),
        (15.0, "pinc", 4, 0.25, "–"),
        (50.0, "pinc", 1, 1.0, "Source copied"),
        (5.0, "ter", 1, 1.0, "Source copied"),  # low is good
        (50.0, "ter", 5, 0.0, "–"),
    ],
)
def test_who_is_fooled(score, metric, place, share, names):
    """Of four systems that are no people; the person's score does not count."""
    snapshot = fooled(score, metric)
    (row,) = made("foils", snapshot).rows
    assert row[2].parts == {"place": place, "of": 5}
    assert row[1].text == names
    (drawn,) = made("foils_figure", snapshot).rows
    assert (drawn["share"], drawn["above"]) == (
        pytest.approx(share), "half of the systems or more" if share >= 0.5 else "fewer"
    )  # fmt: skip


def test_a_degenerate_baseline_without_a_score_says_why():
    snapshot = fooled(np.nan)
    (row,) = made("foils", snapshot).rows
    assert (row[2].value, row[2].why) == (None, "None of the sentences has a score.")
    found = made("foils_figure", snapshot)
    assert found.reasons == [
        "No metric of which one end is the better one has scored a degenerate baseline and a system."
    ]
    assert share_below({"place": None, "of": None}) is None


def test_the_drawn_foils_say_who_is_fooled():
    figure = made("foils_figure", plaba_like())
    assert {row["foil"] for row in figure.rows} == {"Source copied"}
    liked = [row["metric"] for row in figure.rows if row["above"] == "half of the systems or more"]
    said = ", ".join(liked) if liked else "none"
    assert figure.describes.endswith(f"Source copied: {said}.")


def test_every_foil_that_was_scored_is_explained():
    snapshot = gyafc_like()
    texts = snapshot.units.sources
    baselines = {
        name: {"bleu": by_metric("bleu", snapshot.units, texts)} for name in ("shuffled_words", "copied_source")
    }
    table = made("foils", reported(replace(snapshot, baselines=baselines)))
    assert list(table.head[2:]) == ["Source copied", "Words shuffled"]
    assert "Source copied: The metric does not see that the text was not changed." in table.notes


@pytest.mark.parametrize("name", NAMES)
def test_a_study_with_nothing_says_what_is_lacking(name):
    found = made(name, bare())
    assert isinstance(found, MissingContent)
    assert all(reason.endswith(".") for reason in found.reasons)


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("make", [gyafc_like, fu_like, plaba_like])
def test_each_is_kept_and_read_again(name, make):
    found = made(name, make())
    assert Entry.of(entry_json(name, TABLES[name], found)).content == found
    if isinstance(found, Figure):
        assert len({tuple(row) for row in found.rows}) == 1, "all rows have the same keys"


def test_a_claim_rests_on_outputs_of_systems_alone(snapshot):
    """What people said of source and reference is in no correlation."""
    one, found = snapshot.judgements["raw"]["meaning"], snapshot.report["trust"]["criteria"]["meaning"]
    ours = one.system < 3
    assert (one.system >= 3).any()
    assert found["outputs"] == len(set(one.text[ours].tolist()))
    assert found["judgements"] == len(set(zip(one.text[ours].tolist(), one.rater[ours].tolist(), strict=True)))


def test_by_system_the_table_says_where_systems_were_judged_on_different_texts(snapshot):
    """The first system loses its judgements of a third of the sources."""
    one = snapshot.judgements["raw"]["meaning"]
    homes = np.unique(snapshot.units.home[one.unit[one.system < 3]])
    lost = homes[: len(homes) // 3]
    kept = ~((one.system == 0) & np.isin(snapshot.units.home[one.unit], lost))
    columns = {name: getattr(one, name)[kept] for name in ("unit", "system", "rater", "value", "text")}
    fewer = {**snapshot.judgements["raw"], "meaning": replace(one, **columns)}
    uneven = reported(replace(snapshot, judgements=dict.fromkeys(snapshot.judgements, fewer)))
    left = replace(one, **columns)
    judged_of = [set(snapshot.units.home[left.unit[left.system == place]].tolist()) for place in range(3)]
    wanted = {"shared": len(set.intersection(*judged_of)), "judged": len(set.union(*judged_of))}
    wanted |= {"systems": 3, "compared": 3}
    assert wanted["shared"] < wanted["judged"] - len(lost) // 2
    assert uneven.report["trust"]["criteria"]["meaning"]["uneven"] == wanted
    said = f"judged on different texts, all of them on {wanted['shared']} of {wanted['judged']};"
    assert [note for note in made("trust_by_criterion", uneven).notes if said in note]
    even = reported(plaba_like()).report["trust"]["criteria"]
    assert all(rests["uneven"] is None for rests in even.values())


def test_metrics_can_be_told_apart_at_the_papers_level():
    """One metric says what people say, three say nothing: corrected for three, 1,000 draws told no p below .001."""
    random = np.random.default_rng(3)
    value = random.integers(1, 6, (120, 3)).astype(float)
    people = [judged("overall", [(unit, place, 0, value[unit, place]) for unit in range(120) for place in range(3)])]
    noise = {name: random.normal(size=(120, 3)) for name in ("chrf", "ter", "pinc")}
    scores = {name: [by_value(of[:, place]) for place in range(3)] for name, of in {"bleu": value, **noise}.items()}
    systems = [system(name, ["x"] * 120) for name in "ABC"]
    units = units_of([f"source {one}" for one in range(120)])
    made = snapshot_of(units, systems, people, scores, alpha=0.001, correction="holm", draws=1000)
    ranked = made.report["trust"]["criteria"]["overall"]["sentence"]
    assert [(row["metric"] == "bleu", row["group"] == 1) for row in ranked] == [(True, True)] + [(False, False)] * 3
