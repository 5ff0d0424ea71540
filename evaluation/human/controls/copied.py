"""The source, copied: it means the same and reads well, and its style was not changed."""

import numpy as np

from evaluation.human.controls._base import Control, Given


def make(given: Given, draws: np.random.Generator) -> str | None:
    return given.source.strip() or None


CONTROL = Control(
    label="Source copied",
    about="The source as it is: its style was not changed.",
    spoils=frozenset({"style"}),
    make=make,
    of=lambda given: given.source,
)
