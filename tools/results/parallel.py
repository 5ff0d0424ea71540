"""Models on published parallel texts: the frame of each experiment of the kind.

Every model is trained that learns from pairs, or else from the texts of two styles apart, beside rows that know nothing
and, where a source has several rewrites, people's own.
A model that is below any row that knows nothing, by the experiment's measure, has failed.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from foundation.errors import UserError
from foundation.options import list_options, validate_options
from modelserving.interface import Needs
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.transfer import TRANSFERS
from tools.results.asset_bases import BASES, base_name, make_base
from tools.results.automatic_scores import NOISES, VERSION, Evaluator, Measure, noisy_outputs
from tools.results.resumable_training import RunEnvironment, train_model
from tools.results.run_store import (
    ElapsedTime,
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

SEED = 1
SEEDS = (1, 2, 3)
PEOPLE = "human"
SAME = {"nmt_baseline": "seq2seq"}
"""GYAFC's rules say nothing of other tasks: without word vectors the two are one network."""
MADE_OF_TARGETS = ("nmt_combined",)
"""What makes a pair more of each rewrite: it rewrites the source and translates the rewrites back."""

Lines = list[str]


@dataclass(frozen=True)
class Sentences:
    """Sources, and `references[i]`, the rewrites of source i."""

    sources: Lines
    references: list[Lines]

    def __getitem__(self, part: slice) -> "Sentences":
        return Sentences(self.sources[part], self.references[part])

    @property
    def rewrites(self) -> Lines:
        return [text for row in self.references for text in row]


@dataclass(frozen=True)
class Splits:
    """The sentences to train on, to tune on, and to test on."""

    train: Sentences
    tune: Sentences
    test: Sentences


@dataclass(frozen=True)
class Planned:
    """A training: the row that it is of, a model with its options, a seed."""

    row: str
    model: str
    seed: int
    options: Any

    @property
    def name(self) -> str:
        return f"{self.row}-seed{self.seed}"

    @property
    def key(self) -> dict[str, Any]:
        """All that its numbers depend on but data and place."""
        base = {"base": BASES[self.row]} if self.row in BASES else {}
        return {"model": self.model, "seed": self.seed, "options": asdict(self.options), **base}

    @property
    def defaults(self) -> dict[str, Any]:
        """The defaults of its options: a run from before an option was there was made with the default."""
        return asdict(TRANSFERS[self.model].Options())


@dataclass(frozen=True)
class ParallelExperiment:
    """`read` gives the texts of a folder; `settings` are for every model that has the option, `recipes` for one each.

    `variants` are rows beside the models' own: a model, and its other options; the only rows without `networks`.
    `references` is the number of rewrites of a source, at most. Rows are ordered by `measure`. With `styled` style and
    meaning are measured too; without `shown` no text is kept with the numbers. `decoding` is for every model that has
    the option of its search. Models that need `styles` learn from the texts of both sides, without a word of which of
    them belong together.
    """

    styles: tuple[str, str]
    references: int
    measure: Measure
    read: Callable[[Path], Splits]
    settings: Mapping[str, Any]
    recipes: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    variants: Mapping[str, tuple[str, Mapping[str, Any]]] = field(default_factory=dict)
    networks: bool = True
    styled: bool = False
    shown: bool = True
    decoding: Mapping[str, Any] = field(default_factory=dict)
    needs: Needs = "parallel"

    def data(self, texts: Splits) -> TrainingData:
        """The training data of models: each source with each of its rewrites; no other texts, none of the test's."""
        if self.needs == "styles":
            return TrainingData(*self.styles, texts=self._apart(texts.train), dev_texts=self._apart(texts.tune))
        pairs = [
            (source, target)
            for source, row in zip(texts.train.sources, texts.train.references, strict=True)
            for target in row
        ]
        sources, targets = zip(*pairs, strict=True)
        columns = [list(column) for column in zip(*texts.tune.references, strict=True)]
        of_style = dict(zip(self.styles, (texts.train.sources, targets), strict=True))
        dev = DevSet(texts.tune.sources, columns)
        return TrainingData(*self.styles, train=Pairs(sources, targets), dev=dev, texts=of_style)

    def _apart(self, sentences: Sentences) -> dict[str, Lines]:
        """The different texts of each side, in an order that says nothing of the other side."""
        return dict(zip(self.styles, map(_different, (sentences.sources, sentences.rewrites)), strict=True))

    def evaluator(self, texts: Splits) -> Evaluator:
        """The evaluator of outputs for the test sentences; it learns fluency from the rewrites to train on."""
        test = texts.test
        rewrites = texts.train.rewrites
        styles = dict(zip(self.styles, (texts.train.sources, rewrites), strict=True)) if self.styled else {}
        return Evaluator(test.sources, test.references, rewrites, self.styles[1], self.measure, styles, self.shown)

    def models(self) -> Lines:
        """The models that are trained on such texts, and the variants of them; only one of two that are the same here.

        A model that begins with a folder of weights has only those of its variants here.
        """
        if not self.networks:
            return list(self.variants)
        fitting = [name for name in TRANSFERS if TRANSFERS[name].needs == self.needs and name not in SAME]
        return [*(name for name in fitting if "folder" not in vars(TRANSFERS[name].Options())), *self.variants]

    def run(
        self, folder: Path, store: RunStore, place: RunEnvironment, models: Sequence[str], given: Mapping[str, Any]
    ) -> None:
        """Train and judge the models (all by default) that have no result yet under these options."""
        texts = self.read(folder)
        data, evaluator = stored_data(place.work, self.data(texts)), self.evaluator(texts)
        if place.judges:
            _score_baselines(evaluator, store, {"data": data.digest, "judged": VERSION})
        seeds = [int(given["seed"])] if "seed" in given else SEEDS
        wanted = [self.planned(name, seed, given) for seed in seeds for name in models or self.models()]
        for one in tqdm(wanted, unit="run", disable=None):
            key = {"data": data.digest, **one.key, "place": place.key}
            if place.trains and store.get(one.name, {**key, "judged": VERSION}, one.defaults) is None:
                stored_outputs(place.work, one.row, key, partial(self._write, one, data, texts.test.sources, place))
            if place.judges:
                judge_outputs(
                    store, place.work, one.row, one.name, {"data": data.digest, **one.key},
                    partial(_judge, one, evaluator), judged=VERSION, defaults=one.defaults,
                )  # fmt: skip

    def planned(self, row: str, seed: int, given: Mapping[str, Any]) -> Planned:
        """The row's training; given options go before those chosen here."""
        model, chosen = self.variants.get(row, (row, {}))
        begun = {"folder": base_name(row, seed)} if row in BASES else {}
        usual = {**self.settings, "least": self.least_of(model), **self.recipes.get(model, {})}
        return Planned(row, model, seed, options_of(model, {**usual, **chosen, **begun, **given}))

    def least_of(self, model: str) -> int:
        """The least count of a word for which no word of one source alone is known.

        A source stands there as often as it has rewrites. Where both sides have one vocabulary, its rewrites are
        counted with it, and so are the texts that a model makes.
        """
        sides = 2 if getattr(TRANSFERS[model], "shared", False) else 1
        return sides * (self.references + (self.references + 1) * (model in MADE_OF_TARGETS)) + 1

    def _write(
        self, one: Planned, trained_on: TrainingData, sources: Sequence[str], place: RunEnvironment
    ) -> tuple[OutputTexts, RunResult]:
        before = make_base(one.row, trained_on, one.seed, place) if one.row in BASES else ElapsedTime()
        trained = train_model(one.model, trained_on, one.options, one.seed, place)
        decoding = known_options(TRANSFERS[one.model].Decoding, self.decoding)
        start = elapsed()
        moved = trained.model.transfer(sources, self.styles, decoding)
        outputs = list(tqdm(moved, desc=f"{one.name} writes", total=len(sources), disable=None, leave=False))
        wrote = elapsed() - start
        return {"test": outputs}, {
            "label": TRANSFERS[one.model].label,
            "knows_nothing": False,
            "training": asdict(before + trained.took),
            "writing": asdict(wrote),
            "texts": len(outputs),
            "bytes": trained.bytes,
            "tuned": trained.scores,
            "signature": trained.model.signature(self.styles, decoding),
            "machine": machine(),
            "threads": threads(),
            "device": place.device,
        }


