"""COMET and its kin (Rei et al. 2020): regressions over encoded texts, trained on people's judgements; LENS is one.

The folder has the checkpoint's state with its own names, and its hyperparameters (`learned_scorers.estimators`).
"""

import math
from collections.abc import Mapping, Sequence

from evaluation.learned_scorers import estimators
from evaluation.learned_scorers.estimators import MULTI, REFERENCELESS, REGRESSION, UNIFIED, XCOMET
from evaluation.metrics._base import MetricInput, ModelMetric, Scores, Setting
from foundation.papers import Paper

REI = Paper(
    "Rei, Stewart, Farinha and Lavie", 2020, "COMET: A Neural Framework for MT Evaluation",
    "https://aclanthology.org/2020.emnlp-main.213/",
)  # fmt: skip
KIWI = Paper(
    "Rei et al.", 2022, "CometKiwi: IST-Unbabel 2022 Submission for the Quality Estimation Shared Task",
    "https://aclanthology.org/2022.wmt-1.60/",
)  # fmt: skip
GUERREIRO = Paper(
    "Guerreiro et al.", 2024, "xCOMET: Transparent Machine Translation Evaluation through Fine-grained Error Detection",
    "https://doi.org/10.1162/tacl_a_00683",
)  # fmt: skip
MADDELA = Paper(
    "Maddela, Dou, Heineman and Xu", 2023, "LENS: A Learnable Evaluation Metric for Text Simplification",
    "https://aclanthology.org/2023.acl-long.905/",
)  # fmt: skip
HEINEMAN = Paper(
    "Heineman, Dou, Maddela and Xu", 2023, "Dancing Between Success and Failure: Edit-level Simplification Evaluation",
    "https://aclanthology.org/2023.emnlp-main.211/",
)  # fmt: skip


class Comet(ModelMetric):
    """The mean over the references of an estimator's score."""

    higher_is_better = True
    unit = "about 0 to 1"

    def __init__(self, name: str, label: str, paper: Paper, classes: Sequence[str], *, references: bool) -> None:
        self.name, self.label, self.paper, self.classes = name, label, paper, tuple(classes)
        self.needs = frozenset({"sources", "references"} if references else {"sources"})

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        model = estimators.load_estimator(self.folder(chosen), self.classes)
        with_references = "references" in self.needs
        many: Sequence[Sequence[str | None]] = batch.references if with_references else [[None]] * len(batch.outputs)
        return self.of_each(batch, lambda at: self._of(model, batch.sources[at], batch.outputs[at], many[at], chosen))

    def _of(
        self,
        model: estimators.Estimator,
        source: str,
        output: str,
        references: Sequence[str | None],
        chosen: Mapping[str, Setting],
    ) -> float:
        return math.fsum(model.score(source, output, reference) for reference in references) / len(references)


class Lens(Comet):
    """LENS's score of texts in small letters: of the reference that it fits best, times 100.

    It was trained on z-scores; `rescale` turns them into the share of a normal distribution below them, as the authors'
    program does when it is asked to.
    """

    aspect = "simplicity"
    languages = frozenset({"en"})
    because = "it was trained on English simplifications"
    defaults = {"model": "", "rescale": True}
    parts: Sequence[str] = ("rescale",)
    unit = "about 0 to 100"

    def _of(
        self,
        model: estimators.Estimator,
        source: str,
        output: str,
        references: Sequence[str | None],
        chosen: Mapping[str, Setting],
    ) -> float:
        scores = [model.score(source.lower(), output.lower(), ref.lower() if ref else ref) for ref in references]
        return 100 * max(0.5 * (math.erf(one / 2**0.5) + 1) if chosen.get("rescale") else one for one in scores)


class LensSalsa(Lens):
    """LENS-SALSA's score of an output beside its source, which needs no reference; times 100."""

    defaults = {"model": ""}
    parts = ()


ENTRIES = {
    "comet": Comet("comet", "COMET", REI, (REGRESSION, UNIFIED), references=True),
    "comet_qe": Comet("comet_qe", "COMET-QE", KIWI, (REFERENCELESS, UNIFIED, XCOMET), references=False),
    "xcomet": Comet("xcomet", "xCOMET", GUERREIRO, (XCOMET,), references=True),
    "lens": Lens("lens", "LENS", MADDELA, (MULTI,), references=True),
    "lens_salsa": LensSalsa("lens_salsa", "LENS-SALSA", HEINEMAN, (UNIFIED,), references=False),
}
