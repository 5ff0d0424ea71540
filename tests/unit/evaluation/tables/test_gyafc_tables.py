"""The tables and figures of GYAFC from a small study, their numbers worked out by hand and by scipy."""

from dataclasses import replace

import numpy as np
import pytest
from rapidfuzz.distance import Levenshtein
from scipy import stats
from support.snapshots import bare, msd_like

from corpora.knowledge import formality
from evaluation.snapshot import RANK
from evaluation.table_parts.contents import Figure, MissingContent, Table
from evaluation.tables import TABLES
from evaluation.tables.gyafc_tables import NO_RANKS
from foundation.papers import GYAFC

NAMES = [
    "gyafc_table_2", "gyafc_table_3", "gyafc_table_4", "gyafc_table_5", "gyafc_table_6", "gyafc_table_7",
    "gyafc_figure_1", "gyafc_figure_2", "gyafc_figure_3",
]  # fmt: skip


@pytest.fixture(scope="module")
def snapshot(formality):
    return formality


@pytest.fixture(scope="module")
def both_ways():
    return msd_like()


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def words(table):
    return [[cell.text for cell in row] for row in table.rows]


def cell(table, row, head, texts=None):
    """The cell of a row; of a table with blocks that of `texts`, or of the first."""
    found = [one for one in table.rows if one[0].text == row and texts in (None, one[1].text)]
    return found[0][list(table.head).index(head)]


def test_each_stands_where_the_paper_has_it():
    assert [TABLES[name].paper for name in NAMES] == [GYAFC] * 9
    for name in NAMES:
        kind, number = name.removeprefix("gyafc_").split("_")
        assert TABLES[name].number == f"{kind.capitalize()} {number}"


def test_table_2_counts_texts_by_style_and_sources_by_domain(snapshot):
    table = made("gyafc_table_2", snapshot)
    assert table.head == ["Domain", "Total", "Informal", "Formal"]
    assert words(table) == [
        ["All texts", "2,172", "2,124", "48"], ["All sources", "2,164", "2,124", "40"],
        ["Music", "1,252", "1,212", "40"], ["Family", "912", "912", "–"],
    ]  # fmt: skip
    assert made("gyafc_table_2", bare()).reasons == ["The study has no texts yet: add some on the page Texts."]


def test_table_3_counts_sentences_and_their_references(snapshot):
    table = made("gyafc_table_3", snapshot)
    assert table.head == [
        "Domain", "informal to formal, train", "informal to formal, test", "formal to informal, train"
    ]  # fmt: skip
    assert words(table) == [["Music", "1,200", "12", "40"], ["Family", "900", "12", "–"]]
    assert [one.small for one in table.rows[0]] == [
        "", "1,100 with a reference", "all with a reference, 2 references each", "none with a reference"
    ]  # fmt: skip
    assert made("gyafc_table_3", bare()).reasons == [
        "The study has no sentences yet: import some on the page Import a table."
    ]


def test_table_3_says_where_numbers_of_references_differ(snapshot):
    fewer = [given[: 1 + place % 2] for place, given in enumerate(snapshot.units.references)]
    changed = replace(snapshot, units=replace(snapshot.units, references=fewer))
    assert cell(made("gyafc_table_3", changed), "Family", "informal to formal, test").small.endswith(
        "2 references each"
    )
    mixed = replace(snapshot, units=replace(snapshot.units, references=fewer[1:] + fewer[:1], domains=["Music"] * 24))
    assert cell(made("gyafc_table_3", mixed), "Music", "informal to formal, test").small.endswith("1 to 2 references")


