"""Fu et al. (2018) again, on captions: the three models over the dimensions of their Tables 3 to 5.

The captions of Li et al. (2018) are humorous or romantic, and not parallel. Of each style the last 300 to train on are
held out, to be moved into the other style, as Fu et al. test; the 300 factual captions of the test set are moved into
both. Sentences of more than 20 tokens are left out, as in the paper, and a line that is not UTF-8.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from corpora.knowledge.words import tokens
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics._base import MetricInput
from evaluation.metrics.content_preservation import METRIC as CONTENT
from evaluation.metrics.transfer_strength import METRIC as STRENGTH
from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.results.automatic_scores import VERSION, sample_outputs
from modelserving.results.bootstrap_intervals import percentile_interval, resampled_scores
from modelserving.results.machine import elapsed, machine, threads
from modelserving.results.noise_baselines import NOISES, noisy_outputs
from modelserving.results.output_statistics import output_statistics
from modelserving.results.output_store import OutputTexts, stored_outputs
from modelserving.results.resumable_training import RunEnvironment, train_model
from modelserving.results.run_store import RunResult, RunStore
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS, Model

STYLES = ("humorous", "romantic")
HELD_OUT, LONGEST = 300, 20
SEEDS = (1, 2, 3)
SIZES = (32, 64, 128)
PEOPLE = "human"
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
    def row(self) -> str:
        return "-".join([self.model, *map(str, self.dimensions.values())])

    @property
    def name(self) -> str:
        return f"{self.row}-seed{self.seed}"


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
            rewrites = model.transfer([self.sources[i] for i in places], (other, target), decoding)
            found.update(zip(places, rewrites, strict=True))
        return [found[i] for i in range(len(self.sources))]

    def evaluate(self, outputs: list[str], material: TrainingMaterial) -> dict[str, Any]:
        """Transfer strength, content preservation and its lower bound, what other sources would have given, how the
        outputs look, and a few of them."""
        batch = MetricInput(self.sources, outputs, [], self.styles, self.targets, material=material)
        strength, content = STRENGTH.score(batch), CONTENT.score(batch)
        return {
            "strength": strength.corpus,
            "preservation": content.corpus,
            "lower_bound": content.details.get("lower_bound"),
            "accuracy": strength.details.get("accuracy_tune"),
            "signatures": [strength.signature, content.signature],
            "intervals": {
                name: percentile_interval(resampled_scores(scores, metric))
                for name, scores, metric in (("strength", strength, STRENGTH), ("preservation", content, CONTENT))
                if scores.corpus is not None
            },
            **output_statistics(self.sources, outputs),
            "samples": sample_outputs(outputs),
        }


@dataclass(frozen=True)
class Captions:
    """What is trained on, and the two tests."""

    data: TrainingData
    tests: Mapping[str, Moved]
    rewrites: Mapping[tuple[str, str], str]
    """A person's caption of a factual source in a style."""

    @property
    def material(self) -> TrainingMaterial:
        return TrainingMaterial(texts=self.data.texts, tune=self.data.dev_texts)


def read(folder: Path) -> Captions:
    """The captions; a UserError where a file is missing."""
    train, tune = (
        {style: _lines(folder / f"sentiment.{part}.{i}") for i, style in enumerate(STYLES)} for part in ("train", "dev")
    )
    held = {style: lines[-HELD_OUT:] for style, lines in train.items()}
    factual = _lines(folder / "sentiment.test.0")
    data = TrainingData(
        *STYLES,
        texts={style: _short(lines[:-HELD_OUT]) for style, lines in train.items()},
        dev_texts={style: _short(lines) for style, lines in tune.items()},
    )
    styled = [(text, *way) for way in (STYLES, STYLES[::-1]) for text in _short(held[way[0]])]
    plain = [(text, "factual", style) for style in STYLES for text in _short(factual)]
    return Captions(data, {"styled": _moved(styled), "factual": _moved(plain)}, _rewrites(folder))


def _rewrites(folder: Path) -> dict[tuple[str, str], str]:
    """`source TAB rewrite`; a file has the number of the style that its rewrites leave: those of .0 are romantic."""
    found: dict[tuple[str, str], str] = {}
    for i, style in enumerate(reversed(STYLES)):
        rows = (line.split("\t") for line in _whole_lines(folder / f"reference.{i}"))
        found |= {(_spaced(row[0]), style): _spaced(row[1]) for row in rows if len(row) > 1}
    return found


