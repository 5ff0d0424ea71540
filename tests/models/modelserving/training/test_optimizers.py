"""Optimizers beside PyTorch's own on the same gradients, and AdamW by hand."""

import math
from pathlib import Path

import pytest
import torch
from torch import nn

from foundation.errors import UserError
from modelserving.training.network import Turn
from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import TurnOptimizer


def net() -> nn.Module:
    torch.manual_seed(1)
    return nn.Sequential(nn.Linear(3, 4), nn.LayerNorm(4), nn.Linear(4, 1))


def turned(module: nn.Module, total: int = 10, **given: object) -> TurnOptimizer:
    recipe = TrainingRecipe(clip=0.0, **given)  # type: ignore[arg-type]
    return TurnOptimizer(Turn(list(module.parameters())), recipe, lambda: total)


def gradients(module: nn.Module) -> None:
    for parameter in module.parameters():
        parameter.grad = torch.linspace(-1, 2, parameter.numel()).view_as(parameter)


def test_adamw_takes_from_matrices_and_leaves_biases_and_norms() -> None:
    """By hand: the first step of Adam is the rate in the gradient's direction; before it a matrix is shortened."""
    module, plain = net(), net()
    gradients(module)
    turned(module, optimizer="adamw", rate=0.1, decay=0.5).step(0)
    for now, before in zip(module.parameters(), plain.parameters(), strict=True):
        assert now.grad is not None
        kept = before * (1 - 0.1 * 0.5) if before.ndim > 1 else before
        direction = now.grad / (now.grad.abs() + 1e-8)
        torch.testing.assert_close(now.detach(), (kept - 0.1 * direction).detach(), rtol=1e-5, atol=1e-6)


def test_the_steps_before_an_update_are_counted_by_the_turns_own_pattern() -> None:
    parameters = list(net().parameters())
    among = Turn(parameters, "two_of_five", when=lambda update: update % 5 > 2)
    third = Turn(parameters, "third", every=3)
    for turn, taken in ((among, [3, 4, 8, 9, 13]), (third, [0, 3, 6, 9, 12]), (Turn(parameters), list(range(14)))):
        assert [update for update in range(14) if turn.taken(update)] == taken
        one = TurnOptimizer(turn, TrainingRecipe(schedule="linear"), lambda: 14)
        assert [one.steps_before(update) for update in taken] == list(range(len(taken)))
        resumed = TurnOptimizer(turn, TrainingRecipe(), lambda: 14)
        assert resumed.steps_before(taken[3]) == 3


def test_a_rate_falls_in_a_line_over_the_updates_that_have_the_turn() -> None:
    module = net()
    among = Turn(list(module.parameters()), when=lambda update: update % 5 > 2)
    optimizer, rates = TurnOptimizer(among, TrainingRecipe(rate=1.0, schedule="linear", clip=0.0), lambda: 10), []
    for update in filter(among.taken, range(10)):
        gradients(module)
        optimizer.step(optimizer.steps_before(update))
        rates.append(optimizer.optimizer.param_groups[0]["lr"])
    assert rates == [1.0, 0.75, 0.5, 0.25]


def test_without_decay_adamw_is_adam_to_the_bit() -> None:
    one, two = net(), net()
    for module, name in ((one, "adam"), (two, "adamw")):
        optimizer = turned(module, optimizer=name)
        for done in range(5):
            gradients(module)
            optimizer.step(done)
    assert all(torch.equal(a, b) for a, b in zip(one.parameters(), two.parameters(), strict=True))


def test_betas_and_epsilon_are_adams() -> None:
    one, two = net(), net()
    optimizer = turned(one, rate=0.02, adam_beta2=0.98, adam_epsilon=1e-9)
    torchs = torch.optim.Adam(two.parameters(), lr=0.02, betas=(0.9, 0.98), eps=1e-9)
    for done in range(5):
        gradients(one)
        gradients(two)
        optimizer.step(done)
        torchs.step()
    for a, b in zip(one.parameters(), two.parameters(), strict=True):
        torch.testing.assert_close(a, b)


