"""Fu et al.'s (2018) equations on tiny numbers, and which loss moves what."""

import math
from dataclasses import replace

import pytest
import torch
from torch import Tensor

from modelserving.nets.style_networks import AutoEncoder, Decoder, Encoder, MultiDecoder, Sizes, StyleEmbedding
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Loss, Network
from modelserving.training.tokenization import BEGIN, END

SIZES = Sizes(words=9, embedding=3, hidden=4, style=2)
TEXTS = [[4, 5, 6], [7, 8], [5, 5, 4, 8]]
KINDS = [AutoEncoder, MultiDecoder, StyleEmbedding]


def batch(styles: list[int]) -> Batch:
    texts = TEXTS[: len(styles)]
    return Batch(*pad(texts), *pad(texts, end=True), styles=torch.tensor(styles))


def made(kind: type[Network], sizes: Sizes = SIZES) -> Network:
    torch.manual_seed(3)
    return kind(sizes)  # type: ignore[call-arg]


def equations(gru: torch.nn.GRU, inputs: Tensor, state: Tensor) -> Tensor:
    """1 to 4, a step after the other; PyTorch keeps W_r, W_z, W in this order, and its z is 1 - z_j."""
    (w_r, w_z, w), (u_r, u_z, u) = gru.weight_ih_l0.chunk(3), gru.weight_hh_l0.chunk(3)
    for x in inputs:
        r = torch.sigmoid(w_r @ x + u_r @ state)
        z = torch.sigmoid(-(w_z @ x + u_z @ state))
        h = torch.tanh(w @ x + r * (u @ state))
        state = z * h + (1 - z) * state
    return state


def test_the_encoder_is_equations_1_to_5_whatever_stands_beside_a_text() -> None:
    torch.manual_seed(1)
    encoder = Encoder(SIZES)
    found = encoder(*pad(TEXTS))
    for text, content in zip(TEXTS, found, strict=True):
        wanted = equations(encoder.gru, encoder.embed(torch.tensor(text)), torch.zeros(4))
        torch.testing.assert_close(content, wanted)


