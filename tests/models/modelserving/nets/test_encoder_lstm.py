"""An encoder with an attending LSTM, held to the paper's formulas in numpy over the states of transformers' own
BertModel, and its search to trying every text."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.typing import NDArray
from support.tiny_networks import score_of, texts_of
from torch import nn

from modelserving.nets.beam_search import beam_search
from modelserving.nets.encoder_lstm import EncoderLstm, SpecialIds
from modelserving.training import weights
from modelserving.training.batches import Batch, pad
from modelserving.training.network import shift_right
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END

PADDING, BEFORE, BEHIND = 0, 2, 3  # the encoder's ids
SOURCES, TARGETS = [[6, 7, 9], [5, 8, 9, 10, 11], [7]], [[4, 5], [5, 4, 5], [5]]
BATCH = Batch(*pad(SOURCES), *pad(TARGETS, end=True))
KNOWN = 6
Array = NDArray[np.float64]


def bert(**changed: Any) -> Any:
    from transformers import BertConfig, BertModel

    sizes = {"vocab_size": 12, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
             "intermediate_size": 16, "max_position_embeddings": 32, "initializer_range": 0.8}  # fmt: skip
    return BertModel(BertConfig(**(sizes | changed)), add_pooling_layer=False)


def net(seed: int = 0, dropout: float = 0.0) -> EncoderLstm:
    """With weights so large that its texts differ."""
    torch.manual_seed(seed)
    made = EncoderLstm(bert(), SpecialIds(BEFORE, BEHIND, PADDING), KNOWN, dropout)
    for name, parameter in made.named_parameters():
        if not name.startswith("encoder."):
            nn.init.normal_(parameter, std=0.7)
    return made.eval()


def sigmoid(x: Array) -> Array:
    found: Array = 1 / (1 + np.exp(-x))
    return found


def softmax(x: Array) -> Array:
    found: Array = np.exp(x - x.max()) / np.exp(x - x.max()).sum()
    return found


def by_hand(made: EncoderLstm, source: list[int], target: list[int]) -> list[tuple[Array, Array]]:
    """The log-probabilities of each next word and the attention, of one text, by the paper's formulas (section 4.3).

    The encoder's states are those that transformers' own BertModel gives for [CLS] source [SEP].
    """
    with torch.inference_mode():
        ids = torch.tensor([[BEFORE, *(id - 1 for id in source), BEHIND]])
        states = made.encoder(input_ids=ids).last_hidden_state[0].double().numpy()
    of = {name: one.detach().double().numpy() for name, one in made.named_parameters()}
    values = states[1:-1]
    h = c = np.tanh(of["begin.weight"] @ states[0] + of["begin.bias"])
    found = []
    for word in [BEGIN, *target]:
        gates = (of["lstm.weight_ih_l0"] @ of["embed.weight"][word] + of["lstm.bias_ih_l0"]
                 + of["lstm.weight_hh_l0"] @ h + of["lstm.bias_hh_l0"])  # fmt: skip
        i, f, g, o = np.split(gates, 4)
        c = sigmoid(f) * c + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(c)
        attention = softmax(np.array([h @ v for v in values]))
        mixed = sum(a * v for a, v in zip(attention, values, strict=True))
        logits = of["output.weight"] @ np.concatenate([h, mixed]) + of["output.bias"]
        found.append((np.log(softmax(logits)), attention))
    return found


def test_its_loss_is_that_of_the_papers_formulas() -> None:
    made = net()
    (loss,) = made.losses(BATCH)
    expected = -sum(
        float(log[word])
        for source, target in zip(SOURCES, TARGETS, strict=True)
        for (log, _), word in zip(by_hand(made, source, target), [*target, END], strict=True)
    )
    assert loss.count == sum(len(target) + 1 for target in TARGETS)
    assert loss.total.item() == pytest.approx(expected, rel=1e-5)


@torch.inference_mode()
def test_its_steps_are_the_papers_formulas_and_padding_changes_nothing() -> None:
    """All sources in one batch, each held to the formulas of it alone."""
    made = net(seed=1)
    memory, state = made.start(BATCH)
    words = shift_right(BATCH.targets)
    expected = [by_hand(made, source, target) for source, target in zip(SOURCES, TARGETS, strict=True)]
    vectors, attention = made.teacher_force(memory, state, BATCH.targets)
    for at in range(words.shape[1]):
        step = made.step(memory, state, words[:, at])
        state = step.state
        assert step.attention is not None
        for row, source in enumerate(SOURCES):
            if at > len(TARGETS[row]):
                continue
            log, weights = expected[row][at]
            np.testing.assert_allclose(step.scores[row].numpy(), log, atol=1e-4)
            np.testing.assert_allclose(step.attention[row, : len(source)].numpy(), weights, atol=1e-5)
            assert not step.attention[row, len(source) :].any()
            torch.testing.assert_close(attention[row, at], step.attention[row])
            at_once = torch.log_softmax(made.output(vectors[row, at]), dim=-1)
            torch.testing.assert_close(at_once, step.scores[row])


def test_the_encoder_reads_a_text_between_its_special_tokens() -> None:
    """What it is given is what transformers' own tokenizer would give: ids, and a mask that ends behind [SEP]."""
    made = net()
    given: dict[str, Any] = {}
    made.encoder.register_forward_pre_hook(lambda _, args, named: given.update(named), with_kwargs=True)
    made.start(BATCH)
    assert given["input_ids"].tolist() == [
        [2, 5, 6, 8, 3, 0, 0], [2, 4, 7, 8, 9, 10, 3], [2, 6, 3, 0, 0, 0, 0]
    ]  # fmt: skip
    assert given["attention_mask"].tolist() == [
        [1, 1, 1, 1, 1, 0, 0], [1, 1, 1, 1, 1, 1, 1], [1, 1, 1, 0, 0, 0, 0]
    ]  # fmt: skip


