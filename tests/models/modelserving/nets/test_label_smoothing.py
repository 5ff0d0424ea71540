"""Label smoothing beside PyTorch's own, and only in training."""

from typing import Any

import pytest
import torch
from torch import Tensor
from torch.nn import functional

from modelserving.nets.fused_cross_entropy import cross_entropy
from modelserving.nets.recurrent import AttentionNetwork, PointerNetwork, Shape
from modelserving.nets.style_networks import MultiDecoder, Sizes
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Network, shift_right

SIZE = Shape(12, 12, embedding=6, hidden=5)
SOURCES, TARGETS = [[4, 5, 6], [7, 8]], [[9, 4], [10, 11, 5]]


def batch() -> Batch:
    copied, _ = pad([[4, 5, 6], [7, 12]])
    aimed, _ = pad([[9, 4], [10, 12, 5]], end=True)
    return Batch(
        *pad(SOURCES), *pad(TARGETS, end=True), styles=torch.tensor([0, 1]), copied=copied, aimed=aimed, copies=1
    )  # fmt: skip


@pytest.mark.parametrize("smoothing", [0.0, 0.1, 0.7])
def test_the_fused_loss_and_its_gradients_are_torchs(smoothing: float) -> None:
    torch.manual_seed(1)
    hidden = torch.randn(9, 5, dtype=torch.float32, requires_grad=True)
    weight = torch.randn(11, 5, dtype=torch.float32, requires_grad=True)
    targets = torch.randint(0, 11, (9,))
    found = cross_entropy(hidden, weight, targets, smoothing)
    expected = functional.cross_entropy(hidden @ weight.t(), targets, reduction="sum", label_smoothing=smoothing)
    torch.testing.assert_close(found, expected)
    for one, two in zip(
        torch.autograd.grad(found, [hidden, weight]), torch.autograd.grad(expected, [hidden, weight]), strict=True
    ):
        torch.testing.assert_close(one, two, rtol=1e-5, atol=1e-5)


def test_a_network_smooths_its_loss_in_training_alone() -> None:
    torch.manual_seed(1)
    net, given = AttentionNetwork(SIZE), batch()
    plain = net.losses(given)[0].total
    net.smoothing = 0.2
    vectors, _ = net.teacher_force(*net.start(given), given.targets)
    logits = net.output(vectors)
    expected = functional.cross_entropy(
        logits.flatten(0, 1), given.targets.flatten(), reduction="sum", label_smoothing=0.2, ignore_index=0
    )
    torch.testing.assert_close(net.losses(given)[0].total, expected)
    net.eval()
    torch.testing.assert_close(net.losses(given)[0].total, plain)


@pytest.mark.parametrize("build", [lambda: MultiDecoder(Sizes(12, 6, 5)), lambda: PointerNetwork(SIZE)])
def test_smoothing_reaches_the_other_networks_losses(build: Any) -> None:
    torch.manual_seed(1)
    net: Network = build()
    plain = net.losses(batch())[0].total
    net.smoothing = 0.3
    assert not torch.isclose(net.losses(batch())[0].total, plain)
    torch.testing.assert_close(net.eval().losses(batch())[0].total, plain)


def test_a_copying_network_smooths_by_the_words_it_would_generate() -> None:
    """Worked out step by step from the scores of all words, without the fused loss."""
    torch.manual_seed(1)
    net, given, smoothing = PointerNetwork(SIZE), batch(), 0.3
    plain = net.losses(given)[0].total
    net.smoothing = smoothing
    memory, state = net.start(given)
    fed, hidden, attention = net.states(memory, state, given.targets)
    generating = functional.logsigmoid(net.generation_logit(memory, fed, hidden, attention))
    each: Tensor = -(generating + torch.log_softmax(net.output(fed), dim=-1).mean(-1))
    there = shift_right(given.targets).ne(0) & given.targets.ne(0)
    expected = (1 - smoothing) * plain + smoothing * each[there].sum()
    torch.testing.assert_close(net.losses(given)[0].total, expected)