def test_the_decoder_is_told_the_words_before_and_begins_with_the_content() -> None:
    torch.manual_seed(1)
    decoder, start, text = Decoder(SIZES, 4), torch.randn(1, 4), [4, 5, 6]
    targets, _ = pad([text], end=True)
    wanted, given, state = 0.0, [BEGIN, *text], start[0]
    for word, after in zip(given, [*text, END], strict=True):
        state = equations(decoder.gru, decoder.embed(torch.tensor([word])), state)
        wanted -= torch.log_softmax(decoder.output(state), -1)[after].item()
    assert decoder(start, targets).item() == pytest.approx(wanted, rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_step_by_step_finds_what_the_loss_is_made_of(kind: type[Network]) -> None:
    net, given = made(kind).eval(), batch([0, 1, 1])
    memory, state = net.start(given)
    last, total = torch.full((3,), BEGIN), 0.0
    for place in range(given.targets.shape[1]):
        step = net.step(memory, state, last)
        target = given.targets[:, place]
        there = target != 0
        total -= step.scores.gather(1, target[:, None])[there].sum().item()
        state, last = step.state, target
    first = net.losses(given)[0]
    assert first.total.item() == pytest.approx(total, rel=1e-5)
    assert first.count == sum(map(len, TEXTS)) + 3


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_at_padding_changes_nothing(kind: type[Network]) -> None:
    net = made(kind).eval()
    longer = batch([0, 0, 0])
    alone = replace(longer, sources=longer.sources[1:2, :2], source_lengths=longer.source_lengths[1:2],
                    targets=longer.targets[1:2, :3], target_lengths=longer.target_lengths[1:2],
                    styles=torch.tensor([0]))  # fmt: skip
    together, one = net.start(longer).state["hidden"][1], net.start(alone).state["hidden"][0]
    torch.testing.assert_close(together, one)


def moved(net: Network, loss: Loss) -> set[str]:
    """The parts of the network that the loss has a gradient for."""
    net.zero_grad()
    torch.autograd.backward(loss.total, retain_graph=True, inputs=loss.parameters)
    return {
        name.rsplit(".", 2)[0] if name.startswith("decoders") else name.split(".")[0]
        for name, one in net.named_parameters()
        if one.grad is not None and one.grad.abs().sum() > 0
    }


def parts(names: set[str]) -> set[str]:
    return {".".join(name.split(".")[:2]) if name.startswith("decoders") else name for name in names}


def test_each_loss_moves_its_own_part() -> None:
    net = made(StyleEmbedding)
    generation, telling, hiding = net.losses(batch([0, 1, 1]))
    assert moved(net, generation) == {"encoder", "decoder", "style"}
    assert moved(net, telling) == {"classifier"}
    assert moved(net, hiding) == {"encoder"}


def test_only_the_decoders_of_the_styles_that_are_there_move() -> None:
    net = made(MultiDecoder)
    for styles, wanted in (
        ([1, 1, 1], {"decoders.1"}),
        ([0, 0], {"decoders.0"}),
        ([0, 1], {"decoders.0", "decoders.1"}),
    ):
        generation, telling, hiding = net.losses(batch(styles))
        assert parts(moved(net, generation)) == {"encoder", *wanted}
        assert moved(net, telling) == {"classifier"}
        assert moved(net, hiding) == {"encoder"}


@pytest.mark.parametrize("kind", [MultiDecoder, StyleEmbedding])
def test_the_losses_are_summed_over_texts_and_weigh_the_same(kind: type[Network]) -> None:
    losses = made(kind).losses(batch([0, 1, 1]))
    assert [loss.weight for loss in losses] == [1, 1, 1]
    assert [loss.count if loss.over is None else loss.over for loss in losses] == [3, 3, 3]


def test_equation_8_is_what_the_classifier_says_against_the_styles() -> None:
    net = made(StyleEmbedding)
    assert isinstance(net, StyleEmbedding)
    content, styles = torch.randn(3, 4), torch.tensor([0, 1, 1])
    held = torch.softmax(net.classifier(content), -1)
    wanted = -sum(math.log(held[row, style].item()) for row, style in enumerate(styles.tolist()))
    assert net.style_loss(content, styles).item() == pytest.approx(wanted, rel=1e-5)


def test_equation_9_is_lowest_where_both_styles_are_as_probable() -> None:
    net = made(MultiDecoder)
    assert isinstance(net, MultiDecoder)
    content = torch.randn(3, 4, requires_grad=True)
    held = torch.softmax(net.classifier(content), -1)
    assert net.negative_entropy(content).item() == pytest.approx((held * held.log()).sum().item(), rel=1e-5)
    for parameter in net.classifier.parameters():
        torch.nn.init.zeros_(parameter)
    lowest = net.negative_entropy(content)
    assert lowest.item() == pytest.approx(-3 * math.log(2))
    torch.nn.init.constant_(net.classifier[2].bias[:1], 0.1)
    assert net.negative_entropy(content) > lowest


def test_the_encoder_learns_to_hide_what_the_classifier_tells() -> None:
    net = made(StyleEmbedding)
    assert isinstance(net, StyleEmbedding)
    given = batch([0, 1, 1])
    optimizer = torch.optim.SGD(net.encoder.parameters(), lr=0.5)
    with torch.no_grad():
        net.classifier[2].weight.mul_(5)
    before = net.losses(given)[2].total.item()
    for _ in range(200):
        optimizer.zero_grad()
        loss = net.losses(given)[2]
        torch.autograd.backward(loss.total, inputs=loss.parameters)
        optimizer.step()
    assert before - 1e-3 > loss.total.item()
    assert loss.total.item() == pytest.approx(-3 * math.log(2), abs=1e-2)


def test_the_style_is_half_of_where_the_decoder_starts() -> None:
    net = made(StyleEmbedding)
    assert isinstance(net, StyleEmbedding)
    one, other = (net.start(batch([style] * 3)) for style in (0, 1))
    content = net.encoder(*pad(TEXTS))
    torch.testing.assert_close(one.state["hidden"], torch.cat([content, net.style.weight[0].expand(3, 2)], 1))
    torch.testing.assert_close(other.state["hidden"][:, 4:], net.style.weight[1].expand(3, 2))
    first, second = (net.step(*start, torch.full((3,), BEGIN)).scores for start in (one, other))
    assert (first - second).abs().max() > 1e-4


def test_each_style_is_written_by_its_own_decoder() -> None:
    net = made(MultiDecoder).eval()
    assert isinstance(net, MultiDecoder)
    both, begin = batch([0, 1, 0]), torch.full((3,), BEGIN)
    mixed = net.step(*net.start(both), begin)
    for style in (0, 1):
        one = net.step(*net.start(batch([style] * 3)), begin)
        rows = both.styles == style
        torch.testing.assert_close(mixed.scores[rows], one.scores[rows])
        torch.testing.assert_close(mixed.state["hidden"][rows], one.state["hidden"][rows])
