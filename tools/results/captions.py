"""Fu et al. (2018) again, on captions: the three models over the dimensions of their Tables 3 to 5; and other models.

The captions of Li et al. (2018) are humorous or romantic, and not parallel. The last 300 of each style to train on are
held out, to be moved into the other style, as Fu et al. test; the 300 factual captions of the test set are moved into
both. Sentences of more than 20 tokens are left out, as in the paper, and a line that is not UTF-8.
"""

import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from tqdm import tqdm

from evaluation.learned_scorers.training_material import TrainingMaterial
from foundation.errors import UserError
from foundation.options import list_options, validate_options
from modelserving.neural_transfer.styled import TEXAR
from modelserving.training.dataset import TrainingData
from modelserving.transfer import TRANSFERS
from tools.results.automatic_scores import NOISES, VERSION, noisy_outputs
from tools.results.caption_data import STYLES, Captions, CaptionTest, read
from tools.results.published_outputs import score_published
from tools.results.resumable_training import RunEnvironment, train_model
from tools.results.run_store import (
    OutputTexts,
    RunResult,
    RunStore,
    elapsed,
    judge_outputs,
    machine,
    stored_data,
    stored_outputs,
    threads,
)

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
STYLE_TRANSFORMER: dict[str, Any] = {"batch": 32, "least": 2, "longest": 20, "epochs": 4}
"""11,400 captions are a fortieth of Yelp's reviews: 4 epochs are 1,424 batches, 500 of them pretraining and then 61
cycles, about 40 minutes of a processor."""
THRESHOLD: dict[str, Any] = {"threshold": 5.0}
MARKED: dict[str, dict[str, Any]] = {
    "retrieve_only": THRESHOLD,
    "template_based": THRESHOLD,
    "delete_only": {**SETTINGS, **THRESHOLD},
    "delete_and_retrieve": {**SETTINGS, **THRESHOLD},
}
"""The models of the captions' own paper (Li et al. 2018) and their options: its threshold, and its sizes."""
UNTS: dict[str, Any] = {
    "batch": 32, "epochs": 8, "least": 2, "rate": 0.001, "hidden": 128, "embedding": 64, "adversarial_begin": 1_400,
    "both_directions": True,
}  # fmt: skip
"""MSD's rate and sizes near Fu's; of 2,850 updates half come before the adversaries, as in the authors' program."""
CONTROLLED: dict[str, Any] = {
    **TEXAR, "batch": 16, "least": 2, "attribute": 1.0, "clip": 5.0, "hidden": 128, "content": 96, "style": 32,
    "pretraining": 4, "epochs": 8,
}  # fmt: skip
"""Its authors' example has forty times as many texts, and states of 700, with which an epoch takes minutes: after 4
epochs these small ones give a text back. At its weight of style, 0.1, a few hundred updates move none."""
SINGLE: dict[str, dict[str, Any]] = {
    **MARKED, "controlled_gen": CONTROLLED, "unts": UNTS,
    "style_transformer": STYLE_TRANSFORMER,
}  # fmt: skip
"""The models of one setting each: those four, and of MSD's (Cao et al. 2020) what needs no pairs."""
BY_CHANCE = ("delete_only", "delete_and_retrieve", "controlled_gen", "unts", "style_transformer")
"""Of those, the networks, which each seed trains anew."""


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


def runs(models: Sequence[str]) -> Iterator[Run]:
    """All of them, a seed after the other, so that the runs made before a stop are spread over the models."""
    for seed in SEEDS:
        for model in models or [*SINGLE, *DIMENSIONS]:
            if model not in DIMENSIONS and model not in SINGLE:
                raise UserError(
                    "The experiment has {dimensions}.", dimensions=", ".join([*DIMENSIONS, *SINGLE]), where=model
                )
            if seed == SEEDS[0] or model not in SINGLE or model in BY_CHANCE:
                yield from (Run(model, dimensions, seed) for dimensions in DIMENSIONS.get(model, [{}]))


def run(folder: Path, store: RunStore, place: RunEnvironment, models: Sequence[str], given: Mapping[str, Any]) -> None:
    """Train and judge the runs without a result under these options; and judge the sources as they are."""
    captions = read(folder)
    data = stored_data(place.work, captions.data)
    material = captions.material
    judged_with = {"data": data.digest, "judged": VERSION}
    if place.judges:
        _score_baselines(captions, material, store, judged_with)
        score_published(folder / "outputs", captions, store, judged_with)
    for one in tqdm([one for one in runs(models) if given.get("seed", one.seed) == one.seed], unit="run", disable=None):
        options = _options(one, given)
        planned = {"data": data.digest, "seed": one.seed, "options": asdict(options)}
        key, defaults = {**planned, "place": place.key}, asdict(TRANSFERS[one.model].Options())
        if place.trains and store.get(one.name, {**key, "judged": VERSION}, defaults) is None:
            stored_outputs(place.work, one.name, key, partial(_write, one, data, options, captions, place))
        if place.judges:
            judge = partial(_judge, one, captions, material)
            judge_outputs(store, place.work, one.name, one.name, planned, judge, judged=VERSION, defaults=defaults)


def _judge(one: Run, captions: Captions, material: TrainingMaterial, texts: OutputTexts, found: RunResult) -> RunResult:
    judged = {name: captions.tests[name].evaluate(lines, material) for name, lines in texts.items()}
    bleu = {"bleu": captions.bleu(texts["factual"])} if one.model in SINGLE else {}
    return {**found, **bleu, **judged}


def _options(one: Run, given: Mapping[str, Any]) -> Any:
    """The run's options: options given for all go to the models that have them."""
    kind, usual = TRANSFERS[one.model].Options, SINGLE.get(one.model, SETTINGS)
    known = {option.name for option in list_options(kind)} if one.model in SINGLE else given.keys()
    chosen = {name: value for name, value in given.items() if name != "seed" and name in known}
    return validate_options(kind, {**usual, **chosen, **one.dimensions})


def uninformed_baselines(
    moved: CaptionTest, texts: Mapping[str, Sequence[str]], seed: int
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