def test_a_schedule_changes_the_rate_of_each_update() -> None:
    module = net()
    optimizer = turned(module, total=4, optimizer="sgd", rate=0.5, schedule="linear")
    moved = []
    for done in range(4):
        before = module[2].bias.detach().clone()  # type: ignore[index]
        gradients(module)
        optimizer.step(done)
        moved.append(float((before - module[2].bias).detach()))  # type: ignore[index]
    assert moved == pytest.approx([-0.5, -0.375, -0.25, -0.125])  # its gradient is -1


@pytest.mark.parametrize("name", ["adam", "adamw", "adadelta", "sgd"])
@pytest.mark.parametrize("clip", [0.0, 5.0])
@pytest.mark.parametrize("bad", [math.nan, math.inf])
def test_a_gradient_that_is_not_finite_moves_nothing(clip: float, bad: float, name: str) -> None:
    module, before = net(), net()
    recipe = TrainingRecipe(clip=clip, optimizer=name)
    optimizer = TurnOptimizer(Turn(list(module.parameters())), recipe, lambda: 1)
    gradients(module)
    first = next(module.parameters())
    assert first.grad is not None
    first.grad[0, 0] = bad
    found = torch.zeros(())
    optimizer.step(0, bad=found)
    assert found == 1
    gradients(module)
    optimizer.step(0, bad=found)  # nor does a later one that is finite
    assert all(torch.equal(a, b) for a, b in zip(module.parameters(), before.parameters(), strict=True))
    assert all(not number.any() for state in optimizer.optimizer.state.values() for number in state.values())


def test_each_turn_keeps_its_state_in_a_file_of_its_own(tmp_path: Path) -> None:
    module = net()
    recipe = TrainingRecipe()
    both = [TurnOptimizer(Turn(list(module.parameters()), name), recipe, lambda: 1) for name in ("", "critic")]
    for number, optimizer in enumerate(both):
        for done in range(number + 1):
            gradients(module)
            optimizer.step(done)
        optimizer.write(tmp_path, module)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["optimizer-critic.safetensors", "optimizer.safetensors"]
    again = TurnOptimizer(Turn(list(module.parameters()), "critic"), recipe, lambda: 1)
    again.read(tmp_path, module)
    for parameter in module.parameters():
        kept, read = both[1].optimizer.state[parameter], again.optimizer.state[parameter]
        assert float(read["step"]) == 2
        assert all(torch.equal(kept[key], read[key]) for key in kept)


@pytest.mark.parametrize("name", ["adam", "adamw", "adadelta", "sgd"])
def test_a_state_is_read_to_where_the_optimizers_kernels_want_it(name: str, tmp_path: Path) -> None:
    """Parameters of the device `meta` stand in for a GPU's; a step there meets the states where a first one makes them.

    CUDA's fused kernel refuses a count of steps that is on the CPU, and the others read theirs there.
    """
    here, there = net(), net().to("meta")
    written, read, fresh = turned(here, optimizer=name), turned(there, optimizer=name), turned(there, optimizer=name)
    gradients(here)
    written.step(0)
    written.write(tmp_path, here)
    read.read(tmp_path, there)
    _refusing(read.optimizer)
    read.optimizer.step()
    fused = fresh.optimizer.defaults.get("fused")
    for parameter in there.parameters():
        for key, value in read.optimizer.state[parameter].items():
            assert value.device.type == ("cpu" if key == "step" and not fused else "meta"), key


def _refusing(optimizer: torch.optim.Optimizer) -> None:
    """Have it take no step over states that CUDA's kernels refuse, and no other step either: `meta` has no kernels."""

    def step() -> None:
        for group in optimizer.param_groups:
            for parameter in group["params"] if group.get("fused") else ():
                if (at := optimizer.state[parameter]["step"].device) != parameter.device:
                    raise RuntimeError(f"Expected all tensors to be on the same device, but found {at}.")

    optimizer.step = step  # type: ignore[assignment, method-assign]


def test_weight_decay_is_refused_of_other_optimizers() -> None:
    with pytest.raises(UserError, match="adamw's") as refused:
        TrainingRecipe(decay=0.1)
    assert refused.value.where == "decay"
