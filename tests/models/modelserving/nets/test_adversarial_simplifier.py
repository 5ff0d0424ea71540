"""UNTS' network: losses and gradients against the authors' program, itself step by step, and whatever stands beside."""

import json
import math
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor

from modelserving.nets.adversarial_simplifier import (
    CRITICS,
    GENERATORS,
    AdversarialSimplifier,
    ContextCritics,
    Objective,
    SimplifierSizes,
)
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Loss, LossSums
from modelserving.training.tokenization import BEGIN, END, PAD, UNKNOWN

ROOT = Path(__file__).parents[4]
GOLDEN = json.loads((ROOT / "tests/golden/modelserving/unts.json").read_text(encoding="utf-8"))
UPDATES: list[dict[str, Any]] = GOLDEN["updates"]
WORDS = "abcdefgh"
SIDES = ("complex", "simple")  # our styles 0 and 1
SIZES = SimplifierSizes(words=4 + len(WORDS), embedding=5, hidden=6, layers=2, filters=3, dropout=0.0)
THEIRS = [0, 1, 3, 2, *range(4, 12)]  # PAD, OOV, EOS, SOS and words: the id of each of ours


def ids(text: str) -> list[int]:
    return [4 + WORDS.index(word) if word in WORDS else UNKNOWN for word in text.split()]


def batch(*texts: str, styles: list[int]) -> Batch:
    rows = [ids(text) for text in texts]
    return Batch(*pad(rows), *pad(rows, end=True), styles=torch.tensor(styles))


def pair(update: dict[str, Any]) -> Batch:
    return batch(update["complex"], update["simple"], styles=[0, 1])


def made(name: str, *shape: int) -> Tensor:
    """The weights that the authors' program was given: sines of a number's place and the letters of its name."""
    places = torch.arange(math.prod(shape), dtype=torch.float64)
    return (1.2 * torch.sin(1.7 * places + sum(map(ord, name)))).float().view(*shape)


def embeddings(special: str, words: str) -> Tensor:
    rows = torch.cat([made(special, 5, 5)[:4], made(words, 9, 5)[1:]])[THEIRS]
    rows[PAD] = 0
    return rows


def their_weights() -> Iterator[tuple[str, Tensor]]:
    """Each of ours, of theirs."""
    yield "encoder.embed.weight", embeddings("encoder special_embeddings.weight", "read words weight")
    shapes = {"weight_ih_l0": (9, 5), "weight_ih_l1": (9, 6), "weight_hh": (9, 3), "bias": (9,)}
    for name in (f"{kind}_l{layer}{end}" for kind in ("weight_ih", "weight_hh", "bias_ih", "bias_hh")
                 for layer in range(2) for end in ("", "_reverse")):  # fmt: skip
        shape = next(found for start, found in shapes.items() if name.startswith(start))
        yield f"encoder.gru.{name}", made(f"encoder rnn.{name}", *shape)
    for style, side in enumerate(SIDES):
        ours, their = f"decoders.{style}", f"{side} decoder"
        yield f"{ours}.embed.weight", embeddings(f"{their} special_embeddings.weight", f"{side} words weight")
        for layer, size in enumerate((11, 6)):
            for name, shape in (
                ("weight_ih", (18, size)),
                ("weight_hh", (18, 6)),
                ("bias_ih", (18,)),
                ("bias_hh", (18,)),
            ):
                yield f"{ours}.cells.{layer}.{name}", made(f"{their} stacked_rnn.layers.{layer}.{name}", *shape)
        for our, name in (("align", "align"), ("of_context", "context"), ("of_query", "query")):
            yield f"{ours}.{our}.weight", made(f"{their} attention.linear_{name}.weight", 6, 6)
        yield f"{ours}.output.weight", made(f"{side} generator out.weight", 12, 6)[THEIRS]
        bias = made(f"{side} generator out.bias", 12)
        bias[[0, 2, 3]] = torch.tensor([-4.0, 0.8, -4.0])  # so that END comes, but not at once
        yield f"{ours}.output.bias", bias[THEIRS]
    for place in range(5):
        weight = made(f"critics convs1.{place}.weight", 3, 1, place + 1, 6)
        yield f"critics.convolutions.{place}.weight", weight[:, 0].transpose(1, 2)
        yield f"critics.convolutions.{place}.bias", made(f"critics convs1.{place}.bias", 3)
    # Their labels are 0 for simple and 1 for complex; ours are 1 for a text that was not moved, and the style.
    for our, their, order in (("discriminators.0", "fc2", [0, 1]), ("discriminators.1", "fc1", [1, 0]),
                              ("classifier", "fc3", [1, 0])):  # fmt: skip
        yield f"critics.{our}.weight", made(f"critics {their}.weight", 2, 15)[order]
        yield f"critics.{our}.bias", made(f"critics {their}.bias", 2)[order]


