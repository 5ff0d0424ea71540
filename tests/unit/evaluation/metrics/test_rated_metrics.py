"""Formality and grammaticality, which learn from what people gave texts."""

import csv
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from corpora.knowledge import formality
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

PT16 = Path(__file__).resolve().parents[5] / "shared" / "data" / "pt16"
FORMALITY, GRAMMATICALITY = METRICS["formality"], METRICS["grammaticality"]
NOUNS = ["report", "letter", "proposal", "book", "lunch", "song", "plan", "tea"]
POLITE = ["We regret", "The committee received", "Kindly consider", "One requires", "It is advisable to study"]
ROUGH = ["omg u like the", "gonna grab that", "yeah dude nice", "cuz i wanna", "haha no way ur"]
FORMAL = [f"{begin} the {noun} ." for begin in POLITE for noun in NOUNS]
INFORMAL = [f"{begin} {noun} lol!!" for begin in ROUGH for noun in NOUNS]
RATED = [*((text, 2.0) for text in FORMAL), *((text, -2.0) for text in INFORMAL)]


@pytest.fixture(autouse=True)
def _nothing_at_hand(monkeypatch, tmp_path):
    for name in ("RESTYLE_FORMALITY", "RESTYLE_KNOWLEDGE"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))


def batch(material, outputs):
    return MetricInput([], list(outputs), [], material=material)


class TestFormality:
    OUTPUTS = ["We regret the plan .", "haha dude lol!!", ""]

    def test_learns_from_the_study_s_ratings(self):
        scores = FORMALITY.score(batch(TrainingMaterial(rated={"style": RATED}), self.OUTPUTS), least=50)
        assert -3 <= scores.sentences[1] < 0 < scores.sentences[0] <= 3
        assert np.isnan(scores.sentences[2])
        assert scores.details["spearman_held_out"] > 0.7
        assert scores.details["rated_texts"] == 80
        assert "|rated:" in scores.signature

    def test_a_rated_text_is_judged_by_a_model_that_did_not_see_it(self):
        """Ratings that are drawn can be known only by who saw them."""
        draw = np.random.default_rng(4)
        rated = [(f"w{i} x{i} y{i}", float(draw.uniform(-3, 3))) for i in range(80)]
        given = TrainingMaterial(rated={"style": rated})
        texts, labels = [text for text, _ in rated], [label for _, label in rated]
        scores = FORMALITY.score(batch(given, texts), least=50)
        seen = formality.train(texts, labels).scores(texts)
        assert spearmanr(seen, labels)[0] > 0.8
        assert spearmanr(scores.sentences, labels)[0] < 0.4

    def test_takes_the_model_at_hand_where_there_are_few_ratings(self, tmp_path, monkeypatch):
        model = formality.train([text for text, _ in RATED], [label for _, label in RATED])
        model.save(tmp_path / "formality")
        without = FORMALITY.signature()
        monkeypatch.setenv("RESTYLE_FORMALITY", str(tmp_path / "formality"))
        scores = FORMALITY.score(batch(TrainingMaterial(rated={"style": RATED[:10]}), self.OUTPUTS))
        assert scores.sentences[:2] == pytest.approx(np.clip(model.scores(self.OUTPUTS[:2]), -3, 3))
        assert FORMALITY.signature() != without
        assert FORMALITY.unavailable() == ""

    def test_ratings_on_another_scale_are_none_of_formality(self):
        stars = [(text, 3 + label / 2) for text, label in RATED]
        scores = FORMALITY.score(batch(TrainingMaterial(rated={"style": stars}), self.OUTPUTS), least=50)
        assert scores.corpus is None
        assert "manage.py train_formality" in scores.undefined
        assert np.isnan(scores.sentences).all()

    def test_says_when_the_named_folder_holds_none(self, tmp_path, monkeypatch):
        monkeypatch.setenv("RESTYLE_FORMALITY", str(tmp_path))
        assert "manage.py train_formality" in FORMALITY.unavailable()
        with pytest.raises(UserError, match="no formality model"):
            FORMALITY.score(batch(TrainingMaterial(), self.OUTPUTS))

    @pytest.mark.soak
    def test_agrees_with_people_on_sentences_kept_apart(self):
        """The bar of Pavlick and Tetreault's data; the options were chosen on the training sentences alone."""
        if not PT16.is_dir():
            pytest.skip(f"the rated sentences are not at {PT16}")
        train, tune = (_pt16(PT16 / name) for name in ("train.csv", "tune.csv"))
        given = TrainingMaterial(rated={"style": train})
        given.remembered["formality", "agreement"] = {}  # not to be worked out here: five more models
        scores = FORMALITY.score(batch(given, [text for text, _ in tune]))
        assert spearmanr(scores.sentences, [label for _, label in tune])[0] >= 0.68