def test_the_encoder_is_trained_too() -> None:
    made = net(dropout=0.2).train()
    (loss,) = made.losses(BATCH)
    loss.total.backward()
    moved = {name for name, one in made.named_parameters() if one.grad is not None and one.grad.any()}
    assert moved == {name for name, _ in made.named_parameters()}


@pytest.mark.parametrize(("length", "coverage"), [(0.0, 0.0), (1.5, 0.0), (1.0, 0.5)])
@pytest.mark.parametrize("seed", [0, 1])
@torch.inference_mode()
def test_a_wide_beam_finds_the_best_text_of_all(seed: int, length: float, coverage: float) -> None:
    made = net(seed)
    options = BeamSearchOptions(beam=100, length_penalty=length, coverage_penalty=coverage, longest=3)
    found = beam_search(made, Batch(*pad(SOURCES)), options)
    for source, one in zip(SOURCES, found, strict=True):
        best = max(texts_of(3), key=lambda text: score_of(made, source, text, options))
        assert tuple(one.ids) == best
        assert one.score == pytest.approx(score_of(made, source, best, options), rel=1e-4)


def test_in_bfloat16_its_loss_is_about_the_same() -> None:
    made = net(seed=2)
    whole = made.losses(BATCH)[0].total.item()
    with torch.autocast("cpu", dtype=torch.bfloat16):
        assert made.losses(BATCH)[0].total.item() == pytest.approx(whole, rel=0.05)


def test_its_attention_is_that_of_its_encoder_and_not_of_another() -> None:
    """Turned round, a source is another one."""
    made = net(seed=3)
    turned = Batch(*pad([source[::-1] for source in SOURCES]), BATCH.targets, BATCH.target_lengths)
    assert made.losses(BATCH)[0].total.item() != pytest.approx(made.losses(turned)[0].total.item(), rel=1e-3)


def test_it_is_filled_from_its_file_where_what_follows_from_its_sizes_does_not_stand(tmp_path: Path) -> None:
    """The encoder's numbers of places and of types: read from a file, they could point beyond its embeddings."""
    made, other = net(seed=4), net(seed=5)
    weights.write_network(tmp_path / weights.FILE, made)
    assert not [name for name in weights.read(tmp_path / weights.FILE) if name.endswith("_ids")]
    weights.read_network(tmp_path / weights.FILE, other)
    assert other.losses(BATCH)[0].total.item() == made.losses(BATCH)[0].total.item()
