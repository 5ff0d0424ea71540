"""The Style Transformer's network: against the authors' program, its steps against the whole, texts against others."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
import torch
from torch import Tensor, nn

from modelserving.nets.beam_search import beam_search
from modelserving.nets.style_transformer import (
    DISCRIMINATOR,
    StyleObjective,
    StyleTransformer,
    drop_words,
    up_to_end,
    write_softly,
)
from modelserving.nets.transformer import TransformerSizes
from modelserving.training.adversarial_plan import AdversarialPlan
from modelserving.training.batches import Batch, pad
from modelserving.training.network import Loss, not_padding, shift_right
from modelserving.training.recipe import BeamSearchOptions
from modelserving.training.tokenization import BEGIN, END, PAD, UNKNOWN

GOLDEN = Path(__file__).parents[4] / "tests/golden/modelserving/style_transformer.json"
CASES: dict[str, Any] = json.loads(GOLDEN.read_text(encoding="utf-8"))
TEXTS = [[4, 5, 6], [7, 8], [9, 10, 4, 6, 5], [5, 9], [6, UNKNOWN, 8, 7], [10]]
STYLES = torch.tensor([1, 1, 1, 0, 0, 0])
BATCH = Batch(*pad(TEXTS), *pad(TEXTS, end=True), styles=STYLES)
SIZES = TransformerSizes(11, 11, 8, 2, 2, 32, 0.0, pre_norm=True, shared=True)


def network(
    conditional: bool = False, temperature: float = 1.0, pretrain: int = 0, sizes: TransformerSizes = SIZES,
    styles: int = 2,
) -> StyleTransformer:  # fmt: skip
    torch.manual_seed(1)
    plan = AdversarialPlan(pretrain, 1, 1, ((temperature, 0.0),))
    return StyleTransformer(sizes, StyleObjective(plan, conditional, longest=6, styles=styles))


def of_the_authors(case: str) -> StyleTransformer:
    """With the weights that the authors' program was given: sines of the square of a number's place, gains near 1."""
    kind, temperature = case.split()
    net = network(kind == "conditional", float(temperature))
    with torch.no_grad():
        for name, parameter in net.named_parameters():
            places = torch.arange(parameter.numel(), dtype=torch.float64)
            gain = "norm" in name and name.endswith("weight")
            made = 0.6 * torch.sin(1.7 * places**2 + len(name)) + gain
            parameter.copy_(made.float().view_as(parameter))
    return net


def gradient(net: StyleTransformer, losses: list[Loss], turn: int) -> float:
    """The length of that of the losses a text."""
    whole = torch.stack([one.weight * one.total for one in losses]).sum() / len(BATCH)
    found = torch.autograd.grad(whole, net.turns()[turn].parameters, allow_unused=True)
    return float(nn.utils.get_total_norm([one for one in found if one is not None]))


@pytest.mark.parametrize("case", CASES)
def test_its_losses_and_gradients_are_those_of_the_authors_program(case: str) -> None:
    net, theirs = of_the_authors(case), CASES[case]
    losses = net.turn_losses("", BATCH)
    assert [one.name for one in losses] == ["loss", "cycle loss", "style loss"]
    for one in losses:
        assert one.weight * float(one.total.detach()) / len(BATCH) == pytest.approx(theirs[one.name], rel=5e-5)
    assert gradient(net, losses, 0) == pytest.approx(theirs["gradient"], rel=5e-5)
    judged = net.train().turn_losses(DISCRIMINATOR, BATCH)
    assert float(judged[0].total.detach()) / len(BATCH) == pytest.approx(theirs["discriminator loss"], rel=5e-5)
    assert gradient(net, judged, 1) == pytest.approx(theirs["discriminator gradient"], rel=5e-5)


@pytest.mark.parametrize("case", CASES)
def test_it_writes_softly_what_the_authors_program_writes(case: str) -> None:
    net = of_the_authors(case)
    written = net.written(BATCH, 1 - STYLES, float(case.split()[1])).argmax(-1)
    assert written.tolist() == CASES[case]["written"]
    assert END in written
    assert not up_to_end(written).all(), "some come to an end, others do not"


@torch.inference_mode()
def test_a_step_of_the_search_is_what_the_whole_says() -> None:
    net = network().eval()
    states, mask = net.read(BATCH.targets, not_padding(BATCH.targets), STYLES)
    whole = torch.log_softmax(net.output(net.decode(shift_right(BATCH.targets), states, mask)), dim=-1)
    (memory, state), last = net.start(BATCH), torch.full((len(BATCH),), BEGIN)
    for place in range(BATCH.targets.shape[1]):
        scores, attention, state = net.step(memory, state, last)
        torch.testing.assert_close(scores, whole[:, place])
        assert attention is not None
        assert attention.shape == BATCH.sources.shape, "on words alone: neither the style nor END"
        torch.testing.assert_close(attention.sum(-1), torch.ones(len(BATCH)))
        assert not attention[BATCH.sources == PAD].any()
        last = BATCH.targets[:, place]


def test_soft_words_that_are_sure_are_read_as_the_words() -> None:
    net = network().eval()
    sure = nn.functional.one_hot(BATCH.targets, SIZES.target_words).float()
    there = not_padding(BATCH.targets)
    soft, hard = (net.read(words, there, STYLES)[0] for words in (sure, BATCH.targets))
    torch.testing.assert_close(soft[:, 1:][there], hard[:, 1:][there])
    judged = [net.discriminator(words, there, STYLES) for words in (sure, BATCH.targets)]
    torch.testing.assert_close(*judged)


def test_written_softly_near_temperature_0_it_is_greedy_search() -> None:
    net = network().eval()
    states, mask = net.read(BATCH.targets, not_padding(BATCH.targets), STYLES)
    written = write_softly(net, states, mask, 6, temperature=1e-4).argmax(-1)
    greedy = beam_search(net, BATCH, BeamSearchOptions(beam=1, longest=6))
    for soft, there, found in zip(written, up_to_end(written), greedy, strict=True):
        assert [one for one in soft[there].tolist() if one != END] == found.ids


@pytest.mark.parametrize("conditional", [False, True])
def test_losses_of_texts_together_are_those_of_each_alone(conditional: bool) -> None:
    net = network(conditional)
    for turn in ("", DISCRIMINATOR):
        alone = [net.turn_losses(turn, of_row(row)) for row in range(len(TEXTS))]
        for place, one in enumerate(net.turn_losses(turn, BATCH)):
            torch.testing.assert_close(one.total, torch.stack([each[place].total for each in alone]).sum())


def of_row(row: int) -> Batch:
    return Batch(*pad(TEXTS[row : row + 1]), *pad(TEXTS[row : row + 1], end=True), styles=STYLES[row : row + 1])


def test_the_style_is_told_and_the_multi_class_discriminator_is_told_none() -> None:
    net, there = network().eval(), not_padding(BATCH.targets)
    own, other = (net.read(BATCH.targets, there, styles)[0] for styles in (STYLES, 1 - STYLES))
    assert not torch.allclose(own, other)
    for conditional in (False, True):
        judge = network(conditional).discriminator
        one, two = (judge(BATCH.targets, there, styles) for styles in (STYLES, 1 - STYLES))
        assert torch.equal(one, two) is not conditional


def test_in_the_pretraining_texts_are_only_given_back_and_either_turn_moves_its_own() -> None:
    net = network(pretrain=3)
    assert [one.name for one in net.turn_losses("", BATCH)] == ["loss"]
    net.updates = 3
    assert len(net.turn_losses("", BATCH)) == 3
    generator, judge = ({id(one) for one in turn.parameters} for turn in net.turns())
    assert not generator & judge
    assert generator | judge == {id(one) for one in net.parameters()}


def test_of_three_styles_each_other_one_is_drawn_and_never_the_own() -> None:
    net, own = network(styles=3), torch.arange(3).repeat(200)
    drawn = net.other_styles(own)
    assert {(one, other) for one, other in zip(own.tolist(), drawn.tolist(), strict=True)} == {
        (one, other) for one in range(3) for other in range(3) if one != other
    }
    assert net.discriminator.output.out_features == 4
    three = replace(BATCH, styles=torch.tensor([0, 1, 2, 0, 1, 2]))
    assert all(torch.isfinite(one.total) for one in net.turn_losses("", three))


def test_texts_longer_than_the_positions_are_read() -> None:
    net, long = network().eval(), [[4, 5, 6, 7] * 30]
    (found,) = beam_search(net, Batch(*pad(long), styles=torch.tensor([0])), BeamSearchOptions(beam=2, longest=40))
    assert len(found.ids) <= 40


def test_words_are_dropped_and_the_others_move_up() -> None:
    torch.manual_seed(1)
    texts = torch.tensor([[4, 5, 6, END, PAD], [7, 8, 9, 10, END]]).repeat(2000, 1)
    assert drop_words(texts, 0.0) is texts
    dropped = drop_words(texts, 0.25)
    kept = (dropped > END).sum() / (texts > END).sum()
    assert float(kept) == pytest.approx(0.75, abs=0.02)
    for before, after in zip(texts[:50], dropped[:50], strict=True):
        words = [one for one in after.tolist() if one != PAD]
        assert after.tolist() == words + [PAD] * (5 - len(words))
        assert words[-1] == END
        left = iter(before.tolist())
        assert all(word in left for word in words), "in their order"


def test_dropout_is_on_the_side_alone_that_moves() -> None:
    net = network(sizes=replace(SIZES, dropout=0.5)).train()

    def twice(turn: str) -> list[Tensor]:
        return [net.train().turn_losses(turn, BATCH)[0].total for _ in range(2)]

    assert not torch.equal(*twice(""))
    assert not net.discriminator.training
    assert not torch.equal(*twice(DISCRIMINATOR))
    assert not net.encoder.training
