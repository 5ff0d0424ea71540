"""The features of ways through a lattice: their sum, weighed, is the way's score."""

import numpy as np

from modelserving.phrase_based.jit import compiled, within
from modelserving.phrase_based.lattice import Lattice, orientation
from modelserving.phrase_based.nbest import Paths
from modelserving.phrase_based.phrase_table import Floats, Singles
from modelserving.phrase_based.translation_options import (
    COPY,
    DISTORTION,
    MODEL,
    PHRASES,
    REORDER,
    UNKNOWN,
    WORDS,
    TranslationOptions,
)


@compiled
def path_features(
    ways: Paths, lattice: Lattice, options: TranslationOptions, scores: Singles, reordering: Singles
) -> Floats:
    """(w, 15) in the order of FEATURES; `scores` and `reordering` are the table's."""
    found = np.zeros((len(ways.offsets) - 1, REORDER + 6))
    for way in range(len(found)):
        before = -1
        for arc in ways.arcs[ways.offsets[way] : ways.offsets[way + 1]]:
            found[way, MODEL] += lattice.arcs[arc]["model"]
            option = lattice.arcs[arc]["option"]
            if option >= 0:
                _add(found[way], options, option, before, scores, reordering)
                before = option
    return found


@within
def _add(
    found: Floats, options: TranslationOptions, option: int, before: int, scores: Singles, reordering: Singles
) -> None:
    """Add a phrase behind the one `before` (-1 where it is the first)."""
    one, past_start, past_end, past_row = options.each[option], -1, -1, COPY
    if before >= 0:
        past = options.each[before]
        past_start, past_end, past_row = past["start"], past["end"], past["row"]
    found[PHRASES] += 1
    found[WORDS] -= one["last"] - one["first"]
    found[DISTORTION] -= abs(one["start"] - past_end - 1)
    towards = orientation(one["start"], one["end"], past_start, past_end)
    if one["row"] == COPY:
        found[UNKNOWN] -= 1
    else:
        for i in range(PHRASES):
            found[i] += scores[one["row"], i]
        if len(reordering):
            found[REORDER + towards] += reordering[one["row"], towards]
    if len(reordering) and past_row != COPY:
        found[REORDER + 3 + towards] += reordering[past_row, 3 + towards]
