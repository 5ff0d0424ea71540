"""Rewards of rewrites: metrics with weights, as an option of a training lists them. Without torch: forms check them."""

from collections import Counter
from collections.abc import Sequence
from itertools import chain
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, Metric, MetricInput
from foundation.errors import UserError
from foundation.options import Value
from modelserving.training.dataset import TrainingData

WHERE = "rewards"
JUDGED = "preferences"
AT_HAND = frozenset({"sources", "styles", "texts", JUDGED})
WEIGHT = "weight"
PROBED = 64  # sources that show before the first update whether a metric is defined
Floats = NDArray[np.float64]


class Reward(NamedTuple):
    """A metric with its settings, and what it counts."""

    metric: Metric
    weight: float
    settings: dict[str, Value]


def rewards_of(text: str) -> list[Reward]:
    """The rewards of a text, one a line, such as 'pinc weight=2'; a UserError names a fault."""
    rewards = [_reward(line.split()) for line in text.splitlines() if line.strip()]
    if twice := [name for name, times in Counter(one.metric.name for one in rewards).items() if times > 1]:
        raise UserError("{name} occurs twice.", name=twice[0], where=WHERE)
    if not rewards:
        raise UserError("Name at least one metric that rewards.", where=WHERE)
    return rewards


def needs_judgements(text: str) -> bool:
    """Whether one of the rewards of a text is trained on people's preferences."""
    return any(JUDGED in one.metric.needs for one in rewards_of(text))


def _reward(words: Sequence[str]) -> Reward:
    try:
        metric = METRICS[words[0]]
    except KeyError as error:
        raise UserError(str(error.args[0]), where=WHERE) from None
    if lacks := sorted(metric.needs - AT_HAND):
        raise UserError("{label} rewards nothing: it needs {needs}, and there are texts of two styles and judgements.",
                        label=metric.label, needs=", ".join(lacks), where=WHERE)  # fmt: skip
    if metric.higher_is_better is None:
        raise UserError("{label} has no better end.", label=metric.label, where=WHERE)
    weight = 1.0
    settings: dict[str, Value] = {}
    for word in words[1:]:
        key, sign, value = word.partition("=")
        if not sign:
            raise UserError("Expected a metric's name and then NAME=VALUE, not '{word}'.", word=word[:60], where=WHERE)
        if key == WEIGHT:
            weight = _typed(1.0, value)
            if not 0 < weight < np.inf:
                raise UserError("A weight is a number above 0.", where=WHERE)
        else:
            settings[key] = _typed(metric.defaults.get(key, ""), value)
    metric.settings(**settings)
    return Reward(metric, weight, settings)


def _typed(usual: Any, value: str) -> Any:
    """The value in the type of the usual one; as it stands where it is not of that type, for the metric's own check."""
    if isinstance(usual, bool):
        return {"yes": True, "true": True, "no": False, "false": False}.get(value.casefold(), value)
    try:
        return type(usual)(value)
    except ValueError:
        raise UserError("Expected a number, not '{value}'.", value=value[:60], where=WHERE) from None


def check_rewards(text: str, language: str | None = None) -> None:
    """Raise a UserError where a metric cannot be computed on this machine, or in this language."""
    for metric, _, settings in rewards_of(text):
        why = metric.unavailable(**settings)
        if why := why or ("" if language is None else metric.undefined_for(language, **settings)):
            raise UserError(why, where=WHERE)


class Judge:
    """Scores rewrites of a direction by metrics that learn from the training data."""

    def __init__(self, text: str, data: TrainingData) -> None:
        check_rewards(text, data.language)
        self.rewards, self.data = rewards_of(text), data
        self.weights = np.array([one.weight for one in self.rewards])
        texts, tune = ({style: list(dict.fromkeys(filter(None, of[style]))) for style in of}
                       for of in (data.texts, data.dev_texts))  # fmt: skip
        self.material = TrainingMaterial(texts, tune, preferences=data.judged_pairs())
        probe = source_texts(data)[:PROBED]
        for reward in self.rewards:
            if why := reward.metric.score(self._input(probe, probe), **reward.settings).undefined:
                raise UserError(why, where=WHERE)

    def signatures(self) -> list[str]:
        """The signature of each metric, with its settings and the digest of the texts that it learnt from."""
        given = self._input(["a"], ["a"])
        return [one.metric.score(given, **one.settings).signature for one in self.rewards]

    def scores(self, sources: Sequence[str], rewrites: Sequence[str]) -> Floats:
        """The scores (n, k), higher ones better; NaN where a rewrite has none: a rewrite without any text has no score.

        A sentence's score depends on the sentence alone.
        """
        found = np.full((len(rewrites), len(self.rewards)), np.nan)
        there = [place for place, text in enumerate(rewrites) if text.strip()]
        if there:
            given = self._input([sources[place] for place in there], [rewrites[place] for place in there])
            for column, (metric, _, settings) in enumerate(self.rewards):
                scores = np.asarray(metric.score(given, **settings).sentences, dtype=np.float64)
                found[there, column] = scores if metric.higher_is_better else -scores
        return found

    def _input(self, sources: Sequence[str], rewrites: Sequence[str]) -> MetricInput:
        start, end = self.data.direction
        count = len(rewrites)
        return MetricInput(
            list(sources), list(rewrites), [], [start] * count, [end] * count, material=self.material,
            language=self.data.language,
        )  # fmt: skip


def source_texts(data: TrainingData) -> list[str]:
    """The different texts of the source style to train on."""
    return _texts(data.texts.get(data.source_style, ()), data.train.sources)


def tune_texts(data: TrainingData, most: int) -> list[str]:
    """The first different texts of the source style to tune on."""
    return _texts(data.dev.sources, data.dev_texts.get(data.source_style, ()))[:most]


def _texts(*parts: Sequence[str]) -> list[str]:
    return [text for text in dict.fromkeys(chain(*parts)) if text.strip()]


def advantages(scores: Floats, weights: Floats) -> Floats:
    """The advantage of each rewrite of its group (g, n), from scores (g, n, k) of k metrics.

    Each metric's scores are standardized in their group, as Shao et al. (2024, section 4.1.2) do with one reward's, and
    then summed by their weights, so that no metric counts more for its scale (Liu et al. 2026, GDPO,
    https://arxiv.org/abs/2601.05242). A rewrite without a score has the lowest one of its group.
    """
    least = np.nanmin(np.where(np.isnan(scores), np.inf, scores), axis=1, keepdims=True)
    filled = np.where(np.isnan(scores), np.where(np.isfinite(least), least, 0.0), scores)
    spread = filled.std(axis=1, ddof=1, keepdims=True)
    standard = (filled - filled.mean(axis=1, keepdims=True)) / (spread + 1e-4)
    found: Floats = (standard * weights).sum(axis=2) / weights.sum()
    return found


def wins(now: Floats, before: Floats, weights: Floats) -> float:
    """How often the scores (n, k) are above those before, a tie counting half; over metrics by their weights."""
    first, second = (np.where(np.isnan(scores), -np.inf, scores) for scores in (now, before))
    won = (first > second) + 0.5 * (first == second)
    return float((won.mean(axis=0) * weights).sum() / weights.sum())
