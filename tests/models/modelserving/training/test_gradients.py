"""Gradients of several batches and of parts of one: those of one batch of all."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from support.adversaries import Adversaries, made_batches
from torch import Tensor
from torch.utils.hooks import RemovableHandle

from foundation.errors import UserError
from modelserving.nets.recurrent import AttentionNetwork, Shape
from modelserving.nets.style_networks import Sizes, StyleEmbedding
from modelserving.training.batches import Batch, PairBatches
from modelserving.training.gradients import Gradients
from modelserving.training.network import Loss, Network, Totals
from modelserving.training.process_group import ProcessGroup

ROWS = np.arange(11)


class Styled(PairBatches):
    """With styles, as Fu et al.'s networks ask for."""

    def batch(self, rows: Any) -> Batch:
        found = super().batch(rows)
        return Batch(
            found.sources, found.source_lengths, found.targets, found.target_lengths,
            styles=torch.tensor([int(row) % 2 for row in rows]),
        )  # fmt: skip


class Hungry(AttentionNetwork):
    """Memory does not do for more than `room` texts, in the forward or the backward pass."""

    room, backward = 4, False
    hook: RemovableHandle | None = None

    def losses(self, batch: Batch) -> list[Loss]:
        if self.hook:
            self.hook.remove()
        found = super().losses(batch)
        if len(batch) <= self.room:
            return found
        if not self.backward:
            raise torch.OutOfMemoryError
        self.hook = self.embed.weight.register_hook(_no_memory)
        return found


def _no_memory(gradient: Tensor) -> Tensor:
    raise torch.OutOfMemoryError


def network(kind: str) -> Network:
    torch.manual_seed(1)
    if kind == "attention":
        return AttentionNetwork(Shape(12, 12, 6, 5))
    if kind == "hungry":
        return Hungry(Shape(12, 12, 6, 5))
    net = StyleEmbedding(Sizes(12, 6, 5, 4)) if kind == "styles" else Adversaries()
    for module in net.modules():
        if isinstance(module, torch.nn.Dropout):
            module.p = 0.0
    return net


def gradients_of(
    net: Network, folder: Path, groups: Sequence[Any], turn: int = 0
) -> tuple[list[Tensor | None], Totals, Gradients]:
    made = made_batches(folder)
    batches = Styled(made.sources, made.targets, 3, seed=1)
    work = Gradients(net, batches, ProcessGroup(), seed=1)
    found = work.of(net.turns()[turn], [work.load(rows) for rows in groups], step=0)
    return [one.grad for one in net.parameters()], found, work


def same(one: Sequence[Tensor | None], two: Sequence[Tensor | None]) -> None:
    assert [grad is None for grad in one] == [grad is None for grad in two]
    assert any(grad is not None and bool(grad.any()) for grad in one)
    for first, second in zip(one, two, strict=True):
        if first is not None:
            torch.testing.assert_close(first, second, rtol=1e-4, atol=1e-6)


@pytest.mark.parametrize(("kind", "turn"), [("attention", 0), ("styles", 0), ("adversaries", 0), ("adversaries", 1)])
def test_batches_summed_up_have_the_gradient_of_one_of_all(tmp_path: Path, kind: str, turn: int) -> None:
    """Texts are of different lengths, so parts weigh differently by words and by texts."""
    whole, of_whole, _ = gradients_of(network(kind), tmp_path, [ROWS], turn)
    parts, of_parts, _ = gradients_of(network(kind), tmp_path, [ROWS[:2], ROWS[2:7], ROWS[7:]], turn)
    same(whole, parts)
    assert of_parts.names == of_whole.names
    assert of_parts.counts.tolist() == of_whole.counts.tolist()
    torch.testing.assert_close(of_parts.totals, of_whole.totals, rtol=1e-6, atol=0)


def test_the_gradient_is_that_of_the_losses_each_divided_by_what_it_counts(tmp_path: Path) -> None:
    net = network("adversaries")
    found, _, _ = gradients_of(net, tmp_path, [ROWS[:4], ROWS[4:]], turn=1)
    own, drift = net.turn_losses("discriminator", made_batches(tmp_path).batch(ROWS))
    expected = torch.autograd.grad(
        own.total / own.count + 0.1 * drift.total / len(ROWS), net.turns()[1].parameters
    )  # fmt: skip
    same([one for one in found if one is not None], expected)


def test_losses_that_move_the_same_go_backward_once_through_what_they_share(tmp_path: Path) -> None:
    net, passes = network("adversaries"), []
    net.get_parameter("generate.weight").register_hook(passes.append)
    found, _, _ = gradients_of(net, tmp_path, [ROWS], turn=0)
    assert len(passes) == 1, "not once a loss"
    own, fooled = net.turn_losses("", made_batches(tmp_path).batch(ROWS))
    whole = own.total / own.count + 0.5 * fooled.total / fooled.count
    same([one for one in found if one is not None], torch.autograd.grad(whole, net.turns()[0].parameters))


def test_cudnns_attention_stays_out_of_both_passes_and_comes_back(tmp_path: Path) -> None:
    """On an H100 or H200 its gradients under a mask are no numbers at some lengths (PyTorch's issue 196678)."""
    net, seen = network("attention"), []
    net.get_parameter("embed.weight").register_hook(lambda _: seen.append(torch.backends.cuda.cudnn_sdp_enabled()))
    net.register_forward_hook(lambda *_: seen.append(torch.backends.cuda.cudnn_sdp_enabled()))
    before = torch.backends.cuda.cudnn_sdp_enabled()
    gradients_of(net, tmp_path, [ROWS])
    assert set(seen) == {False}
    assert torch.backends.cuda.cudnn_sdp_enabled() is before is True


@pytest.mark.parametrize("backward", [False, True])
def test_what_does_not_fit_into_memory_is_halved_until_it_does(tmp_path: Path, backward: bool) -> None:
    net = network("hungry")
    assert isinstance(net, Hungry)
    whole, of_whole, _ = gradients_of(network("attention"), tmp_path, [ROWS, ROWS[:3]])
    net.backward = backward
    parts, of_parts, work = gradients_of(net, tmp_path, [ROWS, ROWS[:3]])
    same(whole, parts)
    assert work.split
    assert of_parts.counts.tolist() == of_whole.counts.tolist()
    torch.testing.assert_close(of_parts.totals, of_whole.totals, rtol=1e-6, atol=0)


def test_a_text_that_does_not_fit_alone_is_named_by_its_length(tmp_path: Path) -> None:
    net = network("hungry")
    assert isinstance(net, Hungry)
    net.room = 0
    with pytest.raises(UserError, match=r"A single text of \d tokens does not fit into the memory of cpu"):
        gradients_of(net, tmp_path, [ROWS])


def test_other_errors_are_not_taken_for_a_lack_of_memory(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    net = network("attention")
    monkeypatch.setattr(net, "losses", lambda batch: 1 / 0)
    with pytest.raises(ZeroDivisionError):
        gradients_of(net, tmp_path, [ROWS])
