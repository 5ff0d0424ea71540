"""TER, the translation edit rate (Snover et al. 2006): edits and shifts to the nearest reference, over its length."""

from collections.abc import Mapping

import numpy as np
import sacrebleu
from sacrebleu.metrics.ter import TER

from evaluation.metrics._base import Batch, Floats, Metric, Result, Setting
from foundation.papers import Paper


class Ter(Metric):
    """sacreBLEU's TER (Tercom's), times 100; lower-cased by default, as there.

    Edits are those to the nearest reference, the length is the references' mean. They are found once a sentence and
    summed for the corpus. An empty output needs one insertion a word of its shortest reference: 100 against a single
    reference. Against empty references, an output with words has 100, an empty one 0.
    """

    name = "ter"
    label = "TER"
    paper = Paper(
        "Snover, Dorr, Schwartz, Micciulla and Makhoul",
        2006,
        "A Study of Translation Edit Rate with Targeted Human Annotation",
        "https://aclanthology.org/2006.amta-papers.25/",
    )
    unit = "0 and up, edits per 100 words"
    needs = frozenset({"references"})
    higher_is_better = False
    defaults = {"lowercase": True, "normalized": False, "no_punct": False}

    def _score(self, batch: Batch, chosen: Mapping[str, Setting]) -> Result:
        scorer = TER(
            case_sensitive=not chosen["lowercase"],
            normalized=bool(chosen["normalized"]),
            no_punct=bool(chosen["no_punct"]),
        )
        scored = [
            scorer.sentence_score(output, references)
            for output, references in zip(batch.outputs, batch.references, strict=True)
        ]
        counts = np.array([(each.num_edits, each.ref_length) for each in scored], dtype=np.float64)
        edits, length = counts.sum(axis=0)
        sentences = np.array([each.score for each in scored], dtype=np.float64)
        return Result(sentences, {"edits": float(edits), "reference_length": float(length)}, counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """Of edits and the references' length; without any word in the references 100, or 0 where nothing is edited."""
        edits, length = sums[..., 0], sums[..., 1]
        return np.where(length > 0, 100 * edits / np.where(length > 0, length, 1), np.where(edits > 0, 100.0, 0.0))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "case": "lc" if chosen["lowercase"] else "mixed",
            "tok": "tercom",
            "norm": "yes" if chosen["normalized"] else "no",
            "punct": "no" if chosen["no_punct"] else "yes",
            "asian": "no",
            "lib": f"sacrebleu-{sacrebleu.__version__}",
        }


METRIC = Ter()
