"""Semantic similarity, BERTScore and BERT-MT's encoder on the weights of MiniLM.

`tests/golden/metrics/minilm.json` has the cosines of sentence-transformers 6.2 (`SentenceTransformer(FOLDER)`) and
P, R and F1 of bert-score 0.3.12 (`BERTScorer(model_type=FOLDER, num_layers=...)`, with idf over all references too).
"""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from support.real_models import real_model

from evaluation.metrics import METRICS, MetricInput
from foundation.base_folder import TOKENIZER
from modelserving.pretrained.folder_list import encoder_folder, most_pieces
from modelserving.pretrained.loading import load_encoder
from modelserving.pretrained.subwords import Subwords

pytestmark = [pytest.mark.soak, pytest.mark.slow]
NAME = "minilm-l6"


@pytest.fixture(scope="module")
def folder() -> Path:
    return real_model(NAME)


@pytest.fixture
def batch(folder: Path, golden: Any) -> MetricInput:
    texts = golden("minilm")
    return MetricInput(texts["sources"], texts["outputs"], texts["references"])


def test_similarity_is_that_of_sentence_transformers(batch: MetricInput, golden: Any) -> None:
    scores = METRICS["semantic_similarity"].score(batch, model=NAME)
    assert scores.sentences / 5 == pytest.approx(np.clip(golden("minilm")["cosine"], 0, 1), abs=2e-6)
    assert f"|model:{NAME}_" in scores.signature
    assert "|pooling:mean|" in scores.signature


@pytest.mark.parametrize("of", ["precision", "recall", "f1"])
@pytest.mark.parametrize(("values", "layer", "idf"), [
    ("bertscore_6", "", False), ("bertscore_5", "5", False), ("bertscore_6_idf", "6", True),
])  # fmt: skip
def test_bertscore_is_that_of_bert_score(
    batch: MetricInput, golden: Any, monkeypatch: pytest.MonkeyPatch, of: str, values: str, layer: str, idf: bool
) -> None:
    monkeypatch.setenv("RESTYLE_BERTSCORE_LAYER", layer)
    scores = METRICS["bertscore"].score(batch, model=NAME, of=of, idf=idf)
    assert scores.sentences == pytest.approx(golden("minilm")[values][of], abs=2e-6)


def test_the_encoder_of_bert_mt_has_the_states_of_sentence_transformers(batch: MetricInput, golden: Any) -> None:
    """Each text's states at its pieces and special tokens, as BERT-MT reads them, have the same mean."""
    import torch

    base = encoder_folder(NAME)
    net, subwords = load_encoder(base), Subwords(base.path / TOKENIZER)

    def vector(text: str) -> Any:
        ids = torch.tensor(subwords.ids([text], most_pieces(base)))
        with torch.inference_mode():
            return net(input_ids=ids, attention_mask=torch.ones_like(ids)).last_hidden_state[0].mean(dim=0)

    pairs = zip(batch.sources, batch.outputs, strict=True)
    found = [float(torch.cosine_similarity(vector(source), vector(output), dim=0)) for source, output in pairs]
    assert found == pytest.approx(golden("minilm")["cosine"], abs=2e-6)


def test_it_is_of_english_as_its_card_says(batch: MetricInput) -> None:
    for metric in ("semantic_similarity", "bertscore"):
        assert METRICS[metric].undefined_for("de", model=NAME).startswith(f"The model {NAME} is of the language en")
