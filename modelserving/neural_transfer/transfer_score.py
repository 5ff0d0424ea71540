"""How well a model of two styles moves tune texts: whether they are of the other style, and what is left of them."""

import math
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS
from evaluation.metrics import MetricInput as Texts
from modelserving.training.callbacks import Sample
from modelserving.training.tune_metrics import STYLE_AND_CONTENT
from modelserving.training.validation import Validation

if TYPE_CHECKING:
    from modelserving.neural_transfer.model import NetworkModel
    from modelserving.run_context import RunContext

SAMPLES = 3


def by_style_and_content(
    model: "NetworkModel", train: Mapping[str, Sequence[str]], tune: Mapping[str, Sequence[str]], language: str = ""
) -> Validation:
    """The geometric mean of style accuracy and self-BLEU, 0 to 100, of tune texts moved greedily into the other style.

    Either alone is the best for a model of no use: a copy keeps all of its source, and any text of the other style is
    of that style. The classifier is trained on the train texts, once a process.
    """
    from modelserving.neural_transfer.validation import GREEDY

    material = TrainingMaterial(texts=train, tune=tune)

    def score(context: "RunContext") -> tuple[float, Sequence[Sample]]:
        within, samples = model.within(context), list[Sample]()
        sources, outputs, styles = list[str](), list[str](), list[str]()
        for direction in model.directions:
            given = list(tune[direction[0]])
            written = list(within.transfer(given, direction, GREEDY))
            sources += given
            outputs += written
            styles += [direction[1]] * len(given)
            samples += [Sample(*pair, "") for pair in zip(given[:SAMPLES], written, strict=False)]
        texts = Texts(sources, outputs, [], target_styles=styles, material=material, language=language)
        return _mean(texts), samples

    return Validation(STYLE_AND_CONTENT, score)


def _mean(texts: Texts) -> float:
    accuracy, kept = (METRICS[name].score(texts).corpus for name in ("style_accuracy", "self_bleu"))
    return math.nan if accuracy is None or kept is None else math.sqrt(100 * accuracy * kept)
