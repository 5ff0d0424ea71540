"""The tables and figures of MedLane: the paper's own gains, and numbers worked out by hand."""

from dataclasses import replace

import numpy as np
import pytest
from support.paper_snapshots import FORMS, MEDLANE_METRICS, NOTES, medlane_like
from support.snapshots import bare, by_value, reported, snapshot_of, system, units_of

from evaluation.corpus_statistics import mean_tokens, tokens
from evaluation.metrics import METRICS, MetricInput
from evaluation.table_parts.contents import Figure, MissingContent, Table
from evaluation.tables import TABLES
from foundation.papers import MEDLANE

NAMES = ["medlane_table_2", "medlane_table_3", "medlane_table_6", "medlane_figure_4", "medlane_figure_5"]
COLUMNS = ["BLEU-1", "BLEU-2", "BLEU-3", "BLEU-4", "BLEU", "METEOR 1.5", "ROUGE-L", "CIDEr", "SARI", "HIT", "CWR",
           "AScore"]  # fmt: skip

# Luo et al. 2022, Table 3, BLEU in percent; METEOR, not at hand in the snapshots of these tests, is left out.
PUBLISHED = {
    "Dictionary": (71.58, 63.64, 56.84, 50.76, 60.70, 0.7308, 4.2037, 37.3391, 0.5572, 0.6407, 0.5948),
    "Seq2seq-": (50.66, 33.15, 23.73, 17.87, 31.35, 0.4948, 1.2670, 24.5346, 0.6427, 0.8367, 0.4070),
    "EditNTS": (82.13, 78.01, 74.52, 71.32, 76.49, 0.7401, 5.9508, 62.6036, 0.6405, 0.6915, 0.7116),
    "BERT-MT": (80.03, 74.28, 69.52, 65.31, 72.28, 0.8218, 5.3293, 72.2260, 0.7808, 0.7358, 0.7417),
    "DECLARE": (86.24, 82.91, 80.04, 77.37, 81.65, 0.8894, 6.7212, 70.8583, 0.7986, 0.7328, 0.7983),
}
# Its last row. CIDEr's is against BERT-MT's 5.3293 there (+26.1%), though EditNTS has 5.9508: the best gives +12.9%.
GAINS = ("+5.0%", "+6.3%", "+7.4%", "+8.5%", "+6.7%", "+8.2%", "+12.9%", "-1.9%", "+2.3%", "-12.4%", "+7.6%")
FKGL = {"Dictionary": 10.3001, "Seq2seq-": 6.4085, "EditNTS": 5.4448, "BERT-MT": 9.0255, "DECLARE": 10.3187}


@pytest.fixture(scope="module")
def snapshot():
    return medlane_like()


@pytest.fixture(scope="module")
def published():
    """A snapshot with the paper's numbers as its corpus scores."""
    texts = ["hx of mi", "pt denies cp"]
    names = [name for name in MEDLANE_METRICS if name != "fkgl"]
    scores = {name: [_scored(row[at]) for row in PUBLISHED.values()] for at, name in enumerate(names)}
    scores["fkgl"] = [_scored(value) for value in FKGL.values()]
    return snapshot_of(
        units_of(texts, [[text] for text in texts]), [system(one, texts) for one in PUBLISHED], (), scores
    )


def _scored(value):
    return replace(by_value([value, value]), corpus=value)


def made(name, snapshot):
    return TABLES[name].make(snapshot)


def column(table, head):
    return [row[list(table.head).index(head)] for row in table.rows]


def test_each_stands_where_the_paper_has_it():
    assert [TABLES[name].paper for name in NAMES] == [MEDLANE] * 5
    for name in NAMES:
        kind, number = name.removeprefix("medlane_").split("_")
        assert TABLES[name].number == f"{kind.capitalize()} {number}"


