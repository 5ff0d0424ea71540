"""A transfer model for the tests: it counts which word stands where in the rewrite. Needs no PyTorch.

A step is a pair. `Words.watched` is called with each step, so that a test can end a training at a place of its choice.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from foundation.options import NoOptions, option
from foundation.seeds import generator
from modelserving.training.callbacks import Callbacks, Sample
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS, Model, Transfer

NAME = "words"


@dataclass(frozen=True)
class Options:
    rounds: int = option(3, "How often the pairs are gone through", low=1, high=1000)
    keep_every: int = option(5, "Steps from one kept state to the next", low=1)


class Words(Model):
    watched: Callable[[int], object] = staticmethod(lambda step: None)

    def __init__(self, counts: dict[str, dict[str, int]], directions: Any) -> None:
        self.counts, self.directions = counts, tuple(map(tuple, directions))

    def transfer(self, texts: Sequence[str], direction: Any, decoding: NoOptions) -> Iterator[str]:
        if direction not in self.directions:
            raise UserError("Not this way.")
        return (" ".join(map(self._word, text.split())) for text in texts)

    def _word(self, word: str) -> str:
        found = self.counts.get(word, {word: 1})
        return min(found, key=lambda one: (-found[one], one))

    def signature(self, direction: Any, decoding: NoOptions) -> str:
        return f"words|{'-'.join(direction)}"

    def save(self, folder: Path) -> None:
        about = {"counts": self.counts, "directions": self.directions}
        (folder / "words.json").write_text(json.dumps(about, sort_keys=True))


class WordTransfer(Transfer):
    label = "Words"
    needs = "parallel"
    Options = Options

    def fit(self, data: TrainingData, options: Options, callbacks: Callbacks) -> Model:
        last = callbacks.kept("last")
        about = json.loads((last / "state.json").read_text()) if last else {"step": 0}
        model = self.load(last) if last else Words({}, [data.direction])
        total = len(data.train) * options.rounds
        for step in range(about["step"], total):
            Words.watched(step)
            callbacks.at(step, total)
            order = generator(callbacks.seed, "order", step // len(data.train)).permutation(len(data.train))
            self._learn(model, data, int(order[step % len(data.train)]), step)
            callbacks.point("loss", step + 1, 1 / (step + 1))
            if (step + 1) % len(data.train) == 0:
                self._look(model, data, callbacks, step + 1)
            if (step + 1) % options.keep_every == 0:
                self._keep(model, callbacks, step + 1)
        return model

    def _learn(self, model: Words, data: TrainingData, place: int, step: int) -> None:
        words = zip(data.train.sources[place].split(), data.train.targets[place].split(), strict=True)
        for number, (a, b) in enumerate(words):
            counts = Counter(model.counts.get(a, {}))
            counts[b] += 1 + step * number  # so that the order matters
            model.counts[a] = dict(counts)

    def _look(self, model: Words, data: TrainingData, callbacks: Callbacks, step: int) -> None:
        callbacks.score("agreement", step, step / 100, higher_is_better=True)
        outputs = model.transfer(data.dev.sources, data.direction, NoOptions())
        rows = zip(data.dev.sources, outputs, data.dev.of_each, strict=True)
        callbacks.samples(step, [Sample(source, output, references[0]) for source, output, references in rows])
        callbacks.keep("best", model.save)
        callbacks.say(f"Looked at step {step}.")

    def _keep(self, model: Words, callbacks: Callbacks, step: int) -> None:
        def write(folder: Path) -> None:
            model.save(folder)
            (folder / "state.json").write_text(json.dumps({"step": step}))

        callbacks.keep("last", write)

    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        if folder is None:
            raise UserError("Train it first.")
        about = json.loads((folder / "words.json").read_text())
        return Words(about["counts"], about["directions"])


def register(monkeypatch: Any) -> None:
    """Have it among the models of this process until the test ends."""
    names = [*TRANSFERS.names(), NAME]
    monkeypatch.setattr(TRANSFERS, "names", lambda: names)
    monkeypatch.setitem(TRANSFERS._loaded, NAME, WordTransfer())
