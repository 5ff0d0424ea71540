"""Judgements in long form, as every coefficient of agreement takes them, and why they may be unusable."""

from dataclasses import dataclass
from typing import Self, get_args

import numpy as np
from numpy.typing import ArrayLike, NDArray

from evaluation.numerics import Codes, Floats, Labels, Level, count_distinct, label_codes

SAME_VALUE = "All judgements have the same value, so there is nothing to agree on."
NO_TWO = "No item was judged by two raters."


@dataclass(frozen=True)
class Judgements:
    """`who` judged, `what` item, and the value (`scores`), (n_judgements,) each; raters and items as numbers from 0."""

    who: Codes
    what: Codes
    scores: Floats

    @classmethod
    def read(cls, raters: Labels, items: Labels, values: ArrayLike, level: Level) -> Self:
        """ValueError: lengths differ, or the level is unknown."""
        if level not in get_args(Level):
            raise ValueError(f"There is no level of measurement '{level}'.")
        scores = np.asarray(values, dtype=np.float64)
        if scores.ndim != 1 or not len(raters) == len(items) == len(scores):
            raise ValueError("raters, items and values are one-dimensional and of equal length.")
        return cls(label_codes(raters), label_codes(items), scores)

    def unusable(self, name: str) -> str:
        """Why the statistic `name` cannot be had of these; empty where it can."""
        if lacking := int(np.sum(~np.isfinite(self.scores))):
            n = len(self.scores)
            return f"{lacking} of the {n} judgements lack{'s' if lacking == 1 else ''} a number."
        if count_distinct(self.who * self.items + self.what) < len(self.who):
            return f"A rater judged one item twice; {name} takes one judgement of a rater and item."
        return ""

    def only(self, chosen: NDArray[np.bool_]) -> Self:
        """Those judgements, their raters and items numbered anew."""
        return type(self)(label_codes(self.who[chosen]), label_codes(self.what[chosen]), self.scores[chosen])

    @property
    def judged(self) -> Codes:
        """How often each item was judged, (n_items,)."""
        return np.bincount(self.what)

    @property
    def raters(self) -> int:
        return int(self.who.max()) + 1 if len(self.who) else 0

    @property
    def items(self) -> int:
        return int(self.what.max()) + 1 if len(self.what) else 0

    def paired(self) -> Self:
        """Without the items that have one judgement."""
        return self.only(self.judged[self.what] > 1) if len(self.what) else self

    def evenly(self) -> tuple[Self, str]:
        """The items that have the most usual number of judgements, of two or more, and what that leaves out.

        Of numbers that are equally usual the largest. There may be no such items.
        """
        times = np.bincount(self.judged, minlength=3)
        usual = len(times) - 1 - int(np.argmax(times[:1:-1]))
        chosen = self.judged == usual
        out = self.items - int(chosen.sum())
        return self.only(chosen[self.what]), self._left_out(out, f"without {usual} judgements")

    def crossed(self) -> tuple[Self, str]:
        """The items that every rater judged, and what that leaves out."""
        chosen = self.judged == self.raters
        out = self.items - int(chosen.sum())
        return self.only(chosen[self.what]), self._left_out(out, f"not judged by all {self.raters} raters")

    def _left_out(self, out: int, why: str) -> str:
        return f"{out} of the {self.items} items {'is' if out == 1 else 'are'} left out: {why}." if out else ""
