"""Numbers of a source by which scores are grouped."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from evaluation.edit_distance.concept_masking import mask_concepts
from evaluation.snapshot_builder.concept_links import StudyLink

Floats = NDArray[np.float64]


def edit_distances(sources: Sequence[str], references: Sequence[Sequence[str]], concepts: Floats) -> Floats:
    """Edits of characters from each source to its first reference with concepts masked (Cao et al. 2020, Figure 4).

    NaN where the source's concepts are not linked (`concepts` is NaN), or there is no reference.
    """
    distances = np.full(len(sources), np.nan)
    wanted = [place for place in np.flatnonzero(~np.isnan(concepts)) if references[place]]
    if wanted:
        link = StudyLink()
        for place in wanted:
            source, reference = (mask_concepts(text, link(text)) for text in (sources[place], references[place][0]))
            distances[place] = Levenshtein.distance(source, reference)
    return distances
