"""Encoders from folders: what they say of a token is what transformers' own models say; a broken one is a sentence."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import torch
from safetensors.torch import load_file, save_file
from support.tiny_pairs import SOURCES

from foundation.base_folder import base_folder
from foundation.errors import UserError
from modelserving.pretrained.folder_list import ENCODERS, encoder_folder, most_pieces, piece_lengths
from modelserving.pretrained.loading import load_encoder, new_encoder
from modelserving.pretrained.subwords import read_subwords

Made = Callable[..., Path]
SIZES = {"hidden_size": 32, "num_hidden_layers": 2, "num_attention_heads": 4, "intermediate_size": 64,
         "vocab_size": 300, "max_position_embeddings": 66}  # fmt: skip
FORMS: dict[str, tuple[str, dict[str, Any]]] = {
    "distilbert": ("DistilBertForMaskedLM", {"dim": 32, "n_layers": 2, "n_heads": 4, "hidden_dim": 64}),
    "electra": ("ElectraForPreTraining", {"embedding_size": 16}),
    "roberta": ("RobertaForMaskedLM", {"pad_token_id": 1}),
}


def whole() -> Any:
    """The encoder of the folder, its tokenizer read before it."""
    folder = encoder_folder("bert")
    read_subwords(folder)
    return load_encoder(folder)


def states(encoder: Any, folder: Path, texts: list[str]) -> torch.Tensor:
    from transformers import AutoTokenizer

    batch = AutoTokenizer.from_pretrained(folder)(texts, return_tensors="pt", padding=True)
    with torch.inference_mode():
        found: torch.Tensor = encoder(
            input_ids=batch["input_ids"], attention_mask=batch["attention_mask"]
        ).last_hidden_state
    return found


def tensors(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    path = folder / "model.safetensors"
    save_file({name: one.clone() for name, one in change(load_file(path)).items()}, path, {"format": "pt"})


def config(folder: Path, **changed: Any) -> None:
    path = folder / "config.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), **changed}))


def test_its_states_are_those_of_transformers_own_bert(made: Made) -> None:
    from transformers import BertModel

    folder = made("bert")
    loaded = load_encoder(encoder_folder("bert"))
    own: Any = BertModel.from_pretrained(folder)
    assert torch.equal(states(loaded, folder, SOURCES), states(own, folder, SOURCES))
    assert not any(name.startswith("pooler") for name, _ in loaded.named_parameters())


@pytest.mark.parametrize("form", FORMS)
def test_encoders_of_other_forms_are_loaded_as_transformers_loads_them(form: str, made: Made) -> None:
    import transformers

    folder = made("bert")
    kind, more = FORMS[form]
    configured = transformers.AutoConfig.for_model(form, **(SIZES | more))
    torch.manual_seed(1)
    getattr(transformers, kind)(configured).eval().save_pretrained(folder)
    found = encoder_folder("bert")
    own = transformers.AutoModel.from_pretrained(folder).eval()
    assert torch.equal(states(load_encoder(found), folder, SOURCES), states(own, folder, SOURCES))
    assert found.architecture == form
    with torch.inference_mode():  # the longest text that it can read
        longest = torch.full((1, most_pieces(found) + 2), 7)
        assert own(input_ids=longest).last_hidden_state.isfinite().all()
        with pytest.raises((IndexError, RuntimeError)):
            own(input_ids=torch.full((1, most_pieces(found) + 3), 7))


@pytest.mark.parametrize("change", [
    lambda all: {name: one for name, one in all.items() if "pooler" not in name and not name.startswith("cls.")},
    lambda all: {name.removeprefix("bert."): one for name, one in all.items() if name.startswith("bert.")},
    lambda all: {
        name.replace("LayerNorm.weight", "LayerNorm.gamma").replace("LayerNorm.bias", "LayerNorm.beta"): one
        for name, one in all.items()
    },
], ids=["without heads and pooler", "without a prefix", "with the names of 2018"])  # fmt: skip
def test_what_folders_hold_besides_makes_no_difference(change: Any, made: Made) -> None:
    folder = made("bert")
    first = states(load_encoder(encoder_folder("bert")), folder, SOURCES)
    tensors(folder, change)
    assert torch.equal(states(load_encoder(encoder_folder("bert")), folder, SOURCES), first)


def test_a_folder_that_was_made_for_a_decoder_still_reads_both_ways(made: Made) -> None:
    folder = made("bert")
    first = states(load_encoder(encoder_folder("bert")), folder, SOURCES)
    config(folder, is_decoder=True, add_cross_attention=True)
    assert torch.equal(states(load_encoder(encoder_folder("bert")), folder, SOURCES), first)


def test_a_new_encoder_has_the_sizes_and_other_weights(made: Made) -> None:
    folder = made("bert")
    loaded, new = load_encoder(encoder_folder("bert")), new_encoder(encoder_folder("bert"))
    assert {name: one.shape for name, one in new.named_parameters()} == {
        name: one.shape for name, one in loaded.named_parameters()
    }
    assert not torch.equal(states(new.eval(), folder, SOURCES), states(loaded, folder, SOURCES))


BROKEN: dict[str, tuple[Callable[[Path], object], str]] = {
    "a decoder": (lambda folder: config(folder, model_type="gpt2"),
                  "architecture is 'gpt2'; this takes bert or distilbert or electra or roberta"),
    "its own code": (lambda folder: config(folder, auto_map={"AutoModel": "evil.Evil"}), "needs to run its own code"),
    "less": (lambda folder: tensors(folder, lambda all: {
        name: one for name, one in all.items() if "layer.0.output.dense.bias" not in name
    }), "layer.0.output.dense.bias is missing"),
    "more": (lambda folder: tensors(folder, lambda all: {
        **all, "bert.encoder.layer.1.output.dense.bias": torch.zeros(32)
    }), "is not of this architecture"),
    "more without a prefix": (lambda folder: tensors(folder, lambda all: {
        **{name.removeprefix("bert."): one for name, one in all.items() if name.startswith("bert.")},
        "odd": torch.zeros(3),
    }), "odd is not of this architecture"),
    "wide": (lambda folder: config(folder, intermediate_size=9_000_000), "and there are"),
    "wider": (lambda folder: config(folder, hidden_size=64), "disagrees with the weights"),
    "odd": (lambda folder: config(folder, hidden_act="magic"), "No model can be built from this configuration"),
    "pickled": (lambda folder: (folder / "model.safetensors").rename(folder / "pytorch_model.bin"), "pickled"),
    "slow": (lambda folder: (folder / "tokenizer.json").unlink(), "There is no tokenizer.json"),
    "no tokenizer": (lambda folder: (folder / "tokenizer.json").write_text("{}"), "missing or cannot be read"),
    "another's tokenizer": (lambda folder: config(folder, vocab_size=5), "more than the model knows"),
}  # fmt: skip


@pytest.mark.parametrize("name", BROKEN)
def test_a_folder_that_is_not_right_is_a_sentence(name: str, made: Made) -> None:
    change, sentence = BROKEN[name]
    change(made("bert"))
    with pytest.raises(UserError) as told:
        whole()
    assert sentence in str(told.value)
    assert str(told.value).startswith("folder")


def test_a_seq2seq_folder_is_no_encoder(made: Made) -> None:
    made("t5")
    with pytest.raises(UserError, match="this takes bert"):
        encoder_folder("t5")


def test_pieces_are_as_the_tokenizer_has_them_and_say_where_they_stand(made: Made) -> None:
    """transformers' own fast tokenizer is asked."""
    from transformers import AutoTokenizer

    folder = made("bert")
    own, subwords = AutoTokenizer.from_pretrained(folder), read_subwords(base_folder("bert", ENCODERS))
    text = "my bro saw [SEP] Ünbekannt 🙂 pizzas, 4 dinner."
    found = subwords.pieces(text)
    encoded = own(text, add_special_tokens=False, return_offsets_mapping=True, split_special_tokens=True)
    assert [one.id for one in found] == encoded["input_ids"]
    assert [one.place for one in found] == encoded["offset_mapping"]
    assert [one.spelling for one in found] == own.convert_ids_to_tokens(encoded["input_ids"])
    assert subwords.ends == (own.cls_token_id, own.sep_token_id)
    assert subwords.unknown == own.unk_token_id
    assert set(subwords.vocabulary) == set(own.get_vocab()) - set(own.all_special_tokens)
    for target in ("The patient saw a doctor.", "You all liked that song."):
        pieces = subwords.pieces(target)
        assert subwords.joined([one.spelling for one in pieces]) == target == subwords.text([one.id for one in pieces])


def test_the_longest_text_is_counted_without_the_special_tokens(made: Made) -> None:
    made("bert")
    assert most_pieces(encoder_folder("bert")) == 126
    assert piece_lengths("bert", ["", "pt saw a dr", "🙂"]) == [0, 4, 1]
