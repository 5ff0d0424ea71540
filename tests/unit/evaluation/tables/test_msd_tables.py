"""The tables and figures of MSD: a small study, numbers by hand and by sacreBLEU and rapidfuzz, and the paper's own."""

import tomllib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest
import sacrebleu
from rapidfuzz.distance import Levenshtein
from support.snapshots import EXPERT, LAY, bare, by_value, judged, msd_like, snapshot_of, system, units_of

from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import CorpusCounts
from evaluation.table_parts.contents import Figure, MissingContent, Table
from evaluation.tables import TABLES
from foundation.papers import MSD
from foundation.project import ROOT

NAMES = [
    "msd_table_2", "msd_table_3", "msd_table_4", "msd_table_5", "msd_table_6", "msd_figure_2", "msd_figure_3",
    "msd_figure_4a", "msd_figure_4b", "msd_figure_4c",
]  # fmt: skip
AMAZON = Path(__file__).resolve().parents[5] / "shared" / "data" / "amazon"
NO_REFERENCE = "No sentence has a reference: add some on the page Add references."
# Tables 4 and 5, expertise to laymen on MSD: Acc, PPL, self-BLEU, ref-BLEU, human, SARI.
PRINTED = {
    "OpenNMT+PT": (16.00, 5.95, 59.89, 9.91, 3.53, 22.04),
    "UNTS": (22.07, 24.62, 20.49, 3.94, 2.66, 33.13),
    "ControlledGen": (11.7, 5.77, 88.61, 13.13, 3.78, 21.70),
    "DeleteAndRetrieve": (74.67, 3.92, 6.66, 2.95, 2.28, 33.78),
    "StyleTransformer": (40.89, 12.12, 53.66, 10.09, 3.31, 35.41),
    "Gold": (93.63, 4.23, 14.00, None, None, None),
}


@pytest.fixture(scope="module")
def snapshot(expertise):
    return expertise


@pytest.fixture(scope="module")
def published():
    """A study whose every output has what the paper prints for its system."""
    units = units_of(["a", "b", "c"], directions=(EXPERT,))
    systems = [system(name, ["x"] * 3, is_human=name == "Gold") for name in PRINTED]
    names = ("style_accuracy", "perplexity_lm", "self_bleu", "bleu", None, "sari")
    scores = {
        name: [None if of[at] is None else by_value([of[at] / (1 if at else 100)] * 3) for of in PRINTED.values()]
        for at, name in enumerate(names) if name
    }  # fmt: skip
    rows = [(unit, place, 0, of[4]) for place, of in enumerate(PRINTED.values()) if of[4] for unit in range(3)]
    people = [judged("content", rows, aspect="meaning", scale="content_5", ends=(1, 5))]
    return snapshot_of(units, systems, people, scores, styles=["expert", "lay"])


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def words(table):
    return [[cell.text for cell in row] for row in table.rows]


def test_each_stands_where_the_paper_has_it():
    assert [TABLES[name].paper for name in NAMES] == [MSD] * 10
    for name in NAMES:
        kind, number = name.removeprefix("msd_").split("_")
        assert TABLES[name].number == f"{kind.capitalize()} {number}"


def test_table_2_counts_each_text_as_often_as_it_stands(snapshot):
    table = made("msd_table_2", snapshot)
    assert table.head == [
        "Counted", "Expert, train", "Lay, train", "ratio, train", "Expert, test", "Lay, test", "ratio, test"
    ]  # fmt: skip
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}
    assert list(rows) == [
        "Annotations", "Sentences", "Vocabulary", "Concept vocabulary", "FKGL", "Gunning fog", "Coleman-Liau",
        "Mean readability",
    ]  # fmt: skip
    assert rows["Annotations"] == ["–", "–", "–", "20", "20", "1.00"]
    # Two texts of three sentences, six words; one of three words. Of the test 20 texts.
    assert rows["Sentences"][:4] == ["3", "1", "0.33", "20"]
    assert rows["Vocabulary"][:3] == ["7", "3", "0.43"]
    assert rows["Concept vocabulary"] == ["–", "–", "–", "3", "1", "0.33"]
    lay = 20 + sum(1 + one % 3 for one in range(20))
    assert rows["Sentences"][4:] == [str(lay), f"{lay / 20:.2f}"]


