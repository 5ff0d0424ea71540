"""Grid search and random search over the options of a model.

A search varies some options: each has a list of values, or a range of numbers on a linear or a logarithmic scale. A
grid has each combination of the lists once. A random search draws each option by itself (Bergstra and Bengio 2012),
from a generator of its own, so that a further option, or more draws, leave those that there were as they are.
"""

import dataclasses
import itertools
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from evaluation.metrics import METRICS
from foundation.errors import UserError
from foundation.options import Option, Value, check_given, list_options, number_in_words, option, options_as_stored
from foundation.seeds import generator
from modelserving.interface import Transfer
from modelserving.training.recipe import LOSSES, PRETRAINED, TEXTS

GRID, RANDOM = "grid", "random"
LINEAR, LOG = "linear", "log"
AT_MOST, MOST = 20, 100  # trainings of one sweep, if nobody says, and of any
MOST_VALUES = 50  # of an option
DIGITS = 4  # of a drawn number
TRIES = 100  # draws for each training that is wanted: equal ones are drawn again
SCORES = ("tune_by", "tune_metric")
"""The options that name a model's tune score; a model has at most one of them."""
OF_THE_SCORE = frozenset({TEXTS, LOSSES, PRETRAINED})
"""Groups of options that a model's own loss depends on, beside what the model has learnt: its words, its weights."""


@dataclass(frozen=True)
class RangeFields:
    """The range of an option."""

    low: float = option(0.0, "The least value", required=True)
    high: float = option(0.0, "The greatest value", required=True)
    scale: str = option(LINEAR, "The scale on which all values are equally likely", choices=(LINEAR, LOG))


@dataclass(frozen=True)
class Range:
    """The numbers from `low` to `high`, both among them; equally likely on the scale. Whole ones, if it is `whole`."""

    low: float
    high: float
    scale: str = LINEAR
    whole: bool = False

    def draw(self, chance: np.random.Generator) -> float | int:
        """A number of the range, with four digits or as a whole one."""
        # Each whole number stands for the interval of half a step about it.
        low, high = (self.low - 0.5, self.high + 0.5) if self.whole else (self.low, self.high)
        drawn = chance.uniform(*(map(math.log, (low, high)) if self.scale == LOG else (low, high)))
        value = math.exp(drawn) if self.scale == LOG else drawn
        rounded = round(value) if self.whole else float(f"{value:.{DIGITS}g}")
        return type(rounded)(min(max(rounded, self.low), self.high))


Values = list[Value]
Space = Mapping[str, Values | Range]
"""The values or the range of each option that varies."""


def read_space(kind: type, vary: Mapping[str, object], fixed: Mapping[str, object]) -> Space:
    """The options of the dataclass `kind` that vary, held to their declarations.

    A value of `vary` is a list of values, or a table of `RangeFields`. A UserError names the option, behind "vary.":
    one that does not exist, is among the `fixed` ones too, or has a value that it does not take.
    """
    if not vary:
        raise UserError("Vary at least one option: give it several values, or a range.", where="vary")
    known = {one.name: one for one in list_options(kind)}
    space = {}
    for name, given in vary.items():
        if name not in known:
            check_given(kind, {name: None}, "vary.")  # refuses it, with the nearest names
        if name in fixed:
            raise UserError("This option is fixed and varied; leave one of them out.", where=f"vary.{name}")
        space[name] = _read(known[name], given)
    return space


def _read(one: Option, given: object) -> Values | Range:
    place = f"vary.{one.name}"
    if isinstance(given, Mapping):
        return _range(one, check_given(RangeFields, given, f"{place}."), place)
    if not isinstance(given, list | tuple):
        raise UserError("Expected a list of values, or a range with low and high.", where=place)
    if not 2 <= len(given) <= MOST_VALUES:
        raise UserError("Expected from 2 to {most} values; one alone is a fixed option.", most=MOST_VALUES, where=place)
    values = [dataclasses.replace(one, name=f"{one.name}.{n}").check(value, "vary.") for n, value in enumerate(given)]
    for n, value in enumerate(values):
        if value in values[:n]:
            raise UserError("'{value}' occurs twice.", value=value, where=place)
    return values


def _range(one: Option, given: Mapping[str, Any], place: str) -> Range:
    if isinstance(one.default, bool) or not (one.whole or isinstance(one.default, float)):
        raise UserError("It has no range, for its values are no numbers; give a list of values.", where=place)
    whole = one.whole
    ends = [int(end) if whole and end == int(end) else end for end in (given["low"], given["high"])]
    for name, end in zip(("low", "high"), ends, strict=True):
        dataclasses.replace(one, name=f"{one.name}.{name}").check(end, "vary.")
    if ends[0] >= ends[1]:
        raise UserError("The least value must be below the greatest.", where=place)
    scale = given.get("scale", LINEAR)
    if scale == LOG and ends[0] <= 0:
        raise UserError("A logarithmic scale begins above 0.", where=f"{place}.low")
    return Range(ends[0], ends[1], scale, whole)


