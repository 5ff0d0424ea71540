"""Parallel coordinates: where the values of a training stand on the axes of the options and of the score."""

import pytest

from modelserving.models import TrainingRun
from modelserving.presenters.parallel_coordinates import parallel_coordinates
from modelserving.training_runs.sweeps import ranked

VARY = {"rate": {"low": 1e-4, "high": 1e-2, "scale": "log"}, "hidden": [256, 64, 128], "rules": [True, False]}


def run(name, score, better="higher", **options):
    best = {"curve": "bleu", "step": 1, "value": score, "better": better} if score is not None else None
    return TrainingRun(name=name, options=options, best=best)


def three(better="higher"):
    return ranked([
        run("low", 10.0, better, rate=1e-4, hidden=64, rules=False),
        run("none", None, better, rate=1e-3, hidden=64, rules=False),
        run("high", 30.0, better, rate=1e-2, hidden=256, rules=True),
        run("middle", 20.0, better, rate=1e-3, hidden=128, rules=True),
    ])  # fmt: skip


@pytest.mark.parametrize(("better", "best"), [("higher", "high"), ("lower", "low")])
def test_the_best_is_drawn_last_and_its_score_stands_at_the_top(better, best):
    chart = parallel_coordinates(VARY, three(better))
    assert [line.is_best for line in chart.lines] == [False, False, True]
    assert chart.lines[-1].tip.startswith(f"\t{best}\nScore\tBLEU ")
    assert [line.y for line in chart.lines] == [chart.bottom, (chart.top + chart.bottom) / 2, chart.top]


def test_a_value_stands_on_the_scale_of_its_option():
    chart = parallel_coordinates(VARY, three())
    middle = (chart.top + chart.bottom) / 2
    assert [axis.name for axis in chart.axes] == ["rate", "hidden", "rules", "BLEU"]
    assert chart.axes[0].ticks == [(chart.bottom, "0.0001"), (middle, "0.001"), (chart.top, "0.01")]
    assert chart.axes[1].ticks == [(chart.bottom, "64"), (middle, "128"), (chart.top, "256")], "equal distances, sorted"
    points = {line.tip.split("\n")[0].strip(): line.points.split() for line in chart.lines}
    assert [point.split(",")[1] for point in points["middle"][:2]] == [f"{middle:.1f}", f"{middle:.1f}"]


def test_whole_numbers_have_whole_ticks_and_one_score_stands_in_the_middle():
    only = run("only", 5.0, hidden=17)
    chart = parallel_coordinates({"hidden": {"low": 16, "high": 19, "scale": "linear"}}, [only])
    assert [text for _y, text in chart.axes[0].ticks] == ["16", "18", "19"]
    assert [text for _y, text in chart.axes[1].ticks] == ["5"]
    assert chart.lines[0].y == (chart.top + chart.bottom) / 2


def test_without_a_score_there_is_no_chart():
    assert parallel_coordinates(VARY, [run("none", None, rate=1e-3)]) is None


def test_a_training_without_one_of_the_options_has_no_line():
    chart = parallel_coordinates(VARY, [run("other", 40.0), *three()])
    assert [line.tip.split("\n")[0].strip() for line in chart.lines] == ["low", "middle", "high"]
