"""Learning rates beside PyTorch's own schedulers, and the formula of Vaswani et al. (2017)."""

from collections.abc import Callable

import pytest
import torch
from torch.optim import SGD, Optimizer, lr_scheduler

from modelserving.training.recipe import TrainingRecipe
from modelserving.training.trainer import factor

RATE, TOTAL = 0.3, 40


def rates_of_torch(build: Callable[[Optimizer], lr_scheduler.LRScheduler]) -> list[float]:
    optimizer = SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE)
    schedule = build(optimizer)
    found = []
    for _ in range(TOTAL):
        found.append(optimizer.param_groups[0]["lr"])
        optimizer.step()
        schedule.step()
    return found


def own(**given: object) -> list[float]:
    recipe = TrainingRecipe(rate=RATE, **given)  # type: ignore[arg-type]
    return [recipe.rate * factor(recipe, done, TOTAL) for done in range(TOTAL)]


def warmed(after: Callable[[Optimizer], lr_scheduler.LRScheduler], warmup: int) -> list[float]:
    """A rise from rate / warmup to the rate, then the schedule."""
    return rates_of_torch(
        lambda optimizer: lr_scheduler.SequentialLR(
            optimizer,
            [lr_scheduler.LinearLR(optimizer, 1 / warmup, 1.0, warmup - 1), after(optimizer)],
            milestones=[warmup],
        )
    )


def test_without_a_schedule_the_rate_stays() -> None:
    assert own() == [RATE] * TOTAL


def test_a_warmup_rises_in_a_line() -> None:
    expected = rates_of_torch(lambda optimizer: lr_scheduler.LinearLR(optimizer, 1 / 8, 1.0, 7))
    assert own(warmup=8) == pytest.approx(expected)


@pytest.mark.parametrize("schedule", ["linear", "cosine"])
def test_linear_and_cosine_fall_to_nought_at_the_end(schedule: str) -> None:
    if schedule == "linear":
        plain = rates_of_torch(lambda optimizer: lr_scheduler.LinearLR(optimizer, 1.0, 0.0, TOTAL))
        after_warmup = warmed(lambda optimizer: lr_scheduler.LinearLR(optimizer, 1.0, 0.0, TOTAL - 8), 8)
    else:
        plain = rates_of_torch(lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, TOTAL))
        after_warmup = warmed(lambda optimizer: lr_scheduler.CosineAnnealingLR(optimizer, TOTAL - 8), 8)
    assert own(schedule=schedule) == pytest.approx(plain)
    assert own(schedule=schedule, warmup=8) == pytest.approx(after_warmup)
    assert 0 < own(schedule=schedule)[-1] < RATE / 20


def test_the_inverse_square_root_is_that_of_vaswani_et_al() -> None:
    width, warmup = 512, 10
    paper = [width**-0.5 * min(step**-0.5, step * warmup**-1.5) for step in range(1, TOTAL + 1)]
    recipe = TrainingRecipe(rate=(width * warmup) ** -0.5, schedule="inverse_sqrt", warmup=warmup)
    assert [recipe.rate * factor(recipe, done, 0) for done in range(TOTAL)] == pytest.approx(paper)


def test_without_a_warmup_the_inverse_square_root_begins_at_the_rate() -> None:
    assert own(schedule="inverse_sqrt")[:4] == pytest.approx([RATE, RATE / 2**0.5, RATE / 3**0.5, RATE / 2])


def test_behind_the_last_expected_update_the_rate_stays_at_nought() -> None:
    recipe = TrainingRecipe(schedule="linear")
    assert factor(recipe, TOTAL + 3, TOTAL) == 0.0


def test_a_step_decays_after_each_epoch_from_one_on_as_opennmts_start_decay_at() -> None:
    """OpenNMT's learning_rate_decay 0.7 and start_decay_at 7 beside PyTorch's MultiStepLR, an epoch a step."""
    optimizer = SGD([torch.nn.Parameter(torch.zeros(1))], lr=RATE)
    torchs = lr_scheduler.MultiStepLR(optimizer, range(7, 20), gamma=0.7)
    recipe = TrainingRecipe(rate=RATE, schedule="step", rate_decay=0.7, decay_from=7)
    for epochs in range(14):
        assert RATE * factor(recipe, 100 * epochs, 0, epochs) == pytest.approx(optimizer.param_groups[0]["lr"])
        optimizer.step()
        torchs.step()
    assert factor(recipe, 0, 0, 6) == 1.0
    assert factor(recipe, 0, 0, 7) == pytest.approx(0.7)


def test_a_plateau_decays_once_for_each_of_its_decays() -> None:
    recipe = TrainingRecipe(schedule="plateau", rate_decay=0.5, warmup=4)
    assert factor(recipe, 1, 0, 0, 3) == 0.5  # of the warmup
    assert [factor(recipe, 9, 0, 0, decays) for decays in range(4)] == [1.0, 0.5, 0.25, 0.125]