def _different(texts: Lines) -> Lines:
    return sorted(set(texts))


def read_lines(file: Path, experiment: str) -> Lines:
    """The lines of the experiment's file; a UserError where it is not there."""
    try:
        return re.sub(r"\n\Z", "", file.read_text(encoding="utf-8")).split("\n")
    except OSError:
        raise UserError(
            "The file of {experiment} is not there; see docs/results.md.", experiment=experiment, where=str(file)
        ) from None


def uninformed_baselines(sources: Sequence[str], texts: Sequence[str], seed: int) -> dict[str, tuple[str, Lines]]:
    """Rows that know nothing, each with a label and outputs; those without chance are the same with every seed."""
    found = {name: (NOISES[name][0], noisy_outputs(name, sources, seed, texts)) for name in NOISES}
    if seed > SEED:
        return found
    same = {"source_copied": ("the source, copied", list(sources)),
            "constant": ("`the .`, whatever the source", ["the ."] * len(sources))}  # fmt: skip
    return same | found


def options_of(name: str, given: Mapping[str, Any]) -> Any:
    """The model's options with those of the given ones that it has."""
    return known_options(TRANSFERS[name].Options, given)


def known_options(kind: type, given: Mapping[str, Any]) -> Any:
    """The given options that the kind has."""
    known = {option.name for option in list_options(kind)}
    return validate_options(kind, {key: value for key, value in given.items() if key in known})


def _score_baselines(evaluator: Evaluator, store: RunStore, key: Mapping[str, Any]) -> None:
    """The rows that no model made: those that know nothing, and people."""
    for seed in SEEDS:
        for name, (label, outputs) in uninformed_baselines(evaluator.sources, evaluator.texts, seed).items():
            whole = f"{name}-seed{seed}" if name in NOISES else name
            if store.get(whole, key) is None:
                store.put(whole, key, {"row": name, "label": label, "knows_nothing": True, **evaluator.of(outputs)})
    if evaluator.several and store.get(PEOPLE, key) is None:
        about = {"row": PEOPLE, "label": "a person's rewrite, against the others of its source", "knows_nothing": False}
        store.put(PEOPLE, key, {**about, "person": True, **evaluator.of_people()})


def _judge(one: Planned, evaluator: Evaluator, texts: OutputTexts, found: RunResult) -> RunResult:
    return {"row": one.row, **found, **evaluator.of(texts["test"])}
