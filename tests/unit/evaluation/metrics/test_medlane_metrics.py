"""HIT, CWR and AScore, the three metrics of MedLane's section 5.1."""

import numpy as np
import pytest

from corpora.knowledge.brackets import bracketed
from evaluation.metrics import METRICS, MetricInput
from evaluation.metrics.ascore import ascore, best_line
from foundation.errors import UserError

HIT, CWR, ASCORE = (METRICS[name] for name in ("hit", "cwr", "ascore"))


@pytest.fixture
def medlane(golden):
    return golden("medlane")


def batch_of(cases):
    """What the scoring makes of lines with brackets."""
    lines = [[bracketed(line) for line in case["references"]] for case in cases]
    terms = [[forms for _, forms in each if forms] for each in lines]
    return MetricInput(
        [], [case["output"] for case in cases], [[text for text, _ in each] for each in lines], terms=terms
    )


class TestHit:
    def test_is_what_the_authors_program_gives(self, medlane):
        scores = HIT.score(batch_of(medlane["cases"]))
        assert scores.sentences == pytest.approx([case["hit"] for case in medlane["cases"]])
        assert scores.corpus == pytest.approx(medlane["corpus"])

    @pytest.mark.parametrize(
        ("output", "forms", "found"),
        [
            ("A non ST-Elevation infarction", ["non-ST-elevation infarction"], 1),
            ("(Parkinson’s) disease", ["parkinson's disease"], 1),
            ("shortness of, well, breath", ["shortness of breath"], 0),
            ("the delivery", ["liver"], 0),
            ("leukemia", ["leukemia", "leukemia"], 1),
            ("leukemia and leukemia", ["leukemia", "leukemia"], 2),
            ("lung cancer", ["cancer", "lung cancer"], 1),
            ("c++ and a.b", ["c++", "a.b"], 2),
            ("", ["liver"], 0),
        ],
    )
    def test_finds_forms_word_for_word(self, output, forms, found):
        assert best_line(output, [forms]) == (found, len(forms))

    def test_takes_the_best_line_and_none_without_terms(self):
        assert best_line("the patient", [["patient", "diabetes"], ["patient"], []]) == (1, 1)
        assert best_line("the patient", [[], ["%"]]) == (0, 0)

    def test_a_sentence_without_terms_has_no_score(self):
        scores = HIT.score(MetricInput([], ["the patient", "all well"], [], terms=[[["patient", "liver"]], []]))
        assert scores.sentences[0] == 0.5
        assert np.isnan(scores.sentences[1])
        assert scores.corpus == 0.5
        assert scores.details == {"found": 1, "terms": 2, "sentences": 1}

    @pytest.mark.parametrize("terms", [[], [[], []]])
    def test_without_any_terms_it_is_undefined(self, terms):
        scores = HIT.score(MetricInput([], ["a", "b"], [], terms=terms))
        assert scores.corpus is None
        assert scores.undefined == "No reference has the full forms of terms in brackets."
        assert np.isnan(scores.sentences).all()


class TestCwr:
    @pytest.fixture
    def listed(self, tmp_path, monkeypatch):
        """Makes the list of common words."""

        def write(text):
            (tmp_path / "common_words.txt").write_text(text, encoding="utf-8")

        monkeypatch.setenv("RESTYLE_KNOWLEDGE", str(tmp_path))
        return write

    def test_counts_what_the_authors_program_counts(self, listed, medlane):
        listed(medlane["cwr_common"])
        scores = CWR.score(MetricInput([], [case["output"] for case in medlane["cwr"]], []))
        assert scores.sentences == pytest.approx([case["common"] / case["words"] for case in medlane["cwr"]])

    def test_counted_by_hand(self, listed):
        """the, child, do, like, this of 6 words; be of 3, since a number is no common word; none of none."""
        listed("the child do like this be")
        scores = CWR.score(MetricInput([], ["The children don't liked this hospital!", "It is 5.", ""], []))
        assert scores.sentences == pytest.approx([5 / 6, 1 / 3, 0])
        assert scores.corpus == pytest.approx((5 / 6 + 1 / 3) / 3)
        assert scores.details == {"common": 6, "words": 9}

    @pytest.mark.parametrize("words", ["child go", "children went"])
    def test_a_list_holds_lemmas_or_inflected_forms(self, listed, words):
        """MedLane's list has 'child' and not 'children'; a list by frequency may have them the other way round."""
        listed(words)
        assert CWR.score(MetricInput([], ["Children went", "child goes"], [])).sentences.tolist() == [1, 1]

    def test_the_signature_tells_lists_apart(self, listed):
        listed("child go")
        signatures = {CWR.signature(), CWR.signature()}
        listed("child go see")
        assert len(signatures | {CWR.signature()}) == 2

    def test_everyday_words_are_more_common_than_medical_ones(self):
        plain, expert = "He was given a medicine against pain.", "Patient received analgesic pharmacotherapy."
        scores = CWR.score(MetricInput([], [plain, expert], []))
        assert scores.sentences[0] == 1
        assert scores.sentences[1] < 0.6


