"""Li et al.'s (2018) networks on tiny numbers: the equations a step at a time, and which loss moves what."""

import pytest
import torch
from torch import Tensor

from modelserving.nets.delete_networks import DeleteAndRetrieve, DeleteNetwork, DeleteOnly, DeleteSizes, Maxout
from modelserving.training.batches import Batch, pad
from modelserving.training.tokenization import BEGIN, END, PAD

SIZES = DeleteSizes(words=9, embedding=3, hidden=4)
TEXTS = [[4, 5, 6], [7, 8], [5, 5, 4, 8]]
CONTENTS, MARKERS = [[4, 6], [], [5, 4, 8]], [[5], [7, 8], []]
KINDS = [DeleteOnly, DeleteAndRetrieve]


def batch(rows: list[int]) -> Batch:
    markers, lengths = pad([MARKERS[row] for row in rows], end=True)
    return Batch(
        *pad([CONTENTS[row] for row in rows], end=True), *pad([TEXTS[row] for row in rows], end=True),
        styles=torch.tensor([row % 2 for row in rows]), markers=markers, marker_lengths=lengths,
    )  # fmt: skip


def made(kind: type[DeleteNetwork]) -> DeleteNetwork:
    torch.manual_seed(3)
    net = kind(SIZES).eval()
    for parameter in net.parameters():
        parameter.data.mul_(8)  # else all is so small that a mistake would not show
    return net


def equations(gru: torch.nn.GRU, inputs: Tensor, state: Tensor) -> Tensor:
    """The last state; PyTorch keeps W_r, W_z, W in this order, and its z is 1 - z_j."""
    (w_r, w_z, w), (u_r, u_z, u) = gru.weight_ih_l0.chunk(3), gru.weight_hh_l0.chunk(3)
    for x in inputs:
        r = torch.sigmoid(w_r @ x + u_r @ state)
        z = torch.sigmoid(-(w_z @ x + u_z @ state))
        state = z * torch.tanh(w @ x + r * (u @ state)) + (1 - z) * state
    return state


def read(net: DeleteNetwork, gru: torch.nn.GRU, words: list[int]) -> Tensor:
    return equations(gru, net.embed(torch.tensor([*words, END])), torch.zeros(4))


def attribute(net: DeleteNetwork, row: int) -> Tensor:
    if isinstance(net, DeleteOnly):
        return net.style.weight[row % 2]
    assert isinstance(net, DeleteAndRetrieve)
    return read(net, net.markers, MARKERS[row])


def test_maxout_is_the_higher_of_each_pair() -> None:
    """Of W [1; 2; 3] = (1, -1, 2, 5, 0, 3), say: 1, 5 and 3."""
    net = Maxout(1, 1, 1)
    for part, column in ((net.of_state, [1, -1, 0, 0, 0, 0]), (net.of_context, [0, 0, 1, 1, 0, 0]),
                         (net.of_word, [0, 0, 0, 1, 0, 1])):  # fmt: skip
        part.weight.data = torch.tensor(column, dtype=torch.float32).unsqueeze(1)
    found = net(torch.tensor([[1.0]]), net.of_context(torch.tensor([[2.0]])), torch.tensor([[3.0]]))
    assert found.tolist() == [[1, 5, 3]]


@pytest.mark.parametrize("kind", KINDS)
def test_the_loss_is_the_equations_a_step_at_a_time(kind: type[DeleteNetwork]) -> None:
    net, wanted = made(kind), 0.0
    weights = torch.cat([net.maxout.of_state.weight, net.maxout.of_context.weight, net.maxout.of_word.weight], dim=1)
    for row, text in enumerate(TEXTS):
        c, state = torch.cat([read(net, net.content, CONTENTS[row]), attribute(net, row)]), torch.zeros(4)
        for last, word in zip([BEGIN, *text], [*text, END], strict=True):
            given = net.embed.weight[last]
            state = equations(net.decoder, torch.cat([given, c]).unsqueeze(0), state)
            high = (weights @ torch.cat([state, c, given])).view(-1, 2).amax(1)
            logits = net.embed.weight @ (net.project.weight @ high)
            wanted -= torch.log_softmax(logits, 0)[word].item()
    loss = net.losses(batch([0, 1, 2]))[0]
    assert loss.total.item() == pytest.approx(wanted, rel=1e-5)
    assert loss.count == sum(map(len, TEXTS)) + 3


