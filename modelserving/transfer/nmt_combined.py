"""NMT Combined of GYAFC's paper (section 4.3): NMT Copy on pairs, and on what a phrase-based model makes of more texts.

A phrase-based model rewrites texts of the source style (forward), another one, of the other direction, those of the
target style (back-translation, Sennrich et al. 2016): its output is then the source of a text that people wrote. The
pairs are repeated, so that they weigh as much as all that was made.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import chain, repeat
from pathlib import Path
from typing import Any

from foundation.options import option
from foundation.seeds import generator
from modelserving.training.data import Data, Pairs, Tune
from modelserving.training.watch import Part, Watch
from modelserving.transfer import nmt_copy, pbmt
from modelserving.transfer._base import Model
from modelserving.transfer._gyafc import Options as NmtOptions
from modelserving.transfer._gyafc import once
from modelserving.transfer._network import NetworkTransfer
from modelserving.transfer._ruled import rules_of

PARTS = (0.0, 0.2, 0.3, 0.5, 0.6, 1.0)  # of the whole: a model and its rewrites, the other model and its, the network


@dataclass(frozen=True)
class Options(NmtOptions):
    forward: int = option(500_000, "Texts of the source style that are rewritten to train on, at most", low=0)
    back: int = option(500_000, "Texts of the target style that are translated back to train on, at most", low=0)
    duplication: int = option(
        0, "How often pairs count beside what was made; 0 for as much as all of it", low=0, high=1000
    )
    self_training: int = option(1, "Rounds of the phrase-based models on their own rewrites", low=0, high=10, rare=True)


class NmtCombined(nmt_copy.NmtCopy):
    label = "NMT Combined"
    Options = Options

    def ruled(self, data: Data, options: Any, watch: Watch) -> Data:
        """The pairs, as often as they count, and behind them what the phrase-based models made."""
        pairs = super().ruled(data, options, watch).train
        forward = self._made(data, options.forward, options, watch, 0, "forward")
        back = self._made(_turned(data), options.back, options, watch, 2, "back")
        made = len(forward) + len(back)
        often = options.duplication or max(1, round(made / max(1, len(pairs))))
        watch.say(f"{len(pairs):,} pairs count {often} times beside {made:,} that were made.")
        first = rules_of(data.direction, options.rules)
        sources = chain(
            chain.from_iterable(repeat(pairs.sources, often)), map(first, forward.sources), back.targets
        )  # fmt: skip
        targets = chain(chain.from_iterable(repeat(pairs.targets, often)), forward.targets, back.sources)
        return replace(data, train=Pairs(once(watch, "all.source", sources), once(watch, "all.target", targets)))

    def fit(self, data: Data, options: Any, watch: Watch) -> Model:
        prepared = self.prepared(data, options, watch)
        return NetworkTransfer.fit(self, prepared, options, Part(watch, PARTS[-2], PARTS[-1]))

    def _made(self, data: Data, most: int, options: Any, watch: Watch, at: int, name: str) -> Pairs:
        """Texts of the data's source style, and what a phrase-based model of its direction makes of each."""
        texts = _drawn(data.texts.get(data.source_style, ()), most, watch.seed, name)
        if not texts:
            return Pairs()
        folder = watch.folder / name
        watch.say(f"A phrase-based model from {data.source_style} to {data.target_style}.")
        model = self._phrase_based(data, options, Part(watch, PARTS[at], PARTS[at + 1], folder), folder / "model")
        watch.say(f"It rewrites {len(texts):,} texts.")
        writing = Part(watch, PARTS[at + 1], PARTS[at + 2])
        outputs = model.transfer(texts, data.direction, pbmt.TRANSFER.Decoding())
        return Pairs(texts, once(writing, f"{name}.output", _told(outputs, len(texts), writing)))

    def _phrase_based(self, data: Data, options: Any, watch: Watch, folder: Path) -> Model:
        """The model that is there, or a new one, which is kept."""
        if not folder.exists():
            chosen = pbmt.Options(rules=options.rules, self_training=options.self_training)
            model = pbmt.TRANSFER.fit(data, chosen, watch)
            part = folder.with_suffix(".part")
            part.mkdir(parents=True, exist_ok=True)
            model.save(part)
            part.rename(folder)
        return pbmt.TRANSFER.load(folder)


def _turned(data: Data) -> Data:
    """The data of the other direction; its tune set has the first reference of each source as a source."""
    sources = [texts[0] if texts else "" for texts in data.tune.of_each]
    return replace(
        data,
        source_style=data.target_style,
        target_style=data.source_style,
        train=Pairs(data.train.targets, data.train.sources),
        tune=Tune(sources, [list(data.tune.sources)]),
    )


def _drawn(texts: Any, most: int, seed: int, name: str) -> list[str]:
    """The different texts that hold something, at most so many, drawn by the seed."""
    listed = [text for text in dict.fromkeys(texts) if text.strip()] if most else []
    if len(listed) <= most:
        return listed
    return [listed[i] for i in sorted(generator(seed, "nmt_combined", name).choice(len(listed), most, replace=False))]


def _told(outputs: Iterator[str], total: int, watch: Watch) -> Iterator[str]:
    for done, output in enumerate(outputs):
        if done % 64 == 0:
            watch.at(done, total)
        yield output


TRANSFER = NmtCombined()