def with_score(kind: type, fixed: Mapping[str, Value], score: str) -> dict[str, Value]:
    """The fixed options with `score` as that of the tune set; "" leaves the model's own.

    A UserError where the model has no choice, or another is fixed already.
    """
    if not score:
        return dict(fixed)
    name = score_option(kind)
    if name is None:
        raise UserError("The model has one tune score; leave this empty.", where="score")
    dataclasses.replace(name, name="score").check(score)
    if fixed.get(name.name, score) != score:
        raise UserError("Another score is among the options, as {name}.", name=name.name, where="score")
    return {**fixed, name.name: score}


def score_option(kind: type) -> Option | None:
    """The option that names the tune score."""
    return next((one for one in list_options(kind) if one.name in SCORES), None)


def check_comparable(kind: type, space: Space, options: Mapping[str, Value]) -> None:
    """Raise a UserError where the tune scores of the trainings could not be compared.

    The score itself must not vary. A loss or perplexity counts the model's own words, so it says nothing where these
    differ; a metric of outputs compares them all to the same references.
    """
    if name := next((name for name in SCORES if name in space), ""):
        raise UserError("Trainings are compared by one score: it cannot vary.", where=f"vary.{name}")
    score = next((str(options[name]) for name in SCORES if name in options), "")
    if not score or score in METRICS:
        return
    for one in list_options(kind):
        if one.name in space and one.group in OF_THE_SCORE:
            raise UserError(
                "By {score}, trainings that differ in this option cannot be compared: it changes what {score} counts. "
                "Compare by a metric of outputs, such as bleu, or leave the option fixed.",
                score=score, where=f"vary.{one.name}",
            )  # fmt: skip


def plan_sweep(
    kind: Transfer, vary: Mapping[str, object], fixed: Mapping[str, Value], *, preset: str, search: str, at_most: int,
    seed: int, score: str,
) -> tuple[dict[str, Value], list[dict[str, Value]]]:  # fmt: skip
    """The fixed options, the score among them, and those of each training that vary; all held to their declarations.

    A UserError names the option that the model does not take, or the combination.
    """
    given = with_score(kind.Options, check_given(kind.Options, fixed, partial=True), score)
    space = read_space(kind.Options, vary, given)
    each = combinations(space, search, at_most, seed)
    chosen = [_chosen(kind, given, values, preset) for values in each]
    check_comparable(kind.Options, space, options_as_stored(chosen[0]))
    return given, each


def _chosen(kind: Transfer, fixed: Mapping[str, Value], values: Mapping[str, Value], preset: str) -> Any:
    try:
        return kind.choose_options({**fixed, **values}, preset)
    except UserError as error:
        if error.where not in values:
            raise
        raise UserError(
            "With {values}: {said}", values=values_in_words(values), said=error.sentence,
            where=f"vary.{error.where}",
        ) from error  # fmt: skip


def combinations(space: Space, search: str, at_most: int, seed: int) -> list[dict[str, Value]]:
    """The options of each training, `at_most` so many and no two alike; equal arguments give equal ones.

    A UserError where a grid has a range, or more combinations than that.
    """
    return _grid(space, at_most) if search == GRID else _draws(space, at_most, seed)


def _grid(space: Space, at_most: int) -> list[dict[str, Value]]:
    for name, values in space.items():
        if isinstance(values, Range):
            raise UserError("A grid takes lists of values; ranges are for random search.", where=f"vary.{name}")
    many = math.prod(map(len, _lists(space)))
    if many > at_most:
        raise UserError(
            "The grid has {many:,} combinations, more than {most:,} trainings; vary less, or search at random.",
            many=many, most=at_most, where="at_most",
        )  # fmt: skip
    return [dict(zip(space, values, strict=True)) for values in itertools.product(*_lists(space))]


def _lists(space: Space) -> list[Values]:
    return [values for values in space.values() if not isinstance(values, Range)]


def _draws(space: Space, at_most: int, seed: int) -> list[dict[str, Value]]:
    if len(_lists(space)) == len(space) and math.prod(map(len, _lists(space))) <= at_most:
        return _grid(space, at_most)  # there are no others
    found: list[dict[str, Value]] = []
    for number in range(at_most * TRIES):
        drawn = {name: _draw(values, generator(seed, "sweep", name, number)) for name, values in space.items()}
        if drawn not in found:
            found.append(drawn)
        if len(found) == at_most:
            break
    return found


def _draw(values: Values | Range, chance: np.random.Generator) -> Value:
    return values.draw(chance) if isinstance(values, Range) else values[int(chance.integers(len(values)))]


def values_in_words(values: Mapping[str, Value]) -> str:
    """'hidden 256, rate 0.001'."""
    return ", ".join(
        f"{name} {number_in_words(value) if type(value) in (int, float) else value}" for name, value in values.items()
    )


def best_first(scores: Sequence[float | None], *, higher_is_better: bool) -> list[int]:
    """The places of the scores from the best to the worst; equal ones in their order, those without a score last."""
    sign = -1 if higher_is_better else 1
    return sorted(range(len(scores)), key=lambda n: (scores[n] is None, sign * (scores[n] or 0.0), n))
