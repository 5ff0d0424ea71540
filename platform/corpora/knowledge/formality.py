"""How formal a text is, from -3 (very informal) to 3 (very formal), where a scorer is at hand.

GYAFC's paper trained the classifier of Pavlick and Tetreault (2016) on their sentences; ours is a ridge regression
on the same kinds of sign (characters, words, length, case, punctuation, contractions), which the user trains on
rated sentences: none are shipped. A model is a folder of plain arrays and JSON, and nothing is unpickled.
"""

import json
import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Protocol
from zipfile import BadZipFile

import numpy as np
from numpy.typing import NDArray

from corpora.knowledge import formality_features as features
from corpora.knowledge import word_lists
from foundation.errors import UserError
from foundation.papers import Paper

PAPER = Paper(
    "Pavlick and Tetreault",
    2016,
    "An Empirical Analysis of Formality in Online Communication",
    "https://aclanthology.org/Q16-1005/",
)
VARIABLE = "RESTYLE_FORMALITY"
ARRAYS, ABOUT = "weights.npz", "formality.json"
# By five-fold cross-validation on the 4,477 training sentences of Pavlick and Tetreault's Answers, and on nothing else:
# Spearman's rho was 0.711, 0.716, 0.718, 0.717 and 0.713 for 0.5, 1, 2, 3 and 5, and 0.706 without single characters.
PENALTY = 2.0
LEAST_SENTENCES = 10


class FormalityScorer(Protocol):
    """Whatever scores texts; a model of the user's own need be nothing else."""

    def scores(self, texts: Sequence[str]) -> Sequence[float]:
        """One number for each text, in order; below 0 is informal, above 0 formal."""


@dataclass(frozen=True)
class Ridge:
    """A trained model: `weights` has features.WIDTH numbers; `about` says what it was trained on."""

    weights: NDArray[np.float64]
    intercept: float
    about: dict[str, Any]

    def scores(self, texts: Sequence[str]) -> list[float]:
        """The scores on the scale of the labels that it was trained on."""
        found: list[float] = []
        for start in range(0, len(texts), 1000):  # so that memory stays flat
            rows = features.matrix(texts[start : start + 1000])
            found.extend(float(score) for score in rows @ self.weights + self.intercept)
        return found

    def save(self, folder: Path) -> None:
        """Write the model into `folder`, which is made where it is missing."""
        folder.mkdir(parents=True, exist_ok=True)
        np.savez_compressed(folder / ARRAYS, weights=self.weights, intercept=np.array(self.intercept))
        about = {**self.about, "features": features.VERSION}
        (folder / ABOUT).write_text(json.dumps(about, indent=2) + "\n", encoding="utf-8")


def train(sentences: Sequence[str], labels: Sequence[float], penalty: float = PENALTY) -> Ridge:
    """A ridge regression of `labels` (below 0 informal) on the sentences' features; equal arguments, equal models.

    A UserError where there are too few sentences or a label is no number.
    """
    from scipy.sparse.linalg import lsqr  # takes a second to load, which a web process would wait for

    if len(sentences) != len(labels) or len(sentences) < LEAST_SENTENCES:
        raise UserError(
            "Give at least {least_sentences} sentences, each with its label.", least_sentences=LEAST_SENTENCES
        )
    wanted = np.asarray(labels, dtype=np.float64)
    if not np.isfinite(wanted).all():
        raise UserError("Each label must be a number.")
    rows = features.matrix(sentences)
    centre = np.asarray(rows.mean(axis=0)).ravel()
    # Centring the labels alone leaves the rows sparse; what the mean row explains goes into the intercept.
    weights = lsqr(rows, wanted - wanted.mean(), damp=np.sqrt(penalty), atol=1e-8, btol=1e-8, iter_lim=500)[0]
    about = {"sentences": len(sentences), "penalty": penalty, "paper": str(PAPER)}
    return Ridge(weights, float(wanted.mean() - centre @ weights), about)


def load(folder: Path) -> Ridge:
    """The model that `save` wrote into `folder`; a UserError where it is none, or one of another version."""
    try:
        about = json.loads((folder / ABOUT).read_text(encoding="utf-8"))
        with np.load(folder / ARRAYS, allow_pickle=False) as arrays:
            weights, intercept = arrays["weights"].astype(np.float64), float(arrays["intercept"])
    except (OSError, ValueError, KeyError, EOFError, BadZipFile):
        raise UserError("The folder holds no formality model; train_formality writes one.", where=str(folder)) from None
    version = about.get("features") if isinstance(about, dict) else None
    if version != features.VERSION or weights.shape != (features.WIDTH,):
        raise UserError("The formality model is of another version; train it again.", where=str(folder))
    return Ridge(weights, intercept, about)


def folder_at_hand() -> Path | None:
    """Where RESTYLE_FORMALITY says, or the folder `formality` among the user's lists in RESTYLE_KNOWLEDGE."""
    if os.environ.get(VARIABLE):
        return Path(os.environ[VARIABLE])
    own = word_lists.own_folder()
    return own / "formality" if own is not None and (own / "formality").is_dir() else None


def scorer(folder: Path | None = None) -> FormalityScorer | None:
    """The scorer at hand, or None: the model in `folder`, or in `folder_at_hand`.

    A UserError where a named folder holds no model.
    """
    found = folder or folder_at_hand()
    return load(found) if found is not None else None