def test_table_2_tests_with_what_was_annotated_alone(snapshot):
    counts = replace(
        snapshot.counts, annotated={(*EXPERT, "test"): (["Give oxygen."], ["Help them breathe. It helps."])}
    )
    table = made("msd_table_2", replace(snapshot, counts=counts))
    rows = {row[0].text: [cell.text for cell in row[1:]] for row in table.rows}
    assert rows["Sentences"] == ["3", "1", "0.33", "1", "2", "2.00"]


def test_table_2_has_the_grades_of_the_readability_metrics(snapshot):
    texts = snapshot.counts.texts["expert", "test"][:20]
    table = made("msd_table_2", snapshot)
    for name, row in zip(("fkgl", "gunning_fog", "coleman_liau"), table.rows[4:7], strict=True):
        assert row[4].value == pytest.approx(METRICS[name].score(MetricInput([], texts, [])).corpus)
    assert table.rows[7][4].value == pytest.approx(np.mean([row[4].value for row in table.rows[4:7]]))
    assert table.rows[7][6].value == pytest.approx(table.rows[7][5].value / table.rows[7][4].value)


def test_table_2_of_one_direction_counts_its_pairs_on_both_sides(snapshot):
    counts = replace(snapshot.counts, pairs={(*EXPERT, "test", ""): 18})
    assert [cell.text for cell in made("msd_table_2", replace(snapshot, counts=counts)).rows[0][4:]] == [
        "18", "18", "1.00"
    ]  # fmt: skip


def test_table_2_says_what_it_lacks():
    assert made("msd_table_2", bare()).reasons == [
        "The study has no texts in the splits train, tune and test: add some on the page Texts."
    ]
    one = bare(styles=["lay"], counts=CorpusCounts(texts={("lay", "test"): ["Hi."]}))
    assert made("msd_table_2", one).reasons == ["The study has one style, and two are compared here."]


def test_table_3_is_sacrebleus_and_a_mean_of_distances(snapshot):
    table = made("msd_table_3", snapshot)
    assert [row[0].text for row in table.rows] == ["All texts", "Expert to lay", "Lay to expert"]
    units = snapshot.units
    for row, at in zip(table.rows, (range(40), range(20), range(20, 40)), strict=True):
        expected = sacrebleu.corpus_bleu([units.sources[one] for one in at], [[units.references[one][0] for one in at]])
        assert row[1].value == len(at)
        assert row[2].value == pytest.approx(expected.score)
        assert row[3].value == pytest.approx(units.apart[list(at)].mean())
        assert row[3].small == f"standard deviation {units.apart[list(at)].std(ddof=1):.2f}"
    assert any("each concept masked" in note for note in table.notes)


def test_table_3_masks_nothing_where_nothing_is_linked(snapshot):
    plain = replace(snapshot, units=replace(snapshot.units, apart=np.full(40, np.nan)))
    table, units = made("msd_table_3", plain), snapshot.units
    pairs = zip(units.sources[:20], units.references[:20], strict=True)
    assert table.rows[1][3].value == np.mean([Levenshtein.distance(source, given[0]) for source, given in pairs])
    assert any("no concepts are linked" in note for note in table.notes)
    assert made("msd_table_3", bare()).reasons == [NO_REFERENCE]


