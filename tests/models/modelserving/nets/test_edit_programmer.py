"""EditNTS' network: against the authors' program, a plain loop over edits, and itself step by step."""

import json
from pathlib import Path

import pytest
import torch
from torch import Tensor, nn

from modelserving.nets.beam_search import beam_search
from modelserving.nets.edit_programmer import EditBatch, EditProgrammer, EditSizes
from modelserving.training.batches import pad
from modelserving.training.network import shift_right
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, PAD, UNKNOWN

ROOT = Path(__file__).parents[4]
GOLDEN = json.loads((ROOT / "tests/golden/modelserving/edit_nts.json").read_text(encoding="utf-8"))["network"]
KNOWN = 10
KEEP, DELETE = KNOWN, KNOWN + 1
SOURCES = [[4, 5, 6, 7], [8, UNKNOWN], [9]]
TARGETS = [[4, 8, 7, 9], [UNKNOWN, 8, UNKNOWN], [9]]
EDITS = [[KEEP, 8, DELETE, DELETE, KEEP, 9], [UNKNOWN], []]  # the last two keep what is left
TAGS = [[4, 5, 6, 7, 8], [4, 4, 8], [7, 8]]
THEIRS = [0, 1, 4, 5, 6, 7, 8, 9, 10, 11, 2, 3]  # PAD, UNK, KEEP, DEL, START, STOP and words: the id of each of ours
STATES = [f"{name}_l0" for name in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")]


def batch(rows: slice = slice(None), weight: float = 1.0) -> EditBatch:
    edits, _ = pad(EDITS[rows], end=True)
    weights = torch.full(edits.shape, weight).masked_fill((edits == PAD) | (edits == UNKNOWN), 0.0)
    return EditBatch(
        *pad(SOURCES[rows], end=True), *pad(TARGETS[rows], end=True),
        edits=edits, weights=weights, edit_lengths=(weights > 0).sum(1), tags=pad(TAGS[rows])[0],
    )  # fmt: skip


def network(seed: int = 1) -> EditProgrammer:
    torch.manual_seed(seed)
    net = EditProgrammer(EditSizes(KNOWN, 5, 3, 9, 2)).eval()
    for parameter in net.parameters():
        nn.init.normal_(parameter, std=0.7)
    return net


def as_theirs() -> EditProgrammer:
    """With the weights that the authors' program was given: sines of a number's place and its matrix' name."""
    net = EditProgrammer(EditSizes(KNOWN, 5, 3, 9, 2)).eval()
    names = {"embed.weight": "embed", "output.weight": "output", "output.bias": "output bias", "query.weight": "query",
             "combine.weight": "combine", "combine.bias": "combine bias", "embed_tag.weight": "tag"}  # fmt: skip
    for lstm in ("encoder", "programmer", "interpreter"):
        names |= {f"{lstm}.{one}": f"{lstm} {one}" for one in STATES}
    names |= {f"encoder.{one}_reverse": f"encoder {one}_reverse" for one in STATES}
    with torch.no_grad():
        for key, parameter in net.named_parameters():
            places = torch.arange(parameter.numel(), dtype=torch.float64)
            made = (0.5 * torch.sin(1.7 * places + len(names[key]))).float().view_as(parameter)
            parameter.copy_(made[THEIRS] if key in ("embed.weight", "output.weight", "output.bias") else made)
    return net


def scores_of(net: EditProgrammer, given: EditBatch, edits: Tensor) -> Tensor:
    """The log-probabilities of each step, one by one (n, Tz, V + 2), where these edits are taken."""
    memory, state = net.start(given)
    found = []
    for last in shift_right(edits).unbind(1):
        scores, _, state = net.step(memory, state, last)
        found.append(scores)
    return torch.stack(found, dim=1)


def forced(net: EditProgrammer, given: EditBatch) -> Tensor:
    return torch.log_softmax(net.output(net.teacher_force(*net.start(given), given)), dim=-1)


def test_it_is_the_authors_network() -> None:
    net, given = as_theirs(), batch(slice(1))
    theirs = torch.tensor(GOLDEN["forced"])[:, THEIRS]
    torch.testing.assert_close(forced(net, given)[0], theirs, atol=2e-6, rtol=0)
    one_by_one = scores_of(net, given, torch.tensor([[KEEP, KEEP, END]]))
    torch.testing.assert_close(one_by_one[0], torch.tensor(GOLDEN["free"])[:, THEIRS], atol=2e-6, rtol=0)


def test_it_is_a_plain_loop_over_the_edits() -> None:
    """Each text alone, with LSTM cells, one state after the other, of the network's own weights."""
    net, given = network(), batch()
    ours = forced(net, given)
    for row, (source, edits) in enumerate(zip(SOURCES, EDITS, strict=True)):
        read = [torch.cat([net.embed.weight[i], net.embed_tag.weight[t]]) for i, t in
                zip([*source, END], TAGS[row], strict=True)]  # type: ignore[union-attr]  # fmt: skip
        there, last = run(net.encoder, read, "")
        back, first = run(net.encoder, read[::-1], "_reverse")
        states = [torch.cat(both) for both in zip(there, back[::-1], strict=True)]
        hidden, cell = (torch.cat(both) for both in zip(last, first, strict=True))
        programmed, written = (hidden, cell), advance(net.interpreter, net.embed.weight[BEGIN], (hidden, cell))
        at = 0
        for place, (before, edit) in enumerate(zip([BEGIN, *edits], [*edits, END], strict=True)):
            programmed = advance(net.programmer, net.embed.weight[before], programmed)
            query = net.query.weight @ programmed[0]
            attention = torch.softmax(torch.stack([query @ state for state in states]), 0)
            context = sum(share * state for share, state in zip(attention, states, strict=True))
            vector = torch.tanh(net.combine(torch.cat([programmed[0], context, states[at], written[0]])))
            torch.testing.assert_close(ours[row, place], torch.log_softmax(net.output(vector), -1))
            if edit not in (DELETE, END):
                written = advance(net.interpreter, net.embed.weight[source[at] if edit == KEEP else edit], written)
            at += edit in (KEEP, DELETE)


State = tuple[Tensor, Tensor]


def run(lstm: nn.LSTM, read: list[Tensor], direction: str) -> tuple[list[Tensor], State]:
    state = (torch.zeros(3), torch.zeros(3))
    found = []
    for vector in read:
        state = advance(lstm, vector, state, direction)
        found.append(state[0])
    return found, state


def advance(lstm: nn.LSTM, vector: Tensor, state: State, direction: str = "") -> State:
    inner, across, one, two = (getattr(lstm, f"{name}{direction}") for name in STATES)
    enters, forgets, new, leaves = (inner @ vector + one + across @ state[0] + two).chunk(4)
    cell = torch.sigmoid(forgets) * state[1] + torch.sigmoid(enters) * torch.tanh(new)
    return torch.sigmoid(leaves) * torch.tanh(cell), cell


def test_the_loss_and_its_gradients_are_those_of_the_edits_one_by_one() -> None:
    net, given = network(), batch()
    (loss,) = net.losses(given)
    there = given.weights > 0
    total = -scores_of(net, given, given.edits).gather(2, given.edits.unsqueeze(-1)).squeeze(-1)[there].sum()
    assert loss.count == 7 + 1 + 1, "a word that is not known counts nothing"
    torch.testing.assert_close(loss.total, total)
    ours, theirs = (torch.autograd.grad(one, list(net.parameters())) for one in (loss.total, total))
    for our, other in zip(ours, theirs, strict=True):
        torch.testing.assert_close(our, other, rtol=1e-3, atol=1e-5)


def test_labels_weigh_in_training_and_in_no_perplexity() -> None:
    net = network()
    plain, weighed = batch(), batch(weight=2.5)
    assert net.losses(weighed)[0].total == net.losses(plain)[0].total
    net.train()
    torch.testing.assert_close(net.losses(weighed)[0].total, 2.5 * net.losses(plain)[0].total)


def test_smoothing_is_pytorchs() -> None:
    net, given = network().train(), batch()
    net.smoothing = 0.1
    there = given.weights > 0
    theirs = nn.functional.cross_entropy(
        net.output(net.teacher_force(*net.start(given), given))[there], given.edits[there],
        reduction="sum", label_smoothing=0.1,
    )  # fmt: skip
    torch.testing.assert_close(net.losses(given)[0].total, theirs)


def test_a_text_gives_beside_others_what_it_gives_alone() -> None:
    net = network()
    together = forced(net, batch())
    for row, edits in enumerate(EDITS):
        alone = forced(net, batch(slice(row, row + 1)))
        torch.testing.assert_close(together[row, : len(edits) + 1], alone[0])


def test_nothing_is_kept_or_deleted_behind_the_last_word() -> None:
    net, given = network(), batch()
    scores = scores_of(
        net, given, torch.tensor([[KEEP, DELETE, KEEP, 5, KEEP, 5], [DELETE, 6, KEEP, 5, 5, 5], [KEEP] + [4] * 5])
    )
    over = torch.tensor([[False] * 5 + [True], [False] * 3 + [True] * 3, [False] + [True] * 5])
    assert (scores[..., KEEP:].isinf().all(-1) == over).all()
    assert scores[..., :KEEP].isfinite().all()


@pytest.mark.parametrize("beam", [1, 4])
def test_the_search_gives_edits_that_can_be_carried_out(beam: int) -> None:
    for seed in range(5):
        found = beam_search(network(seed), batch(), BeamSearchOptions(beam=beam, longest=30))
        for hypothesis, source in zip(found, SOURCES, strict=True):
            assert sum(label in (KEEP, DELETE) for label in hypothesis.ids) <= len(source)
            assert not {PAD, BEGIN, UNKNOWN, END} & set(hypothesis.ids)
