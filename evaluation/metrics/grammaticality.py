"""Grammaticality: a ridge regression of people's ratings of sentences on their signs, after Heilman et al. (2014).

It has these of their signs: misspelt words (those that simplemma's dictionary lacks), the mean, lowest and highest
log-probabilities of a language model, the words unknown to it, and the length. They had n-gram counts of Gigaword
besides. It adds capitals, the end and repeated words. It has no signs of a parser: no link grammar, no tree
probabilities, no dependencies. English only.
"""

import csv
import hashlib
from collections.abc import Mapping, Sequence
from functools import lru_cache
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path

import numpy as np

from evaluation.languages import ENGLISH
from evaluation.learned_scorers.cross_fitting import SEEDS, sample_texts
from evaluation.learned_scorers.ngram_models import ScoredText, score_texts
from evaluation.learned_scorers.rating_regression import RatedTexts, Regressor, cross_fitted_scores
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from foundation.model_folders import signature_safe
from foundation.papers import Paper
from foundation.translation import translatable

PENALTY = 5.0


def train_ridge(texts: Sequence[str], labels: Sequence[float], signs_of: Regressor) -> Regressor:
    """Fit a ridge regression on standardized signs.

    Args:
        texts: The n texts to train on.
        labels: What people gave them (n,).
        signs_of: Texts to their signs (n, k); each column is brought to mean 0 and deviation 1.

    Returns:
        A regressor: texts to scores (n,), within the range of the labels. A text's score is the same to the last digit
        whatever texts stand beside it.
    """
    rows, wanted = signs_of(texts), np.asarray(labels, dtype=np.float64)
    centre, spread = rows.mean(axis=0), rows.std(axis=0)
    spread = np.where(spread > 1e-9, spread, 1.0)
    scaled = (rows - centre) / spread
    square = scaled.T @ scaled + PENALTY * np.eye(scaled.shape[1])
    weights = np.linalg.solve(square, scaled.T @ (wanted - wanted.mean()))
    low, high, mean = wanted.min(), wanted.max(), wanted.mean()
    # row by row: a product of a matrix may round a row by where it stands
    return lambda given: np.clip(((signs_of(given) - centre) / spread * weights).sum(axis=1) + mean, low, high)


WHERE = "metrics.grammaticality.rated"
KIND = translatable("file of rated sentences")
TEXT, SCORE = ("text", "sentence"), ("score", "average", "label")  # columns; of GUG Sentence and Average
ORDER = 3
LEAST = 50
RARE = -12.0  # the log-probability below which a word is a surprise
NO_TEXTS = "The study has no texts to estimate a language model on."
NO_RATINGS = (
    f"Fewer than {LEAST} texts of the study have a rating of fluency, and no {KIND} is named; name one below "
    "RESTYLE_MODELS in the settings."
)


class Grammaticality(Metric):
    """How grammatical a sentence is, on the scale of the ratings that it was trained on.

    These are those of a CSV file below RESTYLE_MODELS with a text and a score in each row (as the GUG corpus), else the
    study's own ratings of fluency. `lowest` and `highest` are the ends of the file's scale: GUG and so GYAFC's H14 have
    0 (other) to 4 (perfect), GYAFC's people 1 to 5 for the same levels. The details hold both ends, by which Combined
    brings the scores to H14's. The language model is of the study's texts of all styles. A text that was rated is
    judged by a regression that did not see its rating; the details hold Spearman's rho with such ratings. A text
    without words has no score.
    """

    name = "grammaticality"
    label = "Grammaticality"
    paper = Paper("Heilman et al.", 2014, "Predicting Grammaticality on an Ordinal Scale",
                  "https://aclanthology.org/P14-2029/")  # fmt: skip
    unit = "the scale of its ratings"
    version = 2
    needs = frozenset({"texts", "rated"})
    higher_is_better = True
    aspect = "fluency"
    defaults = {"rated": "", "lowest": 0.0, "highest": 4.0, "seed": 1}
    bounds = {"lowest": (-1000, 1000), "highest": (-1000, 1000), "seed": SEEDS}
    languages = ENGLISH
    because = "its spelling is checked by a dictionary of English"

    def unavailable(self, **settings: object) -> str:
        """Without a file the study's own ratings may do."""
        name = str(self.settings(**settings)["rated"])
        try:
            return "" if not name or _file(name) else missing_resource_message(KIND, name)
        except UserError as error:
            return str(error)

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        material, name, seed = batch.material or TrainingMaterial(), str(chosen["rated"]), int(chosen["seed"])
        ends = (float(chosen["lowest"]), float(chosen["highest"])) if name else material.rating_scales.get("fluency")
        rated = material.remember((self.name, name, ends, "rated"), lambda: _ratings(name, ends, material))
        texts = [text for style in sorted(material.texts) for text in sample_texts(material.texts[style], seed, style)]
        why = NO_TEXTS if not texts else NO_RATINGS if len(rated) < LEAST else ""
        if why:
            return Scores(np.full(len(batch.outputs), np.nan), undefined=why)

        def train(given: Sequence[str], labels: Sequence[float]) -> Regressor:
            return train_ridge(given, labels, lambda each: _signs(each, texts, material, seed))

        scores, details = cross_fitted_scores(batch.outputs, rated, material, (self.name, name, seed), train)
        wordy = [any(character.isalnum() for character in output) for output in batch.outputs]
        scale = {} if ends is None else {"lowest": ends[0], "highest": ends[1]}
        return Scores(np.where(wordy, scores, np.nan), details | scale)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        name = str(chosen["rated"])
        file = _file(name) if name else None
        digest = hashlib.sha256(file.read_bytes()).hexdigest()[:12] if file else "none"
        return {
            "ratings": f"{signature_safe(name)}_{digest}" if name else "study",
            **({"scale": f"{chosen['lowest']:g}-{chosen['highest']:g}"} if name else {}),
            "order": str(ORDER),
            "parser": "none",
            "spelling": f"simplemma-{version('simplemma')}",
            "seed": str(chosen["seed"]),
        }


