"""What holds for the metrics that are trained on a study's texts of its styles."""

from pathlib import Path

import numpy as np
import pytest
from support.styled_texts import FORMAL, INFORMAL, made, material

from evaluation.learned_scorers.cross_fitting import fold_of
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

CAPTIONS = Path(__file__).resolve().parents[5] / "shared" / "data" / "captions"
CLASSIFIERS = ["style_accuracy", "transfer_strength"]
NAMES = [*CLASSIFIERS, "perplexity_ngram"]
QUICK = {"style_accuracy": {}, "perplexity_ngram": {}, "transfer_strength": {"epochs": 1, "dimension": 4}}
LEARNS = {"style_accuracy": {}, "transfer_strength": {"epochs": 40, "dimension": 24}}
OUTPUTS = [
    "kindly consider our lunch",
    "gonna grab this thing lol",
    "we remain grateful",
    "yeah whatever with tea",
    "the report",
    "",
]
TARGETS = ["formal", "informal", "informal", "informal", "formal", "formal"]


def batch(given, outputs=OUTPUTS, targets=TARGETS):
    return MetricInput([], list(outputs), [], target_styles=list(targets), material=given)


def first(count):
    return {"formal": made(FORMAL)[:count], "informal": made(INFORMAL)[:count]}


@pytest.mark.parametrize("name", NAMES)
class TestEveryTrainedMetric:
    def test_says_what_it_needs(self, name):
        metric = METRICS[name]
        assert metric.name == name
        assert metric.needs == {"styles", "texts"}
        with pytest.raises(UserError, match="nothing to train it on"):
            metric.score(batch(None))
        with pytest.raises(UserError, match="target style"):
            metric.score(MetricInput([], ["a"], [], material=material()))

    def test_a_sentence_scores_the_same_alone(self, name):
        given = material(origin="own")
        outputs = [*OUTPUTS, *made(FORMAL)[:3]]
        targets = [*TARGETS, *["formal"] * 3]
        whole = METRICS[name].score(batch(given, outputs, targets), **QUICK[name])
        for i in range(len(outputs)):
            alone = METRICS[name].score(batch(given, outputs[i : i + 1], targets[i : i + 1]), **QUICK[name])
            assert alone.sentences == pytest.approx(whole.sentences[i : i + 1])

    def test_a_model_is_trained_once_for_all_systems(self, name):
        given = material()
        METRICS[name].score(batch(given), **QUICK[name])
        kept = dict(given.remembered)
        METRICS[name].score(batch(given, OUTPUTS[:2], TARGETS[:2]), **QUICK[name])
        assert given.remembered.keys() == kept.keys()
        assert all(given.remembered[key] is kept[key] for key in kept)

    def test_other_settings_are_other_models(self, name):
        metric = METRICS[name]
        key, value = {
            "style_accuracy": ("features", "characters"),
            "transfer_strength": ("epochs", 3),
            "perplexity_ngram": ("order", 1),
        }[name]
        given = material()
        METRICS[name].score(batch(given), **QUICK[name])
        before = len(given.remembered)
        metric.score(batch(given), **(QUICK[name] | {key: value}))
        assert len(given.remembered) > before
        assert metric.signature(**{key: value}) != metric.signature()

    def test_the_signature_says_on_what_it_was_trained(self, name):
        own, other = material(origin="own"), material(texts={"formal": made(FORMAL, 5), "informal": made(INFORMAL)})
        signatures = {METRICS[name].score(batch(given), **QUICK[name]).signature for given in (material(), own, other)}
        assert len(signatures) == 3
        assert sum("|origin:own" in each for each in signatures) == 1
        assert all("|texts:" in each for each in signatures)

    @pytest.mark.filterwarnings("error")
    def test_without_texts_there_is_no_score(self, name):
        scores = METRICS[name].score(batch(TrainingMaterial()), **QUICK[name])
        assert scores.corpus is None
        assert np.isnan(scores.sentences).all()
        assert scores.undefined.endswith(".")
        assert scores.undefined.startswith("The study has no texts of")

    @pytest.mark.filterwarnings("error")
    def test_a_style_without_texts_leaves_its_sentences_without_score(self, name):
        targets = ["formal", "slang", "informal", "slang", "formal", "formal"]
        scores = METRICS[name].score(batch(material(), OUTPUTS, targets), **QUICK[name])
        assert np.isnan(scores.sentences).tolist() == [style == "slang" for style in targets]
        assert np.isfinite(scores.corpus)

    def test_leaves_the_random_numbers_and_threads_of_others_alone(self, name):
        import torch

        torch.manual_seed(3)
        expected, threads = torch.rand(1), torch.get_num_threads()
        torch.manual_seed(3)
        METRICS[name].score(batch(material()), **QUICK[name])
        assert torch.rand(1) == expected
        assert torch.get_num_threads() == threads


