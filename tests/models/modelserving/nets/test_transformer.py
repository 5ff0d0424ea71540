"""The Transformer against torch.nn.Transformer on the same weights, its steps against the whole, its search against
trying every text."""

import math
from itertools import product

import pytest
import torch
from torch import Tensor, nn

from modelserving.nets import transformer
from modelserving.nets.beam_search import beam_search
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training.batches import Batch, pad
from modelserving.training.network import autocast, shift_right
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, PAD, UNKNOWN

SOURCES, TARGETS = [[4, 5, 6], [7, 8, 9, 10, 11], [5]], [[4, 5], [6, 7, 8], [9, 4, 4, 4]]
BATCH = Batch(*pad(SOURCES), *pad(TARGETS, end=True))


def net(pre: bool = False, seed: int = 0, words: int = 13, **given: object) -> Transformer:
    torch.manual_seed(seed)
    sizes = {"hidden": 12, "layers": 3, "heads": 3, "feedforward": 20, "dropout": 0.0} | given
    made = Transformer(TransformerSizes(words, words, pre_norm=pre, **sizes)).eval()  # type: ignore[arg-type]
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.5)
    return made


def authority(ours: Transformer) -> nn.Transformer:
    """PyTorch's, with the weights of ours. With norms behind the sums the paper has none at the end."""
    sizes = ours.sizes
    made = nn.Transformer(
        sizes.hidden, sizes.heads, sizes.layers, sizes.layers, sizes.feedforward, 0.0,
        batch_first=True, norm_first=sizes.pre_norm,
    )  # fmt: skip
    if not sizes.pre_norm:
        made.encoder.norm = made.decoder.norm = None
    made.load_state_dict({
        name: weight for name, weight in ours.state_dict().items() if ".layers." in name or ".norm." in name
    })  # fmt: skip
    return made


def loss_by_torch(ours: Transformer, theirs: nn.Transformer, batch: Batch) -> Tensor:
    padding, scale = batch.sources == PAD, math.sqrt(ours.sizes.hidden)
    size, width = ours.sizes.hidden, max(batch.sources.shape[1], batch.targets.shape[1])
    places = torch.tensor([
        [math.sin(at / 10_000 ** (i / size)) if i % 2 == 0 else math.cos(at / 10_000 ** ((i - 1) / size))
         for i in range(size)] for at in range(width)
    ])  # fmt: skip
    source = ours.encoder.embed(batch.sources) * scale + places[: batch.sources.shape[1]]
    target = ours.embed(shift_right(batch.targets)) * scale + places[: batch.targets.shape[1]]
    states = theirs(
        source, target, tgt_mask=theirs.generate_square_subsequent_mask(batch.targets.shape[1]), tgt_is_causal=True,
        src_key_padding_mask=padding, memory_key_padding_mask=padding, tgt_key_padding_mask=None,
    )  # fmt: skip
    logits = ours.output(states).flatten(0, 1)
    return nn.functional.cross_entropy(logits, batch.targets.flatten(), ignore_index=PAD, reduction="sum")


@pytest.mark.filterwarnings("ignore:enable_nested_tensor")
@pytest.mark.parametrize("pre", [False, True], ids=["post", "pre"])
def test_losses_and_gradients_are_those_of_pytorch(pre: bool) -> None:
    ours = net(pre)
    theirs = authority(ours)
    (loss,), other = ours.losses(BATCH), loss_by_torch(ours, theirs, BATCH)
    assert loss.count == 12
    torch.testing.assert_close(loss.total, other)
    loss.total.backward()
    named = dict(ours.named_parameters())
    found = {name: one.grad for name, one in named.items()}
    ours.zero_grad()
    other.backward()
    for name, parameter in theirs.named_parameters():
        torch.testing.assert_close(found[name], parameter.grad, rtol=1e-3, atol=1e-4, msg=name)
    for name in ("encoder.embed.weight", "embed.weight", "output.weight"):
        torch.testing.assert_close(found[name], named[name].grad, rtol=1e-3, atol=1e-4, msg=name)
    assert set(found) - {name for name, _ in theirs.named_parameters()} == {
        "encoder.embed.weight", "embed.weight", "output.weight",
    }  # fmt: skip


@pytest.mark.parametrize("pre", [False, True], ids=["post", "pre"])
def test_dropout_is_where_pytorch_has_it_but_not_within_attention_and_network(pre: bool) -> None:
    ours = net(pre, dropout=0.3).train()
    dropped = [(name, one.p) for name, one in ours.named_modules() if isinstance(one, nn.Dropout)]
    assert {chance for _, chance in dropped} == {0.3}
    (first,), (again,) = ours.losses(BATCH), ours.losses(BATCH)
    assert first.total != again.total
    assert ours.eval().losses(BATCH)[0].total == ours.losses(BATCH)[0].total


def test_tied_embeddings_are_one_matrix() -> None:
    ours = net(shared=True, tied=True)
    assert [name for name, one in ours.named_parameters() if one.shape == (13, 12)] == ["encoder.embed.weight"]
    assert ours.output.weight is ours.embed.weight
    ours.losses(BATCH)[0].total.backward()
    assert ours.embed.weight.grad is not None