def runs(models: Sequence[str]) -> Iterator[Run]:
    """All of them, a seed after the other, so that what there is after a stop is spread over the models."""
    for seed in SEEDS:
        for model in models or DIMENSIONS:
            if model not in DIMENSIONS:
                raise UserError(f"The experiment has {', '.join(DIMENSIONS)}.", where=model)
            yield from (Run(model, dimensions, seed) for dimensions in DIMENSIONS[model])


def run(folder: Path, store: RunStore, place: RunEnvironment, models: Sequence[str], given: Mapping[str, Any]) -> None:
    """Train and judge what has no result yet under these options; and judge the sources as they are."""
    captions = read(folder)
    data = captions.data.write(place.work / "data")
    material = captions.material
    _score_baselines(captions, material, store, {"data": data.digest, "judged": VERSION})
    for one in tqdm([one for one in runs(models) if given.get("seed", one.seed) == one.seed], unit="run", disable=None):
        options: Any = validate_options(
            TRANSFERS[one.model].Options,
            {**SETTINGS, **{name: value for name, value in given.items() if name != "seed"}, **one.dimensions},
        )
        key = {"data": data.digest, "seed": one.seed, "options": asdict(options), "place": place.key}
        if store.get(one.name, {**key, "judged": VERSION}) is None:
            texts, found = stored_outputs(
                place.work, one.name, key, partial(_write, one, data, options, captions, place)
            )
            judged = {name: captions.tests[name].evaluate(lines, material) for name, lines in texts.items()}
            store.put(one.name, {**key, "judged": VERSION}, {**found, **judged})


def uninformed_baselines(
    moved: Moved, texts: Mapping[str, Sequence[str]], seed: int
) -> dict[str, tuple[str, list[str]]]:
    """Rows that know nothing, a label and outputs of each: noise, and another caption of the style."""
    every = [text for style in STYLES for text in texts[style]]
    chance = random.Random(seed)  # noqa: S311 - no secret
    found = {name: (NOISES[name][0], noisy_outputs(name, moved.sources, seed, every)) for name in NOISES}
    found["another"] = ("any caption of the style", [chance.choice(texts[style]) for style in moved.targets])
    return found if seed > SEEDS[0] else {"copied": ("the source, copied", moved.sources), **found}


def _score_baselines(captions: Captions, material: TrainingMaterial, store: RunStore, key: Mapping[str, Any]) -> None:
    """The rows that no model made: those that know nothing, and people's captions of the factual sources."""
    for seed in SEEDS:
        made = {name: uninformed_baselines(moved, material.texts, seed) for name, moved in captions.tests.items()}
        for row, (label, _) in made["styled"].items():
            name = row if row == "copied" else f"{row}-seed{seed}"
            if store.get(name, key) is None:
                judged = {test: captions.tests[test].evaluate(of[row][1], material) for test, of in made.items()}
                store.put(name, key, {"model": "", "row": row, "label": label, "knows_nothing": True, **judged})
    factual = captions.tests["factual"]
    pairs = zip(factual.sources, factual.targets, strict=True)
    people = [captions.rewrites.get(pair, "") for pair in pairs]
    if all(people) and store.get(PEOPLE, key) is None:
        about = {"model": "", "row": PEOPLE, "label": "a person's caption", "knows_nothing": False}
        store.put(PEOPLE, key, {**about, "factual": factual.evaluate(people, material)})


def _write(
    one: Run, data: TrainingData, options: Any, captions: Captions, place: RunEnvironment
) -> tuple[OutputTexts, RunResult]:
    trained = train_model(one.model, data, options, one.seed, place)
    start = elapsed()
    outputs = {
        name: moved.outputs(trained.model, TRANSFERS[one.model].Decoding()) for name, moved in captions.tests.items()
    }
    wrote = elapsed() - start
    return outputs, {
        "model": one.model,
        "dimensions": one.dimensions,
        "seed": one.seed,
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
    return [_spaced(line) for line in _whole_lines(file)]


def _spaced(text: str) -> str:
    return " ".join(text.split())


def _whole_lines(file: Path) -> list[str]:
    try:
        raw = file.read_bytes()
    except OSError:
        raise UserError("The file of captions is not there; see docs/results.md.", where=str(file)) from None
    return [line.decode() for line in raw.removesuffix(b"\n").split(b"\n") if _is_utf8(line)]


def _is_utf8(line: bytes) -> bool:
    try:
        line.decode()
    except UnicodeDecodeError:
        return False
    return True
