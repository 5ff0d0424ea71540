"""How far sources are from their first reference, in edits of characters."""

import numpy as np
from rapidfuzz.distance import Levenshtein

from evaluation.metric_contract import Floats
from evaluation.snapshot import StudySnapshot

NO_REFERENCE = "No sentence has a reference: add some on the page Add references."
MASKED = "Edits are of characters, from source to first reference, each concept masked as one character."
PLAIN = "Edits are of characters, from source to first reference; no concepts are linked, so that none is masked."


def apart_of(snapshot: StudySnapshot) -> tuple[Floats, str]:
    """The distances (n,), NaN without a reference, and how they are counted: as the paper does, where it can be."""
    units = snapshot.units
    if (units.apart >= 0).any():
        return units.apart, MASKED
    pairs = zip(units.sources, units.references, strict=True)
    distances = [float(Levenshtein.distance(source, given[0])) if given else np.nan for source, given in pairs]
    return np.array(distances, dtype=np.float64), PLAIN
