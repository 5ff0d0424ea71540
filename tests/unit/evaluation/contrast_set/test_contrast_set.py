"""The texts of the contrast set: what each family does to a text, and which texts are good ones."""

import pytest
from scipy.stats import binomtest
from support.snapshots import snapshot_of, system, units_of

from evaluation.contrast_set import FAMILIES, MOST, UNHARMED, contrast_texts
from evaluation.metric_contract import Scores
from evaluation.reporting.contrast import contrast
from evaluation.table_parts.contents import MissingContent
from evaluation.tables import TABLES

SOURCES = ["pt has htn since 2010 .", "pt c/o sob .", "no cp ."]
OUTPUTS = ["The patient has had high blood pressure since 2010.", "The patient saw Anna. He is not well.", "ok"]


def made(outputs=OUTPUTS, references=(), sources=SOURCES, language="", inside=None):
    units = units_of(sources, references)
    rows = [system("Model", outputs)]
    found = contrast_texts(units, rows, [True] * len(sources) if inside is None else inside, language)
    return {(one.unit, one.family): one.text for one in found}


def test_each_family_harms_what_it_names():
    texts = made()
    assert [texts[place, UNHARMED] for place in range(3)] == OUTPUTS
    assert texts[0, "simplicity"] == "pt has had high blood pressure since 2010."
    assert texts[1, "coherence"] == "He is not well. The patient saw Anna."
    assert sorted(texts[0, "coherence"].split()) == sorted(OUTPUTS[0].split())
    assert texts[1, "faithfulness"] == "The patient saw Anna. He is well."
    assert texts[1, "informativeness"] != OUTPUTS[1]
    assert texts == made(), "and by a seed"


def test_a_family_that_fits_no_text_has_none_of_it():
    texts = made()
    assert {family for place, family in texts if place == 2} == {UNHARMED, "informativeness", "simplicity"}
    copied = made(outputs=SOURCES)
    assert not any(family == "simplicity" for _, family in copied), "nothing was rewritten"


@pytest.mark.parametrize(
    ("language", "source", "text", "known"),
    [
        ("zh", "病人有高血压。", "病人血压很高。他吃药。", {"informativeness", "simplicity", "coherence"}),
        ("ar", "ا ب", "لا يوجد ألم في الصدر منذ 5 أيام", set(FAMILIES)),
        ("de", "Er war da.", "Er war nicht da, sagte Anna.", {"informativeness", "simplicity", "coherence"}),
    ],
)
def test_other_languages_have_the_families_that_are_known_of_them(language, source, text, known):
    families = {family for _, family in made([text], sources=[source], language=language)}
    assert families - {UNHARMED} == known


def test_thai_keeps_the_spaces_that_stand_between_clauses():
    text = "ผู้ป่วยไม่ได้กินยา เขาไปหาหมอวันที่ 12 มีนาคม"
    found = made([text], sources=["คนไข้ไม่กินยา"], language="th")
    assert found[0, "faithfulness"] == text.replace("12", "40")
    assert sorted(found[0, "coherence"].replace(" ", "")) == sorted(text.replace(" ", ""))
    assert found[0, "coherence"].count(" ") >= 2, "a metric would tell it by its missing spaces"


def test_names_change_places_between_texts_of_a_language_with_capitals():
    texts = made(["Er sah Anna dort.", "Er traf Berta gern."], sources=["x", "y"], language="de")
    assert texts[0, "faithfulness"] == "Er sah Berta dort."


def test_a_reference_is_the_good_text_only_where_others_are_left_to_hold_it_against():
    texts = made(references=[["A.", "B."], ["C."], []])
    assert [texts[place, UNHARMED] for place in range(3)] == ["A.", *OUTPUTS[1:]]


def test_at_most_so_many_sources_are_drawn_and_none_outside_of_the_split():
    many = made([f"Text {place} of many." for place in range(300)], sources=["x"] * 300)
    assert sum(family == UNHARMED for _, family in many) == MOST
    assert {place for place, _ in made(inside=[False, True, False])} == {1}
    assert made(["", None, " "]) == {}


def of_contrast(metric, scores, **more):
    """A study of which one metric scored the contrast set of 12 units: `scores` by family and unit."""
    units = units_of([f"s{place}" for place in range(12)])
    rows = [(unit, family, score) for family, values in scores.items() for unit, score in enumerate(values, 1)]
    details = dict(zip(("units", "families", "scores"), map(list, zip(*rows, strict=True)), strict=True))
    scored = Scores([], details, corpus=1.0, signature="x")
    return snapshot_of(units, [system("A", ["x"] * 12)], scores={metric: [None]}, contrast={metric: scored}, **more)


def test_the_share_counts_no_tie_and_turns_with_the_better_end():
    scores = {UNHARMED: [0.5] * 12, "coherence": [0.1] * 6 + [0.5] * 3 + [0.9] * 2 + [None]}
    high, low = (contrast(of_contrast(name, scores))["metrics"][name]["coherence"] for name in ("rouge_1", "ter"))
    assert (high["share"], high["tied"], high["n"]) == (pytest.approx(6 / 11), pytest.approx(3 / 11), 11)
    assert low["share"] == pytest.approx(2 / 11)
    interval = binomtest(6, 11).proportion_ci(method="wilson")
    assert (high["low"], high["high"]) == (pytest.approx(interval.low), pytest.approx(interval.high))


def test_what_is_lacking_says_why():
    found = contrast(of_contrast("rouge_1", {UNHARMED: [0.5] * 12, "coherence": [None] * 12}))["metrics"]["rouge_1"]
    assert found["coherence"]["undefined"] == "The metric has no score of such texts."
    assert found["faithfulness"]["undefined"] == FAMILIES["faithfulness"].lacking
    elsewhere = snapshot_of(units_of(["a"]), [system("A", ["x"])], scores={"bleu": [None]})
    assert isinstance(TABLES["contrast"].make(elsewhere), MissingContent)


def test_the_table_has_a_row_a_metric_and_a_column_a_family():
    table = TABLES["contrast"].make(of_contrast("rouge_1", {UNHARMED: [0.5] * 12, "simplicity": [0.1] * 12}))
    assert table.head == ["Metric", *(one.label for one in FAMILIES.values())]
    ((metric, _, simplicity, _, faithfulness),) = table.rows
    assert (metric.text, simplicity.text, simplicity.small) == ("ROUGE-1", "1.00", "0.76 to 1.00, n = 12")
    assert faithfulness.why.startswith("No text has a number")
