"""Learned metrics from a lab's folder, against their authors' programs on the same small checkpoints."""

import numpy as np
import pytest
from support import tiny_estimators

from evaluation.learned_scorers.estimators import sparsemax
from evaluation.metrics import METRICS, MetricInput, entailment
from foundation.errors import UserError

pytestmark = pytest.mark.usefixtures("one_thread")
CLOSE = 2e-5


@pytest.fixture
def models(tmp_path, monkeypatch):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    return tmp_path


@pytest.fixture
def known(golden):
    return golden("estimators")


def batch(known, *, references=1, styles=()):
    texts = known["texts"]
    lists = [[one, other][:references] for one, other in zip(texts["references"], texts["others"], strict=True)]
    return MetricInput(texts["sources"], texts["outputs"], lists if references else [], *styles)


@pytest.mark.parametrize(
    ("metric", "kind", "key"),
    [
        ("comet", "regression", "regression"), ("comet", "unified_ref", "unified_ref"), ("xcomet", "xcomet", "xcomet"),
        ("comet_qe", "referenceless", "referenceless_qe"), ("comet_qe", "unified", "unified_qe"),
        ("comet_qe", "xcomet", "xcomet_qe"),
    ],
)  # fmt: skip
def test_comet_is_its_authors(models, known, metric, kind, key):
    tiny_estimators.estimator(kind, models / kind)
    scores = METRICS[metric].score(batch(known, references=0 if key.endswith("_qe") else 1), model=kind)
    assert scores.sentences == pytest.approx(known["scores"][key], abs=CLOSE)
    assert f"|model:{kind}_" in scores.signature


def test_several_references_count_as_their_mean(models, known):
    tiny_estimators.estimator("regression", models / "regression")
    comet, both = METRICS["comet"], batch(known, references=2)
    alone = [
        comet.score(
            MetricInput(both.sources, both.outputs, [[refs[at]] for refs in both.references]), model="regression"
        )
        for at in (0, 1)
    ]
    whole = comet.score(both, model="regression").sentences
    assert whole == pytest.approx((alone[0].sentences + alone[1].sentences) / 2)


@pytest.mark.parametrize("rescale", [True, False])
def test_lens_is_its_authors(models, known, rescale):
    tiny_estimators.estimator("multi", models / "lens")
    found = METRICS["lens"].score(batch(known, references=2), model="lens", rescale=rescale)
    assert found.sentences == pytest.approx(known["scores"][f"lens_{rescale}"], abs=100 * CLOSE)


def test_lens_salsa_is_its_authors(models, known):
    tiny_estimators.estimator("salsa", models / "salsa")
    found = METRICS["lens_salsa"].score(batch(known, references=0), model="salsa")
    assert found.sentences == pytest.approx(known["scores"]["lens_salsa"], abs=100 * CLOSE)


@pytest.fixture
def parted(monkeypatch):
    """Texts are parted where the authors' programs were made to part them."""

    def sentences(text):
        parts = [part.strip() for part in text.split(" . ") if part.strip()]
        return [part if part.endswith(".") else f"{part} ." for part in parts]

    monkeypatch.setattr(entailment, "splitter", lambda language: sentences)


@pytest.mark.usefixtures("parted")
@pytest.mark.parametrize("metric", ["summac_zs", "summac_conv", "alignscore"])
def test_entailment_is_its_authors(models, known, metric):
    folder = models / "nli"
    if metric == "alignscore":
        tiny_estimators.align_score(folder)
    else:
        tiny_estimators.classifier(folder, {0: "SUPPORTS", 1: "REFUTES", 2: "NOT ENOUGH INFO"})
        tiny_estimators.convolution(folder)
    scores = METRICS[metric].score(MetricInput(known["documents"], known["summaries"], []), model="nli")
    assert scores.sentences == pytest.approx(known["scores"][metric], abs=CLOSE)
    if metric == "alignscore":
        texts = known["texts"]
        long = [" . ".join([one, other] * 40) for one, other in zip(texts["sources"], texts["others"], strict=True)][:2]
        scores = METRICS[metric].score(MetricInput(long, known["summaries"][:2], []), model="nli")
        assert scores.sentences == pytest.approx(known["scores"]["alignscore_long"], abs=CLOSE)