def test_table_3_gives_the_papers_rows_and_gains(published):
    table = made("medlane_table_3", published)
    assert list(table.head) == ["System", *COLUMNS]
    assert [row[0].text for row in table.rows] == [*PUBLISHED, "↑"]
    shown = [head for head in COLUMNS if head != "METEOR 1.5"]
    for at, values in enumerate(PUBLISHED.values()):
        on_its_scale = [value / 100 if place < 5 else value for place, value in enumerate(values)]
        assert [column(table, head)[at].value for head in shown] == pytest.approx(on_its_scale)
    assert tuple(column(table, head)[-1].text for head in shown) == GAINS
    assert column(table, "ROUGE-L")[4].text == "0.8894"
    assert column(table, "CIDEr")[4].text == "6.7212"
    assert [cell.text for cell in column(table, "METEOR 1.5")] == ["–"] * 6
    assert column(table, "METEOR 1.5")[0].why == "Choose METEOR 1.5 on the page Choose metrics."
    assert column(table, "BLEU-1")[4].text == "0.8624"
    assert "↑ is what DECLARE, of the best AScore, has more than the best of the others." in table.notes
    assert table.notes[1].startswith("BLEU-1, BLEU-2, BLEU-3, BLEU-4, BLEU: on the paper's scale, a hundredth")


def test_table_3_marks_the_best(published):
    table = made("medlane_table_3", published)
    assert [row[0].text for row in table.rows if row[list(table.head).index("SARI")].best] == ["BERT-MT"]
    assert column(table, "HIT")[0].rows == {"system": "Dictionary", "metric": "hit"}


def test_table_6_has_the_ground_truth_and_fkgl(published):
    table = made("medlane_table_6", published)
    assert list(table.head) == ["System", *COLUMNS, "FKGL"]
    assert [row[0].text for row in table.rows] == ["Ground truth", *PUBLISHED, "↑"]
    truth = METRICS["fkgl"].score(MetricInput([], ["hx of mi", "pt denies cp"], [])).corpus
    assert [cell.value for cell in column(table, "FKGL")] == [truth, *FKGL.values(), None]
    assert {cell.why for cell in table.rows[0][1:-1]} == {"References are not scored against themselves."}


def test_table_6_has_the_ground_truth_by_the_settings_of_the_studys_fkgl(published):
    signature = METRICS["fkgl"].signature(pooled=False)
    signed = [replace(one, signature=signature) for one in published.scores["fkgl"]]
    table = made("medlane_table_6", replace(published, scores={**published.scores, "fkgl": signed}))
    truth = METRICS["fkgl"].score(MetricInput([], ["hx of mi", "pt denies cp"], []), pooled=False)
    assert column(table, "FKGL")[0].value == truth.corpus == pytest.approx(truth.sentences.mean())


def test_one_system_has_nothing_to_gain_on(published):
    alone = replace(
        published, systems=published.systems[:1], scores={name: of[:1] for name, of in published.scores.items()}
    )
    assert [row[0].text for row in made("medlane_table_3", reported(alone)).rows] == ["Dictionary"]


def test_a_gain_on_nothing_is_a_dash(published):
    scores = {**published.scores, "hit": [_scored(0.0)] * 4 + [_scored(0.5)]}
    (gain,) = column(made("medlane_table_3", replace(published, scores=scores)), "HIT")[-1:]
    assert (gain.value, gain.why) == (None, "The best of the others is 0.")


def test_table_2_counts_the_corpus(snapshot):
    table = made("medlane_table_2", snapshot)
    full = [" ".join(FORMS.get(word, word) for word in text.split()) for text in NOTES]
    words = {word for text in NOTES for word in text.split()}
    target = {word for text in [*full, "the pt left ."] for word in text.split()}
    assert list(table.head) == ["Counted", "clinical to lay"]
    assert [row[1].value for row in table.rows] == pytest.approx([
        len(words), len(target), len(words & target), np.mean([len(text.split()) for text in NOTES]),
        np.mean([len(text.split()) for text in [*full, "the pt left ."]]), (14 + 4) / (8 + 2),
    ])  # fmt: skip
    assert table.rows[5][1].parts == {"terms": 18}
    counts = replace(
        snapshot.counts, annotated={("clinical", "lay", "test"): ([" ".join(map(str, range(2309)))], full)}
    )
    assert made("medlane_table_2", replace(snapshot, counts=counts)).rows[0][1].text == "2,309"
    without = made("medlane_table_2", replace(snapshot, scores={}, counts=replace(snapshot.counts, forms={})))
    assert without.rows[5][1].why.startswith("No sentence of the splits tune and test")


