"""Reward: how much people would prefer an output, by a model of the study's judgements (Stiennon et al. 2020).

Theirs is a language model of billions of weights with a head; ours is linear in features of texts or of an encoder.
"""

from collections.abc import Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from evaluation.learned_scorers import encoders
from evaluation.learned_scorers.cross_fitting import FOLDS, fold_of
from evaluation.learned_scorers.model_languages import unsuited
from evaluation.learned_scorers.reward_model import CrossFitted, Features, text_features
from evaluation.learned_scorers.training_material import PreferredPair, TrainingMaterial
from evaluation.metrics._base import Metric, MetricInput, Scores, Setting
from foundation import model_folders
from foundation.papers import Paper

if TYPE_CHECKING:
    from scipy.sparse import csr_matrix

WHERE = "metrics.preference_reward.model"
FEW = (
    "There are too few judgements to learn from: people preferred one text to another in {n:,} pairs, and at least "
    "{least:,} are needed."
)
ALIKE = "There are too few judged sources to learn from: all {n:,} pairs lie in one of {folds} parts of them."


class PreferenceReward(Metric):
    """The log-odds that people prefer an output to its source as it stands, by a model of their judgements.

    The pairs are those that trainings learn from: of each two texts of a source that one rater ranked, rated or chose
    between, the one with more votes, and the margin of the votes as the pair's weight. Judgements of all splits count:
    an output of a judged source is scored by a model that saw no judgement of a fifth of the sources, its own among
    them. The details hold the share of the pairs that such models order as people do, with Wilson's interval of so
    many judged sources. With a `model`, an encoder's folder below RESTYLE_MODELS, its vectors are among the features:
    that of the output, and its product with the source's.
    """

    name = "preference_reward"
    label = "Reward"
    paper = Paper(
        "Stiennon et al.", 2020, "Learning to Summarize with Human Feedback", "https://arxiv.org/abs/2009.01325"
    )
    unit = "log-odds against the source as it stands"
    needs = frozenset({"sources", "preferences"})
    higher_is_better = True
    aspect = "overall"
    defaults = {"model": "", "least": 100, "strength": 1.0}
    bounds = {"least": (20, 1_000_000), "strength": (1e-6, 1e6)}

    def unavailable(self, **settings: object) -> str:
        """Without an encoder it has the features of texts alone."""
        named = str(self.settings(**settings)["model"])
        return model_folders.why_unavailable(named) if named else ""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        material = batch.material or TrainingMaterial()
        pairs = material.preferences
        if why := _too_few(pairs, int(chosen["least"])):
            return Scores(np.full(len(batch.outputs), np.nan), undefined=why)
        key = (self.name, str(chosen["model"]), float(chosen["strength"]))
        models = CrossFitted(pairs, material, key, _features(str(chosen["model"])), float(chosen["strength"]))
        rewards = models.rewards(batch.sources, batch.outputs)
        return Scores(rewards, material.remember((*key, "agreement"), models.agreement))

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return unsuited(_folder(str(chosen["model"])), language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        from corpora.knowledge.formality_features import VERSION

        folder, named = _folder(str(chosen["model"])), model_folders.signature_safe(str(chosen["model"]))
        model = f"none-{named}" if named else "none"
        if folder is not None:
            model = f"{model_folders.signature_safe(folder.name)}_{model_folders.weights_digest(folder)}"
        return {
            "features": f"restyle-{VERSION}", "model": model, "least": str(chosen["least"]),
            "strength": f"{chosen['strength']:g}", "lib": f"scikit-learn-{version('scikit-learn')}",
        }  # fmt: skip


def _too_few(pairs: Sequence[PreferredPair], least: int) -> str:
    """Why these pairs train no model; "" where they do."""
    if len(pairs) < least:
        return FEW.format(n=len(pairs), least=least)
    return ALIKE.format(n=len(pairs), folds=FOLDS) if len({fold_of(pair[0]) for pair in pairs}) < 2 else ""


def _folder(name: str) -> Path | None:
    return model_folders.model_folder(name, WHERE) if name else None


def _features(name: str) -> Features:
    """Those of texts, and with a model's name those of its vectors beside them."""
    if not name:
        return text_features
    folder = model_folders.required_folder(name, WHERE)
    known: dict[str, Any] = {}

    def features(sources: Sequence[str], rewrites: Sequence[str]) -> "csr_matrix":
        from scipy.sparse import csr_matrix, hstack

        model, how = encoders.load_encoder(folder, None), encoders.pooling_of(folder)
        for text in {*sources, *rewrites} - known.keys():
            vector = model.pooled([text], how)[0].astype(np.float64)
            known[text] = vector / max(1e-12, float(np.linalg.norm(vector)))
        source, rewrite = (np.stack([known[text] for text in texts]) for texts in (sources, rewrites))
        parts = text_features(sources, rewrites), csr_matrix(rewrite), csr_matrix(source * rewrite)
        return hstack(parts, format="csr")

    return features


METRIC = PreferenceReward()