def _signs(texts: Sequence[str], trained_on: Sequence[str], material: TrainingMaterial, seed: int) -> Floats:
    """(n, signs) of the texts."""
    scored = score_texts(texts, trained_on, material, ("grammaticality", "model", seed), ORDER, lower=True)
    rows = [_row(text, scored_text) for text, scored_text in zip(texts, scored, strict=True)]
    return np.array(rows, dtype=np.float64).reshape(len(texts), -1)


def _row(text: str, scored: ScoredText) -> list[float]:
    size, stripped, logprobs = max(1, len(scored.words)), text.strip(), scored.logprobs
    misspelt = sum(not _spelt(word) for word in scored.words if word.isalpha() and len(word) > 1)
    pairs = np.convolve(logprobs, [0.5, 0.5], mode="valid") if len(logprobs) > 1 else logprobs
    return [
        float(np.log1p(len(scored.words))),
        float(len(scored.words)) / 40,
        misspelt / size,
        float(np.log1p(misspelt)),
        float(misspelt > 0),
        scored.unknown / size,
        float(np.log1p(scored.unknown)),
        float(logprobs.mean()),
        float(logprobs.min()),
        float(logprobs.max()),
        float(logprobs.std()),
        float(pairs.min()),
        float(logprobs[-1]),  # of ending here
        float((logprobs < RARE).mean()),
        float(stripped[:1].isupper()),
        float(stripped[-1:] in tuple(".!?\"')")),
        sum(first == second for first, second in pairwise(scored.words)) / size,
        len(set(scored.words)) / size,
        sum(letter.isupper() for letter in stripped) / max(1, len(stripped)),
    ]


@lru_cache(maxsize=200_000)
def _spelt(word: str) -> bool:
    import simplemma  # 25 MB

    return bool(simplemma.is_known(word, lang="en"))


def _ratings(name: str, ends: tuple[float, float] | None, material: TrainingMaterial) -> RatedTexts:
    """The ratings of the file, else of the study; UserError without a file, or for a rating outside its scale."""
    if not name:
        return [rated_text for rated_text in material.rated.get("fluency", ()) if rated_text[0].strip()]
    file = _file(name)
    if file is None:
        raise UserError(missing_resource_message(KIND, name), where=WHERE)
    with file.open(encoding="utf-8-sig", newline="") as stream:
        rows = csv.DictReader(stream)
        columns = [_column(rows.fieldnames or (), names, file.name) for names in (TEXT, SCORE)]
        return [
            _rating([row[each] or "" for each in columns], ends, f"{file.name}, line {rows.line_num}") for row in rows
        ]


def _column(columns: Sequence[str], names: Sequence[str], where: str) -> str:
    for column in columns:
        if column.strip().lower() in names:
            return column
    raise UserError("The file has no column {names}.", names=" or ".join(names), where=where)


def _rating(cells: Sequence[str], ends: tuple[float, float] | None, where: str) -> tuple[str, float]:
    try:
        score = float(cells[1])
    except ValueError:
        raise UserError("The score must be a number, not '{cells}'.", cells=cells[1], where=where) from None
    if ends and not ends[0] <= score <= ends[1]:
        raise UserError(
            "The score {score:g} is outside the file's scale, {low:g} to {high:g}: set the lowest and highest "
            "score in the metric's settings.",
            score=score, low=ends[0], high=ends[1], where=where,
        )  # fmt: skip
    return cells[0], score


def _file(name: str) -> Path | None:
    path = local_path(name, where=WHERE)
    return path if path is not None and path.is_file() else None


METRIC = Grammaticality()
