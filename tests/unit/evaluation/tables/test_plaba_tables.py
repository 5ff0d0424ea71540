"""The tables of PLABA from a small study with seeds, their numbers worked out by hand, by scipy and by sacreBLEU."""

from dataclasses import replace

import numpy as np
import pytest
import sacrebleu
from scipy import stats
from support.paper_snapshots import PLABA_METRICS, plaba_like
from support.snapshots import bare, by_value, reported, snapshot_of, system, units_of

from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import TextContext
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.tables import TABLES
from foundation.papers import PLABA

SCALED = "BLEU: on the paper's scale, a hundredth of the number that Restyle has elsewhere."
NAMES = [f"plaba_table_{number}" for number in range(2, 7)]


@pytest.fixture(scope="module")
def snapshot():
    return plaba_like()


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def column(table, head):
    return [row[list(table.head).index(head)] for row in table.rows]


def fkgl(texts):
    return METRICS["fkgl"].score(MetricInput([], list(texts), []))


def test_each_stands_where_the_paper_has_it():
    assert [TABLES[name].paper for name in NAMES] == [PLABA] * 5
    assert [TABLES[name].number for name in NAMES] == [f"Table {number}" for number in range(2, 7)]


def test_table_2_counts_words_and_sentences():
    """Words as PLABA's program finds them, by \\w+: a decimal is two, a dash none, and a decimal ends no sentence."""
    sources = ["He took 2.5 mg. It helped.", "No effect - none."]
    references = [["A small dose helped. Good. Well."], ["It did not help.", "No."]]
    systems = [system("M 1", ["He took it.", None], family="M", seed=1), system("M 2", ["It. Helped!", "No effect."],
               family="M", seed=2), system("None", [None, None])]  # fmt: skip
    table = made("plaba_table_2", snapshot_of(units_of(sources, references), systems))
    assert [[cell.value for cell in row[1:]] for row in table.rows] == [
        [(7 + 3) / 2, (2 + 1) / 2, 2],
        [(6 + 4 + 1) / 3, (3 + 1 + 1) / 3, 3],
        [(3 + 2 + 2) / 3, (1 + 2 + 1) / 3, 3],
        [None, None, 0],
    ]
    assert [row[0].text for row in table.rows] == ["Sources", "References", "M", "None"]
    assert table.rows[0][1].parts["deviation"] == pytest.approx(np.std([7, 3], ddof=1))
    assert table.rows[1][2].small == f"± {np.std([3, 1, 1], ddof=1):.2f}"
    assert table.rows[3][1].why == "It has no outputs."
    assert table.notes[0] == "A text is a sentence's."


def test_table_2_counts_each_question_once():
    context = TextContext(
        document=[0, 1, 2], titles=["", "", ""], codes=["1", "2", "3"], numbers=[1, 1, 1],
        questions=["What is strep throat?", "What is strep throat?", "Is it so? Why?"],
    )  # fmt: skip
    texts = ["One.", "Two.", "Three."]
    snapshot = snapshot_of(units_of(texts, [[text] for text in texts]), [], context=context)
    row = made("plaba_table_2", snapshot).rows[0]
    assert (row[0].text, [cell.value for cell in row[1:]]) == ("Questions", [4, 1.5, 2])


def test_table_3_is_of_the_copied_source(snapshot):
    (row,) = made("plaba_table_3", snapshot).rows
    references = [[given[at] for given in snapshot.units.references] for at in range(2)]
    bleu = sacrebleu.corpus_bleu(list(snapshot.units.sources), references)
    assert row[4].value == pytest.approx(bleu.score / 100), "PLABA prints BLEU from 0 to 1"
    assert SCALED in made("plaba_table_3", snapshot).notes
    assert row[1].value == snapshot.baselines["copied_source"]["rouge_1"].corpus
    assert row[5].why == "Choose BERTScore on the page Choose metrics."
    assert list(made("plaba_table_3", snapshot).head[1:]) == ["ROUGE-1", "ROUGE-2", "ROUGE-L", "BLEU", "BERTScore"]


def test_table_3_before_the_sources_are_scored(snapshot):
    assert made("plaba_table_3", replace(snapshot, baselines={})).reasons == [
        "The sources have not been scored against the references yet: make the report again."
    ]
    undefined = {"copied_source": {name: by_value([np.nan] * 10) for name in PLABA_METRICS}}
    assert made("plaba_table_3", replace(snapshot, baselines=undefined)).reasons == [
        "None of the sentences has a score."
    ]


