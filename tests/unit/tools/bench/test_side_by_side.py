"""Two commits beside each other: the turns, the ratios and what counts as worse, on figures without a clock."""

import json
import sys
from pathlib import Path

import pytest

from foundation.errors import UserError
from tools.bench.clock import Took
from tools.bench.figures import Figures, figures_of
from tools.bench.kept_results import Pair, number, row, spread
from tools.bench.side_by_side import Side, alternated, measured

OLD, NEW = Side(Path("old"), Path("python"), older=True), Side(Path("new"), Path("python"))


def told(**values):
    return [{"name": name, "value": value, "unit": "/s" if name == "rate" else "s"} for name, value in values.items()]


def test_sides_take_turns_and_who_begins_changes():
    turns = []

    def run(side, part):
        turns.append((part, side.older))
        return told(**{part: 1.0})

    found = list(alternated(OLD, NEW, ["export", "memory"], 2, run, lambda line: None))
    assert [[pair.name for pair in pairs] for pairs in found] == [["export"], ["memory"]]
    assert turns == [
        *(("export", older) for older in (True, False, False, True)),
        *(("memory", older) for older in (True, False, False, True)),
    ]


def test_ratios_are_of_the_same_round_and_over_one_is_worse_in_every_unit():
    numbers = {True: [(2.0, 300.0), (4.0, 200.0)], False: [(3.0, 150.0), (6.0, 100.0)]}

    def run(side, part):
        time, rate = numbers[side.older].pop(0)
        return told(time=time, rate=rate)

    (found,) = alternated(OLD, NEW, ["export"], 2, run, lambda line: None)
    pairs = {pair.name: pair for pair in found}
    assert pairs["time"].ratios == [1.5, 1.5]
    assert pairs["rate"].ratios == [2.0, 2.0]
    assert pairs["time"].worse
    assert pairs["rate"].worse


@pytest.mark.parametrize(
    ("new", "worse"), [([10.6, 10.7], True), ([10.4, 13.0], False), ([10.5, 10.6], False), ([9.0, 8.0], False)]
)
def test_worse_is_what_every_round_says(new, worse):
    assert Pair("a", "s", [10.0, 10.0], new).worse is worse


def test_what_an_older_commit_lacks_stands_in_the_table_with_the_reason():
    lines = {True: [{"name": "export", "missing": "ImportError: none"}], False: told(export=1.0)}
    ((pair,),) = alternated(OLD, NEW, ["export"], 1, lambda side, part: lines[side.older], lambda line: None)
    assert row(pair)[-1] == "not comparable: ImportError: none"
    assert not pair.worse


def test_a_figure_that_one_side_alone_has_is_said_to_be_one():
    assert row(Pair("a", "s", [], [1.0])) == ["a", "s", "-", "1", "one side only"]
    assert row(Pair("a", "s", [2.0, 1.0, 3.0], [1.0, 1.0, 1.0])) == ["a", "s", "2 (1..3)", "1", "0.5 (0.333..1)"]


def test_numbers_have_three_digits_that_say_something():
    assert [number(value) for value in (0.012345, 1.5, 123.456, 12_345.0)] == ["0.0123", "1.5", "123", "12,345"]
    assert spread([]) == "-"


def test_as_json_figures_are_told_and_tables_are_not(capsys):
    figures = Figures(as_json=True, lenient=True)
    figures.show("a table")
    figures.took({"work": Took(2.0, 1.0, peak=7.0), "absent": None})
    with figures.perhaps("release"):
        raise ImportError("no such thing\nat all")
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines[:3] == [figure._asdict() for figure in figures_of("work", Took(2.0, 1.0, peak=7.0))]
    assert lines[3:] == [{"name": "release", "missing": "ImportError: no such thing"}]


@pytest.mark.parametrize(("error", "told"), [(ImportError("m"), "it exports none"), (KeyError("m"), "KeyError: 'm'")])
def test_a_lack_is_told_as_one_where_a_module_is_missing_and_nowhere_else(error, told, capsys):
    with Figures(as_json=True, lenient=True).perhaps("export", "it exports none"):
        raise error
    assert json.loads(capsys.readouterr().out) == {"name": "export", "missing": told}


def test_this_commit_may_lack_nothing():
    with pytest.raises(ImportError), Figures(as_json=True).perhaps("release"):
        raise ImportError


class Scripted(Side):
    """A side whose bench is a line of Python."""

    def command(self, options):
        return [sys.executable, "-c", self.root.joinpath("bench.py").read_text(), *options]


@pytest.mark.parametrize("older", [True, False])
def test_a_bench_that_fails_is_told_of_the_older_side_and_an_error_of_this(older, tmp_path):
    (tmp_path / "bench.py").write_text('print(\'{"name": "a", "value": 1.0, "unit": "s"}\'); raise SystemExit("why")')
    side = Scripted(tmp_path, Path(sys.executable), older=older)
    if older:
        told = measured(side, ["--only", "export"])
        assert told == [{"name": "a", "value": 1.0, "unit": "s"}, {"name": "export", "missing": "why"}]
    else:
        with pytest.raises(UserError, match="why"):
            measured(side, ["--only", "export"])
