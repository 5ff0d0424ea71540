"""Whose turn it is, worked by hand; and schedules of points, as the authors' program of Dai et al. (2019) has them."""

import pytest

from foundation.errors import UserError
from modelserving.training.adversarial_plan import AdversarialPlan, read_points, value_at


def test_after_the_pretraining_the_sides_take_turns() -> None:
    plan = AdversarialPlan(pretrain=2, discriminator_updates=3, generator_updates=2)
    assert "".join("D" if plan.discriminator(update) else "G" for update in range(14)) == "GGDDDGGDDDGGDD"
    assert all(plan.generator(update) is not plan.discriminator(update) for update in range(14))
    assert [plan.pretrains(update) for update in range(4)] == [True, True, False, False]


def test_values_go_in_lines_between_their_points() -> None:
    points = read_points("1@0 0.5@10 0.1@12", "temperature", 0.01, 10)
    values = {0: 1.0, 1: 0.95, 5: 0.75, 10: 0.5, 11: 0.3, 12: 0.1, 1000: 0.1}
    assert {cycle: round(value_at(points, cycle), 9) for cycle in values} == values
    assert value_at(read_points("0.9@4 0.1@5", "temperature", 0, 1), 2) == 0.9


def test_the_temperature_is_1_in_the_pretraining_and_goes_by_cycles_then() -> None:
    plan = AdversarialPlan(4, 2, 2, temperature=((0.8, 0.0), (0.4, 2.0)), dropped=((0.3, 0.0), (0.1, 2.0)))
    assert [round(plan.temperature_at(update), 9) for update in (0, 3, 4, 7, 8, 11, 12, 90)] == [
        1.0, 1.0, 0.8, 0.8, 0.6, 0.6, 0.4, 0.4,
    ]  # fmt: skip
    assert [round(plan.dropped_at(update), 9) for update in (0, 4, 8, 12)] == [0.3, 0.3, 0.2, 0.1]


@pytest.mark.parametrize("text", ["", "a", "1@b", "1@0 2", "2@0 1@3", "1@3 0.5@3", "0@0", "nan", "1@nan", "1@-1"])
def test_points_that_cannot_be_read_are_one_sentence(text: str) -> None:
    with pytest.raises(UserError) as refused:
        read_points(text, "temperature", 0.1, 1.5)
    assert refused.value.where == "temperature"
