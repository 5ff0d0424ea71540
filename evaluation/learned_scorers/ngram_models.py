"""N-gram models of a study's texts, and the scores of texts under them; none judges a text that it was trained on."""

from collections.abc import Sequence
from functools import partial
from typing import Any, NamedTuple

from evaluation.languages import lowered
from evaluation.learned_scorers.cross_fitting import fold_of, folds_for, single_spaced
from evaluation.learned_scorers.training_material import Floats, TrainingMaterial
from evaluation.learned_scorers.words import words_in
from foundation.kneser_ney import Model, estimate


class ScoredText(NamedTuple):
    """A text's n words, the log-probabilities of these and the end (n + 1,), and how many words are unknown."""

    words: list[str]
    logprobs: Floats
    unknown: int


def score_texts(
    texts: Sequence[str],
    trained_on: Sequence[str],
    material: TrainingMaterial,
    key: tuple[Any, ...],
    order: int,
    lower: bool,
    language: str = "",
) -> list[ScoredText]:
    """Score texts under n-gram models.

    Args:
        texts: The n texts.
        trained_on: The texts that the models are estimated on, at least one.
        material: Remembers the models. They serve all systems of a run.
        key: Names these texts and the settings.
        order: The n of the n-grams.
        lower: Whether case does not count.
        language: The language of the texts. It decides how words are found.

    Returns:
        The n scored texts; where a study's own texts are trained on, each by a model that did not see it.
    """
    seen = material.remember((*key, "seen"), lambda: {single_spaced(text) for text in trained_on})
    folds = folds_for(texts, material, seen)
    scored: dict[int, ScoredText] = {}
    for fold in set(folds):
        places = [i for i, each in enumerate(folds) if each == fold]
        model = material.remember((*key, fold), partial(_estimated, trained_on, fold, order, lower, language))
        sentences = [words_of(texts[i], lower, language) for i in places]
        for place, words, logprobs in zip(places, sentences, model.logprobs(sentences), strict=True):
            scored[place] = ScoredText(words, logprobs, model.unknown(words))
    return [scored[i] for i in range(len(texts))]


def words_of(text: str, lower: bool, language: str = "") -> list[str]:
    return words_in(language)(lowered(text, language) if lower else text)


def _estimated(texts: Sequence[str], fold: int | None, order: int, lower: bool, language: str) -> Model:
    """The model of the texts, without those of a fold."""
    return estimate((words_of(text, lower, language) for text in texts if fold is None or fold_of(text) != fold), order)
