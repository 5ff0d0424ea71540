"""DCMN+: against the paper's formulas with plain loops over NumPy, a token and an option at a time, and by hand."""

import math

import numpy as np
import torch
from torch import nn

from modelserving.lexical_simplification.locator import BidirectionalMatching, CoMatching, OptionInteraction, Tokens

SIZE, ROOM = 3, 4
LENGTHS = {"passage": [4, 2], "question": [1, 2], "options": [[2, 3, 1, 1], [1, 2, 0, 0]]}


def tokens_of(lengths: list[int] | list[list[int]], seed: int) -> Tokens:
    """Vectors by chance, and large ones where there is padding, so that who reads them is found out."""
    counts = torch.tensor(lengths)
    mask = torch.arange(int(counts.max())) < counts.unsqueeze(-1)
    vectors = torch.randn(*mask.shape, SIZE, generator=torch.Generator().manual_seed(seed))
    return Tokens(vectors.masked_fill(~mask.unsqueeze(-1), 9.0), mask)


def network() -> CoMatching:
    torch.manual_seed(3)
    net = CoMatching(SIZE, ROOM).eval()
    for parameter in net.parameters():
        nn.init.normal_(parameter, std=0.8)
    return net


def softmax(row: np.ndarray) -> np.ndarray:
    raised = [math.exp(one) for one in row]
    return np.array([one / sum(raised) for one in raised])


def sigmoid(x: np.ndarray) -> np.ndarray:
    return 1 / (1 + np.exp(-x))


class Plain:
    """The formulas of the paper for one question, as they stand there: row vectors times matrices."""

    def __init__(self, net: CoMatching) -> None:
        for module in (net.interact, net.match):
            for name, linear in module.named_children():
                setattr(self, name, linear.weight.detach().numpy().T)
        self.b8, self.b14 = net.interact.w8.bias.detach().numpy(), net.match.w14.bias.detach().numpy()
        self.v = net.score.weight.detach().numpy()[0]

    def attended(self, x: np.ndarray, matrix: np.ndarray, y: np.ndarray) -> np.ndarray:
        return np.array([softmax(np.array([row @ matrix @ other for other in y])) @ y for row in x])

    def interact(self, options: list[np.ndarray]) -> list[np.ndarray]:
        found = []
        for i, option in enumerate(options):
            others = [np.maximum(self.attended(option, self.w5, other), 0) for j, other in enumerate(options) if j != i]
            others += [np.zeros_like(option)] * (ROOM - 1 - len(others))
            together = np.concatenate(others, axis=1) @ self.w6
            gate = sigmoid(option @ self.w7 + together @ self.w8 + self.b8)
            found.append(gate * option + (1 - gate) * together)
        return found

    def match(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        of_x = np.maximum(self.attended(x, self.w9, y) @ self.w11, 0).max(0)
        of_y = np.maximum(self.attended(y, self.w10, x) @ self.w12, 0).max(0)
        gate = sigmoid(of_x @ self.w13 + of_y @ self.w14 + self.b14)
        return gate * of_x + (1 - gate) * of_y

    def scores(self, passage: np.ndarray, question: np.ndarray, options: list[np.ndarray]) -> list[float]:
        pairs = [(self.match(passage, one), self.match(question, one)) for one in self.interact(options)]
        return [float(np.concatenate([self.match(passage, question), *pair]) @ self.v) for pair in pairs]


def test_scores_are_those_of_the_formulas_and_padding_changes_nothing():
    net = network()
    passage, question, options = (tokens_of(lengths, seed) for seed, lengths in enumerate(LENGTHS.values()))
    with torch.no_grad():
        scores = net(passage, question, options)
    for row in range(2):
        first, second = (one.vectors[row][one.mask[row]].numpy() for one in (passage, question))
        there = [
            one[mask].numpy() for one, mask in zip(options.vectors[row], options.mask[row], strict=True) if mask.any()
        ]
        plain = Plain(net).scores(first, second, there)
        np.testing.assert_allclose(scores[row, : len(plain)].numpy(), plain, rtol=1e-4)
        assert scores[row, len(plain) :].tolist() == [-math.inf] * (ROOM - len(plain))


def test_an_option_by_hand():
    """Weights of one, one number a token: A = 2 and 1. B_1 = relu(1) = 1, g = sigmoid(3), O_1 = 2g + 1 - g."""
    net = OptionInteraction(1, 2)
    for parameter in net.parameters():
        nn.init.ones_(parameter)
    nn.init.zeros_(net.w8.bias)
    found = net(Tokens(torch.tensor([[[[2.0]], [[1.0]]]]), torch.ones(1, 2, 1, dtype=torch.bool)))
    gate = 1 / (1 + math.exp(-3))
    torch.testing.assert_close(found.flatten(), torch.tensor([2 * gate + 1 * (1 - gate), 1 * gate + 2 * (1 - gate)]))


def test_a_match_by_hand():
    """X = 0 attends to both of Y alike, which gives 1; Y = 0, 2 to X alone, which gives 0: g = sigmoid(1), M = g."""
    net = BidirectionalMatching(1)
    for parameter in net.parameters():
        nn.init.ones_(parameter)
    nn.init.zeros_(net.w14.bias)
    first = Tokens(torch.tensor([[[0.0]]]), torch.ones(1, 1, dtype=torch.bool))
    second = Tokens(torch.tensor([[[0.0], [2.0]]]), torch.ones(1, 2, dtype=torch.bool))
    torch.testing.assert_close(net(first, second), torch.tensor([[1 / (1 + math.exp(-1))]]))


def test_gradients_are_numbers_where_options_are_missing():
    net = network().train()
    passage, question, options = (tokens_of(lengths, seed) for seed, lengths in enumerate(LENGTHS.values()))
    nn.functional.cross_entropy(net(passage, question, options), torch.tensor([3, 1])).backward()
    assert all(torch.isfinite(one.grad).all() for one in net.parameters())
