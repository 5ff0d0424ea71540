"""Regressions with a number for a text or a pair, in folders of transformers: SLE (Cripwell et al. 2023) and BLEURT."""

from collections.abc import Mapping

from evaluation.learned_scorers import estimators
from evaluation.metrics._base import MetricInput, ModelMetric, Scores, Setting
from foundation.papers import Paper

SLE_TOKENS = 128  # that its authors' program reads


class Sle(ModelMetric):
    """How simple a text is by itself; with `delta`, how much simpler than its source."""

    name = "sle"
    label = "SLE"
    paper = Paper(
        "Cripwell, Legrand and Gardent", 2023, "Simplicity Level Estimate (SLE): A Learned Reference-Less Metric",
        "https://aclanthology.org/2023.emnlp-main.739/",
    )  # fmt: skip
    unit = "0 (complex) to 4 (simple), about"
    needs = frozenset({"sources"})
    higher_is_better = True
    aspect = "simplicity"
    defaults = {"model": "", "delta": False}
    parts = ("delta",)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        model = estimators.load_headed(self.folder(chosen))

        def level(text: str) -> float:
            return float(model.logits(text, most=SLE_TOKENS)[0])

        def gained(at: int) -> float:
            return level(batch.outputs[at]) - (level(batch.sources[at]) if chosen["delta"] else 0.0)

        return self.of_each(batch, gained)


class Bleurt(ModelMetric):
    """How well an output renders its best reference, by a BERT or RemBERT with a head of one number."""

    name = "bleurt"
    label = "BLEURT"
    paper = Paper("Sellam, Das and Parikh", 2020, "BLEURT: Learning Robust Metrics for Text Generation",
                  "https://aclanthology.org/2020.acl-main.704/")  # fmt: skip
    unit = "about 0 to 1"
    needs = frozenset({"references"})
    higher_is_better = True
    aspect = "meaning"

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        model = estimators.load_headed(self.folder(chosen))

        def best(at: int) -> float:
            return max(float(model.logits(reference, batch.outputs[at])[0]) for reference in batch.references[at])

        return self.of_each(batch, best)


ENTRIES = {"sle": Sle(), "bleurt": Bleurt()}
