"""Controlled generation: Texar's numbers on equal weights, and what each loss is made of and moves."""

from dataclasses import replace

import pytest
import torch
from support.tiny_controlled import ATTENDING, TEXTS, VARIATIONAL, batch, made
from torch import Tensor, nn

from modelserving.nets import controlled_gen
from modelserving.nets.controlled_gen import COLDEST, DISCRIMINATOR, ControlledGen, Objective, style_entropy, style_loss
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Loss
from modelserving.training.tokenization import BEGIN

OF_TEXTS = Objective(prior=False, generated=0.0)
STYLES = [0, 1, 1]


def divided(losses: list[Loss]) -> dict[str, float]:
    return {one.name: one.total.item() / (one.count if one.over is None else one.over) for one in losses}


def weights(losses: list[Loss]) -> dict[str, float]:
    return {one.name: one.weight for one in losses}


def test_losses_are_those_of_texars_modules_on_these_weights() -> None:
    """texar-pytorch 0.1.4 (asyml/texar-pytorch at 5b56ad3), its modules put together as asyml/texar's ctrl_gen_model.py
    does: UnidirectionalRNNEncoder, MLPTransformConnectors, AttentionRNNDecoder with the softmax helper at 0.5,
    Conv1DClassifier with bias; weights copied from this network, GRU biases at 0, texts of one length, no dropout.
    """
    net = made(ATTENDING, OF_TEXTS)
    assert net.temperature == 0.5
    found = divided([*net.losses(batch(STYLES)), *net.discriminator_losses(batch(STYLES))])
    assert found == {
        "loss": pytest.approx(2.627275, abs=1e-6),
        "style loss of samples": pytest.approx(0.769901, abs=1e-6),
        "style loss": pytest.approx(0.610129, abs=1e-6),
    }
    assert net.losses(batch(STYLES))[1].weight == 0.1, "as lambda_g there"


@pytest.mark.parametrize("sizes", [ATTENDING, VARIATIONAL])
def test_a_search_step_by_step_finds_what_the_loss_is_made_of(sizes: object) -> None:
    net, given = made(sizes, Objective()).eval(), batch(STYLES, [[4, 5, 6], [7], [5, 5, 4, 8]])  # type: ignore[arg-type]
    memory, state = net.start(given)
    last, total = torch.full((3,), BEGIN), 0.0
    for place in range(given.targets.shape[1]):
        step = net.step(memory, state, last)
        target = given.targets[:, place]
        total -= step.scores.gather(1, target[:, None])[target != 0].sum().item()
        state, last = step.state, target
        if net.attends:
            assert step.attention is not None
            torch.testing.assert_close(step.attention.sum(-1), torch.ones(3))
            assert not step.attention[given.sources == 0].any()
    assert net.losses(given)[0].total.item() == pytest.approx(total, rel=1e-5)


