"""The convolutional classifier, window by window, and its losses in closed form."""

import math

import pytest
import torch
from torch import Tensor

from modelserving.nets.controlled_gen import WINDOWS, TextCnn, style_entropy, style_loss


def made() -> TextCnn:
    torch.manual_seed(2)
    return TextCnn(words=12, embedding=4, filters=3, dropout=0.5).eval()


def by_hand(net: TextCnn, text: Tensor) -> float:
    """Window after window over a text (T, E) that is widened with zeros."""
    found = []
    for size, window in zip(WINDOWS, net.windows, strict=True):
        wide = torch.cat([torch.zeros((size - 1) // 2, 4), text, torch.zeros(size // 2, 4)])
        for weight, bias in zip(window.weight, window.bias, strict=True):  # type: ignore[arg-type]
            scores = [(weight * wide[at : at + size].t()).sum() + bias for at in range(len(text))]
            found.append(torch.relu(torch.stack(scores)).max())
    return net.logit(torch.stack(found)).item()


@pytest.mark.parametrize("length", [1, 2, 4, 7])
def test_the_highest_of_all_windows_counts_and_nothing_behind_a_text(length: int) -> None:
    net = made()
    ids = torch.tensor([5, 6, 7, 8, 9, 10, 11])
    given = net.embed(ids).unsqueeze(0)
    alone = net(given[:, :length], torch.tensor([length]))
    assert alone.item() == pytest.approx(by_hand(net, given[0, :length].detach()), rel=1e-5)
    torch.testing.assert_close(net(given, torch.tensor([length])), alone)


def test_the_losses_are_those_of_two_probabilities() -> None:
    logits = torch.tensor([math.log(3), -math.log(4)])  # 3/4 and 1/5 for style 1
    assert style_loss(logits, torch.tensor([1, 1])).item() == pytest.approx(-math.log(3 / 4) - math.log(1 / 5))
    assert style_loss(logits, torch.tensor([0, 0])).item() == pytest.approx(-math.log(1 / 4) - math.log(4 / 5))
    entropy = -sum(p * math.log(p) for p in (3 / 4, 1 / 4, 1 / 5, 4 / 5))
    assert style_entropy(logits).item() == pytest.approx(entropy)


def test_being_surer_lowers_the_entropy_whichever_style_it_is() -> None:
    logits = torch.tensor([0.5, -0.5], requires_grad=True)
    (slope,) = torch.autograd.grad(style_entropy(logits), [logits])
    assert slope[0] < 0 < slope[1]
