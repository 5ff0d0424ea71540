"""Our search gives each text of a batch the tokens that transformers' own generate gives it alone."""

from dataclasses import replace
from typing import Any

import pytest
import torch

from modelserving.pretrained.options import SidesGenerationOptions
from modelserving.pretrained.quick_search import HeldDecoder, best, highest, serves
from modelserving.pretrained.sides import up_to_end
from modelserving.pretrained.token_rows import pad
from modelserving.pretrained.writing import configuration, write

WORDS, TEXTS, LONGEST = 150, 9, 12
SIDES = {f"{side}_{name}": size for side in ("encoder", "decoder")
         for name, size in (("layers", 2), ("attention_heads", 4), ("ffn_dim", 64))}  # fmt: skip
T5 = {"d_model": 32, "d_kv": 8, "d_ff": 64, "num_layers": 2, "num_heads": 4, "decoder_start_token_id": 0,
      "pad_token_id": 0, "eos_token_id": 1, "initializer_factor": 3.0}  # fmt: skip
BART = {"d_model": 32, "max_position_embeddings": 64, "bos_token_id": 0, "pad_token_id": 1, "eos_token_id": 2,
        "decoder_start_token_id": 2, "init_std": 0.4, **SIDES}  # fmt: skip
PEGASUS = {**BART, "pad_token_id": 0, "eos_token_id": 1, "decoder_start_token_id": 0, "scale_embedding": True}
MODELS: dict[str, tuple[str, dict[str, Any]]] = {
    "t5": ("T5", T5),
    "t5 with a gate and an output of its own": ("T5", {**T5, "feed_forward_proj": "gated-gelu",
                                                       "tie_word_embeddings": False}),
    "bart": ("Bart", {**BART, "forced_bos_token_id": 0, "forced_eos_token_id": 2}),
    "bart without forced tokens": ("Bart", {**BART, "forced_eos_token_id": None, "scale_embedding": True}),
    "pegasus": ("Pegasus", {**PEGASUS, "forced_eos_token_id": 1}),
}  # fmt: skip
SEARCHES: list[dict[str, Any]] = [
    {"beam": 1}, {"beam": 1, "no_repeat": 2, "shortest": 4}, {"beam": 4, "early_stopping": True},
    {"beam": 4, "early_stopping": False, "length_penalty": 2.0}, {"beam": 3, "early_stopping": False,
    "length_penalty": 0.0}, {"beam": 5, "no_repeat": 1, "shortest": 3, "early_stopping": True},
]  # fmt: skip


def made(name: str, seed: int = 1) -> Any:
    """A model of random weights for which the end of a text is likelier than another token."""
    import transformers

    kind, sizes = MODELS[name]
    with torch.random.fork_rng(devices=[]):
        torch.manual_seed(seed)
        config = getattr(transformers, f"{kind}Config")(vocab_size=WORDS, **sizes)
        net = getattr(transformers, f"{kind}ForConditionalGeneration")(config).eval()
        end = sizes["eos_token_id"]
        with torch.no_grad():
            if kind == "T5":
                net.lm_head.weight[end] *= 2
            else:
                net.final_logits_bias.normal_(0, 0.3)[0, end] += 4
    return net


def rows() -> list[list[int]]:
    chance = torch.Generator().manual_seed(2)
    lengths = torch.randint(1, 20, (TEXTS,), generator=chance).tolist()
    return [torch.randint(3, WORDS, (length,), generator=chance).tolist() for length in lengths]


def by_generate(net: Any, options: SidesGenerationOptions) -> list[list[int]]:
    """What transformers writes for the rows in one batch, each up to the first token that ends it."""
    config = configuration(net.generation_config, options)
    ends = config.eos_token_id if isinstance(config.eos_token_id, list) else [config.eos_token_id]
    ids = pad(rows(), 3)
    mask = torch.arange(ids.shape[1]) < torch.tensor([len(row) for row in rows()])[:, None]
    found = net.generate(input_ids=ids, attention_mask=mask.long(), generation_config=config).tolist()
    return [ids[:1] + up_to_end(ids[1:], ends) for ids in found]


@pytest.mark.parametrize("name", MODELS)
def test_texts_of_a_batch_are_those_of_generate(name: str) -> None:
    net, lengths = made(name), set()
    for given in SEARCHES:
        options = SidesGenerationOptions(longest=LONGEST, **given)
        assert serves(net, configuration(net.generation_config, options))
        found = write(net, rows(), options)
        assert found == by_generate(net, options)
        lengths |= set(map(len, found))
    assert len(lengths) > 3  # texts left their batch at different places


def test_several_tokens_end_a_text_and_one_token_is_written() -> None:
    net = made("t5")
    net.generation_config.eos_token_id = [1, by_generate(net, SidesGenerationOptions(beam=1, longest=3))[0][2]]
    for beam in (1, 3):
        for longest in (1, LONGEST):
            options = SidesGenerationOptions(beam=beam, longest=longest)
            assert write(net, rows(), options) == by_generate(net, options)


def test_weights_that_change_are_read_anew_unless_they_are_held() -> None:
    net, options = made("bart"), SidesGenerationOptions(beam=4, longest=LONGEST)
    held = HeldDecoder()
    before = write(net, rows(), options, held=held)
    assert write(net, rows(), options, held=held) == before
    net.load_state_dict(made("bart", seed=5).state_dict())
    assert write(net, rows(), options) == by_generate(net, options) != before


def test_other_numbers_and_settings_are_left_to_generate() -> None:
    net, options = made("t5"), SidesGenerationOptions(beam=2, longest=5)
    config = configuration(net.generation_config, options)
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert not serves(net, config)
    assert write(net, rows()[:2], replace(options, precision="bfloat16"))
    net.generation_config.repetition_penalty = 3.0
    assert not serves(net, configuration(net.generation_config, options))
    found = write(net, rows(), options)
    assert [ids[:1] + up_to_end(ids[1:], [1]) for ids in found] == by_generate(net, options)
    assert not serves(net.to(torch.bfloat16), config)


@pytest.mark.parametrize("wide", [5, 64, 100, 640, 2_000])
def test_the_highest_scores_are_found_by_blocks(wide: int) -> None:
    scores = torch.randn(7, wide, generator=torch.Generator().manual_seed(wide)).round(decimals=2)
    scores[0] = -torch.inf
    scores[1, : wide // 2] = -torch.inf
    assert torch.equal(best(scores), scores.argmax(1))
    values, places = highest(scores, 4)
    assert torch.equal(values, torch.topk(scores, 4).values)
    assert torch.equal(scores.gather(1, places), values)
    assert all(len(set(row)) == 4 for row in places.tolist())