def test_hypotheses_of_a_text_attend_to_it_as_it_would_alone() -> None:
    net, given = made(ATTENDING, Objective()).eval(), batch([0, 1], [[4, 5, 6], [7]])
    memory, state = net.start(given)
    last = torch.tensor([4, 5, 6, 7])
    both = net.step(memory, {"hidden": state["hidden"].repeat_interleave(2, 0)}, last)
    for place in range(4):
        alone = net.step({name: one[[place // 2]] for name, one in memory.items()},
                         {"hidden": state["hidden"][[place // 2]]}, last[[place]])  # fmt: skip
        torch.testing.assert_close(both.scores[[place]], alone.scores)


def test_attention_worked_out_again_in_parts_is_the_same_with_its_gradient(monkeypatch: pytest.MonkeyPatch) -> None:
    found = []
    for at_a_time in (1 << 24, 1):
        monkeypatch.setattr(controlled_gen, "AT_A_TIME", at_a_time)
        net = made(ATTENDING, OF_TEXTS)
        loss = net.losses(batch(STYLES))[0].total
        found.append([loss, *torch.autograd.grad(loss, list(net.generator.parameters()))])
    for one, other in zip(*found, strict=True):
        torch.testing.assert_close(one, other)


def test_the_divergence_is_that_of_what_was_read_and_its_weight_rises() -> None:
    net = made(VARIATIONAL, Objective(kl=0.8, kl_warmup=4, pretraining=2))
    given = batch(STYLES)
    read = net.generator.read(given)
    assert read.log_variance is not None
    wanted = controlled_gen.kl_from_standard(read.content, read.log_variance).mean().item()
    rising = []
    for updates in range(6):
        net.epochs, net.updates = updates // 3, updates
        losses = net.losses(given)
        assert divided(losses)["KL"] == pytest.approx(wanted)
        rising.append(weights(losses)["KL"])
    assert rising == pytest.approx([0, 0.2, 0.4, 0.6, 0.8, 0.8])


def test_first_texts_are_given_back_then_the_rest_counts_at_a_falling_temperature() -> None:
    net = made(VARIATIONAL, Objective(pretraining=2, temperature=2.0, cooling=0.1))
    given, seen = batch(STYLES), []
    for epoch in range(7):
        net.epochs, net.updates = epoch, 10 * epoch
        seen.append((net.annealing, net.temperature, len(net.losses(given)), len(net.discriminator_losses(given))))
    assert seen == [
        (True, 2.0, 2, 1), (True, 2.0, 2, 1), (False, pytest.approx(0.2), 4, 2), (False, pytest.approx(0.02), 4, 2),
        (False, pytest.approx(0.002), 4, 2), (False, COLDEST, 4, 2), (False, COLDEST, 4, 2),
    ]  # fmt: skip


def moved(net: ControlledGen, loss: Loss, turn: str) -> set[str]:
    """The parts of the network that the loss has a gradient for in its turn."""
    net.zero_grad()
    given = loss.parameters or next(one.parameters for one in net.turns() if one.name == turn)
    torch.autograd.backward(loss.total, retain_graph=True, inputs=list(given))
    return {
        name.removeprefix("generator.").split(".")[0]
        for name, one in net.named_parameters()
        if one.grad is not None and one.grad.abs().sum() > 0
    }


def test_each_loss_moves_its_own_part() -> None:
    net = made(VARIATIONAL, Objective())
    writing = {"embed", "style", "connect", "decoder"}
    generator = {one.name: moved(net, one, "") for one in net.losses(batch(STYLES))}
    assert generator == {
        "loss": {*writing, "encoder", "gaussian"},
        "KL": {"embed", "encoder", "gaussian"},
        "style loss of samples": writing,
        "content loss of samples": writing,
    }
    discriminator = {one.name: moved(net, one, DISCRIMINATOR) for one in net.discriminator_losses(batch(STYLES))}
    assert discriminator == {"style loss": {"discriminator"}, "style loss of drawn texts": {"discriminator"}}


def test_the_style_loss_of_a_texts_own_sample_reaches_what_read_it() -> None:
    net = made(ATTENDING, OF_TEXTS)
    assert moved(net, net.losses(batch(STYLES))[1], "") == {"embed", "style", "connect", "decoder", "encoder"}


def test_the_turns_share_no_parameter_and_leave_none_out() -> None:
    net = made(VARIATIONAL, Objective())
    first, second = ({id(one) for one in turn.parameters} for turn in net.turns())
    assert not first & second
    assert first | second == {id(one) for one in net.parameters()}


def test_drawn_texts_are_judged_by_the_styles_that_they_were_drawn_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """Equation 10 on the texts that `write` gives, with the entropy to be low."""
    net = made(VARIATIONAL, Objective(generated=0.3, confidence=0.7))
    drawn: list[tuple[Tensor, Tensor]] = []
    write = net.generator.write

    def kept(origin: object, *given: object) -> Tensor:
        texts = write(origin, *given)  # type: ignore[arg-type]
        drawn.append((texts, origin.styles))  # type: ignore[attr-defined]
        return texts

    monkeypatch.setattr(net.generator, "write", kept)
    torch.manual_seed(4)
    loss = net.discriminator_losses(batch(STYLES))[1]
    ((texts, styles),) = drawn
    total = 0.0
    for text, style in zip(texts.tolist(), styles, strict=True):
        words = text[: text.index(3) + 1] if 3 in text else text
        ids, lengths = pad([words])
        logits = net.discriminator(net.discriminator.embed(ids), lengths)
        total += (style_loss(logits, style.view(1)) + 0.7 * style_entropy(logits)).item()
    assert loss.total.item() == pytest.approx(total, rel=1e-5)
    assert (loss.weight, loss.count) == (0.3, 3)


def test_the_content_loss_is_the_density_of_the_content_under_what_the_sample_says(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Of one-hot samples it is that of the words themselves, read as texts are."""
    net = made(VARIATIONAL, Objective(prior=False))
    ids = torch.tensor([[4, 5, 3, 0, 0], [6, 6, 7, 8, 3], [7, 3, 0, 0, 0]])
    monkeypatch.setattr(net.generator, "soft_sample", lambda *_: nn.functional.one_hot(ids, 9).float())
    given = batch(STYLES)
    torch.manual_seed(4)
    loss = next(one for one in net.losses(given) if one.name == "content loss of samples")
    torch.manual_seed(4)
    own = net.generator.read(given)
    assert own.log_variance is not None
    content = controlled_gen.draw(own.content, own.log_variance)
    said = net.generator.read(Batch(ids, torch.tensor([3, 5, 2])))
    assert said.log_variance is not None
    wanted = controlled_gen.negative_log_density(content, said.content, said.log_variance).sum()
    assert loss.total.item() == pytest.approx(wanted.item(), rel=1e-5)


def test_samples_of_texts_are_of_their_contents_in_the_other_style_and_those_of_the_prior_of_none() -> None:
    given = batch(STYLES)
    net = made(ATTENDING, OF_TEXTS)
    read = net.generator.read(given)
    own = net.generator.origin(read.content, torch.tensor(STYLES), read)
    other = net._sampled(own)
    assert other.styles.tolist() == [1, 0, 0]
    torch.testing.assert_close(other.content, own.content)
    assert (other.first - own.first).abs().max() > 0.01
    torch.manual_seed(1)
    many = own._replace(
        content=torch.zeros(2_000, 3), styles=torch.zeros(2_000, dtype=torch.int64), knowledge=torch.zeros(2_000, 0)
    )
    drawn = made(replace(ATTENDING, variational=True), Objective())._sampled(many)
    assert drawn.styles.float().mean().item() == pytest.approx(0.5, abs=0.05)
    assert drawn.content.mean().abs().item() < 0.05
    assert drawn.content.var().item() == pytest.approx(1, abs=0.05)


def test_it_is_scored_by_its_last_objective_without_any_chance() -> None:
    net = made(VARIATIONAL, Objective(pretraining=5, kl=0.5, kl_warmup=9)).eval()
    first, again = (net.losses(batch(STYLES)) for _ in range(2))
    assert divided(first) == divided(again)
    assert weights(first) == {"loss": 1.0, "KL": 0.5, "style loss of outputs": 0.1}


def test_what_stands_beside_a_text_changes_nothing_of_it() -> None:
    for sizes in (ATTENDING, VARIATIONAL):
        net = made(sizes, Objective()).eval()
        together, alone = batch([0, 0], [TEXTS[0], [5, 6]]), batch([0], [[5, 6]])
        torch.testing.assert_close(net.start(together).state["hidden"][1:], net.start(alone).state["hidden"])


def test_definitions_are_read_beside_the_text_and_only_those_of_it() -> None:
    net = made(replace(ATTENDING, knowledge=4), Objective(prior=False)).eval()
    definitions = [[6, 7, 3], [3], [8, 5, 5, 3]]
    ids, lengths = pad(definitions)
    given = replace(batch(STYLES), definitions=ids, definition_lengths=lengths)
    first = net.start(given).state["hidden"]
    for place, words in enumerate(definitions):
        alone, one = pad([words])
        rows = replace(batch([STYLES[place]], [TEXTS[place]]), definitions=alone, definition_lengths=one)
        torch.testing.assert_close(net.start(rows).state["hidden"][0], first[place])
    other, lengths = pad([[7, 7, 3], [3], [8, 5, 5, 3]])
    changed = net.start(replace(given, definitions=other, definition_lengths=lengths)).state["hidden"]
    assert (changed[0] - first[0]).abs().max() > 1e-3
    torch.testing.assert_close(changed[1:], first[1:])
    net.train()
    assert "knowledge" in moved(net, net.losses(given)[0], "")