def test_table_4_is_scipys_kendall_of_the_same_texts(snapshot):
    table = made("plaba_table_4", snapshot)
    assert [row[0].text for row in table.rows] == ["Sources", "References", "Copy", "T5"]
    seeds = [fkgl(row.outputs).sentences for row in snapshot.systems[1:]]
    groups = [fkgl(snapshot.units.sources).sentences]
    groups.append(np.array([fkgl(given).sentences.mean() for given in snapshot.units.references]))
    groups += [fkgl(snapshot.systems[0].outputs).sentences, np.mean(seeds, axis=0)]
    for head, place in (("Against the sources", 0), ("Against the references", 1)):
        for at, cell in enumerate(column(table, head)):
            if at == place:
                assert (cell.value, cell.why) == (None, "These are the texts that the others are held against.")
                continue
            expected = stats.kendalltau(groups[at], groups[place])
            assert (cell.value, cell.parts["p"]) == pytest.approx((expected.statistic, expected.pvalue))
            assert cell.stars == ("*" if expected.pvalue < 0.05 else "")
    grades = column(table, "FKGL")
    assert [cell.value for cell in grades[:3]] == pytest.approx([group.mean() for group in groups[:3]])
    means = [grade.mean() for grade in seeds]
    assert grades[3].value == pytest.approx(np.mean(means)), "the mean of texts, where the metric pools their counts"
    assert grades[3].value != pytest.approx(np.mean([fkgl(row.outputs).corpus for row in snapshot.systems[1:]]))
    assert grades[3].parts == {"deviation": pytest.approx(np.std(means, ddof=1)), "seeds": 3}
    assert grades[2].rows == {"system": "Copy", "metric": "fkgl", "mean": "texts"}


def test_table_4_takes_the_texts_that_both_sides_have():
    """A text without reference, output or words is in no pair; of one text alone there is no test."""
    texts = ["We did a test.", "Hypertension is common.", "It is so. It was so.", "Nothing whatsoever was found."]
    references = [[texts[1], texts[2]], [], [texts[0]], [texts[3]]]
    outputs = [texts[3], texts[0], None, "..."]
    units = units_of(texts, references)
    table = made("plaba_table_4", snapshot_of(units, [system("S", outputs)], (), {
        "fkgl": [by_value([*fkgl(outputs[:2]).sentences, np.nan, np.nan])]}))  # fmt: skip
    means = [fkgl([texts[1], texts[2]]).sentences.mean(), fkgl([texts[0]]).corpus, fkgl([texts[3]]).corpus]
    assert table.rows[1][1].value == pytest.approx(np.mean(means))
    sources = fkgl(texts).sentences
    assert table.rows[1][2].value == pytest.approx(stats.kendalltau(means, sources[[0, 2, 3]]).statistic)
    assert table.rows[2][2].value == pytest.approx(stats.kendalltau(fkgl(outputs[:2]).sentences, sources[:2]).statistic)
    assert (table.rows[2][3].value, table.rows[2][3].why[:16]) == (None, "There is no test")


def test_table_4_where_all_texts_are_alike():
    texts = ["We did a test."] * 5
    scores = {"fkgl": [by_value(fkgl(texts).sentences)]}
    snapshot = snapshot_of(units_of(texts, [[text] for text in texts]), [system("S", texts)], (), scores)
    assert made("plaba_table_4", snapshot).rows[2][2].why.startswith("There is no test")


def test_table_5_has_means_deviations_and_stars_by_wilcoxon(snapshot):
    table = made("plaba_table_5", snapshot)
    assert list(table.head) == ["System", "ROUGE-1", "ROUGE-2", "ROUGE-L", "BLEU", "BERTScore", "SARI"]
    assert [row[0].text for row in table.rows] == ["Copy", "T5"]
    for name, head in (("rouge_1", "ROUGE-1"), ("sari", "SARI"), ("bleu", "BLEU")):
        found = snapshot.scores[name]
        values = [one.corpus / (100 if name == "bleu" else 1) for one in found[1:]]
        cell = column(table, head)[1]
        assert (cell.value, cell.parts["deviation"]) == pytest.approx((np.mean(values), np.std(values, ddof=1)))
        p = stats.wilcoxon(np.mean([one.sentences for one in found[1:]], axis=0), found[0].sentences).pvalue
        assert cell.stars == ("*" if p < 0.05 else "")
        assert column(table, head)[0].stars == "", "it is the baseline"
    assert column(table, "SARI")[1].stars == "*"
    assert [cell.best for cell in column(table, "SARI")] == [False, True]
    assert "* differs from Copy with p < 0.05, by Wilcoxon's signed-rank test." in table.notes
    assert "Choose BERTScore on the page Choose metrics." in table.notes


def test_table_5_without_a_baseline_has_no_stars(snapshot):
    table = made("plaba_table_5", replace(snapshot, baseline=None))
    assert {cell.stars for row in table.rows for cell in row} == {""}
    assert SCALED in table.notes
    assert not [note for note in table.notes if note.startswith("*")]


def test_a_seed_without_scores_is_left_out_of_the_mean(snapshot):
    some = [*snapshot.scores["sari"][:3], by_value([np.nan] * 10)]
    table = made("plaba_table_5", reported(replace(snapshot, scores={**snapshot.scores, "sari": some})))
    cell = column(table, "SARI")[1]
    assert cell.value == pytest.approx(np.mean([one.corpus for one in some[1:3]]))
    assert cell.parts["seeds"] == 2
    none = [snapshot.scores["sari"][0], *[by_value([np.nan] * 10)] * 3]
    cell = column(made("plaba_table_5", reported(replace(snapshot, scores={**snapshot.scores, "sari": none}))), "SARI")[
        1
    ]
    assert (cell.value, cell.why) == (None, "None of the sentences has a score.")