class TestGrammaticality:
    WORDS = "the old doctor sees a tired patient near his small house every day".split()  # noqa: SIM905

    def texts(self):
        draw = np.random.default_rng(2)
        starts = [int(draw.integers(0, 6)) for _ in range(80)]
        good = [" ".join(self.WORDS[start : start + 4 + i % 5]) for i, start in enumerate(starts)]
        return good, [" ".join(draw.permutation(text.split())) + " zzz" * (i % 2) for i, text in enumerate(good)]

    def material(self, **changes):
        good, bad = self.texts()
        rated = [*((text, 4.0) for text in good), *((text, 1.0) for text in bad)]
        model = {"a": [" ".join(self.WORDS)] * 3, "b": ["the doctor sees a patient", "his house every day"]}
        return TrainingMaterial(**({"texts": model, "rated": {"fluency": rated}} | changes))

    def test_learns_from_the_study_s_ratings(self):
        outputs = ["the old doctor sees a tired patient", "tired zzz house sees a old", " ", "?"]
        scores = GRAMMATICALITY.score(batch(self.material(), outputs))
        assert 1 <= scores.sentences[1] < scores.sentences[0] <= 4
        assert np.isnan(scores.sentences[2:]).all()
        assert scores.details["spearman_held_out"] > 0.7

    def test_a_misspelt_word_is_told_from_a_rare_one(self):
        """The language model knows neither; of the sentences people rated, the misspelt ones are bad."""
        rare = ["hypertension", "aspirin", "breakfast", "umbrella", "violin", "harvest", "lantern", "meadow"]
        words = [word for word in rare for _ in range(5)]
        good = [f"the doctor sees a {word} {i}" for i, word in enumerate(words)]
        bad = [f"the doctor sees a {word[::-1]} {i}" for i, word in enumerate(words)]
        rated = [*((text, 4.0) for text in good), *((text, 1.0) for text in bad)]
        given = self.material(rated={"fluency": rated})
        scores = GRAMMATICALITY.score(batch(given, ["the doctor sees a teapot", "the doctor sees a topaet"]))
        assert scores.sentences[0] > scores.sentences[1] + 1

    def test_learns_from_a_file(self, tmp_path):
        with (tmp_path / "gug.csv").open("w", newline="") as file:
            rows = [(i, text, score) for i, (text, score) in enumerate(self.material().rated["fluency"])]
            csv.writer(file).writerows([("Id", "Sentence", "Average"), *rows])
        outputs = ["the old doctor sees a tired patient", "tired zzz house sees a old"]
        by_file = GRAMMATICALITY.score(batch(self.material(rated={}), outputs), rated="gug.csv")
        by_study = GRAMMATICALITY.score(batch(self.material(), outputs))
        assert by_file.sentences == pytest.approx(by_study.sentences)
        assert "|ratings:gug.csv_" in by_file.signature
        assert "|ratings:study|" in by_study.signature

    def test_says_on_which_scale_it_was_learnt(self, tmp_path):
        of_study = GRAMMATICALITY.score(batch(self.material(rating_scales={"fluency": (1.0, 5.0)}), ["a doctor"]))
        assert {name: of_study.details[name] for name in ("lowest", "highest")} == {"lowest": 1.0, "highest": 5.0}
        rows = "".join(f"{text},{4 * (score > 2) + 1}\n" for text, score in self.material().rated["fluency"])
        (tmp_path / "five.csv").write_text(f"text,score\n{rows}")
        with pytest.raises(UserError, match=r"five\.csv, line 2: The score 5 is outside the file's scale, 0 to 4"):
            GRAMMATICALITY.score(batch(self.material(), ["a doctor"]), rated="five.csv")
        of_file = GRAMMATICALITY.score(batch(self.material(), ["a doctor"]), rated="five.csv", lowest=1, highest=5)
        assert of_file.details["lowest"] == 1.0
        assert "|scale:1-5|" in of_file.signature

    def test_the_same_again_and_alone(self):
        given, outputs = self.material(origin="own"), ["a tired patient near", self.WORDS[0], "zzz"]
        whole = GRAMMATICALITY.score(batch(given, outputs)).sentences
        assert np.array_equal(whole, GRAMMATICALITY.score(batch(self.material(origin="own"), outputs)).sentences)
        assert GRAMMATICALITY.score(batch(given, outputs[1:2])).sentences == pytest.approx(whole[1:2])

    def test_says_what_is_missing(self, tmp_path):
        without = GRAMMATICALITY.score(batch(self.material(rated={}), ["a"]))
        assert without.corpus is None
        assert "have a rating of fluency" in without.undefined
        assert "no texts to estimate" in GRAMMATICALITY.score(batch(self.material(texts={}), ["a"])).undefined
        assert "There is no file of rated sentences 'x.csv'" in GRAMMATICALITY.unavailable(rated="x.csv")
        assert GRAMMATICALITY.unavailable() == ""
        with pytest.raises(UserError, match=r"no file of rated sentences 'x\.csv'"):
            GRAMMATICALITY.score(batch(self.material(), ["a"]), rated="x.csv")
        (tmp_path / "x.csv").write_text("text,mark\na,1\n")
        with pytest.raises(UserError, match="no column score or average"):
            GRAMMATICALITY.score(batch(self.material(), ["a"]), rated="x.csv")
        (tmp_path / "x.csv").write_text("text,score\na,good\n")
        with pytest.raises(UserError, match=r"x\.csv, line 2: The score must be a number, not 'good'"):
            GRAMMATICALITY.score(batch(self.material(), ["a"]), rated="x.csv")


def _pt16(path):
    with path.open(newline="") as file:
        return [(row["sentence"], float(row["label"])) for row in csv.DictReader(file)]