def test_table_4_has_people_and_metrics_side_by_side(snapshot):
    table = made("gyafc_table_4", snapshot)
    assert [row[1].text for row in table.rows] == ["All domains"] * 5 + ["Music"] * 5 + ["Family"] * 5
    assert [row[0].text for row in table.rows] == ["Source", "Reference", "Rules", "Phrases", "Neural"] * 3
    assert table.head == [
        "System", "Texts", "Formality, people", "Style acc.", "Fluency, people", "PPL (n-gram)", "Meaning, people",
        "Content", "Combined, people", "BLEU", "TER", "PINC",
    ]  # fmt: skip
    judged = snapshot.judgements["raw"]["meaning"]
    for place, name in enumerate(["Rules", "Phrases", "Neural", "Source", "Reference"]):
        found = cell(table, name, "Meaning, people")
        assert found.value == pytest.approx(judged.value[judged.system == place].mean())
    assert cell(table, "Neural", "Formality, people").stars == "*"
    assert cell(table, "Rules", "Formality, people").stars == ""
    assert cell(table, "Phrases", "BLEU").value == pytest.approx(snapshot.scores["bleu"][1].corpus)
    assert cell(table, "Source", "BLEU").value is None
    assert [row[0].text for row in table.rows if row[list(table.head).index("TER")].best] == ["Phrases"] * 3
    assert table.notes[0].startswith("* differs from Rules with p < 0.05")
    assert not [note for note in table.notes if note.startswith("People have not judged")]


def test_table_4_for_each_direction_and_what_it_lacks(both_ways):
    table = made("gyafc_table_4", both_ways)
    assert [row[1].text for row in table.rows] == ["expert to lay"] * 3 + ["lay to expert"] * 3
    values = both_ways.scores["style_accuracy"][1].sentences
    column = list(table.head).index("Style acc.")
    assert [table.rows[1][column].value, table.rows[4][column].value] == pytest.approx(
        [values[:20].mean(), values[20:].mean()]
    )
    assert "Choose PINC on the page Choose metrics." in table.notes
    assert any(note.startswith("People have not judged style") for note in table.notes)


def test_table_4_of_a_study_with_nothing_says_all_that_is_lacking():
    found = made("gyafc_table_4", bare())
    assert isinstance(found, MissingContent)
    for aspect in ("style", "fluency", "meaning"):
        assert any(reason.startswith(f"People have not judged {aspect}") for reason in found.reasons)
        assert any(one.startswith(f"No metric of {aspect} is chosen: choose one") for one in found.reasons)
    assert all(reason.endswith(".") for reason in found.reasons)


def _rank(judged, here):
    """Equation 1 over these judgements."""
    return np.mean([judged.value[here & (judged.unit == one)].mean() for one in np.unique(judged.unit[here])])


def test_table_5_orders_systems_by_equation_1(snapshot):
    table = made("gyafc_table_5", snapshot)
    assert table.head == ["System", "All domains", "Music", "Family"]
    judged = snapshot.judgements["raw"][RANK]
    for domain, inside in (("All domains", judged.unit >= 0), ("Music", judged.unit % 2 == 0)):
        for place, row in enumerate(snapshot.systems):
            here = inside & (judged.system == place)
            by_source = [judged.value[here & (judged.unit == one)].mean() for one in np.unique(judged.unit[here])]
            assert cell(table, row.name, domain).value == pytest.approx(np.mean(by_source))
    there = np.isin(judged.unit, [unit for unit in range(24) if snapshot.systems[2].outputs[unit]])  # what all have
    names = [row[0].text for row in table.rows if row[0].text not in ("Source", "Reference")]
    over_the_same = {row.name: _rank(judged, there & (judged.system == at)) for at, row in enumerate(snapshot.systems)}
    assert names == sorted(names, key=lambda name: over_the_same[name])
    assert "sentences that all ranked systems have" in table.notes[-1]
    assert table.rows[0][0].text == "Reference"
    assert cell(table, "Phrases", "All domains").best
    assert cell(table, "Phrases", "All domains").stars == "*"
    assert made("gyafc_table_5", bare()).reasons == [NO_RANKS]