@pytest.mark.parametrize("pre", [False, True], ids=["post", "pre"])
@pytest.mark.parametrize("room", [1, 16], ids=["grows", "holds"])
@torch.inference_mode()
def test_words_one_by_one_with_their_keys_kept_are_the_whole(
    pre: bool, room: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(transformer, "STEPS", room)
    ours = net(pre)
    words = shift_right(BATCH.targets)
    whole = torch.log_softmax(ours.output(ours.decode(words, *ours.encode(BATCH.sources))), dim=-1)
    memory, state = ours.start(BATCH)
    for at in range(words.shape[1]):
        scores, attention, state = ours.step(memory, state, words[:, at])
        torch.testing.assert_close(scores, whole[:, at])
        assert attention is not None
        torch.testing.assert_close(attention.sum(-1), torch.ones(3))
        assert not attention[0, 3:].any()  # padding is not attended to


@torch.inference_mode()
def test_hypotheses_that_go_on_from_one_another_know_their_own_words() -> None:
    ours = net(seed=1)
    chance = torch.Generator().manual_seed(2)
    n, k = len(SOURCES), 3
    memory, state = ours.start(BATCH)
    state = {name: one.repeat_interleave(k, 0) for name, one in state.items()}
    texts, rows = torch.full((n * k, 1), BEGIN), torch.arange(n)
    for at in range(20):
        scores, _, state = ours.step(memory, state, texts[:, -1])
        source, mask = ours.encode(BATCH.sources[rows].repeat_interleave(k, 0))
        whole = torch.log_softmax(ours.output(ours.decode(texts, source, mask))[:, -1], dim=-1)
        torch.testing.assert_close(scores, whole, msg=f"step {at}")
        kept = torch.arange(len(rows))
        if at == 11:  # a text leaves
            kept = torch.tensor([0, 2])
            rows, memory = rows[kept], {name: one[kept] for name, one in memory.items()}
        parents = (kept.unsqueeze(1) * k + torch.randint(k, (len(kept), k), generator=chance)).flatten()
        state = {name: one[parents] for name, one in state.items()}
        texts = torch.cat([texts[parents], torch.randint(3, 13, (len(parents), 1), generator=chance)], dim=1)


def score_of(network: Transformer, source: list[int], text: tuple[int, ...], options: BeamSearchOptions) -> float:
    """By the formula, all at once, of one text alone."""
    batch = Batch(*pad([source]), *pad([list(text)], end=True))
    logs = torch.log_softmax(
        network.output(network.decode(shift_right(batch.targets), *network.encode(batch.sources))), dim=-1
    )
    return float(logs.gather(2, batch.targets.unsqueeze(2)).sum()) / options.length(len(text) + 1)


@pytest.mark.parametrize("length", [0.0, 1.0, 3.0])
@pytest.mark.parametrize("pre", [False, True], ids=["post", "pre"])
@torch.inference_mode()
def test_a_wide_beam_finds_the_best_text_of_all(length: float, pre: bool) -> None:
    network = net(pre, seed=3, words=6, hidden=4, heads=2)
    options = BeamSearchOptions(beam=100, length_penalty=length, longest=3)
    sources = [[4, 5, 5, 4], [5], [4, 4], [4, 5, 1]]
    texts = [text for size in range(4) for text in product([UNKNOWN, 4, 5], repeat=size)]
    for source, found in zip(sources, beam_search(network, Batch(*pad(sources)), options), strict=True):
        best = max(texts, key=lambda text: score_of(network, source, text, options))
        assert tuple(found.ids) == best
        assert found.score == pytest.approx(score_of(network, source, best, options), rel=1e-4)


@pytest.mark.parametrize("beam", [1, 3, 5])
@torch.inference_mode()
def test_a_text_does_not_depend_on_those_beside_it(beam: int) -> None:
    network, options = net(seed=4), BeamSearchOptions(beam=beam, length_penalty=1.0, coverage_penalty=0.2, longest=40)
    together = beam_search(network, Batch(*pad(SOURCES)), options)
    for source, found in zip(SOURCES, together, strict=True):
        (alone,) = beam_search(network, Batch(*pad([source])), options)
        assert (found.ids, found.places) == (alone.ids, alone.places)
        assert END not in found.ids


@pytest.mark.parametrize("pre", [False, True], ids=["post", "pre"])
def test_in_bfloat16_it_loses_about_as_much(pre: bool) -> None:
    torch.manual_seed(5)
    ours = Transformer(TransformerSizes(13, 13, 24, 2, 2, 32, 0.0, pre, shared=True, tied=True))
    (whole,) = ours.losses(BATCH)
    with autocast("cpu", "bfloat16"):
        (half,) = ours.losses(BATCH)
    assert half.total.dtype == torch.float32
    assert half.total != whole.total
    torch.testing.assert_close(half.total, whole.total, rtol=0.02, atol=0)
    half.total.backward()
    assert all(one.grad is not None and one.grad.isfinite().all() for one in ours.parameters())
