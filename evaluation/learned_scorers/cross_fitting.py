"""Cross-fitting on a study's texts: a model judges only outputs that it was not trained on."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import Floats, TrainingMaterial
from foundation.seeds import generator

Labels = NDArray[np.int64]
FOLDS = 5
MOST = 200_000  # texts of a style that are trained on, so that memory and time stay bounded; more are drawn from
SEEDS = (0.0, 2.0**31 - 1)
LONGEST = 80  # tokens that a network reads of a text, as in Keras' example that Fu et al. name
FEW_STYLES = "The study has no texts of two styles to train on."
FEW_TEXTS = "A classifier takes {least} texts of each style at least, and the study has {count} of '{style}'."


StyleClassifier = Callable[[Sequence[str]], Labels]
"""A trained classifier: the number of each text's style, (n,)."""

TrainClassifier = Callable[[Sequence[str], Labels, int], StyleClassifier]
"""From texts, the numbers of their styles and how many styles there are."""


@dataclass(frozen=True)
class LabelledTexts:
    """Texts and the numbers of their styles, (n,), among `styles`."""

    styles: tuple[str, ...]
    texts: list[str]
    labels: Labels

    def without(self, fold: int | None) -> tuple[list[str], Labels]:
        """The training data of the model that judges this fold; all for None."""
        chosen = [i for i, text in enumerate(self.texts) if fold is None or fold_of(text) != fold]
        return [self.texts[i] for i in chosen], self.labels[chosen]

    def only(self, fold: int) -> tuple[list[str], Labels]:
        chosen = [i for i, text in enumerate(self.texts) if fold_of(text) == fold]
        return [self.texts[i] for i in chosen], self.labels[chosen]


def single_spaced(text: str) -> str:
    """The text with single spaces: as such it is told whether it was trained on."""
    return " ".join(text.split())


def fold_of(text: str, folds: int = FOLDS) -> int:
    """The fold of a text, whatever stands beside it.

    Args:
        text: The text; white space does not count.
        folds: How many folds there are.

    Returns:
        The number of its fold, from 0.
    """
    return crc32(single_spaced(text).encode("utf-8", "surrogatepass")) % folds


def sample_texts(texts: Sequence[str], seed: int, name: str) -> list[str]:
    """Draw texts to train on.

    Args:
        texts: The texts; those that hold nothing are left out.
        seed: Sets what is drawn.
        name: What they are for: other names draw otherwise.

    Returns:
        At most MOST texts, in the order in which they were given.
    """
    filled = [text for text in texts if text.strip()]
    if len(filled) <= MOST:
        return filled
    return [filled[i] for i in sorted(generator(seed, "training", name).choice(len(filled), MOST, replace=False))]


def labelled_texts(texts: Mapping[str, Sequence[str]], seed: int, styles: Sequence[str] = ()) -> LabelledTexts:
    """Texts with the numbers of their styles.

    Args:
        texts: The texts of each style.
        seed: Sets what is drawn where a style has more than MOST.
        styles: The styles, in the order of their numbers; without any, those that have a text, by name.

    Returns:
        The styles, the n texts and their labels (n,).
    """
    by_style = {style: sample_texts(texts.get(style, ()), seed, style) for style in styles or sorted(texts)}
    named = tuple(styles) or tuple(style for style in by_style if by_style[style])
    labels = [np.full(len(by_style[style]), number) for number, style in enumerate(named)]
    joined = np.concatenate(labels).astype(np.int64) if labels else np.zeros(0, dtype=np.int64)
    return LabelledTexts(named, [text for style in named for text in by_style[style]], joined)


def folds_for(texts: Sequence[str], material: TrainingMaterial, trained_on: set[str]) -> list[int | None]:
    """By which model each text is judged: one that did not see it, where a study's own texts are trained on."""
    if material.origin != "own":
        return [None] * len(texts)
    return [fold_of(text) if single_spaced(text) in trained_on else None for text in texts]


