"""NMT Combined of GYAFC's paper (section 4.3): NMT Copy on pairs and on a phrase-based model's rewrites of more texts.

A phrase-based model rewrites texts of the source style (forward). Another one, of the other direction, rewrites those
of the target style (back-translation, Sennrich et al. 2016): its output is then the source of a text that people wrote.
The pairs are repeated, so that they weigh as much as all generated texts.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from foundation.options import option
from foundation.seeds import generator
from modelserving.formality_rules.preprocessing import rules_of
from modelserving.interface import Model
from modelserving.neural_transfer.gyafc import GyafcOptions, write_once
from modelserving.neural_transfer.kind import NetworkTransfer
from modelserving.phrase_based.training_options import PhraseTrainingOptions
from modelserving.training.callbacks import Callbacks, PartCallbacks
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.training.recipe import MORE_PAIRS
from modelserving.transfer import nmt_copy, pbmt

PARTS = (0.0, 0.2, 0.3, 0.5, 0.6, 1.0)  # of the whole: a model and its rewrites, the other model and its, the network


@dataclass(frozen=True)
class NmtCombinedOptions(GyafcOptions):
    forward: int = option(
        500_000, "Texts of the source style that are rewritten to train on, at most", low=0, group=MORE_PAIRS
    )
    back: int = option(
        500_000, "Texts of the target style that are translated back to train on, at most", low=0, group=MORE_PAIRS
    )
    duplication: int = option(
        0,
        "Weight of the pairs, relative to the made pairs; 0 for as much as all of them",
        low=0,
        high=1000,
        group=MORE_PAIRS,
    )
    self_training: int = option(
        1, "Rounds of the phrase-based models on their own rewrites", low=0, high=10, rare=True, group=MORE_PAIRS
    )


class NmtCombined(nmt_copy.NmtCopy):
    label = "NMT Combined"
    Options = NmtCombinedOptions

    def apply_rules(self, data: TrainingData, options: Any, callbacks: Callbacks) -> TrainingData:
        """The pairs, as often as they count, and behind them the outputs of the phrase-based models."""
        pairs = super().apply_rules(data, options, callbacks).train
        forward = self._made(data, options.forward, options, callbacks, 0, "forward")
        back = self._made(_turned(data), options.back, options, callbacks, 2, "back")
        made = len(forward) + len(back)
        often = options.duplication or max(1, round(made / max(1, len(pairs))))
        callbacks.say(f"{len(pairs):,} pairs count {often} times beside {made:,} that were made.")
        first = rules_of(data.direction, options.rules)
        sources = chain(
            chain.from_iterable(repeat(pairs.sources, often)), map(first, forward.sources), back.targets
        )  # fmt: skip
        targets = chain(chain.from_iterable(repeat(pairs.targets, often)), forward.targets, back.sources)
        return replace(
            data,
            train=Pairs(write_once(callbacks, "all.source", sources), write_once(callbacks, "all.target", targets)),
        )

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        prepared = self.prepare(data, options, callbacks)
        return NetworkTransfer.fit(self, prepared, options, PartCallbacks(callbacks, PARTS[-2], PARTS[-1]))

    def _made(self, data: TrainingData, most: int, options: Any, callbacks: Callbacks, at: int, name: str) -> Pairs:
        """Texts of the data's source style, each with its output by a phrase-based model of that direction."""
        texts = _drawn(data.texts.get(data.source_style, ()), most, callbacks.seed, name)
        if not texts:
            return Pairs()
        writing = PartCallbacks(callbacks, PARTS[at + 1], PARTS[at + 2])
        fitting = PartCallbacks(callbacks, PARTS[at], PARTS[at + 1], callbacks.folder / name)
        outputs = self._rewrites(texts, data, options, fitting, writing)
        return Pairs(texts, write_once(writing, f"{name}.output", outputs))

    def _rewrites(
        self, texts: list[str], data: TrainingData, options: Any, fitting: Callbacks, writing: Callbacks
    ) -> Iterator[str]:
        """The outputs for the texts; their model is made, or read, when the first output is asked for."""
        writing.say(f"A phrase-based model from {data.source_style} to {data.target_style}.")
        model = self._phrase_based(data, options, fitting, fitting.folder / "model")
        writing.say(f"It rewrites {len(texts):,} texts.")
        for done, output in enumerate(model.transfer(texts, data.direction, pbmt.TRANSFER.Decoding())):
            if done % 64 == 0:
                writing.at(done, len(texts))
            yield output

    def _phrase_based(self, data: TrainingData, options: Any, callbacks: Callbacks, folder: Path) -> Model:
        """The existing model, or a new one, which is kept."""
        if not folder.exists():
            chosen = PhraseTrainingOptions(rules=options.rules, self_training=options.self_training)
            model = pbmt.TRANSFER.fit(data, chosen, callbacks)
            part = folder.with_suffix(".part")
            part.mkdir(parents=True, exist_ok=True)
            model.save(part)
            part.rename(folder)
        return pbmt.TRANSFER.load(folder)


def _turned(data: TrainingData) -> TrainingData:
    """The data of the other direction; its tune set has the first reference of each source as a source."""
    sources = [texts[0] if texts else "" for texts in data.dev.of_each]
    return replace(
        data,
        source_style=data.target_style,
        target_style=data.source_style,
        train=Pairs(data.train.targets, data.train.sources),
        dev=DevSet(sources, [list(data.dev.sources)]),
    )


def _drawn(texts: Any, most: int, seed: int, name: str) -> list[str]:
    """The different texts that are not empty, at most so many, drawn by the seed."""
    listed = [text for text in dict.fromkeys(texts) if text.strip()] if most else []
    if len(listed) <= most:
        return listed
    return [listed[i] for i in sorted(generator(seed, "nmt_combined", name).choice(len(listed), most, replace=False))]


TRANSFER = NmtCombined()
