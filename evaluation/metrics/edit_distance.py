"""Character edit distance between source and output (Levenshtein 1966), and with concepts masked."""

import re
from collections.abc import Mapping

import numpy as np
import rapidfuzz
from rapidfuzz.distance import Levenshtein
from rapidfuzz.process import cpdist

from evaluation.edit_distance import mask_concepts
from evaluation.languages import lowered, primary
from evaluation.metrics._base import Metric, MetricInput, Scores, Setting
from foundation.papers import GYAFC, MSD


class EditDistance(Metric):
    """Insertions, deletions and substitutions of characters from source to output, as in GYAFC's Figure 1.

    The corpus score is the sentences' mean. An empty output is as far as its source is long. Neither end is the
    better one: a copy has 0.
    """

    name = "edit_distance"
    label = "Edits"
    paper = GYAFC
    unit = "characters, 0 and up"
    needs = frozenset({"sources"})
    defaults = {"lowercase": False}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        sources, outputs = batch.sources, batch.outputs
        if chosen["lowercase"]:
            sources, outputs = ([lowered(text, batch.language) for text in texts] for texts in (sources, outputs))
        distances = cpdist(sources, outputs, scorer=Levenshtein.distance, dtype=np.int64)
        sentences = distances.astype(np.float64)
        return Scores(sentences, {"median": float(np.median(sentences))})

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "unit": "char",
            "corpus": "mean",
            "case": "lc" if chosen["lowercase"] else "mixed",
            "lib": f"rapidfuzz-{rapidfuzz.__version__}",
        }


OTHER = "The names of the concepts at hand are of the language {link}, and the study's language is {language}."


class EditDistanceMasked(Metric):
    """Edits of characters from source to output, where every mention of a concept is one character (MSD's Table 3).

    So a concept put in other words costs nothing, one left out or added costs one edit, and what remains is how far
    the two are apart in structure. The paper says that concept words are masked after Fu et al. (2019), and no more;
    that a mention of several words becomes one character is ours. The corpus score is the sentences' mean.
    """

    name = "edit_distance_masked"
    label = "Edits, masked"
    paper = MSD
    unit = "characters, 0 and up"
    needs = frozenset({"sources", "link"})
    defaults = {"lowercase": False}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        assert batch.link is not None
        link, concepts = batch.link, 0
        if link.language and primary(batch.language) != link.language:
            why = OTHER.format(link=link.language, language=batch.language)
            return Scores(np.full(len(batch.outputs), np.nan), undefined=why)
        sides: list[list[str]] = []
        for texts in (batch.sources, batch.outputs):
            places = [link(text) for text in texts]
            concepts += sum(map(len, places))
            hidden = [mask_concepts(text, mentions) for text, mentions in zip(texts, places, strict=True)]
            sides.append([lowered(text, batch.language) for text in hidden] if chosen["lowercase"] else hidden)
        sentences = cpdist(*sides, scorer=Levenshtein.distance, dtype=np.int64).astype(np.float64)
        return Scores(sentences, {"median": float(np.median(sentences)), "concepts": float(concepts)})

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "unit": "char",
            "mask": "one-a-mention",
            "corpus": "mean",
            "case": "lc" if chosen["lowercase"] else "mixed",
            "lib": f"rapidfuzz-{rapidfuzz.__version__}",
        }

    def _sign(self, chosen: Mapping[str, Setting], language: str, batch: MetricInput | None) -> str:
        signature = super()._sign(chosen, language, batch)
        if batch is None or batch.link is None:
            return signature
        return f"{signature}|link:{re.sub(r'[|:]', '-', batch.link.signature)}"


ENTRIES = {
    "edit_distance": EditDistance(),
    "edit_distance_masked": EditDistanceMasked(),
}
