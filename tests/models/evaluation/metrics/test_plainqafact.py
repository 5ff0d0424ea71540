"""PlainQAFact: answers against the authors' program on the same small checkpoint, and its way by hand."""

import re

import numpy as np
import pytest
from support import tiny_questions

from evaluation.learned_scorers import estimators
from evaluation.learned_scorers.question_answering import Answered, Answerer, words_f1
from evaluation.metrics import METRICS, MetricInput, plainqafact
from evaluation.metrics.entailment import splitter

pytestmark = pytest.mark.usefixtures("one_thread")


@pytest.fixture(scope="module")
def folder(tmp_path_factory):
    return tiny_questions.whole(tmp_path_factory.mktemp("models") / "plainqafact")


@pytest.fixture
def models(folder, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(folder.parent))


def test_answers_are_those_of_its_authors(folder, golden):
    known, answerer = golden("questions"), Answerer(folder / "answers")
    for case in known["cases"]:
        found = answerer.answer(case["question"], case["context"] * case["times"])
        assert found.text == case["text"]
        assert found.score - found.none == pytest.approx(case["log_odds"], abs=1e-4)


def test_scores_are_those_of_its_authors_program(tmp_path, monkeypatch, golden):
    """Keywords, questions, answers, what is kept of them, BERTScore and means; a language model's words are given."""
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    known = golden("plainqafact")
    folder = tiny_questions.compared(tmp_path / "plainqafact")

    class Namer:
        def name(self, sentence):
            return known["named"][sentence]

    monkeypatch.setattr(plainqafact, "_namer", lambda folder: Namer())
    checker = plainqafact._Checker(folder)
    pairs = zip(known["abstracts"], known["summaries"], strict=True)
    sources = [source for source, summary in pairs for _ in splitter("en")(summary)]
    each = [checker.score(*pair) for pair in zip(sources, known["sentences"], strict=True)]
    assert [score for explains, score in each if explains] == pytest.approx(known["external"], abs=1e-6)
    assert [score for explains, score in each if not explains] == pytest.approx(known["internal"], abs=1e-6)
    found = METRICS["plainqafact"].score(MetricInput(known["abstracts"], known["summaries"], []), model="plainqafact")
    assert found.details["sentences"] == pytest.approx(np.mean(known["external"] + known["internal"]), abs=1e-6)
    assert len(known["asked"]) == 27


@pytest.mark.parametrize(("written", "taken"), [
    ("a, b", "a, b"), ("Here they are:\n\na, b.", "a, b."), ("Keywords: high blood pressure, low-dose aspirin.",
     "high blood pressure, low-dose aspirin"), ("aspirin", "aspirin"), ("One: two. Three, four, five; six, seven",
     "Three, four, five"), ("- a,b", "a,b"), (", a", ", a"), ("", ""), ("a,,b", "a,,b"),
])  # fmt: skip
def test_the_list_in_an_answer_is_taken_as_its_authors_do(written, taken):
    pattern = re.search(r"(\b[\w\s\-]+(?:,\s*[\w\s\-]+)+)", written)
    theirs = written.split(":\n\n", 1)[1] if ":\n\n" in written else pattern[1] if pattern else written
    assert plainqafact.listed(written) == taken == theirs


def test_words_are_compared_as_squad_does():
    assert words_f1("The heart attack.", "heart attack") == 1.0
    assert words_f1("a heart attack", "attack of pain") == pytest.approx(2 * 1 / (2 + 3))
    assert words_f1("the", "pain") == 0.0


class Named:
    """Names the words that a test asks for, and answers a question by the word that it is about, where it stands."""

    words = ("aspirin", "stroke", "risk", "zinc")

    def name(self, sentence):
        return ", ".join(word for word in self.words if word in sentence) + ", nowhere"

    def ask(self, sentence, answer):
        return f"what is {answer}"

    def answer(self, question, context):
        word = question.rpartition(" ")[2]
        return Answered(word, 1.0, 0.0) if word in context else Answered("cup", 0.0, 1.0)


@pytest.mark.usefixtures("models")
def test_a_sentence_is_asked_of_the_source_and_an_explanation_of_the_base_too(monkeypatch):
    explains = "An aspirin helps after a stroke."
    for loader in ("_namer", "load_asker", "load_answerer"):
        monkeypatch.setattr(plainqafact, loader, lambda folder: Named())

    class Classifier:
        def logits(self, source, sentence):
            return np.array([0.0, 1.0 if sentence == explains else -1.0])

    monkeypatch.setattr(estimators, "load_headed", lambda folder: Classifier())
    source = "the drug aspirin lowers the risk"
    outputs = [
        "The aspirin lowers the risk.",  # both stand in the source: 1
        "The aspirin has zinc.",  # one of two: 1/2
        explains,  # the source has one, and the base the other: 1
        f"Pain is bad. {explains}",  # nothing is asked of the first sentence: 0, and 1
        "",
    ]
    found = METRICS["plainqafact"].score(MetricInput([source] * 5, outputs, []), model="plainqafact")
    assert found.sentences[:4] == pytest.approx([1.0, 0.5, 1.0, 0.5], abs=1e-6)
    assert np.isnan(found.sentences[4])
    assert found.details["explanations"] == pytest.approx(1.0)
    assert found.details["simplifications"] == pytest.approx((1.0 + 0.5 + 0.0) / 3)
    assert found.details["sentences"] == pytest.approx((1.0 + 0.5 + 0.0 + 1.0 + 1.0) / 5)


def test_what_is_missing_is_said_in_a_sentence(tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    (tmp_path / "facts" / "answers").mkdir(parents=True)
    said = METRICS["plainqafact"].unavailable(model="facts")
    assert "'facts'" in said
    assert "questions (a sequence model that writes questions)" in said
    assert "answers (" not in said
