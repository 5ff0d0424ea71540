"""What the metrics share that are trained on a study's texts: on which of them, and which model judges which output."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.seeds import generator

Labels = NDArray[np.int64]
FOLDS = 5
MOST = 200_000  # texts of a style that are trained on, so that memory and time stay bounded; more are drawn from
SEEDS = (0.0, 2.0**31 - 1)
FEW_STYLES = "The study has no texts of two styles to train on."


class TrainedMetric(Metric):
    """A metric whose signature says on what it was trained."""

    def _sign(self, chosen: Mapping[str, Setting], batch: MetricInput | None) -> str:
        parts = [super()._sign(chosen, batch)]
        material = batch.material if batch is not None else None
        if material is not None and "texts" in self.needs:
            parts += [f"texts:{material.digest('texts')[:8]}", f"origin:{material.origin}"]
        if material is not None and "rated" in self.needs:
            parts.append(f"rated:{material.digest('rated')[:8]}")
        return "|".join(parts)


Judge = Callable[[Sequence[str]], Labels]
"""A trained classifier: the number of each text's style, (n,)."""

Train = Callable[[Sequence[str], Labels, int], Judge]
"""From texts, the numbers of their styles and how many styles there are."""


@dataclass(frozen=True)
class Styled:
    """Texts and the numbers of their styles, (n,), among `styles`."""

    styles: tuple[str, ...]
    texts: list[str]
    labels: Labels

    def without(self, fold: int | None) -> tuple[list[str], Labels]:
        """What a model is trained on that judges this fold; all for None."""
        kept = [i for i, text in enumerate(self.texts) if fold is None or fold_of(text) != fold]
        return [self.texts[i] for i in kept], self.labels[kept]

    def only(self, fold: int) -> tuple[list[str], Labels]:
        kept = [i for i, text in enumerate(self.texts) if fold_of(text) == fold]
        return [self.texts[i] for i in kept], self.labels[kept]


def plain(text: str) -> str:
    """The text with single spaces: as such it is told whether it was trained on."""
    return " ".join(text.split())


def fold_of(text: str, folds: int = FOLDS) -> int:
    """The fold of a text, whatever stands beside it."""
    return crc32(plain(text).encode("utf-8", "surrogatepass")) % folds


def drawn(texts: Sequence[str], seed: int, name: str) -> list[str]:
    """The texts that hold something, at most MOST of them."""
    there = [text for text in texts if text.strip()]
    if len(there) <= MOST:
        return there
    return [there[i] for i in sorted(generator(seed, "training", name).choice(len(there), MOST, replace=False))]


def styled(texts: Mapping[str, Sequence[str]], seed: int, styles: Sequence[str] = ()) -> Styled:
    """The texts of all styles that have some, or of `styles`."""
    found = {style: drawn(texts.get(style, ()), seed, style) for style in styles or sorted(texts)}
    named = tuple(styles) or tuple(style for style in found if found[style])
    labels = [np.full(len(found[style]), number) for number, style in enumerate(named)]
    joined = np.concatenate(labels).astype(np.int64) if labels else np.zeros(0, dtype=np.int64)
    return Styled(named, [text for style in named for text in found[style]], joined)


def folds_for(texts: Sequence[str], material: TrainingMaterial, trained_on: set[str]) -> list[int | None]:
    """By which model each text is judged: one that did not see it, where a study's own texts are trained on."""
    if material.origin != "own":
        return [None] * len(texts)
    return [fold_of(text) if plain(text) in trained_on else None for text in texts]


def judged(batch: MetricInput, key: tuple[Any, ...], train: Train, seed: int, checked: int = FOLDS) -> Result:
    """The sentences that a classifier takes for their target style (1, others 0), and how accurate it is.

    `key` names the classifier and its settings. Without texts to tune on, its accuracy is measured on `checked` of the
    folds. An output without any text is of no style: 0. One whose target style has no texts has no score.
    """
    material = batch.material or TrainingMaterial()
    data = material.remember((*key, "texts"), lambda: styled(material.texts, seed))
    if len(data.styles) < 2:
        return Result(np.full(len(batch.outputs), np.nan), undefined=FEW_STYLES)
    models = _Models(material, data, key, train)
    seen = material.remember((*key, "seen"), lambda: {plain(text) for text in data.texts})
    found = models.judge(batch.outputs, folds_for(batch.outputs, material, seen))
    number = {style: i for i, style in enumerate(data.styles)}
    wanted = np.array([number.get(style, -1) for style in batch.target_styles])
    there = np.array([bool(output.strip()) for output in batch.outputs])
    hits = np.where(wanted < 0, np.nan, ((found == wanted) & there).astype(np.float64))
    return Result(hits, material.remember((*key, "accuracy"), lambda: models.accuracy(seed, checked)))


@dataclass(frozen=True)
class _Models:
    """The classifiers of one kind, trained when they are asked for: on all texts, and without a fold of them."""

    material: TrainingMaterial
    data: Styled
    key: tuple[Any, ...]
    train: Train

    def without(self, fold: int | None) -> Judge:
        styles = len(self.data.styles)
        return self.material.remember((*self.key, fold), lambda: self.train(*self.data.without(fold), styles))

    def judge(self, texts: Sequence[str], folds: Sequence[int | None]) -> Labels:
        found = np.zeros(len(texts), dtype=np.int64)
        for fold in sorted(set(folds), key=lambda each: -1 if each is None else each):
            places = [i for i, each in enumerate(folds) if each == fold]
            found[places] = self.without(fold)([texts[i] for i in places])
        return found

    def accuracy(self, seed: int, checked: int) -> dict[str, float]:
        """On the texts to tune on, else on texts of each fold by a model that did not see them."""
        tune = styled(self.material.tune, seed, self.data.styles)
        if len(np.unique(tune.labels)) == len(self.data.styles):
            return _accuracy("tune", tune.labels, self.without(None)(tune.texts))
        parts = [(self.data.only(fold), fold) for fold in range(checked)]
        found = [(labels, self.without(fold)(texts)) for (texts, labels), fold in parts if texts]
        right, given = (np.concatenate(each) for each in zip(*found, strict=True))
        return _accuracy("held_out", right, given)


def _accuracy(how: str, right: Labels, given: Labels) -> dict[str, float]:
    """`by_chance` is the share of the most frequent style."""
    return {
        f"accuracy_{how}": float((right == given).mean()),
        f"texts_{how}": float(len(right)),
        "accuracy_by_chance": float(np.bincount(right).max() / len(right)),
    }
