"""Scores by length, concepts, edit distance and section: groups of similar size, means by hand, intervals by scipy."""

from dataclasses import replace

import numpy as np
import pytest
import sacrebleu
from scipy import stats
from support.snapshots import bare, by_value, judged, snapshot_of, system, units_of

from evaluation.aggregation import estimates, score_sums
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.unit_groups import bins_of, sections_of
from evaluation.tables import TABLES

KINDS = {"by_length": "words", "by_concepts": "concepts", "by_apart": "apart"}


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def sizes(values, many):
    found = bins_of(np.array(values, dtype=float), np.ones(len(values), dtype=bool), many)
    return [(group.label, int(group.where.sum())) for group in found]


def test_groups_are_of_similar_size():
    assert sizes(range(1, 21), 5) == [("1–4", 4), ("5–8", 4), ("9–12", 4), ("13–16", 4), ("17–20", 4)]
    assert sizes([3, 3, 3, 3, 4, 5, 6, 7], 4) == [("3", 4), ("4–5", 2), ("6–7", 2)]


def test_no_group_is_a_small_rest():
    """One sentence of 8 words, as in the Amazon study, stands with those of 9."""
    assert sizes([8, *[9] * 10, *[10] * 10, *[11] * 9], 3) == [("8–9", 11), ("10", 10), ("11", 9)]
    assert sizes([*[9] * 10, *[10] * 10, 40], 2) == [("9", 10), ("10–40", 11)]


def test_one_number_is_one_group_and_unknown_ones_are_in_none():
    assert sizes([7, 7, 7], 5) == [("7", 3)]
    values, used = np.array([1.0, np.nan, 2.0, 3.0]), np.array([True, True, True, False])
    assert [group.where.tolist() for group in bins_of(values, used, 2)] == [
        [True, False, False, False], [False, False, True, False]
    ]  # fmt: skip
    assert bins_of(np.array([np.nan]), np.array([True])) == []


def test_the_largest_sections_come_first(expertise):
    found = sections_of(expertise, np.ones(40, dtype=bool))
    assert [(group.label, int(group.where.sum())) for group in found] == [
        ("Symptoms", 14), ("Diagnosis", 13), ("Treatment", 13)
    ]  # fmt: skip


@pytest.mark.parametrize(("name", "column"), KINDS.items())
def test_each_group_has_its_sentences_own_numbers(expertise, name, column):
    figure = made(name, expertise)
    assert {row["measure"] for row in figure.rows} == {"Content", "Style acc.", "Self-BLEU", "BLEU", "SARI"}
    values, judgements = getattr(expertise.units, column), expertise.judgements["raw"]["content"]
    names = [row.name for row in expertise.systems]
    for row in figure.rows:
        way = np.arange(40) < 20 if row["direction"] == "expert to lay" else np.arange(40) >= 20
        inside = (values >= row["from"]) & (values < row["below"]) & way
        place = names.index(row["system"])
        if row["measure"] == "Content":
            at = inside[judgements.unit] & (judgements.system == place)
            assert (row["value"], row["n"]) == (pytest.approx(judgements.value[at].mean()), at.sum())
        if row["measure"] == "Self-BLEU":
            outputs = [expertise.systems[place].outputs[unit] for unit in np.flatnonzero(inside)]
            sources = [expertise.units.sources[unit] for unit in np.flatnonzero(inside)]
            assert row["value"] == pytest.approx(sacrebleu.corpus_bleu(outputs, [sources]).score)
            assert row["n"] == inside.sum()


def test_by_section_is_over_the_sections(expertise):
    figure = made("by_section", expertise)
    assert {row["group"] for row in figure.rows} == {"Symptoms", "Diagnosis", "Treatment"}
    style = expertise.scores["style_accuracy"][1].sentences
    (row,) = [
        row for row in figure.rows
        if (row["measure"], row["system"], row["group"]) == ("Style acc.", "Dropping", "Symptoms")
        and row["direction"] == "expert to lay"
    ]  # fmt: skip
    assert row["value"] == pytest.approx(style[0:20:3].mean())


def test_a_metric_that_is_a_mean_has_the_textbooks_interval():
    values = np.array([10.0, 40.0, 25.0, 90.0, 30.0, 35.0, 70.0, 12.0])
    units = units_of([f"{place} word" if place < 4 else f"{place} two words" for place in range(8)])
    snapshot = snapshot_of(units, [system("A", ["x"] * 8)], [], {"pinc": [by_value(values)]})
    for row, of in zip(made("by_length", snapshot).rows, (values[:4], values[4:]), strict=True):
        expected = stats.t.interval(0.95, 3, of.mean(), stats.sem(of))
        assert (row["value"], row["low"], row["high"]) == pytest.approx((of.mean(), *expected))


