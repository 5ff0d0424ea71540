"""Copying: one distribution over own and copied words, its loss, and the sentinel's share."""

import pytest
import torch
from torch import Tensor

from modelserving.nets import fused_cross_entropy
from modelserving.nets.recurrent import CopyNetwork, PointerNetwork, SentinelNetwork, Shape
from modelserving.training.batches import Batch, pad
from modelserving.training.network import shift_right
from modelserving.training.tokenization import UNKNOWN

KNOWN = 20
SOURCES, COPIED = [[4, 1, 6], [7, 8, 1, 1, 8], [5]], [[4, 20, 6], [7, 8, 20, 21, 8], [5]]
TARGETS, AIMED = [[4, 1], [1, 7, 8], [9, 1]], [[4, 20], [21, 7, 8], [9, 1]]
BATCH = Batch(*pad(SOURCES), *pad(TARGETS, end=True), copied=pad(COPIED)[0], aimed=pad(AIMED, end=True)[0], copies=2)
KINDS = pytest.mark.parametrize("kind", [PointerNetwork, SentinelNetwork])


def network(kind: type[CopyNetwork]) -> CopyNetwork:
    torch.manual_seed(1)
    return kind(Shape(KNOWN, KNOWN, 8, 6)).eval()


def chances(net: CopyNetwork) -> Tensor:
    """What each of the targets' words has, one by one (n, Ty, V + copies)."""
    memory, state = net.start(BATCH)
    found = []
    for last in shift_right(BATCH.aimed).unbind(1):
        scores, _, state = net.step(memory, state, last)
        found.append(scores)
    return torch.stack(found, dim=1)


@KINDS
def test_own_and_copied_words_share_one_probability(kind: type[CopyNetwork]) -> None:
    found = chances(network(kind)).exp()
    torch.testing.assert_close(found.sum(-1), torch.ones(3, 4))
    assert (found[0, :, 20] > 0).all()
    assert found[0, 0, 20] > 1e-3  # the one word that the first source has and the vocabulary has not
    assert found[2, :, 20:].max() < 1e-20  # the last source has none


@KINDS
def test_the_loss_and_its_gradients_are_those_of_the_words_one_by_one(kind: type[CopyNetwork]) -> None:
    net = network(kind)
    (loss,) = net.losses(BATCH)
    there = BATCH.aimed != 0
    total = -chances(net).gather(2, BATCH.aimed.unsqueeze(-1)).squeeze(-1)[there].sum()
    assert loss.count == 10
    torch.testing.assert_close(loss.total, total)
    ours, theirs = (torch.autograd.grad(one, list(net.parameters())) for one in (loss.total, total))
    for our, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our, other, rtol=1e-3, atol=1e-5)


def test_the_sentinel_has_its_share_of_one_softmax() -> None:
    net = network(SentinelNetwork)
    memory, state = net.start(BATCH)
    state, attention = net.advance(memory, state, net.embed(torch.full((3,), UNKNOWN)))
    queries = net.query(state["hidden"]).unsqueeze(1)
    scores = net.energy(torch.tanh(queries + memory["keys"])).squeeze(-1) + memory["bias"]
    shares = torch.softmax(torch.cat([scores, net.energy(torch.tanh(queries + net.sentinel)).squeeze(-1)], 1), dim=-1)
    logit = net.generation_logit(memory, *(one.unsqueeze(1) for one in (state["fed"], state["hidden"], attention)))
    own = torch.sigmoid(logit)
    torch.testing.assert_close(own, shares[:, -1:])
    torch.testing.assert_close((1 - own) * attention, shares[:, :-1])


def test_losses_of_rows_are_pytorchs(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fused_cross_entropy, "AT_A_TIME", 20)
    torch.manual_seed(3)
    hidden, weight = torch.randn(7, 4, requires_grad=True), torch.randn(9, 4, requires_grad=True)
    targets, shares = torch.randint(9, (7,)), torch.rand(7)
    ours = fused_cross_entropy.row_losses(hidden, weight, targets)
    theirs = torch.nn.functional.cross_entropy(hidden @ weight.t(), targets, reduction="none")
    torch.testing.assert_close(ours, theirs)
    pairs = (torch.autograd.grad((shares * rows).sum(), (hidden, weight)) for rows in (ours, theirs))
    for pair, other in zip(*pairs, strict=True):
        torch.testing.assert_close(pair, other)