def test_tokens_are_words_and_marks():
    """The source of MedLane's Table 4."""
    found = tokens("NSTEMI/CAD - history of 3V-CABG with only RCA graft still patent .")
    assert found == ["NSTEMI", "/", "CAD", "-", "history", "of", "3V-CABG", "with", "only", "RCA", "graft", "still",
                     "patent", "."]  # fmt: skip
    assert mean_tokens(["a b.", "c"]) == 2
    assert mean_tokens([]) is None


def test_figure_4_has_a_panel_a_metric_over_groups_by_length(snapshot):
    figure = made("medlane_figure_4", snapshot)
    assert list(dict.fromkeys(row["panel"] for row in figure.rows)) == ["BLEU-1..4", "HIT", "CWR", "AScore"]
    lengths = snapshot.units.words
    names = [row.name for row in snapshot.systems]
    for row in figure.rows:
        inside = (lengths >= row["from"]) & (lengths < row["below"])
        assert row["sentences"] == inside.sum()
        if row["panel"] == "CWR":
            one = snapshot.scores["cwr"][names.index(row["system"])]
            assert row["value"] == pytest.approx(float(one.corpus_of(one.sufficient_statistics[inside].sum(axis=0))))
    groups = {(row["from"], row["below"]) for row in figure.rows}
    assert 1 < len(groups) <= 5


def test_figure_5_is_the_papers_equation(snapshot):
    figure = made("medlane_figure_5", snapshot)
    assert len(figure.rows) == 3 * 6 * 6
    for row in figure.rows:
        one = snapshot.scores["ascore"][[of.name for of in snapshot.systems].index(row["system"])]
        a, b = float(row["alpha"]) ** 2, row["beta"] ** 2
        bleu, hit, cwr = (max(one.details[part], 1e-8) for part in ("bleu", "hit", "cwr"))
        assert row["value"] == pytest.approx((1 + a + b) / (a / bleu + b / hit + 1 / cwr))
        if (row["alpha"], row["beta"]) == ("2", 1.5):
            assert row["value"] == pytest.approx(one.corpus), "the paper's own weights"


def test_figure_5_follows_the_papers_numbers():
    """Declare's AScore in Table 3, of BLEU 0.8165, HIT 0.7986 and CWR 0.7328."""
    found = by_value([0.8])
    given = replace(found, details={"bleu": 0.8165, "hit": 0.7986, "cwr": 0.7328})
    one = snapshot_of(units_of(["hx"]), [system("DECLARE", ["history"])], (), {"ascore": [given]})
    (value,) = [row["value"] for row in made("medlane_figure_5", one).rows if (row["alpha"], row["beta"]) == ("2", 1.5)]
    assert value == pytest.approx(0.7983, abs=1e-4), "the paper cuts off"


def test_what_is_lacking_says_what_to_do():
    reasons = made("medlane_table_3", bare()).reasons
    assert reasons == [
        "Choose BLEU-1, BLEU-2, BLEU-3, BLEU, BLEU-1..4, ROUGE-L, CIDEr, SARI, HIT, CWR and AScore on the page Choose "
        "metrics."
    ]
    assert "No source has a reference: add references to the study." in made("medlane_table_6", bare()).reasons
    assert made("medlane_table_2", bare()).reasons == ["No source has a reference: add references to the study."]
    assert made("medlane_figure_5", bare()).reasons == ["Choose AScore on the page Choose metrics."]
    one = snapshot_of(units_of(["hx"]), [system("S", ["history"])], (), {"ascore": [by_value([np.nan])]})
    assert made("medlane_figure_5", one).reasons == [
        "No system has an AScore with its three parts. None of the sentences has a score."
    ]


def test_sources_of_one_length_make_one_group(snapshot):
    same = replace(snapshot, units=replace(snapshot.units, words=np.full(len(NOTES), 5.0)))
    found = made("medlane_figure_4", same)
    assert isinstance(found, MissingContent)
    assert "All sources have the same number of words, so that there is one group." in found.reasons


@pytest.mark.parametrize("name", NAMES)
def test_a_study_without_systems_still_answers(name):
    assert isinstance(made(name, replace(bare(), systems=[], baseline=None)), Table | Figure | MissingContent)