class TestAScore:
    def test_the_rows_of_the_table_that_follow_the_equation(self, medlane):
        for name, row in medlane["table"].items():
            found = float(ascore(*(np.float64(row[key]) for key in ("bleu", "hit", "cwr")), 2, 1.5))
            if name in medlane["not_by_the_equation"]:
                assert 0.005 < found - row["ascore"] < 0.013, name
            else:
                assert found == pytest.approx(row["ascore"], abs=1.5e-4), name

    def test_of_its_three_parts(self, medlane):
        batch = batch_of(medlane["cases"])
        scores = ASCORE.score(batch)
        parts = {"bleu": METRICS["bleu_mean"].score(batch).corpus / 100, "hit": medlane["corpus"]}
        parts["cwr"] = CWR.score(batch).corpus
        assert scores.details == pytest.approx(parts)
        assert scores.corpus == pytest.approx(7.25 / (4 / parts["bleu"] + 2.25 / parts["hit"] + 1 / parts["cwr"]))

    def test_the_weights_are_settings_and_go_into_drawn_scores(self, medlane):
        batch = batch_of(medlane["cases"])
        scores = ASCORE.score(batch, alpha=0.1, beta=3.0)
        parts = scores.details
        expected = (1 + 0.01 + 9) / (0.01 / parts["bleu"] + 9 / parts["hit"] + 1 / parts["cwr"])
        assert scores.corpus == pytest.approx(expected)
        places = [0, 0, 3, 5]
        drawn = batch_of([medlane["cases"][i] for i in places])
        assert ASCORE.corpus_of(scores.sufficient_statistics[places].sum(axis=0)) == pytest.approx(
            ASCORE.score(drawn, alpha=0.1, beta=3.0).corpus
        )
        assert ASCORE.corpus_of(np.stack([scores.sufficient_statistics.sum(axis=0)] * 6).reshape(2, 3, -1)).shape == (
            2,
            3,
        )
        assert "|alpha:0.1|beta:3.0|" in scores.signature
        with pytest.raises(UserError, match=r"Expected a number from 0 to 100\."):
            ASCORE.settings(alpha=-1)

    def test_without_weights_it_is_cwr(self, medlane):
        batch = batch_of(medlane["cases"])
        assert ASCORE.score(batch, alpha=0.0, beta=0.0).corpus == pytest.approx(CWR.score(batch).corpus)

    def test_a_part_of_0_is_a_hundred_millionth(self):
        batch = MetricInput([], ["the patient was well today"], [["the patient was well today"]], terms=[[["liver"]]])
        assert ASCORE.score(batch).corpus == pytest.approx(7.25 / (4 + 2.25e8 + 1))

    @pytest.mark.filterwarnings("error")
    def test_a_sentence_without_terms_has_none_and_its_bleu_and_cwr_count(self):
        outputs, references = ["the patient was well", "he slept at home"], [["the patient was sick"], ["he slept"]]
        scores = ASCORE.score(MetricInput([], outputs, references, terms=[[["patient"]], []]))
        assert np.isnan(scores.sentences).tolist() == [False, True]
        assert scores.details["bleu"] == METRICS["bleu_mean"].score(MetricInput([], outputs, references)).corpus / 100
        assert scores.details["hit"] == 1
        without = ASCORE.score(MetricInput([], outputs, references))
        assert without.corpus is None
        assert without.undefined == "No reference has the full forms of terms in brackets."
        assert "hit" not in without.details
        assert np.isnan(ASCORE.corpus_of(np.zeros((2, 17)))).all()

    def test_needs_references(self):
        with pytest.raises(UserError, match="no reference"):
            ASCORE.score(MetricInput([], ["a"], [], terms=[[["a"]]]))
