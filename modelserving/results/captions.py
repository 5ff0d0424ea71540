"""Fu et al. (2018) again, on captions: the three models over the dimensions of their Tables 3 to 5.

The captions of Li et al. (2018) are humorous or romantic, and not parallel. Of each style the last 300 to train on are
held out, to be moved into the other style, as Fu et al. test; the 300 factual captions of the test set are moved into
both. Sentences of more than 20 tokens are left out, as in the paper, and a line that is not UTF-8.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from corpora.knowledge.words import tokens
from evaluation.metrics._base import Batch
from evaluation.metrics._material import Material
from evaluation.metrics.content_preservation import METRIC as CONTENT
from evaluation.metrics.transfer_strength import METRIC as STRENGTH
from foundation.errors import UserError
from foundation.options import checked
from modelserving.results.fitting import Place, fitted
from modelserving.results.kept import Found, Kept
from modelserving.results.looks import looks
from modelserving.results.machine import machine, now, threads
from modelserving.training.data import Data, write_lines
from modelserving.transfer import TRANSFERS, Model

STYLES = ("humorous", "romantic")
HELD_OUT, LONGEST = 300, 20
SEEDS = (1, 2, 3)
SIZES = (32, 64, 128)
SETTINGS: dict[str, Any] = {"batch": 16, "epochs": 8, "least": 2}
"""11,400 captions are a fiftieth of the paper's texts: its batches of 128 would make 90 steps an epoch, with which an
auto-encoder's perplexity is 36 after the 10 epochs that it took for reviews; in batches of 16 it is 32 after 3."""
DIMENSIONS: dict[str, list[dict[str, int]]] = {
    "auto_encoder": [{"hidden": hidden} for hidden in SIZES],
    "style_embedding": [{"hidden": hidden, "style": style} for hidden in SIZES for style in SIZES],
    "multi_decoder": [{"hidden": hidden} for hidden in SIZES],
}
"""Of Tables 3, 5 and 4; word vectors have 64 dimensions throughout."""


class Run(NamedTuple):
    """A training: a model, its dimensions, a seed."""

    model: str
    dimensions: dict[str, int]
    seed: int

    @property
    def name(self) -> str:
        return "-".join([self.model, *map(str, self.dimensions.values()), f"seed{self.seed}"])


@dataclass(frozen=True)
class Moved:
    """Sources, each with its style and the style that it is moved into; `factual` is no style that has texts."""

    sources: list[str]
    styles: list[str]
    targets: list[str]

    def outputs(self, model: Model, decoding: Any) -> list[str]:
        """A model's outputs, in the order of the sources; a factual caption is given as one of the other style."""
        found: dict[int, str] = {}
        for target, other in (STYLES, STYLES[::-1]):
            places = [i for i, style in enumerate(self.targets) if style == target]
            written = model.transfer([self.sources[i] for i in places], (other, target), decoding)
            found.update(zip(places, written, strict=True))
        return [found[i] for i in range(len(self.sources))]

    def judge(self, outputs: list[str], material: Material) -> dict[str, Any]:
        """Transfer strength, content preservation and its lower bound, and how the outputs look."""
        batch = Batch(self.sources, outputs, [], self.styles, self.targets, material=material)
        strength, content = STRENGTH.score(batch), CONTENT.score(batch)
        return {
            "strength": strength.corpus,
            "preservation": content.corpus,
            "lower_bound": content.details.get("lower_bound"),
            "accuracy": strength.details.get("accuracy_tune"),
            "signatures": [strength.signature, content.signature],
            **looks(self.sources, outputs),
        }


@dataclass(frozen=True)
class Captions:
    """What is trained on, and the two tests."""

    data: Data
    tests: Mapping[str, Moved]

    @property
    def material(self) -> Material:
        return Material(texts=self.data.texts, tune=self.data.tune_texts)


def read(folder: Path) -> Captions:
    """The captions; a UserError where a file is missing."""
    train, tune = (
        {style: _lines(folder / f"sentiment.{part}.{i}") for i, style in enumerate(STYLES)} for part in ("train", "dev")
    )
    held = {style: lines[-HELD_OUT:] for style, lines in train.items()}
    factual = _lines(folder / "sentiment.test.0")
    data = Data(
        *STYLES,
        texts={style: _short(lines[:-HELD_OUT]) for style, lines in train.items()},
        tune_texts={style: _short(lines) for style, lines in tune.items()},
    )
    styled = [(text, *way) for way in (STYLES, STYLES[::-1]) for text in _short(held[way[0]])]
    plain = [(text, "factual", style) for style in STYLES for text in _short(factual)]
    return Captions(data, {"styled": _moved(styled), "factual": _moved(plain)})


def runs(models: Sequence[str]) -> Iterator[Run]:
    """All of them, a seed after the other, so that what there is after a stop is spread over the models."""
    for seed in SEEDS:
        for model in models or DIMENSIONS:
            if model not in DIMENSIONS:
                raise UserError(f"The experiment has {', '.join(DIMENSIONS)}.", where=model)
            yield from (Run(model, dimensions, seed) for dimensions in DIMENSIONS[model])


def run(folder: Path, kept: Kept, place: Place, models: Sequence[str], given: Mapping[str, Any]) -> None:
    """Train and judge what has no result yet under these options; and judge the sources as they are."""
    captions = read(folder)
    data = captions.data.write(place.work / "data")
    material = captions.material
    copied = {name: moved.judge(moved.sources, material) for name, moved in captions.tests.items()}
    kept.put("copied", {"data": data.digest}, {"model": "", **copied})
    for one in tqdm(list(runs(models)), unit="run", disable=None):
        options: Any = checked(TRANSFERS[one.model].Options, {**SETTINGS, **given, **one.dimensions})
        key = {"data": data.digest, "seed": one.seed, "options": asdict(options)}
        if kept.get(one.name, key) is None:
            kept.put(one.name, key, _one(one, data, options, captions, material, place))


def _one(one: Run, data: Data, options: Any, captions: Captions, material: Material, place: Place) -> Found:
    trained = fitted(one.model, data, options, one.seed, place)
    start = now()
    outputs = {
        name: moved.outputs(trained.model, TRANSFERS[one.model].Decoding()) for name, moved in captions.tests.items()
    }
    wrote = now() - start
    for name, lines in outputs.items():
        write_lines(place.work / f"{one.name}.{name}.txt", lines)
    return {
        "model": one.model,
        "dimensions": one.dimensions,
        "seed": one.seed,
        **{name: captions.tests[name].judge(lines, material) for name, lines in outputs.items()},
        "training": asdict(trained.took),
        "writing": asdict(wrote),
        "bytes": trained.bytes,
        "tuned": trained.scores,
        "machine": machine(),
        "threads": threads(),
        "device": place.device,
    }


def _moved(rows: list[tuple[str, str, str]]) -> Moved:
    sources, styles, targets = zip(*rows, strict=True)
    return Moved(list(sources), list(styles), list(targets))


def _short(lines: list[str]) -> list[str]:
    return [line for line in lines if 0 < len(tokens(line)) <= LONGEST]


def _lines(file: Path) -> list[str]:
    """The lines that are UTF-8, with single spaces."""
    try:
        raw = file.read_bytes()
    except OSError:
        raise UserError("The file of captions is not there; see docs/results.md.", where=str(file)) from None
    return [" ".join(line.decode().split()) for line in raw.removesuffix(b"\n").split(b"\n") if _is_utf8(line)]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
