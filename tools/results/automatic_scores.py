"""The scores of outputs of parallel texts: SARI and BLEU with their intervals, fluency, looks, a few samples."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Literal

import numpy as np

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, Metric, MetricInput
from evaluation.metrics.content_preservation import METRIC as CONTENT
from evaluation.metrics.perplexity_ngram import METRIC as PERPLEXITY
from evaluation.metrics.sari import METRIC as SARI
from evaluation.metrics.transfer_strength import METRIC as STRENGTH
from tools.results.table_rows import format_resamples, output_statistics, percentile_interval, resampled_scores

# Outputs that know nothing: the source with words dropped, replaced or shuffled. A model that is no better has failed.

DROPPED, REPLACED = 0.2, 0.3
Noise = Callable[[str, Sequence[str], random.Random], str]


def dropped(source: str, words: Sequence[str], chance: random.Random) -> str:
    """The source without each of its words by a chance of a fifth."""
    return " ".join(word for word in source.split() if chance.random() >= DROPPED)


def replaced(source: str, words: Sequence[str], chance: random.Random) -> str:
    """The source with each of its words replaced by a chance of 30%, by one drawn from all words."""
    return " ".join(chance.choice(words) if chance.random() < REPLACED else word for word in source.split())


def shuffled(source: str, words: Sequence[str], chance: random.Random) -> str:
    """The words of the source in any order."""
    found = source.split()
    chance.shuffle(found)
    return " ".join(found)


NOISES: dict[str, tuple[str, Noise]] = {
    "words_dropped": ("a fifth of the words dropped", dropped),
    "words_replaced": ("30% of the words replaced at random", replaced),
    "words_shuffled": ("the words in any order", shuffled),
}


def noisy_outputs(name: str, sources: Sequence[str], seed: int, texts: Sequence[str]) -> list[str]:
    """The outputs of a kind of noise; words are drawn from those of the texts, by their frequency there."""
    words = [word for text in texts for word in text.split()]
    chance = random.Random(seed)  # noqa: S311 - no secret
    return [NOISES[name][1](source, words, chance) for source in sources]


BLEU = METRICS["bleu"]

VERSION = 2
"""Of what is found: raise it where that changes, so that runs are judged anew."""
SAMPLES, SEED = 5, 1
ScoreSummary = dict[str, Any]
Measure = Literal["sari", "bleu"]


def sample_outputs(texts: Sequence[str]) -> list[str]:
    """The outputs of the same few sources for every row."""
    places = random.Random(SEED).sample(range(len(texts)), min(SAMPLES, len(texts)))  # noqa: S311 - no secret
    return [texts[place] for place in sorted(places)]


@dataclass(frozen=True)
class Evaluator:
    """Judges outputs of the sources against `references[i]`, the rewrites of source i; `texts` are those that the
    language model of fluency learns from: rewrites of other sources. Rows are compared by `measure`.

    `styles` are the texts to train on of the source's style and of the target's: with them, style and meaning are
    measured. Without `shown` no outputs are kept as samples, where texts offend.
    """

    sources: Sequence[str]
    references: Sequence[Sequence[str]]
    texts: Sequence[str]
    style: str
    measure: Measure = "sari"
    styles: Mapping[str, Sequence[str]] = field(default_factory=dict)
    shown: bool = True

    @property
    def several(self) -> bool:
        """Whether a source has several rewrites, each of which can stand against the others."""
        return len(self.references[0]) > 1

    def of(self, outputs: Sequence[str]) -> ScoreSummary:
        """All scores of outputs; draws are kept of the measure that rows are compared by."""
        return {
            **self._against(outputs, self.references),
            **({"sari_of_fewer": self._against_fewer(outputs)} if self.several else {}),
            **self._fluency(outputs),
            **self._style_and_meaning(outputs),
            **output_statistics(self.sources, outputs),
            **self._samples(outputs),
        }

    def of_people(self) -> ScoreSummary:
        """Each rewrite against the others of its source, and the mean over all of them."""
        each = range(len(self.references[0]))
        texts = [[given[one] for given in self.references] for one in each]
        saris = [self._score(SARI, texts[one], self._without(one)) for one in each]
        bleus = [self._score(BLEU, texts[one], self._without(one)) for one in each]
        described = [
            {**self._fluency(one), **self._style_and_meaning(one), **output_statistics(self.sources, one)}
            for one in texts
        ]
        draws = np.mean([resampled_scores(scores, SARI) for scores in saris], axis=0)
        return {
            "sari_of_fewer": float(np.mean([scores.corpus for scores in saris])),
            "bleu_of_fewer": float(np.mean([scores.corpus for scores in bleus])),
            "intervals": {"sari_of_fewer": percentile_interval(draws)},
            **{name: float(np.mean([one[name] for one in described])) for name in described[0]},
            **self._samples(texts[0]),
        }

    def _against(self, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> ScoreSummary:
        sari, bleu = (self._score(metric, outputs, references) for metric in (SARI, BLEU))
        draws = {"sari": resampled_scores(sari, SARI), "bleu": resampled_scores(bleu, BLEU)}
        return {
            "bleu": bleu.corpus,
            "sari": sari.corpus,
            "intervals": {name: percentile_interval(values) for name, values in draws.items()},
            "draws": {self.measure: format_resamples(draws[self.measure])},
        }

    def _against_fewer(self, outputs: Sequence[str]) -> float:
        fewer = [self._score(SARI, outputs, self._without(one)) for one in range(len(self.references[0]))]
        return float(np.mean([scores.corpus for scores in fewer]))

    def _fluency(self, outputs: Sequence[str]) -> ScoreSummary:
        styles = [self.style] * len(outputs)
        batch = MetricInput(list(self.sources), list(outputs), [], styles, styles, material=self._material)
        scores = PERPLEXITY.score(batch)
        return {"perplexity": scores.corpus, "unknown_words": scores.details["unknown_words"]}

    def _style_and_meaning(self, outputs: Sequence[str]) -> ScoreSummary:
        if not self.styles:
            return {}
        before, after = ([style] * len(outputs) for style in self.styles)
        batch = MetricInput(list(self.sources), list(outputs), [], before, after, material=self._of_both)
        return {"strength": STRENGTH.score(batch).corpus, "preservation": CONTENT.score(batch).corpus}

    def _samples(self, outputs: Sequence[str]) -> dict[str, list[str]]:
        return {"samples": sample_outputs(outputs)} if self.shown else {}

    def _without(self, one: int) -> list[list[str]]:
        return [[text for at, text in enumerate(given) if at != one] for given in self.references]

    def _score(self, metric: Metric, outputs: Sequence[str], references: Sequence[Sequence[str]]) -> Any:
        return metric.score(MetricInput(list(self.sources), list(outputs), [list(given) for given in references]))

    @cached_property
    def _material(self) -> TrainingMaterial:
        return TrainingMaterial(texts={self.style: list(dict.fromkeys(self.texts))})

    @cached_property
    def _of_both(self) -> TrainingMaterial:
        return TrainingMaterial(texts={style: list(dict.fromkeys(texts)) for style, texts in self.styles.items()})