def test_table_6_is_scipys_spearman(snapshot):
    table = made("gyafc_table_6", snapshot)
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        ("Style acc.", "Formality"), ("PPL (n-gram)", "Fluency"), ("Content", "Meaning"), ("BLEU", "Rank"),
        ("TER", "Rank"), ("PINC", "Rank"),
    ]  # fmt: skip
    for at, metric, criterion in ((0, "style_accuracy", "formality"), (3, "bleu", RANK)):
        judged = snapshot.judgements["raw"][criterion]
        for column, parity in ((2, (0, 1)), (3, (0,)), (4, (1,))):
            pairs = [
                (one.sentences[unit], judged.value[(judged.system == place) & (judged.unit == unit)].mean())
                for place, one in enumerate(snapshot.scores[metric])
                if one is not None
                for unit in np.unique(judged.unit[judged.system == place])
                if unit % 2 in parity and not np.isnan(one.sentences[unit])
            ]
            expected, found = stats.spearmanr(*zip(*pairs, strict=True)), table.rows[at][column]
            assert found.value == pytest.approx(expected.statistic)
            assert found.parts["n"] == len(pairs)
            assert found.parts["low"] < found.value < found.parts["high"]
            off_zero = found.parts["low"] > 0 or found.parts["high"] < 0  # p is by source, as the interval is
            assert found.stars == ("*" if off_zero else "")
            assert (found.parts["p"] < 0.05) == off_zero


def test_table_6_without_ranks_says_so(both_ways):
    found = made("gyafc_table_6", both_ways)
    assert isinstance(found, MissingContent)
    assert NO_RANKS in found.reasons


def test_table_7_has_all_outputs_of_the_same_few_sentences(snapshot, both_ways):
    table = made("gyafc_table_7", snapshot)
    assert [row[0].text for row in table.rows] == ["Source", "Reference", "Rules", "Phrases", "Neural"]
    assert [head.split(", ")[1] for head in table.head[1:]] == ["Music", "Family"] * 2
    for column in range(1, 5):
        unit = snapshot.units.sources.index(table.rows[0][column].text)
        assert unit != 7, "one system has no output there"
        assert table.rows[1][column].text == snapshot.units.references[unit][0]
        assert [row[column].text for row in table.rows[2:]] == [system.outputs[unit] for system in snapshot.systems[:3]]
    assert words(table) == words(made("gyafc_table_7", snapshot))
    assert words(table) != words(made("gyafc_table_7", replace(snapshot, seed=2)))
    assert [head.split(", ")[1] for head in made("msd_table_6", both_ways).head[1:]] == [
        "expert to lay", "lay to expert"
    ] * 2  # fmt: skip
    assert made("gyafc_table_7", replace(bare(), systems=[])).reasons == [
        "The study has no systems: add one on the page Systems."
    ]


def test_figure_1_has_the_edits_of_each_domain_in_tens(snapshot):
    figure = made("gyafc_figure_1", snapshot)
    notes = []
    for place, domain in enumerate(("Music", "Family")):
        distances = np.array([
            Levenshtein.distance(source, one)
            for source, given in zip(snapshot.units.sources[place::2], snapshot.units.references[place::2], strict=True)
            for one in given
        ])  # fmt: skip
        rows = [row for row in figure.rows if row["direction"] == f"informal to formal, {domain}"]
        for row in rows:
            inside = (distances >= row["from"]) & (distances < row["from"] + 10)
            assert (row["sentences"], row["percent"]) == (inside.sum(), pytest.approx(100 * inside.mean()))
        assert sum(row["sentences"] for row in rows) == 24
        spread = f"mean {distances.mean():.2f}, standard deviation {distances.std(ddof=1):.2f}"
        notes.append(f"Informal to formal, {domain}: 24 rewrites, {spread}.")
    assert figure.notes == notes
    assert made("gyafc_figure_1", bare()).reasons == [
        "No sentence has a reference: add some on the page Add references."
    ]


def test_figure_1_is_of_the_train_split_where_that_has_rewrites(snapshot):
    """As the paper prints it: 28.85 is the mean of the train set."""
    splits = ["train", "train", *["test"] * 22]
    figure = made("gyafc_figure_1", replace(snapshot, units=replace(snapshot.units, splits=splits)))
    assert sum(row["sentences"] for row in figure.rows) == 4
    assert figure.notes[-1] == "The texts are of the train split, as in the paper."