@pytest.mark.skipif(not AMAZON.exists(), reason="the Amazon data are not here")
def test_table_3_is_the_papers_of_amazon():
    """The paper prints BLEU 44.52 and edit distance 19.75 for the references of Li et al., which are tokenized."""
    found = [
        [line.split("\t")[:2] for line in (AMAZON / f"reference.{number}").read_text(encoding="utf-8").splitlines()]
        for number in (0, 1)
    ]
    rows = [*found[0], *found[1]]
    ways = (("negative", "positive"), ("positive", "negative"))
    units = units_of(
        [source for source, _ in rows], [[text] for _, text in rows], directions=ways, direction=[0] * 500 + [1] * 500
    )  # fmt: skip
    recipe = tomllib.loads((ROOT / "docs/recipes/msd-table-3.toml").read_text(encoding="utf-8"))
    table = made("msd_table_3", replace(snapshot_of(units, [], [], {}), chosen=recipe["metrics"]))
    assert words(table)[0] == ["All texts", "1000", "44.52", "19.75"]
    assert METRICS["bleu"].signature(tokenize="none") in table.notes


def test_table_4_and_5_are_the_papers(published):
    table = made("msd_table_4", published)
    assert table.head == ["System", "Acc", "PPL", "self-BLEU", "ref-BLEU", "Content, people"]
    assert words(table) == [
        [name, *("–" if one is None else f"{one:.2f}" for one in of[:5])] for name, of in PRINTED.items()
    ]  # fmt: skip
    assert [[row[0].text for row in table.rows if row[at].best] for at in (1, 2, 4, 5)] == [
        ["Gold"], ["DeleteAndRetrieve"], ["ControlledGen"], ["ControlledGen"]
    ]  # fmt: skip
    sari = made("msd_table_5", published)
    assert sari.head == ["System", "SARI, expert to lay"]
    assert words(sari) == [[name, f"{of[5] / 100:.4f}"] for name, of in PRINTED.items() if of[5]]
    assert [row[0].text for row in sari.rows if row[1].best] == ["StyleTransformer"]


def test_table_4_has_both_directions_and_people_last(snapshot):
    table = made("msd_table_4", snapshot)
    assert [(row[0].text, row[1].text) for row in table.rows] == [
        (name, way) for way in ("expert to lay", "lay to expert") for name in ("Copying", "Dropping", "Gold")
    ]  # fmt: skip
    judgements = snapshot.judgements["raw"]["content"]
    for place, at in ((0, range(20)), (4, range(20, 40))):
        inside = np.isin(judgements.unit, list(at)) & (judgements.system == place % 3)
        cell = table.rows[place][-1]
        assert (cell.value, cell.parts["n"]) == (pytest.approx(judgements.value[inside].mean()), 40)
    assert "Choose PPL (LM) or PPL (n-gram) on the page Choose metrics." in table.notes


def test_tables_of_metrics_say_whose_program_speaks(snapshot):
    signature = snapshot.scores["sari"][0].signature
    assert "|like:easse|" in signature
    assert f"SARI: {signature}" in made("msd_table_5", snapshot).notes
    assert any("|lib:sacrebleu" in note for note in made("msd_table_4", snapshot).notes)


def test_table_4_names_what_stands_in_for_the_papers_metric(published):
    scores = {**published.scores, "perplexity_ngram": published.scores["perplexity_lm"]}
    del scores["perplexity_lm"]
    other = snapshot_of(published.units, published.systems, [], scores, styles=["expert", "lay"])
    assert "PPL (n-gram)" in made("msd_table_4", other).head
    assert any(note.startswith("People have not judged meaning") for note in made("msd_table_4", other).notes)


def test_tables_4_and_5_say_what_they_lack():
    found = made("msd_table_4", bare())
    assert isinstance(found, MissingContent)
    assert found.reasons[:2] == [
        "Choose Style acc. or Transfer strength on the page Choose metrics.",
        "Choose PPL (LM) or PPL (n-gram) on the page Choose metrics.",
    ]
    assert found.reasons[-1].startswith("No row holds people's rewrites: upload them")
    assert made("msd_table_5", bare()).reasons == ["Choose SARI on the page Choose metrics."]
    unscored = made("msd_table_5", bare(scores={"sari": [None]}))
    assert unscored.reasons[0].startswith("No system has a SARI: it takes outputs")


def test_table_6_has_the_gold_text_last(snapshot):
    table = made("msd_table_6", snapshot)
    assert [row[0].text for row in table.rows] == ["Source", "Copying", "Dropping", "Gold", "Reference"]
    for column in range(1, 5):
        unit = snapshot.units.sources.index(table.rows[0][column].text)
        assert table.rows[-1][column].text == snapshot.units.references[unit][0]