def few_texts(material: TrainingMaterial, seed: int) -> str:
    """Why no classifier of styles is trained on the texts, as a sentence; "" where one is."""
    data = labelled_texts(material.texts, seed)
    if len(data.styles) < 2:
        return FEW_STYLES
    counts = dict(zip(data.styles, np.bincount(data.labels).tolist(), strict=True))
    style = min(counts, key=lambda name: counts[name])
    return "" if counts[style] >= FOLDS else FEW_TEXTS.format(least=FOLDS, count=counts[style], style=style)


def target_style_hits(
    outputs: Sequence[str],
    target_styles: Sequence[str],
    material: TrainingMaterial,
    key: tuple[Any, ...],
    train: TrainClassifier,
    seed: int,
    checked: int = FOLDS,
) -> tuple[Floats, dict[str, float]]:
    """Which outputs a classifier takes for their target style, and how accurate it is.

    Without texts to tune on, its accuracy is measured on `checked` of the folds.

    Args:
        outputs: The n outputs. An output without text is of no style.
        target_styles: The style that each is to have.
        material: The texts to train on.
        key: Names the classifier and its settings.
        train: Trains a classifier.
        seed: Draws the texts. All are taken where they are few enough.
        checked: On how many folds accuracy is measured.

    Returns:
        (n,) of 1 where the output is taken for its target style, else 0, NaN where that style has no texts; and the
        accuracy. There are enough texts (`few_texts`).
    """
    data = material.remember((*key, "texts"), lambda: labelled_texts(material.texts, seed))
    models = _Models(material, data, key, train)
    trained_on = material.remember((*key, "seen"), lambda: {single_spaced(text) for text in data.texts})
    styles = models.judge(outputs, folds_for(outputs, material, trained_on))
    number = {style: i for i, style in enumerate(data.styles)}
    wanted = np.array([number.get(style, -1) for style in target_styles])
    has_text = np.array([bool(output.strip()) for output in outputs])
    hits = np.where(wanted < 0, np.nan, ((styles == wanted) & has_text).astype(np.float64))
    return hits, material.remember((*key, "accuracy"), lambda: models.accuracy(seed, checked))


@dataclass(frozen=True)
class _Models:
    """The classifiers of one kind, trained when they are asked for: on all texts, and without a fold of them."""

    material: TrainingMaterial
    data: LabelledTexts
    key: tuple[Any, ...]
    train: TrainClassifier

    def without(self, fold: int | None) -> StyleClassifier:
        styles = len(self.data.styles)
        return self.material.remember((*self.key, fold), lambda: self.train(*self.data.without(fold), styles))

    def judge(self, texts: Sequence[str], folds: Sequence[int | None]) -> Labels:
        labels = np.zeros(len(texts), dtype=np.int64)
        for fold in sorted(set(folds), key=lambda each: -1 if each is None else each):
            places = [i for i, each in enumerate(folds) if each == fold]
            labels[places] = self.without(fold)([texts[i] for i in places])
        return labels

    def accuracy(self, seed: int, checked: int) -> dict[str, float]:
        """On the texts to tune on, else on texts of each fold by a model that did not see them."""
        tune = labelled_texts(self.material.tune, seed, self.data.styles)
        if len(np.unique(tune.labels)) == len(self.data.styles):
            return _accuracy("tune", tune.labels, self.without(None)(tune.texts))
        parts = [(self.data.only(fold), fold) for fold in range(FOLDS)]
        held = [(texts, labels, fold) for (texts, labels), fold in parts if texts][:checked]
        judged = [(labels, self.without(fold)(texts)) for texts, labels, fold in held]
        right, given = (np.concatenate(each) for each in zip(*judged, strict=True))
        return _accuracy("held_out", right, given)


def _accuracy(how: str, right: Labels, given: Labels) -> dict[str, float]:
    """`by_chance` is the share of the most frequent style."""
    return {
        f"accuracy_{how}": float((right == given).mean()),
        f"texts_{how}": float(len(right)),
        "accuracy_by_chance": float(np.bincount(right).max() / len(right)),
    }
