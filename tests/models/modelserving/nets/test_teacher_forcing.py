"""The decoder's own gradients and the softmax in parts, held to PyTorch's."""

import pytest
import torch
from torch import Tensor

from modelserving.nets import fused_cross_entropy, recurrent
from modelserving.nets.recurrent import AttentionNetwork, Encoder, Shape
from modelserving.training.batches import Batch, pad
from modelserving.training.network import shift_right

SOURCES, TARGETS = [[4, 5, 6], [7, 8, 9, 10, 11], [5]], [[4, 5], [6, 7, 8], [9, 4, 4, 4]]
BATCH = Batch(*pad(SOURCES), *pad(TARGETS, end=True))


def random(*shape: int) -> Tensor:
    return torch.randn(*shape, dtype=torch.float64, requires_grad=True)


@pytest.mark.parametrize("kept", [1 << 26, 0], ids=["kept", "worked out again"])
def test_gradients_are_those_of_small_differences(monkeypatch: pytest.MonkeyPatch, kept: int) -> None:
    monkeypatch.setattr(recurrent, "KEPT", kept)
    torch.manual_seed(0)
    steps, n, width, size = 3, 2, 4, 3
    bias = torch.zeros(n, width, dtype=torch.float64)
    bias[0, 2:] = float("-inf")
    state = random(n, size), random(n, size), random(n, size)
    rest = random(4 * size, 2 * size), random(2 * size, size), random(size)

    def run(gates: Tensor, hidden: Tensor, cell: Tensor, fed: Tensor, keys: Tensor, values: Tensor, *others: Tensor):
        return recurrent.teacher_forced_states(gates, (hidden, cell, fed), keys, values, bias, *others)

    given = (random(steps, n, 4 * size), *state, random(n, width, size), random(n, width, size), *rest)
    assert torch.autograd.gradcheck(run, given)


@torch.inference_mode()
def test_all_steps_at_once_are_the_steps_one_by_one() -> None:
    torch.manual_seed(1)
    net = AttentionNetwork(Shape(20, 30, 8, 6)).eval()
    memory, state = net.start(BATCH)
    fed, attention = net.teacher_force(memory, state, BATCH.targets)
    words = shift_right(BATCH.targets)
    for at in range(words.shape[1]):
        state, weights = net.advance(memory, state, net.embed(words[:, at]))
        torch.testing.assert_close(fed[:, at], state["fed"])
        torch.testing.assert_close(attention[:, at], weights)
        assert not weights[0, 3:].any()  # padding is not attended to


def test_the_loss_is_that_of_the_words_one_by_one() -> None:
    torch.manual_seed(2)
    net = AttentionNetwork(Shape(20, 30, 8, 6)).eval()
    (loss,) = net.losses(BATCH)
    memory, state = net.start(BATCH)
    total = torch.zeros(())
    for at in range(BATCH.targets.shape[1]):
        scores, _, state = net.step(memory, state, shift_right(BATCH.targets)[:, at])
        for row, length in enumerate(BATCH.target_lengths.tolist()):
            total = total - scores[row, BATCH.targets[row, at]] * (at < length)
    assert loss.count == 12
    torch.testing.assert_close(loss.total, total)
    ours, theirs = (torch.autograd.grad(one, list(net.parameters())) for one in (loss.total, total))
    for our, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our, other, rtol=1e-3, atol=1e-5)


def test_the_softmax_in_parts_is_the_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused_cross_entropy, "AT_A_TIME", 20)
    torch.manual_seed(3)
    hidden, weight = torch.randn(7, 4, requires_grad=True), torch.randn(9, 4, requires_grad=True)
    targets = torch.randint(9, (7,))
    ours = fused_cross_entropy.cross_entropy(hidden, weight, targets)
    theirs = torch.nn.functional.cross_entropy(hidden @ weight.t(), targets, reduction="sum")
    torch.testing.assert_close(ours, theirs)
    for one, other in zip(*(torch.autograd.grad(2 * loss, (hidden, weight)) for loss in (ours, theirs)), strict=True):
        torch.testing.assert_close(one, other)


@torch.inference_mode()
def test_the_encoder_reads_a_padded_text_as_it_reads_it_alone() -> None:
    torch.manual_seed(4)
    encoder = Encoder(torch.nn.Embedding(20, 5), 6, layers=2).eval()
    states, last = encoder(*pad(SOURCES))
    for row, source in enumerate(SOURCES):
        alone, end = encoder(*pad([source]))
        torch.testing.assert_close(states[row, : len(source)], alone[0])
        torch.testing.assert_close(last[row], end[0])