def as_theirs(**aim: Any) -> AdversarialSimplifier:
    net = AdversarialSimplifier(SIZES, Objective(**aim))
    given = dict(their_weights())
    assert given.keys() == {name for name, _ in net.named_parameters()}
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            parameter.copy_(given[name])
    return net


def close(value: float) -> Any:
    return pytest.approx(value, rel=2e-5, abs=1e-6)


@pytest.mark.parametrize("update", UPDATES)
def test_giving_back_is_the_authors_loss(update: dict[str, Any]) -> None:
    net = as_theirs()
    for text, style, wanted in zip(
        (update["simple"], update["complex"]), (1, 0), update["reconstruction"], strict=True
    ):
        (loss,) = net.losses(batch(text, styles=[style]))
        assert loss.total.item() == close(wanted)
        assert loss.count == len(text.split()) + 1


@pytest.mark.parametrize("update", UPDATES)
def test_what_is_moved_is_what_the_authors_program_writes(update: dict[str, Any]) -> None:
    net, given = as_theirs(), pair(update)
    simple, other = update["moved"]
    reading = net.encoder(given.sources, given.source_lengths)
    lengths = {one.style: one.lengths.tolist() for one in net.move(reading, given, (0, 1))}
    for style, written, source in ((1, simple, update["complex"]), (0, other, update["simple"])):
        most = 2 * len(source.split())
        assert lengths[style] == [min(len(written.split()) + 1, most)], "END's context is one too"
        words, state, last = [], net.start(batch(source, styles=[style])), torch.tensor([BEGIN])
        memory, at = state
        for _ in range(len(written.split())):
            step = net.step(memory, at, last)
            last, at = step.scores.argmax(-1), step.state
            words.append(last.item())
        assert words == ids(written)


@pytest.mark.parametrize("update", UPDATES)
def test_the_critics_losses_are_the_authors(update: dict[str, Any]) -> None:
    telling, naming = as_theirs().critic_losses(pair(update))
    assert telling.total.item() == close(sum(update["discriminator"].values()))
    assert naming.total.item() == close(sum(update["classifier"].values()))


@pytest.mark.parametrize(("both", "sides"), [(False, ["simple"]), (True, ["simple", "complex"])])
@pytest.mark.parametrize("update", UPDATES)
def test_the_adversarial_and_diversification_losses_are_the_authors(
    update: dict[str, Any], both: bool, sides: list[str]
) -> None:
    given, fooling, naming = as_theirs(both=both).generator_losses(pair(update))
    assert given.total.item() == close(sum(update["reconstruction"]))
    assert fooling.total.item() == close(sum(update["adversarial"][side] for side in sides))
    assert naming.total.item() == close(sum(update["diversification"][side] for side in sides))


def gradients(net: AdversarialSimplifier, turn: str, given: Batch) -> dict[str, Tensor]:
    """Those that the trainer leaves in a turn."""
    net.zero_grad()
    taken = next(one for one in net.turns() if one.name == turn)
    work = LossSums(taken, False)
    work.add(net.turn_losses(turn, given), False)
    work.divide(work.overs)
    return {name: one.grad for name, one in net.named_parameters() if one.grad is not None}


def told(found: dict[str, Tensor]) -> dict[str, tuple[float, float]]:
    """Sum and norm of each gradient by the name of theirs."""
    names = {"cells": "stacked_rnn.layers", "align": "attention.linear_align", "of_context": "attention.linear_context",
             "of_query": "attention.linear_query"}  # fmt: skip
    heads = {"discriminators.0": "fc2", "discriminators.1": "fc1", "classifier": "fc3"}
    by_name: dict[str, Tensor] = {}
    for name, gradient in found.items():
        part, _, rest = name.partition(".")
        side = SIDES[int(rest[0])] if part == "decoders" else ""
        if name.endswith("embed.weight"):
            by_name[f"{side} decoder special_embeddings.weight" if side else "encoder special_embeddings.weight"] = (
                gradient[:4]
            )
            by_name[f"{side} words weight" if side else "read words weight"] = gradient[4:]
        elif part == "encoder":
            by_name[name.replace("encoder.gru", "encoder rnn")] = gradient
        elif side and ".output." in name:
            by_name[f"{side} generator out.{name.rpartition('.')[2]}"] = gradient
        elif side:
            which, _, end = rest[2:].partition(".")
            by_name[f"{side} decoder {names[which]}.{end}"] = gradient
        else:
            rest = rest.replace("convolutions", "convs1")
            for ours, theirs in heads.items():
                rest = rest.replace(ours, theirs)
            by_name[f"critics {rest}"] = gradient
    return {name: (float(one.double().sum()), float(one.double().norm())) for name, one in by_name.items()}


