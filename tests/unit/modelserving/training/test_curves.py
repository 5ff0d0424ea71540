"""Curves that are drawn live: few points, however many are measured, and none twice after a resume."""

from modelserving.training_runs.run_callbacks import MOST, Curve


def test_few_points_stay_as_they_are() -> None:
    curve = Curve()
    for step in range(1, MOST + 1):
        curve.add(step, step)
    assert curve.steps == curve.values == list(range(1, MOST + 1))


def test_many_points_become_means_of_neighbours() -> None:
    curve = Curve()
    for step in range(1, 100_001):
        curve.add(step, float(step))
    assert MOST / 2 <= len(curve.steps) <= MOST
    assert curve.stride == 64
    assert curve.steps[:2] == [64, 128]
    assert curve.values[:2] == [32.5, 96.5]  # the means of 1 to 64, and of 65 to 128


def test_scores_are_never_thinned() -> None:
    curve = Curve(thinned=False)
    for step in range(MOST + 10):
        curve.add(step, 0.5)
    assert len(curve.steps) == MOST + 10


def test_what_is_said_again_takes_the_place_of_what_was_said() -> None:
    curve = Curve([10, 20, 30], [3.0, 2.0, 1.0])
    curve.add(20, 2.5)
    curve.add(30, 1.5)
    assert (curve.steps, curve.values) == ([10, 20, 30], [3.0, 2.5, 1.5])
