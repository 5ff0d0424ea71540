"""The quality of a model during its training: the tune set's texts, its score, and that of the last states' mean."""

import math
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import torch
from torch import Tensor, nn

from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import ON_ONE_PLACE, attention_warning

FILE = "average-{}.safetensors"
SAMPLES = 5
Sampled = tuple[float, Sequence[Sample]]
"""A score, and a few texts with their outputs."""


class LastStates:
    """The weights at the last `size` tune scores, the oldest first, in the memory of the processor."""

    def __init__(self, size: int) -> None:
        self.states: deque[dict[str, Tensor]] = deque(maxlen=size)

    def add(self, net: nn.Module) -> None:
        if self.states.maxlen:
            self.states.append({name: one.detach().cpu().clone() for name, one in weights.tensors_of(net).items()})

    @contextmanager
    def with_newest(self, net: nn.Module) -> Iterator[None]:
        """Add the network's state; if an error leaves the block, it is taken out again, since it will come anew."""
        before = self.states.copy()
        self.add(net)
        try:
            yield
        except BaseException:
            self.states = before
            raise

    @contextmanager
    def mean_in(self, net: nn.Module) -> Iterator[None]:
        """The network with the mean of the states inside the block, and with its own weights after it."""
        own = {name: one.detach().cpu().clone() for name, one in weights.tensors_of(net).items()}
        weights.fill(net, self._mean())
        try:
            yield
        finally:
            weights.fill(net, own)

    def _mean(self) -> dict[str, Tensor]:
        """The mean of the weights; integers (counts) are those of the newest state."""
        newest = self.states[-1]
        return {
            name: torch.stack([state[name] for state in self.states]).mean(0) if one.is_floating_point() else one
            for name, one in newest.items()
        }

    def __len__(self) -> int:
        return len(self.states)

    def write(self, folder: Path) -> None:
        for number, state in enumerate(self.states, 1):
            weights.write(folder / FILE.format(number), state)

    def read(self, folder: Path) -> None:
        self.states.clear()
        number = 1
        while (path := folder / FILE.format(number)).exists():
            self.states.append(weights.read(path))
            number += 1


@dataclass(frozen=True)
class Validation:
    """The tune set's score: its curve, the function that gives it with samples, and whether more of it is better.

    `score` asks the context before each batch whether to go on. `newest`: the score is only shown and the newest state
    (or mean) is kept, since the state with the best score need not be the best. `watch` gives the points of further
    curves, which decide nothing.
    """

    curve: str
    score: Callable[[RunContext], Sampled]
    higher_is_better: bool = True
    newest: bool = False
    watch: Callable[[RunContext], Mapping[str, float]] = lambda context: {}

    def finite(self, value: float) -> float:
        """The score; the worst possible where there is none."""
        return value if math.isfinite(value) else (-math.inf if self.higher_is_better else math.inf)

    def better(self, value: float, before: float | None) -> bool:
        """Whether it is better than the one before; the first of equal ones stays."""
        return self.newest or before is None or (value > before if self.higher_is_better else value < before)


