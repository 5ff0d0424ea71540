"""OpenNMT's network: against OpenNMT-py's own numbers, and itself step by step."""

import json
from pathlib import Path

import torch
from torch import Tensor, nn

from modelserving.nets.recurrent import GlobalAttentionNetwork, Shape
from modelserving.training.batches import Batch, pad
from modelserving.training.tokenization import BEGIN, UNKNOWN

ROOT = Path(__file__).parents[4]
GOLDEN = json.loads((ROOT / "tests/golden/modelserving/opennmt.json").read_text(encoding="utf-8"))["network"]
SHAPE = Shape(9, 10, embedding=4, hidden=3, layers=2)
SOURCES, TARGETS = [[4, 5, 6, 7], [8, UNKNOWN]], [[4, 9, UNKNOWN], [5]]


def batch(rows: slice = slice(None)) -> Batch:
    return Batch(*pad(SOURCES[rows]), *pad(TARGETS[rows], end=True))


def as_theirs() -> GlobalAttentionNetwork:
    """With the weights that OpenNMT-py was given: sines of a number's place and of its matrix' place in the order."""
    net = GlobalAttentionNetwork(SHAPE).eval()
    assert {name for name, _ in net.named_parameters()} == set(GOLDEN["order"])
    with torch.no_grad():
        for at, name in enumerate(GOLDEN["order"]):
            parameter = net.get_parameter(name)
            places = torch.arange(parameter.numel(), dtype=torch.float64)
            parameter.copy_((1.5 * torch.sin(1.7 * places * places + 0.9 * at)).float().view_as(parameter))
    return net


def written(net: GlobalAttentionNetwork, given: Batch) -> tuple[Tensor, Tensor]:
    """Log-probabilities (n, Ty, V) and attention (n, Ty, Tx) where the targets are what is written."""
    fed, attention = net.teacher_force(*net.start(given), given.targets)
    return torch.log_softmax(net.output(fed), dim=-1), attention


def test_probabilities_and_attention_are_those_of_opennmt() -> None:
    scores, attention = written(as_theirs(), batch())
    for row, (theirs, attended) in enumerate(zip(GOLDEN["scores"], GOLDEN["attention"], strict=True)):
        torch.testing.assert_close(scores[row, : len(theirs)], torch.tensor(theirs), atol=2e-6, rtol=0)
        width = len(attended[0])
        torch.testing.assert_close(attention[row, : len(theirs), :width], torch.tensor(attended), atol=2e-6, rtol=0)
        assert not attention[row, : len(theirs), width:].any()


def test_the_loss_and_the_lengths_of_its_gradients_are_those_of_opennmt() -> None:
    net = as_theirs()
    (loss,) = net.losses(batch())
    assert (loss.count, loss.over) == (6, 2), "the curve is of words, the gradient is divided by texts"
    assert abs(loss.total.item() - GOLDEN["loss"]) < 2e-5
    loss.total.backward()
    for name, length in GOLDEN["gradient_lengths"].items():
        gradient = net.get_parameter(name).grad
        assert gradient is not None
        assert abs(gradient.norm().item() - length) < 1e-5, name


def test_a_step_at_a_time_it_says_what_opennmt_says() -> None:
    net = as_theirs()
    memory, state = net.start(batch(slice(1)))
    last = torch.tensor([BEGIN])
    for word, theirs in zip(GOLDEN["greedy"]["words"], GOLDEN["greedy"]["scores"], strict=True):
        scores, _, state = net.step(memory, state, last)
        torch.testing.assert_close(scores[0], torch.tensor(theirs), atol=2e-6, rtol=0)
        last = torch.tensor([word])


def test_a_text_gives_beside_others_what_it_gives_alone() -> None:
    net = as_theirs()
    together, _ = written(net, batch())
    for row, target in enumerate(TARGETS):
        alone, _ = written(net, batch(slice(row, row + 1)))
        torch.testing.assert_close(together[row, : len(target) + 1], alone[0])


def test_smoothing_is_pytorchs() -> None:
    net, given = as_theirs().train(), batch()
    net.smoothing = 0.1
    fed, _ = net.teacher_force(*net.start(given), given.targets)
    theirs = nn.functional.cross_entropy(
        net.output(fed).flatten(0, 1), given.targets.flatten(), reduction="sum", label_smoothing=0.1, ignore_index=0
    )
    torch.testing.assert_close(net.losses(given)[0].total, theirs)


def test_dropout_is_in_training_alone() -> None:
    torch.manual_seed(1)
    net = GlobalAttentionNetwork(Shape(9, 10, embedding=4, hidden=3, layers=2, dropout=0.5))
    one, other = (net.losses(batch())[0].total.item() for _ in range(2))
    assert one != other
    net.eval()
    one, other = (net.losses(batch())[0].total.item() for _ in range(2))
    assert one == other


def test_weights_begin_uniformly_between_a_tenth_below_and_above_nought() -> None:
    torch.manual_seed(1)
    net = GlobalAttentionNetwork(Shape(200, 200, embedding=30, hidden=30, layers=2))
    for name, parameter in net.named_parameters():
        assert parameter.abs().max() <= 0.1, name
        if parameter.numel() > 1000:
            assert abs(parameter.std().item() - 0.1 / 3**0.5) < 0.005, name
