"""Figures: measured values, as a table for a person and as lines of JSON for a comparison.

A comparison runs this bench on an older commit too (`side_by_side.py`), which may lack the thing measured. There
(`lenient`) the lack is told in place of the figure; here it is an error.
"""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import NamedTuple

from tools.bench.clock import Took

FASTER = "/s"  # of units in which more is better


class Figure(NamedTuple):
    """`name` is the same for every commit, whatever was measured."""

    name: str
    value: float
    unit: str


class Figures:
    """The output of the bench: as JSON, a line a figure and nothing else, or as tables."""

    def __init__(self, *, as_json: bool = False, lenient: bool = False) -> None:
        self._json, self._lenient = as_json, lenient

    def show(self, *lines: str) -> None:
        """Lines for a person."""
        if not self._json:
            self._write(*lines)

    def tell(self, figures: Sequence[Figure]) -> None:
        """Figures for a comparison."""
        if self._json:
            self._write(*(json.dumps(figure._asdict()) for figure in figures))

    def took(self, rows: dict[str, Took | None]) -> None:
        """Tell the time that each work took, by its words."""
        self.tell([figure for words, took in rows.items() if took for figure in figures_of(words, took)])

    @contextmanager
    def perhaps(self, name: str, lacking: str = "") -> Iterator[None]:
        """Measure a figure that may be impossible at an older commit; `lacking`: what one without the modules lacks."""
        try:
            yield
        except Exception as error:
            if not self._lenient:
                raise
            reason = lacking if lacking and isinstance(error, ImportError) else f"{type(error).__name__}: {error}"
            self._write(json.dumps({"name": name, "missing": reason.splitlines()[0]}))

    def _write(self, *lines: str) -> None:
        sys.stdout.write("".join(f"{line}\n" for line in lines))
        sys.stdout.flush()


def figures_of(words: str, took: Took) -> list[Figure]:
    """The seconds on the clock and of the processor, and the peak of memory where it was looked at."""
    found = [Figure(words, took.wall, "s"), Figure(f"{words}: processor", took.processor, "s")]
    return found if took.peak is None else [*found, Figure(f"{words}: memory at most", took.peak, "MiB")]
