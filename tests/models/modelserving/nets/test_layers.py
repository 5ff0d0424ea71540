"""Several layers of LSTMs against torch.nn.LSTM of as many, and all steps at once against one by one."""

import pytest
import torch
from torch import nn

from modelserving.nets.beam_search import beam_search
from modelserving.nets.recurrent import (
    AttentionNetwork,
    Encoder,
    NetworkWithoutAttention,
    PointerNetwork,
    SentinelNetwork,
    Shape,
)
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Network, shift_right
from modelserving.training.recipe import BeamSearchOptions

SOURCES, TARGETS = [[4, 5, 6], [7, 8, 9, 10, 11], [5]], [[4, 5], [6, 7, 8], [9, 4, 4, 4]]
IDS, LENGTHS = pad(SOURCES)
AIMS, AIM_LENGTHS = pad(TARGETS, end=True)
BATCH = Batch(IDS, LENGTHS, AIMS, AIM_LENGTHS, copied=IDS, aimed=AIMS)
LAYERS = 3
KINDS = [AttentionNetwork, NetworkWithoutAttention, PointerNetwork, SentinelNetwork]


def net(kind: type[Network], layers: int = LAYERS, dropout: float = 0.0) -> Network:
    torch.manual_seed(1)
    made = kind(Shape(20, 20, 8, 6, layers, dropout)).eval()  # type: ignore[call-arg]
    for parameter in made.parameters():
        nn.init.normal_(parameter, std=0.5)
    return made


def test_the_encoder_is_pytorchs_bidirectional_lstm() -> None:
    torch.manual_seed(2)
    ours = Encoder(nn.Embedding(20, 5), 6, layers=LAYERS).eval()
    theirs = nn.LSTM(5, 6, LAYERS, batch_first=True, bidirectional=True)
    theirs.load_state_dict({
        f"{name.removesuffix('_l0')}_l{layer}{suffix}": weight
        for side, suffix in ((ours.forwards, ""), (ours.backwards, "_reverse"))
        for layer, lstm in enumerate(side) for name, weight in lstm.state_dict().items()
    })  # fmt: skip
    states, last = ours(IDS, LENGTHS)
    packed = nn.utils.rnn.pack_padded_sequence(ours.embed(IDS), LENGTHS, batch_first=True, enforce_sorted=False)
    found, (hidden, _) = theirs(packed)
    expected, _ = nn.utils.rnn.pad_packed_sequence(found, batch_first=True)
    for row, length in enumerate(LENGTHS.tolist()):
        torch.testing.assert_close(states[row, :length], expected[row, :length])
    torch.testing.assert_close(last, torch.cat([hidden[-2], hidden[-1]], dim=-1))


def test_a_decoder_that_is_fed_nothing_is_pytorchs_lstm_with_its_gradients() -> None:
    ours = net(AttentionNetwork)
    assert isinstance(ours, AttentionNetwork)
    theirs = nn.LSTM(8, 6, LAYERS, batch_first=True)
    with torch.no_grad():
        ours.cell.weight_ih[:, 8:] = 0  # what was attended to does not go into the lowest layer
    cells = [ours.cell, *ours.higher]
    theirs.load_state_dict({
        f"{name}_l{layer}": weight[:, :8] if (layer, name) == (0, "weight_ih") else weight
        for layer, cell in enumerate(cells) for name, weight in cell.state_dict().items()
    })  # fmt: skip
    memory, state = ours.start(BATCH)
    _, hidden, _ = ours.states(memory, state, AIMS)
    begin = state["hidden"].detach().expand(LAYERS, -1, -1).contiguous()
    expected, _ = theirs(ours.embed(shift_right(AIMS)), (begin, begin))
    torch.testing.assert_close(hidden, expected)
    weights = torch.randn_like(hidden)
    (weights * hidden).sum().backward()
    (weights * expected).sum().backward()
    for layer, cell in enumerate(cells):
        for name, parameter in cell.named_parameters():
            found, other = parameter.grad, dict(theirs.named_parameters())[f"{name}_l{layer}"].grad
            assert found is not None
            assert other is not None
            torch.testing.assert_close(found[:, :8] if (layer, name) == (0, "weight_ih") else found, other)


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_the_loss_of_several_layers_is_that_of_the_steps_one_by_one(kind: type[Network]) -> None:
    ours = net(kind)
    (loss,) = ours.losses(BATCH)
    memory, state = ours.start(BATCH)
    total = torch.zeros(())
    for at in range(AIMS.shape[1]):
        scores, _, state = ours.step(memory, state, shift_right(AIMS)[:, at])
        for row, length in enumerate(AIM_LENGTHS.tolist()):
            total = total - scores[row, AIMS[row, at]] * (at < length)
    torch.testing.assert_close(loss.total, total)


@pytest.mark.parametrize("kind", KINDS)
@torch.inference_mode()
def test_a_text_of_several_layers_does_not_depend_on_those_beside_it(kind: type[Network]) -> None:
    ours, options = net(kind), BeamSearchOptions(beam=3, longest=12)
    together = beam_search(ours, BATCH, options)
    for source, found in zip(SOURCES, together, strict=True):
        ids, lengths = pad([source])
        (alone,) = beam_search(ours, Batch(ids, lengths, copied=ids), options)
        assert (found.ids, found.places) == (alone.ids, alone.places)


@pytest.mark.parametrize(("layers", "equal"), [(1, True), (LAYERS, False)])
def test_what_goes_from_layer_to_layer_is_dropped_in_training(layers: int, equal: bool) -> None:
    ours = net(AttentionNetwork, layers, dropout=0.4)
    assert isinstance(ours, AttentionNetwork)
    memory, state = ours.start(BATCH)
    words = ours.embed(torch.tensor([4, 5, 6]))
    ours.train()
    first, again = (ours.advance(memory, state, words)[0]["hidden"] for _ in range(2))
    assert torch.equal(first, again) == equal