def same(found: dict[str, Tensor], wanted: dict[str, list[float]]) -> None:
    ours = told(found)
    assert ours.keys() == wanted.keys()
    for name, (total, norm) in wanted.items():
        assert ours[name][1] == pytest.approx(norm, rel=1e-4, abs=1e-6), name
        assert ours[name][0] == pytest.approx(total, rel=1e-4, abs=1e-4), name


@pytest.mark.parametrize("update", UPDATES)
def test_the_turns_leave_the_authors_gradients(update: dict[str, Any]) -> None:
    net = as_theirs(begin=6_000)
    net.updates = 6_000
    same(gradients(net, CRITICS, pair(update)), update["critics gradient"])
    same(gradients(net, GENERATORS, pair(update)), update["generators gradient"])


def test_the_switches_leave_the_authors_gradients_too() -> None:
    update = UPDATES[0]
    same(gradients(as_theirs(both=True), GENERATORS, pair(update)), update["generators gradient, both"])
    same(gradients(as_theirs(begin=1), GENERATORS, pair(update)), update["generators gradient, before"])
    same(gradients(as_theirs(diversifying=0.0), GENERATORS, pair(update)), update["generators gradient, no classifier"])


@pytest.mark.parametrize("noise", GOLDEN["noise"])
def test_denoising_is_the_authors_loss(noise: dict[str, Any], monkeypatch: pytest.MonkeyPatch) -> None:
    net, given = as_theirs(), batch(noise["text"], styles=[1])
    noised = torch.tensor([ids(noise["noised"])])
    monkeypatch.setattr(net, "noisy", lambda given: (noised, given.source_lengths))
    (loss,) = net.turn_losses("", given)
    assert loss.total.item() == close(noise["loss"])


def test_losses_of_several_texts_are_those_of_each_alone() -> None:
    net = as_theirs(both=True)
    texts, styles = ["a b", "g h b a c d h", "c b z a e", "e", "h a d d c"], [0, 1, 0, 1, 1]
    for turn in ("", CRITICS, GENERATORS):
        net.objective = replace(net.objective, swapped=0.0)
        together = net.turn_losses(turn, batch(*texts, styles=styles))
        alone = [net.turn_losses(turn, batch(text, styles=[style])) for text, style in zip(texts, styles, strict=True)]
        for place, loss in enumerate(together):
            assert loss.total.item() == pytest.approx(sum(one[place].total.item() for one in alone), rel=1e-4)
            assert loss.count == sum(one[place].count for one in alone)


def moved(net: AdversarialSimplifier, turn: str, losses: list[Loss], place: int) -> set[str]:
    net.zero_grad()
    own = next(one for one in net.turns() if one.name == turn).parameters
    torch.autograd.backward(losses[place].total, retain_graph=True, inputs=own)
    return {".".join(name.split(".")[: 2 if name.startswith("decoders") else 1])
            for name, one in net.named_parameters() if one.grad is not None and one.grad.abs().sum() > 0}  # fmt: skip


def test_each_loss_moves_its_own_part() -> None:
    net, given = as_theirs(), pair(UPDATES[0])
    writing = {"encoder", "decoders.0", "decoders.1"}
    assert moved(net, "", net.turn_losses("", given), 0) == writing
    critics = net.turn_losses(CRITICS, given)
    assert [moved(net, CRITICS, critics, place) for place in range(2)] == [{"critics"}] * 2
    generators = net.turn_losses(GENERATORS, given)
    assert [moved(net, GENERATORS, generators, place) for place in range(3)] == [
        writing, {"encoder", "decoders.1"}, {"encoder", "decoders.1"}
    ]  # fmt: skip
    net.objective = replace(net.objective, both=True)
    assert moved(net, GENERATORS, net.turn_losses(GENERATORS, given), 1) == writing


def test_texts_of_one_style_alone_have_losses_and_gradients() -> None:
    """As a part of a batch that did not fit into memory, or of another process, may have."""
    net = as_theirs()
    for styles in ([0, 0], [1, 1]):
        for turn in ("", CRITICS, GENERATORS):
            for loss in net.turn_losses(turn, batch("a b c", "d e", styles=styles)):
                assert loss.total.requires_grad
                assert math.isfinite(loss.total.item())