@pytest.mark.parametrize("kind", KINDS)
def test_a_search_step_by_step_finds_what_the_loss_is_made_of(kind: type[DeleteNetwork]) -> None:
    net, given = made(kind), batch([0, 1, 2])
    memory, state = net.start(given)
    last, total = torch.full((3,), BEGIN), 0.0
    for place in range(given.targets.shape[1]):
        step = net.step(memory, state, last)
        target = given.targets[:, place]
        total -= step.scores.gather(1, target[:, None])[target != PAD].sum().item()
        state, last = step.state, target
    assert net.losses(given)[0].total.item() == pytest.approx(total, rel=1e-5)


@pytest.mark.parametrize("kind", KINDS)
def test_two_hypotheses_of_a_text_stand_together(kind: type[DeleteNetwork]) -> None:
    net = made(kind)
    memory, state = net.start(batch([0, 2]))
    twice = {name: one.repeat_interleave(2, 0) for name, one in state.items()}
    found = net.step(memory, twice, torch.tensor([4, 5, 4, 5])).scores
    for place, word in enumerate([4, 5]):
        alone = net.step(memory, state, torch.tensor([word, word])).scores
        torch.testing.assert_close(found[place::2], alone)


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_read_at_padding_changes_nothing(kind: type[DeleteNetwork]) -> None:
    net = made(kind)
    together, alone = net.context(batch([0, 1, 2])), [net.context(batch([row]))[0] for row in range(3)]
    torch.testing.assert_close(together, torch.stack(alone))


def test_the_style_is_the_attribute_of_delete_only_and_markers_that_of_the_other() -> None:
    for kind, of_style in ((DeleteOnly, True), (DeleteAndRetrieve, False)):
        net, given = made(kind), batch([0])
        styled = Batch(given.sources, given.source_lengths, styles=torch.tensor([1]), markers=given.markers,
                       marker_lengths=given.marker_lengths)  # fmt: skip
        other = Batch(given.sources, given.source_lengths, styles=given.styles, markers=torch.tensor([[7, END]]),
                      marker_lengths=given.marker_lengths)  # fmt: skip
        assert torch.equal(net.context(given), net.context(styled)) != of_style
        assert torch.equal(net.context(given), net.context(other)) == of_style


def language_model_by_hand(net: DeleteAndRetrieve, style: int, text: list[int]) -> float:
    model, state, total = net.language_models[style], torch.zeros(4), 0.0
    for last, word in zip([BEGIN, *text], [*text, END], strict=True):
        state = equations(model.gru, model.embed(torch.tensor([last])), state)  # type: ignore[operator, arg-type]
        logits = model.embed.weight @ (model.project.weight @ state)  # type: ignore[union-attr, operator]
        total -= torch.log_softmax(logits, 0)[word].item()
    return total


def test_language_models_by_hand() -> None:
    net = made(DeleteAndRetrieve)
    assert isinstance(net, DeleteAndRetrieve)
    totals = [language_model_by_hand(net, row % 2, text) for row, text in enumerate(TEXTS)]
    assert net.losses(batch([0, 1, 2]))[1].total.item() == pytest.approx(sum(totals), rel=1e-5)
    found = net.perplexities(*pad(TEXTS, end=True), 1)
    wanted = [language_model_by_hand(net, 1, text) / (len(text) + 1) for text in TEXTS]
    torch.testing.assert_close(found, torch.tensor(wanted).exp(), rtol=1e-4, atol=0)


def test_each_loss_moves_its_own_part() -> None:
    net, moved = made(DeleteAndRetrieve), []
    for loss in net.losses(batch([0, 1, 2])):
        net.zero_grad()
        torch.autograd.backward(loss.total, inputs=loss.parameters)
        moved.append({name.split(".")[0] for name, one in net.named_parameters() if one.grad is not None})
    assert moved == [{"embed", "content", "decoder", "maxout", "project", "markers"}, {"language_models"}]


@pytest.mark.parametrize("kind", KINDS)
def test_weights_are_drawn_as_in_the_paper(kind: type[DeleteNetwork]) -> None:
    torch.manual_seed(1)
    net = kind(DeleteSizes(words=200, embedding=30, hidden=40))
    for name, parameter in net.named_parameters():
        assert -0.1 <= parameter.min() < -0.09, name
        assert 0.09 < parameter.max() <= 0.1, name
    assert not net.embed.weight[PAD].any()
