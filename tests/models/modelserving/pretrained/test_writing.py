"""Pretrained models write what transformers' own generate writes, and for each text as for it alone."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from support.tiny_pairs import SOURCES, WAY

from foundation.base_folder import base_folder
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.pretrained.model import PretrainedModel
from modelserving.pretrained.subwords import Subwords, token_lengths
from modelserving.training import products
from modelserving.transfer import TRANSFERS

KINDS = ("t5", "bart", "pegasus")
WIDE = {"t5": {"initializer_factor": 5.0}, "bart": {"init_std": 0.4}, "pegasus": {"init_std": 0.4}}
"""Weights with which outputs differ from text to text, and the best two hypotheses of each are 1e-4 and more apart.

Wider ones make certain of a token: hypotheses tie then, and how a machine rounds its sums says which is written.
"""


def ready(kind: str) -> PretrainedModel:
    from modelserving.pretrained.loading import load_network

    folder = base_folder(kind, KINDS)
    return PretrainedModel("test", load_network(folder), folder, prefix="", read=100)


def written(model: PretrainedModel, texts: list[str], **given: Any) -> list[str]:
    return list(model.transfer(texts, WAY, validate_options(TRANSFERS["t5"].Decoding, {"longest": 15, **given})))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("given", [{}, {"beam": 1}, {"beam": 3, "length_penalty": 2.0, "no_repeat": 2, "shortest": 6}])
def test_outputs_are_those_of_generate(kind: str, given: dict[str, Any], made: Callable[..., Path]) -> None:
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    folder = made(kind, **WIDE[kind])
    tokenizer, net = AutoTokenizer.from_pretrained(folder), AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    own = []
    for text in SOURCES[:8]:
        batch = tokenizer([text], return_tensors="pt")
        ids = net.generate(
            input_ids=batch["input_ids"], attention_mask=batch["attention_mask"], max_new_tokens=15,
            num_beams=given.get("beam", 4), length_penalty=given.get("length_penalty", 1.0),
            no_repeat_ngram_size=given.get("no_repeat", 0), min_new_tokens=given.get("shortest"),
            early_stopping=given.get("beam", 4) > 1,
        )  # fmt: skip
        own.append(" ".join(tokenizer.decode(ids[0], skip_special_tokens=True).split()))
    assert written(ready(kind), SOURCES[:8], **given) == own
    assert len(set(own)) > 3


@pytest.mark.parametrize("kind", KINDS)
def test_outputs_by_onednn_are_those_of_generate(
    kind: str, made: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(products, "LARGE", 0)  # transformers' own layers go on by MKL
    test_outputs_are_those_of_generate(kind, {}, made)


@pytest.mark.parametrize("kind", KINDS)
def test_a_text_is_written_alike_alone_and_among_others_and_by_chance_too(kind: str, made: Callable[..., Path]) -> None:
    made(kind, **WIDE[kind])
    model, texts = ready(kind), [*SOURCES[:6], "", "she", f"{SOURCES[0]} " * 30]
    for given in ({"beam": 3}, {"sample": True, "temperature": 1.5, "top_p": 0.95, "seed": 4}):
        together = written(model, texts, **given)
        assert together == [written(model, [text], **given)[0] for text in texts]
        assert together == written(model, texts[::-1], **given)[::-1]
        assert together[6] == ""
    drawn = [written(model, texts, sample=True, temperature=10.0, seed=seed) for seed in (4, 4, 5)]
    assert drawn[0] == drawn[1] != drawn[2]


def test_special_tokens_in_a_text_are_text(made: Callable[..., Path]) -> None:
    subwords = Subwords(made("bart") / "tokenizer.json")
    ids = subwords.ids(["a </s> b <mask>"], 50)[0]
    assert ids.count(2) == 1
    assert subwords.text(ids) == "a </s> b <mask>"
    cut, was_cut = subwords.cut(["word " * 100], 9)[0]
    assert (len(cut), cut[0], cut[-1], was_cut) == (9, 0, 2, True)
    assert subwords.cut(["word"], 9)[0][1] is False
    assert token_lengths("bart", ["", "word " * 100])[1] > 100


def test_an_untuned_model_is_loaded_again_only_where_its_folder_is_another(made: Callable[..., Path]) -> None:
    made("t5", "one")
    made("t5", "two", d_ff=96)
    kind = TRANSFERS["t5_untuned"]
    model: Any = kind.load(None)
    first = validate_options(kind.Decoding, {"folder": "one", "longest": 5})
    list(model.transfer(["she"], WAY, first))
    held = model._held
    list(model.transfer(["she saw"], WAY, first))
    assert model._held is held
    second = validate_options(kind.Decoding, {"folder": "two", "longest": 5})
    list(model.transfer(["she"], WAY, second))
    assert model._held is not held
    assert model.signature(WAY, first) != model.signature(WAY, second)
    assert base_folder("one", ["t5"]).digest in model.signature(WAY, first)
    with pytest.raises(UserError, match="There is no pretrained model 'none'"):
        kind.check_decoding(validate_options(kind.Decoding, {"folder": "none"}))