def test_figure_1_shows_both_directions(both_ways):
    figure = made("gyafc_figure_1", both_ways)
    assert {row["direction"] for row in figure.rows} == {"expert to lay", "lay to expert"}


def test_figure_2_is_of_what_people_gave_sources_and_references_by_domain(snapshot):
    figure = made("gyafc_figure_2", snapshot)
    judged = snapshot.judgements["raw"]["formality"]
    for place, role in ((3, "Source"), (4, "Reference")):
        for first, domain in enumerate(("Music", "Family")):
            name = f"{role}, {domain}"
            means = np.array([
                judged.value[(judged.system == place) & (judged.unit == unit)].mean() for unit in range(first, 24, 2)
            ])  # fmt: skip
            rows = [row for row in figure.rows if row["texts"] == name]
            assert sum(row["sentences"] for row in rows) == 12
            for row in rows:
                top = 3.01 if row["below"] == 3 else row["below"]
                assert row["sentences"] == ((means >= row["from"]) & (means < top)).sum()
                assert row["below"] - row["from"] == pytest.approx(0.25)
            spread = f"mean {means.mean():.2f}, standard deviation {means.std(ddof=1):.2f}"
            assert f"{name}: 12 texts, {spread}." in figure.notes


def test_figure_2_is_of_the_classifier_s_scores_where_there_is_one(snapshot, tmp_path, monkeypatch):
    """As the paper has it; it was of people's ratings though a classifier was at hand."""
    texts = [*snapshot.units.sources, *(text for given in snapshot.units.references for text in given)]
    labels = [-1.5] * 24 + [1.0] * 48
    model = formality.train(texts, labels)
    model.save(tmp_path / "formality")
    chosen = replace(snapshot, scores={**snapshot.scores, "formality": [None] * 5}, language="en")
    assert {row["texts"] for row in made("gyafc_figure_2", chosen).rows} >= {"Source, Music"}, "without a model: people"
    monkeypatch.setenv("RESTYLE_FORMALITY", str(tmp_path / "formality"))
    figure = made("gyafc_figure_2", chosen)
    scored = np.clip(model.scores(list(snapshot.units.sources[0::2])), -3, 3)
    assert sum(row["sentences"] for row in figure.rows if row["texts"] == "Reference, Family") == 24
    spread = f"mean {scored.mean():.2f}, standard deviation {scored.std(ddof=1):.2f}"
    assert f"Source, Music: 12 texts, {spread}." in figure.notes
    assert figure.notes[-1].startswith("The classifier at hand gives the style, as in the paper")


def test_figure_2_without_judged_sources(both_ways):
    found = made("gyafc_figure_2", both_ways)
    assert isinstance(found, MissingContent)
    assert found.reasons[0].startswith("The style of no source, reference or person's output is known: open a human")


def test_figure_3_has_means_by_length(snapshot):
    figure = made("gyafc_figure_3", snapshot)
    assert {row["panel"] for row in figure.rows} == {"Formality", "Meaning"}
    assert {row["system"] for row in figure.rows} == {"Rules", "Phrases", "Neural", "Source", "Reference"}
    judged, lengths = snapshot.judgements["raw"]["formality"], snapshot.units.words
    names = [row.name for row in snapshot.systems]
    for row in figure.rows:
        if row["panel"] == "Formality":
            inside = (lengths >= row["from"]) & (lengths < row["below"])
            at = inside[judged.unit] & (judged.system == names.index(row["system"]))
            assert (row["value"], row["n"]) == (pytest.approx(judged.value[at].mean()), at.sum())
            assert row["sentences"] == inside.sum()
    assert made("gyafc_figure_3", bare()).reasons[0].startswith("People have not judged style")


@pytest.mark.parametrize("name", NAMES)
def test_a_study_without_systems_still_answers(name):
    found = made(name, replace(bare(), systems=[], baseline=None))
    assert isinstance(found, Table | Figure | MissingContent)
