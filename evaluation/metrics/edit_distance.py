"""Character edit distance between source and output (Levenshtein 1966), as in the GYAFC paper's Figure 1."""

from collections.abc import Mapping

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from evaluation.languages import lowered
from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.papers import GYAFC


class EditDistance(Metric):
    """Insertions, deletions and substitutions of characters from source to output; the corpus score is their mean.

    An empty output is as far as its source is long. Neither end is the better one: a copy has 0.
    """

    name = "edit_distance"
    label = "Edits"
    paper = GYAFC
    unit = "characters, 0 and up"
    needs = frozenset({"sources"})
    defaults = {"lowercase": False}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        sources, outputs = batch.sources, batch.outputs
        if chosen["lowercase"]:
            sources, outputs = ([lowered(text, batch.language) for text in texts] for texts in (sources, outputs))
        distances = cpdist(sources, outputs, scorer=Levenshtein.distance, dtype=np.int64)
        sentences = distances.astype(np.float64)
        return Result(sentences, {"median": float(np.median(sentences))})

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "unit": "char",
            "corpus": "mean",
            "case": "lc" if chosen["lowercase"] else "mixed",
            "lib": f"rapidfuzz-{rapidfuzz.__version__}",
        }


METRIC = EditDistance()