@pytest.mark.parametrize("name", CLASSIFIERS)
class TestClassifiers:
    @pytest.mark.parametrize("pairs", [1, 2, 3, 4])
    def test_too_few_texts_are_named(self, name, pairs):
        few = material(origin="own", texts=first(pairs), tune={})
        scores = METRICS[name].score(batch(few), **QUICK[name])
        assert scores.corpus is None
        assert f"5 texts of each style at least, and the study has {pairs} of 'formal'" in scores.undefined

    def test_five_texts_are_enough_whatever_their_folds(self, name):
        five = material(origin="own", texts=first(5), tune={})
        assert METRICS[name].score(batch(five), **QUICK[name]).corpus is not None

    def test_tells_the_styles_apart(self, name):
        scores = METRICS[name].score(batch(material(tune={"formal": FORMAL, "informal": INFORMAL})), **LEARNS[name])
        assert scores.sentences[:4].tolist() == [1, 1, 0, 1]
        assert scores.sentences[5] == 0  # no text, no style
        assert scores.details["accuracy_tune"] >= 0.75
        assert scores.details["texts_tune"] == 8
        assert scores.details["accuracy_by_chance"] == 0.5

    def test_without_texts_to_tune_on_some_are_held_out(self, name):
        details = METRICS[name].score(batch(material()), **LEARNS[name]).details
        folds = range(5) if name == "style_accuracy" else [0]
        assert details["texts_held_out"] == sum(fold_of(text) in folds for text in made(FORMAL + INFORMAL))
        assert details["accuracy_held_out"] > 0.7

    def test_a_study_that_trains_on_its_own_texts_judges_none_that_its_model_saw(self, name):
        """The labels are drawn: whoever saw a text knows its label, whoever did not can only guess."""
        texts = [f"w{i} x{i} y{i}" for i in range(60)]
        halves = {"formal": texts[::2], "informal": texts[1::2]}
        targets = ["formal", "informal"] * 30
        seen, unseen = (
            METRICS[name].score(batch(TrainingMaterial(texts=halves, origin=origin), texts, targets), **LEARNS[name])
            for origin in ("train", "own")
        )
        assert seen.corpus > 0.9
        assert unseen.corpus < 0.75

    def test_more_than_two_styles(self, name):
        third = made(["esteemed colleagues behold", "verily thou seest", "hark now"])
        given = material(texts={"formal": made(FORMAL), "informal": made(INFORMAL), "old": third})
        outputs = ["kindly consider the song", "omg i love the song", "verily thou seest the song"]
        scores = METRICS[name].score(batch(given, outputs, ["formal", "informal", "old"]), **LEARNS[name])
        assert scores.sentences.tolist() == [1, 1, 1]