def test_a_search_step_by_step_finds_what_the_loss_is_made_of() -> None:
    net = as_theirs().eval()
    given = batch("a b c", "g h b a c d h", "e z", styles=[0, 1, 0])
    memory, state = net.start(given)
    last, total = torch.full((3,), BEGIN), 0.0
    for place in range(given.targets.shape[1]):
        step = net.step(memory, state, last)
        target = given.targets[:, place]
        total -= step.scores.gather(1, target[:, None])[target != PAD].sum().item()
        assert step.attention is not None
        torch.testing.assert_close(step.attention.sum(1), torch.ones(3))
        assert not step.attention[given.sources == PAD].any()
        state, last = step.state, target
    assert net.losses(given)[0].total.item() == pytest.approx(total, rel=1e-5)


def test_two_hypotheses_of_a_text_stand_together() -> None:
    net = as_theirs().eval()
    memory, state = net.start(batch("a b c", "g h b a", "e z", styles=[1, 0, 1]))
    twice = {name: one.repeat_interleave(2, 0) for name, one in state.items()}
    found = net.step(memory, twice, torch.tensor([4, 5, 4, 5, 4, 5]))
    for place, word in enumerate([4, 5]):
        alone = net.step(memory, state, torch.tensor([word] * 3))
        torch.testing.assert_close(found.scores[place::2], alone.scores)
        torch.testing.assert_close(found.attention[place::2], alone.attention)  # type: ignore[index]
        for name, one in alone.state.items():
            torch.testing.assert_close(found.state[name][place::2], one)


def test_critics_hear_contexts_without_dropout_and_the_network_trains_on_as_before() -> None:
    net = AdversarialSimplifier(replace(SIZES, dropout=0.5)).train()
    net.critics.eval()
    first, again = ([one.total.item() for one in net.critic_losses(pair(UPDATES[0]))] for _ in range(2))
    assert first == again
    assert net.encoder.training
    assert all(one.training for one in net.decoders.modules())
    assert not net.critics.training


@pytest.mark.parametrize("place", [1, 2])
def test_generators_learn_to_pass_before_critics_that_stay(place: int) -> None:
    net, given = as_theirs(both=True), pair(UPDATES[2])
    turn = next(one for one in net.turns() if one.name == GENERATORS)
    optimizer = torch.optim.Adam(turn.parameters, lr=0.03)
    before = net.generator_losses(given)[place].total.item()
    for _ in range(20):
        optimizer.zero_grad()
        torch.autograd.backward(net.generator_losses(given)[place].total, inputs=list(turn.parameters))
        optimizer.step()
    assert net.generator_losses(given)[place].total.item() < 0.5 * before


def test_critics_learn_to_tell() -> None:
    net, given = as_theirs(), pair(UPDATES[0])
    optimizer = torch.optim.Adam(net.critics.parameters(), lr=0.05)
    before = [one.total.item() for one in net.critic_losses(given)]
    for _ in range(20):
        optimizer.zero_grad()
        sum(one.total for one in net.critic_losses(given)).backward()  # type: ignore[union-attr]
        optimizer.step()
    after = [one.total.item() for one in net.critic_losses(given)]
    assert all(now < 0.5 * then for now, then in zip(after, before, strict=True))


def test_critics_by_hand() -> None:
    """One filter a width, all weights 1, no bias: the highest sum of 1, 2, ... 5 contexts of one number, at least 0."""
    critics = ContextCritics(1, 1, 2, 0.0)
    for part in critics.convolutions:
        torch.nn.init.ones_(part.weight)  # type: ignore[arg-type]
        torch.nn.init.zeros_(part.bias)  # type: ignore[arg-type]
    contexts = torch.tensor([[3.0, -1, 2, 9, 9, 9], [1, -2, 1, 1, -5, 2]]).unsqueeze(2)
    found = critics._features(contexts, torch.tensor([3, 6]))
    assert found.tolist() == [[3, 2, 4, 4, 4], [2, 2, 0, 1, 0]], "windows longer than a text see zeros behind it"


def test_weights_are_drawn_as_in_the_program() -> None:
    torch.manual_seed(1)
    net = AdversarialSimplifier(SimplifierSizes(words=300, embedding=30, hidden=40, filters=20))
    for name, parameter in net.named_parameters():
        assert -0.1 <= parameter.min() < parameter.max() <= 0.1, name
        assert parameter.numel() < 100 or parameter.max() - parameter.min() > 0.18, name
    assert not net.encoder.embed.weight[PAD].any()


def test_end_is_read_behind_a_text() -> None:
    net = as_theirs()
    reading = net.encoder(*pad([ids("a b"), ids("a b c")]))
    assert reading.bias.tolist() == [[0, 0, 0, -math.inf], [0, 0, 0, 0]]
    alone = net.encoder.gru(net.encoder.embed(torch.tensor([[*ids("a b"), END]])))[0]
    torch.testing.assert_close(reading.states[:1, :3], alone)