def test_an_empty_output_has_no_score_and_a_short_one_that_of_their_program(models):
    tiny_estimators.classifier(models / "nli", {0: "ENTAILMENT", 1: "neutral", 2: "contradiction"})
    found = METRICS["summac_zs"].score(MetricInput(["a", "a"], ["", "cup"], []), model="nli").sentences
    assert np.isnan(found[0])
    assert found[1] == 0.0, "SummaC drops sentences of at most ten characters"


def test_a_regression_is_that_of_transformers(models, known):
    import torch
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = tiny_estimators.classifier(models / "one", {0: "LABEL_0"})
    model, tokenizer = AutoModelForSequenceClassification.from_pretrained(folder), AutoTokenizer.from_pretrained(folder)

    def asked(*texts):
        with torch.inference_mode():
            return float(model(**tokenizer(*texts, return_tensors="pt")).logits[0, 0])

    texts = known["texts"]
    sle = METRICS["sle"].score(batch(known), model="one").sentences
    assert sle == pytest.approx([asked(text) for text in texts["outputs"]], abs=CLOSE)
    gained = METRICS["sle"].score(batch(known), model="one", delta=True).sentences
    assert gained == pytest.approx(sle - [asked(text) for text in texts["sources"]], abs=CLOSE)
    best = [
        max(asked(one, out), asked(other, out))
        for one, other, out in zip(texts["references"], texts["others"], texts["outputs"], strict=True)
    ]
    assert METRICS["bleurt"].score(batch(known, references=2), model="one").sentences == pytest.approx(best, abs=CLOSE)


def test_what_is_lacking_in_a_folder_is_named(models):
    folder = tiny_estimators.estimator("regression", models / "m")
    given = MetricInput(["a"], ["b"], [["c"]])
    with pytest.raises(UserError, match="those of 'regression_metric'; expected 'xcomet_metric'"):
        METRICS["xcomet"].score(given, model="m")
    (folder / "hparams.yaml").write_text("- [")
    with pytest.raises(UserError, match=r"hparams\.yaml is not a list of hyperparameters"):
        METRICS["comet"].score(given, model="m")
    (folder / "hparams.yaml").unlink()
    with pytest.raises(UserError, match=r"m has no hparams\.yaml"):
        METRICS["comet"].score(given, model="m")
    tiny_estimators.classifier(models / "one", {0: "good", 1: "bad"})
    with pytest.raises(UserError, match="labels are good, bad: none of them says that a text follows"):
        METRICS["summac_zs"].score(given, model="one")


def test_sparsemax_is_the_nearest_point_of_the_simplex():
    import torch
    from scipy.optimize import minimize

    values = np.array([0.3, -0.2, 1.1, 0.9])
    held = {"type": "eq", "fun": lambda point: point.sum() - 1}
    nearest = minimize(
        lambda point: ((point - values) ** 2).sum(), np.full(4, 0.25), bounds=[(0, 1)] * 4, constraints=held
    )
    assert sparsemax(torch.tensor(values)).numpy() == pytest.approx(nearest.x, abs=1e-6)


def test_the_chance_of_yes_is_the_models(models):
    import torch
    from support.tiny_transformers import make
    from transformers import AutoModelForCausalLM, AutoTokenizer

    folder = make("causal", models / "lm", texts=("Yes", "No", "Answer: Yes", "Answer: No", "the cup"))
    given = MetricInput(["the cup", "a"], ["a cup", " "], [], ["lay", "lay"], ["expert", "expert"])
    found = METRICS["content_likelihood"].score(given, model="lm").sentences
    tokenizer, model = AutoTokenizer.from_pretrained(folder), AutoModelForCausalLM.from_pretrained(folder)
    question = (
        "A text in the style 'lay' was rewritten in the style 'expert'.\n\nText: the cup\n\nRewritten text: a cup\n\n"
        "Apart from the change of style, does the rewritten text say the same as the text? Answer Yes or No.\n\nAnswer:"
    )
    turns = [{"role": "user", "content": question}]
    asked = tokenizer.apply_chat_template(turns, add_generation_prompt=True, return_tensors="pt", return_dict=True)
    with torch.inference_mode():
        chances = model(asked["input_ids"]).logits[0, -1].double().softmax(-1)
    yes, no = (
        float(sum(chances[token] for token in {tokenizer.encode(f"{space}{word}", add_special_tokens=False)[0]
                                               for space in ("", " ")})) for word in ("Yes", "No")
    )  # fmt: skip
    assert found[0] == pytest.approx(yes / (yes + no), abs=1e-6)
    assert np.isnan(found[1])
