import pytest

from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError

BERTSCORE = METRICS["bertscore"]


@pytest.fixture(autouse=True)
def layer(monkeypatch, tiny_encoder):
    monkeypatch.setenv("RESTYLE_BERTSCORE_LAYER", "2")


def test_equals_the_authors_package(texts, golden):
    stored = golden("bertscore")
    single = MetricInput(texts.sources, texts.outputs, [refs[:1] for refs in texts.references])
    for key, batch, idf in (("plain", texts, False), ("idf", texts, True), ("single", single, False)):
        for of, expected in stored[key].items():
            assert BERTSCORE.score(batch, of=of, idf=idf).sentences == pytest.approx(expected, abs=2e-6), (key, of)


def test_takes_differing_numbers_of_references(uneven, golden):
    expected = golden("bertscore")["uneven"]["f1"]
    assert BERTSCORE.score(uneven, idf=True).sentences == pytest.approx(expected, abs=2e-6)


def test_rescales_by_the_baseline_beside_the_model(texts, golden, tiny_encoder):
    with pytest.raises(UserError, match=r"no baseline\.tsv"):
        BERTSCORE.score(texts, rescale=True)
    baseline = tiny_encoder / "baseline.tsv"
    try:
        baseline.write_text("LAYER,P,R,F\n1,0,0,0\n2,0.3,0.25,0.28\n")
        for of, expected in golden("bertscore")["rescaled"].items():
            assert BERTSCORE.score(texts, of=of, rescale=True).sentences == pytest.approx(expected, abs=5e-6)
        baseline.write_text("LAYER,P,R,F\n1,0,0,0\n")
        with pytest.raises(UserError, match="no line for layer 2"):
            BERTSCORE.score(texts, rescale=True)
    finally:
        baseline.unlink()


def test_the_same_text_is_as_near_as_can_be():
    assert BERTSCORE.score(MetricInput([], ["The cup."], [["the cup."]])).corpus == pytest.approx(1, abs=1e-6)


def test_the_signature_names_model_layer_and_weights(texts):
    signature = BERTSCORE.score(texts).signature
    assert "|model:tiny-encoder_L2_" in signature
    assert "|of:f1|idf:no|rescale:no|refs:best|long:windows|restyle:bertscore.1" in signature


def test_says_what_is_missing(texts, monkeypatch, tmp_path):
    monkeypatch.setenv("RESTYLE_BERTSCORE_LAYER", "4")
    with pytest.raises(UserError, match="layers 0 to 3"):
        BERTSCORE.score(texts)
    monkeypatch.setenv("RESTYLE_BERTSCORE_LAYER", "last")
    with pytest.raises(UserError, match="number of a layer"):
        BERTSCORE.score(texts)
    assert BERTSCORE.unavailable() == ""
    monkeypatch.setenv("RESTYLE_BERTSCORE_MODEL", str(tmp_path))
    assert "RESTYLE_BERTSCORE_MODEL" in BERTSCORE.unavailable()
    with pytest.raises(UserError, match="needs a language model on this machine"):
        BERTSCORE.score(texts)