@dataclass(frozen=True)
class TuneTexts:
    """The first tune sources that have a reference, by their `places` in the tune set."""

    data: TrainingData
    places: Sequence[int]

    @classmethod
    def of(cls, data: TrainingData, most: int) -> "TuneTexts | None":
        """At most so many of them; None where there is none."""
        places = [place for place, texts in enumerate(data.dev.of_each) if texts][:most]
        return cls(data, places) if places else None

    @property
    def sources(self) -> list[str]:
        return [self.data.dev.sources[place] for place in self.places]

    @property
    def references(self) -> list[list[str]]:
        """All references of each source."""
        return [self.data.dev.of_each[place] for place in self.places]

    def pairs(self, *, marked: bool = False) -> list[tuple[str, str]]:
        """Each source with its first reference; `marked`: with the brackets around replaced terms."""
        sides = self.data.dev.marked if marked else self.data.dev.references
        targets = [next(filter(None, (texts[place] for texts in sides)), "") for place in self.places]
        return list(zip(self.sources, targets, strict=True))

    def written(self, model: Any, context: RunContext, decoding: Any, most: int | None = None) -> list[str]:
        """The model's outputs of the first `most` sources."""
        return list(model.within(context).transfer(self.sources[:most], self.data.direction, decoding))

    def samples(self, outputs: Sequence[str]) -> list[Sample]:
        """The first few outputs with source and first reference."""
        rows = zip(self.sources, outputs, self.references, strict=False)
        return [Sample(source, output, texts[0]) for source, output, texts in islice(rows, SAMPLES)]

    def by_metric(self, model: Any, name: str, decoding: Any) -> Validation:
        """The metric `name` of the outputs; a UserError where it is unavailable."""
        metric = METRICS[name]
        if lacking := metric.unavailable():
            raise UserError(lacking, where="tune_by")

        def score(context: RunContext) -> Sampled:
            outputs = self.written(model, context, decoding)
            texts = MetricInput(self.sources, outputs, self.references, language=self.data.language)
            found = metric.score(texts).corpus
            return (math.nan if found is None else found), self.samples(outputs)

        return Validation(name, score, bool(metric.higher_is_better))


class Validator:
    """Scores a network and keeps its best state. The mean of the last `average` states is scored too."""

    def __init__(
        self, net: nn.Module, validation: Validation | None, callbacks: Callbacks, save: Callable[[Path], None],
        average: int = 0,
    ) -> None:  # fmt: skip
        self.net, self.validation, self.callbacks, self.save = net, validation, callbacks, save
        self.last_states = LastStates(average)
        self._mean_is_better = False

    def score(self, epoch: int, step: int, context: RunContext) -> float | None:
        """Report the tune set's score; None where there is no tune set: the newest state (or mean) is then the best.

        If the context raises, nothing changes.
        """
        self.net.eval()
        with self.last_states.with_newest(self.net):
            return self._score(epoch, step, context)

    def _score(self, epoch: int, step: int, context: RunContext) -> float | None:
        averaged = len(self.last_states) > 1
        if self.validation is None:
            self._mean_is_better = averaged
            return None
        value, samples = self._scored(self.validation, context)
        watched = self.validation.watch(context)
        self._mean_is_better = False
        if averaged:
            mean, mean_samples = self._score_of_mean(self.validation, step, context)
            if self.validation.better(mean, value):
                value, samples, self._mean_is_better = mean, mean_samples, True
        self._tell(self.validation, epoch, step, value, samples)
        self._tell_watched(step, watched)
        return value

    def _scored(self, validation: Validation, context: RunContext) -> Sampled:
        value, samples = validation.score(context)
        return validation.finite(value), samples

    def _score_of_mean(self, validation: Validation, step: int, context: RunContext) -> Sampled:
        with self.last_states.mean_in(self.net):
            value, samples = self._scored(validation, context)
        self.callbacks.point(f"{validation.curve} of the mean", step, value)
        return value, samples

    def _tell(
        self, validation: Validation, epoch: int, step: int, value: float, samples: Sequence[Sample]
    ) -> None:  # fmt: skip
        self.callbacks.score(validation.curve, step, value, higher_is_better=validation.higher_is_better)
        self.callbacks.samples(step, samples)
        end = "higher" if validation.higher_is_better else "lower"
        name = validation.curve.replace("_", " ")
        of = f", of the mean of the last {len(self.last_states)} states" if self._mean_is_better else ""
        self.callbacks.say(f"Epoch {epoch}, batch {step}: {name} {value:.4g} ({end} is better){of}")

    def _tell_watched(self, step: int, watched: Mapping[str, float]) -> None:
        for curve, value in watched.items():
            self.callbacks.point(curve, step, value)
        if said := attention_warning(watched.get(ON_ONE_PLACE, 0.0)):
            self.callbacks.say(said)

    def keep_best(self) -> None:
        """Keep the state that was scored last, or the mean of the states if that was better."""
        with self.last_states.mean_in(self.net) if self._mean_is_better else nullcontext():
            self.callbacks.keep("best", self.save)