def test_the_interval_of_a_corpus_score_is_the_jackknifes(formality):
    """sacreBLEU with each of the sentences left out in turn."""
    (one, *_), units = score_sums(formality, "bleu"), formality.units
    outputs = formality.systems[0].outputs
    references = [[given[number] for given in units.references] for number in range(2)]

    def without(left):
        return sacrebleu.corpus_bleu(
            [text for place, text in enumerate(outputs) if place != left],
            [[text for place, text in enumerate(of) if place != left] for of in references],
        ).score

    values = np.array([without(place) for place in range(24)])
    error = np.sqrt(23 / 24 * np.sum((values - values.mean()) ** 2))
    reach = stats.t.ppf(0.975, 23) * error
    (found,) = estimates([one])
    assert (found.value, found.low, found.high) == pytest.approx(
        (without(-1), without(-1) - reach, without(-1) + reach)
    )


def test_an_interval_takes_a_source_that_stands_twice_as_one():
    units = units_of(["a", "a", "b", "c"], directions=(("informal", "formal"),))
    scores = {"style_accuracy": [by_value([0, 100, 100, 0])]}
    snapshot = snapshot_of(units, [system("A", ["x"] * 4)], [], scores)
    # Without 'a' the mean is 50, without 'b' 33.3, without 'c' 66.7; their deviations squared, times 2/3, are 370.37.
    (found,) = estimates(score_sums(snapshot, "style_accuracy"))
    assert (found.high - found.low) / 2 == pytest.approx(stats.t.ppf(0.975, 2) * np.sqrt(370.3703703))
    (alone,) = estimates(score_sums(snapshot, "style_accuracy", np.array([False, False, True, False])))
    assert (alone.value, alone.low, alone.high) == (100, None, None)


def test_what_was_judged_beside_the_systems_has_a_line(formality):
    figure = made("by_length", formality)
    assert {row["system"] for row in figure.rows if row["measure"] == "Formality"} == {
        "Rules", "Phrases", "Neural", "Source", "Reference"
    }  # fmt: skip
    assert {row["measure"] for row in figure.rows} >= {"Formality", "Rank", "BLEU"}
    assert {row["direction"] for row in figure.rows} == {"informal to formal"}


def test_what_is_lacking_says_what_to_do(formality):
    assert made("by_length", bare()).reasons == ["Nothing has been judged or scored."]
    same = bare(scores={"pinc": [by_value([1.0, 2.0])]})
    assert made("by_length", same).reasons == [
        "All sources have the same number of words, so that there is one group."
    ]  # fmt: skip
    assert made("by_concepts", formality).reasons == [
        "No concepts are linked in the sources: link them on the page Concepts."
    ]  # fmt: skip
    assert made("by_apart", bare()).reasons == ["No sentence has a reference: add some on the page Add references."]
    assert made("by_section", formality).reasons[0].endswith("on the page Select sources.")


def test_a_study_without_systems_is_told_so(formality):
    """Not that all sources are equally long, which has nothing to do with it."""
    alone = replace(formality, systems=[], scores={name: [] for name in formality.scores})
    assert made("by_length", alone).reasons == [
        "The study has no system with judged or scored outputs: add one on the page Systems."
    ]  # fmt: skip


def test_a_metric_of_a_criterions_name_has_a_panel_of_its_own(formality):
    figure = made("by_length", replace(formality, scores={**formality.scores, "formality": formality.scores["pinc"]}))
    assert {row["panel"] for row in figure.rows} >= {"Formality", "Formality, metric"}


def test_by_distance_masks_concepts_where_they_are_linked(formality, expertise):
    assert made("by_apart", expertise).notes[-1].endswith("each concept masked as one character.")
    assert made("by_apart", formality).notes[-1].endswith("no concepts are linked, so that none is masked.")


def test_one_judgement_has_a_mean_and_no_interval():
    units = units_of(["a", "b c", "d e f", "g h i j"])
    people = [judged("meaning", [(unit, 0, 0, 1.0 + unit) for unit in range(4)], aspect="meaning", ends=(1, 5))]
    snapshot = snapshot_of(units, [system("A", ["x"] * 4)], people)
    figure = made("by_length", snapshot)
    assert isinstance(figure, Figure)
    assert [(row["group"], row["value"], row["low"]) for row in figure.rows] == [
        ("1", 1.0, None), ("2", 2.0, None), ("3", 3.0, None), ("4", 4.0, None)
    ]  # fmt: skip


@pytest.mark.parametrize("name", [*KINDS, "by_section"])
def test_a_study_without_systems_still_answers(name):
    assert isinstance(made(name, replace(bare(), systems=[], baseline=None)), MissingContent)