def test_figures_2_and_3_count_sentences(snapshot):
    topics = made("msd_figure_2", snapshot)
    assert [(row["name"], row["style"], row["sentences"]) for row in topics.rows] == [
        ("Lungs", "expert", 30), ("Lungs", "lay", 25), ("Heart", "expert", 12), ("Heart", "lay", 0)
    ]  # fmt: skip
    tested = made("msd_figure_3", snapshot)
    assert [(row["name"], row["style"], row["sentences"]) for row in tested.rows] == [
        ("Symptoms", "expert", 7), ("Symptoms", "lay", 7), ("Diagnosis", "expert", 7), ("Diagnosis", "lay", 6),
        ("Treatment", "expert", 6), ("Treatment", "lay", 7),
    ]  # fmt: skip
    unsectioned = replace(snapshot, units=replace(snapshot.units, sections=[""] * 40))
    every = made("msd_figure_3", unsectioned)
    assert [(row["name"], row["sentences"]) for row in every.rows if row["style"] == "lay"] == [
        ("Symptoms", 25), ("Treatment", 0)
    ]  # fmt: skip
    assert made("msd_figure_2", bare()).reasons[0].startswith("No document of the study has a topic: import")
    assert made("msd_figure_3", bare()).reasons[0].startswith("No document of the study has sections: import")


@pytest.mark.parametrize(("name", "kept"), [("4a", "concepts"), ("4b", "apart"), ("4c", "sections")])
def test_figure_4_is_of_bleu_and_style_accuracy(snapshot, name, kept):
    figure = made(f"msd_figure_{name}", snapshot)
    assert {row["measure"] for row in figure.rows} == {"BLEU", "Style acc."}
    assert {row["direction"] for row in figure.rows} == {"expert to lay", "lay to expert"}
    values = snapshot.units.sections if kept == "sections" else getattr(snapshot.units, kept)
    for row in figure.rows:
        place = ["Copying", "Dropping", "Gold"].index(row["system"])
        here = [
            unit for unit, value in enumerate(values)
            if (value == row["group"] if kept == "sections" else row["from"] <= value < row["below"])
            and (unit < 20) == (row["direction"] == "expert to lay")
        ]  # fmt: skip
        assert row["sentences"] == row["n"] == len(here)
        if row["measure"] == "Style acc.":
            assert row["value"] == pytest.approx(snapshot.scores["style_accuracy"][place].sentences[here].mean())
        else:
            outputs = [snapshot.systems[place].outputs[unit] for unit in here]
            references = [snapshot.units.references[unit][0] for unit in here]
            assert row["value"] == pytest.approx(sacrebleu.corpus_bleu(outputs, [references]).score)


def test_figure_4_says_what_it_lacks(snapshot):
    for name in ("msd_figure_4a", "msd_figure_4b", "msd_figure_4c"):
        assert made(name, bare()).reasons == [
            "Choose BLEU on the page Choose metrics.",
            "Choose Style acc. or Transfer strength on the page Choose metrics.",
        ]  # fmt: skip
    nothing = np.full(40, np.nan)
    units = replace(
        snapshot.units, concepts=nothing, apart=nothing, sections=[""] * 40, references=[[] for _ in range(40)]
    )  # fmt: skip
    empty = replace(snapshot, units=units)
    assert made("msd_figure_4a", empty).reasons[0].endswith("link them on the page Concepts.")
    assert made("msd_figure_4b", empty).reasons == [NO_REFERENCE]
    assert made("msd_figure_4c", empty).reasons[0].startswith("No source comes from a document with sections")


@pytest.mark.parametrize("name", NAMES)
def test_a_study_without_systems_still_answers(name):
    found = made(name, replace(bare(), systems=[], baseline=None))
    assert isinstance(found, Table | Figure | MissingContent)


def test_both_directions_are_held_in_the_record():
    assert msd_like().units.directions == [EXPERT, LAY]
