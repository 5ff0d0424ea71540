"""Formality: a regressor trained on people's ratings (Pavlick and Tetreault 2016), as in GYAFC's Table 4."""

import hashlib
import os
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from evaluation.languages import is_english
from evaluation.learned_scorers.rating_regression import RatedTexts, Regressor, cross_fitted_scores
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation.errors import UserError
from foundation.papers import Paper

VARIABLE = "RESTYLE_FORMALITY"
LOW, HIGH = -3.0, 3.0
NO_MODEL = (
    "There is no formality model: train one with `manage.py train_formality` and name its folder as RESTYLE_FORMALITY, "
    "or have enough texts of the study rated on a scale of formality."
)

OTHER = (
    "The formality model at hand is of English, and the study's language is {language}: have enough texts of the study "
    "rated on a scale of formality."
)


class Formality(Metric):
    """A ridge regression on characters, words, length, case, punctuation and contractions, from -3 to 3.

    It is trained on the study's own ratings where at least `least` of its texts have one on a scale from -3 to 3: GYAFC
    trained anew on 5,000 of its domain, since a model of another domain agreed little (0.38). Without these it is the
    model that RESTYLE_FORMALITY names. A text that was rated is judged by a model that did not see its rating; the
    details hold Spearman's rho with such ratings. A text without any character has no score.
    """

    name = "formality"
    label = "Formality"
    paper = Paper(
        "Pavlick and Tetreault",
        2016,
        "An Empirical Analysis of Formality in Online Communication",
        "https://aclanthology.org/Q16-1005/",
    )
    unit = "-3 (very informal) to 3 (very formal)"
    needs = frozenset({"rated"})
    aspect = "style"
    poles = ("informal", "formal")
    defaults = {"least": 500}
    bounds = {"least": (50, 1_000_000)}

    def unavailable(self, **settings: object) -> str:
        """Ratings may stand in for a model, so only a model that is named and not there is in the way."""
        named = os.environ.get(VARIABLE, "")
        return NO_MODEL if named and not (Path(named) / "formality.json").is_file() else ""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        material = batch.material or TrainingMaterial()
        rated = _ratings(material)
        if len(rated) >= int(chosen["least"]):
            scores, details = cross_fitted_scores(batch.outputs, rated, material, (self.name,), _train)
            return Scores(_shown(scores, batch.outputs), details)
        from corpora.knowledge.formality import scorer

        model = scorer()
        if model is not None and not is_english(batch.language):
            why = OTHER.format(language=batch.language)
            return Scores(np.full(len(batch.outputs), np.nan), undefined=why)
        if model is None:
            return Scores(np.full(len(batch.outputs), np.nan), undefined=NO_MODEL)
        return Scores(_shown(np.asarray(model.scores(batch.outputs), dtype=np.float64), batch.outputs))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        from corpora.knowledge.formality_features import VERSION

        return {"features": f"restyle-{VERSION}", "least": str(chosen["least"]), "else": _digest()}


def _ratings(material: TrainingMaterial) -> RatedTexts:
    """The ratings of style, where they are on a scale of formality: between -3 and 3, and some below 0."""
    rated = [rated_text for rated_text in material.rated.get("style", ()) if rated_text[0].strip()]
    values = [value for _, value in rated]
    fits = bool(values) and LOW <= min(values) < 0 and max(values) <= HIGH
    return rated if fits else []


def _train(texts: Sequence[str], labels: Sequence[float]) -> Regressor:
    from corpora.knowledge.formality import train

    model = train(texts, labels)
    return lambda given: np.asarray(model.scores(given), dtype=np.float64)


def _shown(scores: Floats, outputs: Sequence[str]) -> Floats:
    written = np.array([bool(output.strip()) for output in outputs])
    return np.where(written, np.clip(scores, LOW, HIGH), np.nan)


def _digest() -> str:
    """The digest of the model at hand, 'none' without one."""
    from corpora.knowledge.formality import ARRAYS, folder_at_hand

    folder = folder_at_hand()
    try:
        return hashlib.sha256((folder / ARRAYS).read_bytes()).hexdigest()[:12] if folder else "none"
    except OSError:
        raise UserError("The folder holds no formality model; train_formality writes one.", where=str(folder)) from None


METRIC = Formality()