def test_table_6_is_the_metrics_with_the_source_as_the_reference(snapshot):
    table = made("plaba_table_6", snapshot)
    assert list(table.head) == ["System", "ROUGE-1", "ROUGE-2", "ROUGE-L", "BLEU"]
    assert [cell.value for cell in table.rows[0][1:]] == pytest.approx([1, 1, 1, 1]), "a copy"
    assert SCALED in table.notes
    for name, head in (("rouge_1", "ROUGE-1"), ("rouge_2", "ROUGE-2"), ("rouge_l", "ROUGE-L")):
        values = [
            METRICS[name]
            .score(MetricInput([], list(row.outputs), [[source] for source in snapshot.units.sources]))
            .corpus
            for row in snapshot.systems[1:]
        ]
        cell = column(table, head)[1]
        assert (cell.value, cell.parts["deviation"]) == pytest.approx((np.mean(values), np.std(values, ddof=1)))
    values = [
        sacrebleu.corpus_bleu(list(row.outputs), [list(snapshot.units.sources)]).score for row in snapshot.systems[1:]
    ]
    assert column(table, "BLEU")[1].value == pytest.approx(np.mean(values) / 100)


def test_table_6_has_the_settings_of_the_studys_rouge(snapshot):
    """Stemmed and against the printed list, where the study's own ROUGE is."""
    settings = {"stem": True, "references": "printed"}
    signature = METRICS["rouge_1"].signature(**settings)
    signed = [replace(one, signature=signature) for one in snapshot.scores["rouge_1"]]
    table = made("plaba_table_6", replace(snapshot, scores={**snapshot.scores, "rouge_1": signed}))
    batch = MetricInput([], list(snapshot.systems[0].outputs), [[source] for source in snapshot.units.sources])
    assert column(table, "ROUGE-1")[0].value == METRICS["rouge_1"].score(batch, **settings).corpus < 1
    assert column(table, "ROUGE-2")[0].value == 1


OTHERWISE = (
    "stem:no, refs:best-f1, sentences:default where the authors' program has stem:porter, "
    "refs:printed-list-datasets-2.0, sentences:nltk-punkt."
)


@pytest.mark.parametrize("name", ["plaba_table_3", "plaba_table_5", "plaba_table_6"])
def test_a_note_says_what_is_set_as_in_the_program(name, snapshot):
    assert f"ROUGE-1, ROUGE-2, ROUGE-L: {OTHERWISE}" in made(name, snapshot).notes
    signature = METRICS["rouge_2"].signature(stem=True, references="printed")
    for by, note in (
        ("restyle-rules", "ROUGE-2: sentences:restyle-rules where the authors' program has sentences:nltk-punkt."),
        ("nltk-punkt", "Set as in the authors' program: ROUGE-2."),
    ):
        here = signature.replace("restyle-rules", by)
        signed = [replace(one, signature=here) for one in snapshot.scores["rouge_2"]]
        notes = made(name, replace(snapshot, scores={**snapshot.scores, "rouge_2": signed})).notes
        assert note in notes
    assert f"ROUGE-1, ROUGE-L: {OTHERWISE}" in notes


def test_notes_of_table_4_and_5_say_whose_fkgl_and_sari_they_have(snapshot):
    fkgl_note = "FKGL: like:default where the authors' program has like:textstat-0.7.3."
    assert fkgl_note in made("plaba_table_4", snapshot).notes
    assert "SARI: like:easse where the authors' program has like:hf." in made("plaba_table_5", snapshot).notes


def test_table_6_by_hand():
    """Of 'a b c' and 'A c': 2 of 3 and 2 tokens; no two in a row of both; 2 in their order."""
    texts = ["A c", ""]
    snapshot = plaba_like()
    systems = [system("S", ["a b c", None]), system("None", [None, None])]
    scores = {name: [by_value([1, np.nan]), by_value([np.nan] * 2)] for name in PLABA_METRICS}
    table = made("plaba_table_6", snapshot_of(units_of(texts, [["x"], ["y"]]), systems, (), scores, unit=snapshot.unit))
    assert [cell.value for cell in table.rows[0][1:4]] == pytest.approx([0.8, 0, 0.8])
    assert [cell.why for cell in table.rows[1][1:4]] == ["It has no outputs."] * 3


@pytest.mark.parametrize("name", NAMES)
def test_what_is_lacking_says_what_to_do(name):
    found = made(name, replace(bare(), systems=[], baseline=None))
    assert isinstance(found, MissingContent)
    assert all(": " in reason or reason.endswith("on the page Choose metrics.") for reason in found.reasons)


@pytest.mark.parametrize("name", NAMES)
def test_one_seed_alone_is_a_model_by_itself(name, snapshot):
    less = replace(
        snapshot, systems=snapshot.systems[:2], scores={of: found[:2] for of, found in snapshot.scores.items()}
    )
    table = made(name, reported(less))
    assert isinstance(table, Table)
    if name != "plaba_table_3":
        assert table.rows[-1][0].text == "T5 0"
        assert "seeds" not in table.rows[-1][1].parts
