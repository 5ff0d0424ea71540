"""Edit distance by bits, within a beam and with shifts, held to the plain table of costs and to sacreBLEU's search."""

from hypothesis import given
from hypothesis import strategies as st
from sacrebleu.metrics.lib_ter import translation_edit_rate

from evaluation.edit_distance import (
    WIDTH,
    Alignment,
    align,
    align_within_beam,
    beam,
    beam_distances,
    bits_of,
    edit_distance,
    ter_edits,
)
from evaluation.metrics import METRICS, MetricInput

words = st.text("abcd", max_size=12)  # a character a word


def cost_table(output, reference):
    """costs[i][j] is the distance of the first i words of the output and the first j of the reference."""
    costs = [[i + j for j in range(len(reference) + 1)] for i in range(len(output) + 1)]
    for i, word in enumerate(output, start=1):
        for j, other in enumerate(reference, start=1):
            costs[i][j] = min(costs[i - 1][j - 1] + (word != other), costs[i - 1][j] + 1, costs[i][j - 1] + 1)
    return costs


def plain_alignment(output, reference):
    """The way back through the table: side by side before a word too many before a word that is missing."""
    costs = cost_table(output, reference)
    places, wrong, unmet = [-1] * len(reference), set(), set()
    i, j = len(output), len(reference)
    while i or j:
        differs = i and j and output[i - 1] != reference[j - 1]
        if i and j and costs[i][j] == costs[i - 1][j - 1] + differs:
            i, j = i - 1, j - 1
            places[j] = i
            if differs:
                wrong.add(i)
                unmet.add(j)
        elif i and costs[i][j] == costs[i - 1][j] + 1:
            i -= 1
            wrong.add(i)
        else:
            j -= 1
            places[j] = i - 1
            unmet.add(j)
    return Alignment(places, sum(1 << at for at in wrong), sum(1 << at for at in unmet))


@given(output=words, reference=words.filter(bool))
def test_bits_give_the_distance_and_the_alignment_of_the_table(output, reference):
    bits, end = bits_of(reference), len(reference)
    assert edit_distance(output, end, bits) == cost_table(output, reference)[-1][-1]
    assert align(output, end, bits) == plain_alignment(output, reference)


@given(output=words.filter(bool), reference=words.filter(bool))
def test_short_texts_lie_within_the_beam(output, reference):
    assert max(len(output), len(reference)) < WIDTH
    distance, alignment = align_within_beam(output, reference)
    assert (distance, alignment) == (cost_table(output, reference)[-1][-1], plain_alignment(output, reference))


long_outputs = st.lists(st.text("ab", min_size=60, max_size=60), min_size=1, max_size=3)


@given(outputs=long_outputs, reference=st.text("ab", min_size=1, max_size=90))
def test_distances_of_many_outputs_are_those_of_each(outputs, reference):
    """Long texts leave out pairs of words far from the diagonal: a distance below the bound is the plain one."""
    distances = beam_distances(outputs, reference)
    bound = beam(60, len(reference)).plain_below
    for output, distance in zip(outputs, distances, strict=True):
        assert distance == align_within_beam(output, reference)[0]
        plain = cost_table(output, reference)[-1][-1]
        assert distance == plain if plain < bound else distance >= plain


@given(output=words, references=st.lists(words, min_size=1, max_size=3))
def test_shifts_are_those_of_sacrebleu(output, references):
    theirs = [translation_edit_rate(list(output), list(reference)) for reference in references]
    assert ter_edits(list(output), [list(reference) for reference in references]) == min(edits for edits, _ in theirs)


@given(source=st.text(max_size=15), output=st.text(max_size=15))
def test_the_metric_of_characters_is_the_plain_distance(source, output):
    scores = METRICS["edit_distance"].score(MetricInput([source], [output], []))
    assert scores.corpus == cost_table(source, output)[-1][-1]