@pytest.mark.soak
@pytest.mark.parametrize(
    ("name", "chosen", "authority"),
    [
        ("style_accuracy", {}, "style_accuracy"),
        ("transfer_strength", {"epochs": 1}, "transfer_strength"),
        ("transfer_strength", {"like": "fu"}, "transfer_strength_fu"),
    ],
)
def test_tells_captions_apart_as_well_as_its_authority(name, chosen, authority, golden):
    """fastText for the one, Keras' LSTM and the one of Fu et al.'s program for the other, on the same captions."""
    if not CAPTIONS.is_dir():
        pytest.skip(f"the captions are not at {CAPTIONS}")
    texts, tune = ({side: _lines(CAPTIONS / f"sentiment.{part}.{side}") for side in "01"} for part in ("train", "dev"))
    given = batch(TrainingMaterial(texts=texts, tune=tune), tune["0"], ["0"] * len(tune["0"]))
    scores = METRICS[name].score(given, **chosen)
    assert scores.details["texts_tune"] == 1000
    assert scores.details["accuracy_tune"] > golden("trained")[authority] - 0.02


def _lines(path):
    return [line.strip() for line in path.read_text("utf-8", "replace").split("\n") if line.strip()]


def test_fu_s_program_reads_the_last_twenty_words_as_they_are_written_between_spaces():
    """A word before the last 20 changes nothing, a capital does; words that stand once are not known."""
    from evaluation.learned_scorers.lstm_classifier import SIZES, LstmClassifier

    texts = ["<NUM> is formal", "<NUM> is formal", "Lol is not", "Lol is not", "Once"]
    made_like = LstmClassifier(texts, np.array([0, 0, 1, 1, 1]), 2, 4, 1, 1, "en", SIZES["fu"])
    assert set(made_like.vocabulary) == {"<NUM>", "is", "formal", "Lol", "not"}
    begin = 2 + len(made_like.vocabulary)
    assert made_like._encode(made_like.words("<NUM> lol")) == [0] * 17 + [begin, made_like.vocabulary["<NUM>"], 1]
    long = "lol " + "is " * 20
    assert made_like._encode(made_like.words(long)) == [made_like.vocabulary["is"]] * 20


def test_case_counts_where_it_is_asked_for():
    texts = {"formal": [text.upper() for text in made(FORMAL)], "informal": made(FORMAL)}
    given = TrainingMaterial(
        texts=texts, tune={"formal": ["KINDLY CONSIDER A LAMP"], "informal": ["kindly consider a lamp"]}
    )
    one = batch(given, ["KINDLY CONSIDER IT", "kindly consider it"], ["formal", "informal"])
    assert METRICS["style_accuracy"].score(one, lowercase=False).corpus == 1
    assert METRICS["style_accuracy"].score(one, lowercase=True).corpus == 0.5


def test_perplexity_is_that_of_each_direction_s_model():
    given = material()
    right = METRICS["perplexity_ngram"].score(batch(given, ["kindly consider the song"], ["formal"]))
    wrong = METRICS["perplexity_ngram"].score(batch(given, ["kindly consider the song"], ["informal"]))
    assert 1 < right.corpus < wrong.corpus


def test_perplexity_equals_that_of_the_model():
    from foundation.kneser_ney import estimate

    scores = METRICS["perplexity_ngram"].score(batch(material()), order=2)
    model = estimate([text.split() for text in made(FORMAL)], 2)
    assert scores.sentences[4] == pytest.approx(np.exp(-model.logprob(["the", "report"]) / 3))
    assert scores.details["unknown_words"] == pytest.approx(5 / 18)
    logs, words = np.log(scores.sentences), np.array([len(text.split()) + 1 for text in OUTPUTS])
    assert scores.corpus == pytest.approx(np.exp((logs * words).sum() / words.sum()))


def test_perplexity_of_own_texts_is_that_of_a_model_that_did_not_see_them():
    texts = made(FORMAL)
    scores = [
        METRICS["perplexity_ngram"].score(batch(material(origin=origin), texts, ["formal"] * len(texts))).corpus
        for origin in ("train", "own")
    ]
    assert scores[0] < scores[1]
