"""Simplification on ASSET: every supervised model, beside rows that know nothing and people's own rewrites.

ASSET has 2,000 sentences with 10 rewrites each (Alva-Manchego et al. 2020). Models are trained on the first 1,600 with
all of their rewrites, tuned on the next 200, and judged on the last 200. A model whose SARI is below that of any row
that knows nothing has failed.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from tqdm import tqdm

from foundation.errors import UserError
from foundation.options import list_options, validate_options
from modelserving.results.asset_bases import BASES, base_name, make_base
from modelserving.results.automatic_scores import VERSION, Evaluator
from modelserving.results.machine import ElapsedTime, elapsed, machine, threads
from modelserving.results.noise_baselines import NOISES, noisy_outputs
from modelserving.results.output_store import OutputTexts, stored_data, stored_outputs
from modelserving.results.resumable_training import RunEnvironment, train_model
from modelserving.results.run_store import RunResult, RunStore
from modelserving.training.dataset import DevSet, Pairs, TrainingData
from modelserving.transfer import TRANSFERS

NAME = "asset"
STYLES = ("original", "simple")
REFERENCES = 10
TRAIN, TUNE = slice(0, 1600), slice(1600, 1800)
TEST = slice(1800, 2000)
SEED = 1
SEEDS = (1, 2, 3)
SETTINGS: dict[str, Any] = {
    "hidden": 128,
    "embedding": 128,
    "epochs": 5,
    "patience": 3,
    "self_training": 0,
}
"""Networks are small and short, so that each takes minutes on one processor. Nothing is trained on its own rewrites:
there are no further texts."""
RECIPES: dict[str, dict[str, Any]] = {
    "transformer": {"layers": 2, "feedforward": 512, "subwords": 4000, "batch": 32, "warmup": 400, "epochs": 40},
    "seq2seq": {"epochs": 40},
    "seq2seq_shared": {"epochs": 40},
    "edit_nts": {"tune_by": "sari", "lowercase": False},
    "opennmt_pt": {"batch": 30, "rate": 3e-3, "epochs": 14},
}
"""What else is chosen for a model. The Transformer is small: as wide as the other networks, 2 layers a side of its
paper's 6. EditNTS begins with nearly a copy, which BLEU thinks the best of all and would take: its tune BLEU falls from
88 to 74 while it learns to edit. Its paper's lower case would count against it beside ASSET's rewrites.
OpenNMT+PT has small weights at first and two layers: at 0.001 and batches of 64 it has learnt next to nothing after 5
epochs, so it has the epochs of its authors."""
T5: dict[str, Any] = {
    "prefix": "", "batch": 32, "rate": 2e-3, "warmup": 200, "epochs": 10, "patience": 0, "tune_by": "bleu",
    "read": 128, "write": 128,
}  # fmt: skip
"""What is tuned small and short needs a higher rate than a T5 of 220 million numbers, and reads sentences. It needs
more epochs than the others: nothing in its attention to the source says where a word stands, so it copies late."""
VARIANTS: dict[str, tuple[str, dict[str, Any]]] = {
    "pbmt_for_sari": ("pbmt", {"tune_metric": "sari"}),
    **dict.fromkeys(BASES, ("t5", T5)),
}
"""Rows beside the models' own: a model, and what is chosen otherwise."""

SAME = {"nmt_baseline": "seq2seq"}
"""GYAFC's rules say nothing of simplification: without word vectors the two are one network."""
PEOPLE = "human"

MADE = {"nmt_combined": REFERENCES + 1}
"""How many pairs a model makes of a source and its rewrites: it rewrites the one and translates the others back."""

Lines = list[str]


@dataclass(frozen=True)
class Sentences:
    """Sources, and `references[i]`, the rewrites of source i."""

    sources: Lines
    references: list[Lines]

    def __getitem__(self, part: slice) -> "Sentences":
        return Sentences(self.sources[part], self.references[part])

    def evaluator(self, train: "Sentences") -> Evaluator:
        """Of outputs of these sentences; fluency is learnt from the rewrites of those to train on."""
        return Evaluator(self.sources, self.references, [text for row in train.references for text in row], STYLES[1])


def read(folder: Path) -> Sentences:
    """The 2,000 sentences of the folder's files; a UserError where one is missing or of another length."""
    sources = _lines(folder / "asset.valid.orig")
    rewrites = [_lines(folder / f"asset.valid.simp.{i}") for i in range(REFERENCES)]
    if len(sources) < TEST.stop or any(len(lines) != len(sources) for lines in rewrites):
        raise UserError(
            "The {stop} sentences of ASSET, a line each, are not all there.", stop=TEST.stop, where=str(folder)
        )
    return Sentences(sources, [list(row) for row in zip(*rewrites, strict=True)])


def data(sentences: Sentences) -> TrainingData:
    """What models are trained on: each source once with each of its rewrites; no other texts, none of the test's."""
    train, tune = sentences[TRAIN], sentences[TUNE]
    pairs = [(source, target) for source, row in zip(train.sources, train.references, strict=True) for target in row]
    sources, targets = zip(*pairs, strict=True)
    columns = [list(column) for column in zip(*tune.references, strict=True)]
    texts = dict(zip(STYLES, (train.sources, targets), strict=True))
    return TrainingData(*STYLES, train=Pairs(sources, targets), dev=DevSet(tune.sources, columns), texts=texts)


def uninformed_baselines(sources: Sequence[str], texts: Sequence[str], seed: int) -> dict[str, tuple[str, Lines]]:
    """Rows that know nothing, a label and outputs of each; those without chance are the same with every seed."""
    found = {name: (NOISES[name][0], noisy_outputs(name, sources, seed, texts)) for name in NOISES}
    if seed > SEED:
        return found
    same = {"source_copied": ("the source, copied", list(sources)),
            "constant": ("`the .`, whatever the source", ["the ."] * len(sources))}  # fmt: skip
    return same | found


def supervised() -> list[str]:
    """The models that are trained on pairs, and the variants of them; of two that are the same here one.

    What begins with a folder of weights has none here but those of its variants.
    """
    pairs = [name for name in TRANSFERS if TRANSFERS[name].needs == "parallel" and name not in SAME]
    return [*(name for name in pairs if "folder" not in vars(TRANSFERS[name].Options())), *VARIANTS]


def run(folder: Path, store: RunStore, place: RunEnvironment, models: Sequence[str], given: Mapping[str, Any]) -> None:
    """Train and judge the models (all supervised ones by default) that have no result yet under these options."""
    sentences = read(folder)
    trained_on = stored_data(place.work, data(sentences))
    evaluator = sentences[TEST].evaluator(sentences[TRAIN])
    _score_baselines(evaluator, store, {"data": trained_on.digest, "judged": VERSION})
    seeds = [int(given["seed"])] if "seed" in given else SEEDS
    wanted = [_planned(name, seed, given) for seed in seeds for name in models or supervised()]
    for one in tqdm(wanted, unit="run", disable=None):
        key = {"data": trained_on.digest, **one.key, "place": place.key}
        if store.get(one.name, {**key, "judged": VERSION}, one.defaults) is None:
            make = partial(_write, one, trained_on, evaluator.sources, place)
            texts, found = stored_outputs(place.work, one.row, key, make)
            store.put(one.name, {**key, "judged": VERSION}, {"row": one.row, **found, **evaluator.of(texts["test"])})


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
        """Of its options: what a run of before an option was there was made with."""
        return asdict(TRANSFERS[self.model].Options())


def _planned(row: str, seed: int, given: Mapping[str, Any]) -> Planned:
    model, chosen = VARIANTS.get(row, (row, {}))
    begun = {"folder": base_name(row, seed)} if row in BASES else {}
    wanted = {**SETTINGS, "least": least_of(model), **RECIPES.get(model, {}), **chosen, **begun, **given}
    return Planned(row, model, seed, options_of(model, wanted))


def _score_baselines(evaluator: Evaluator, store: RunStore, key: Mapping[str, Any]) -> None:
    """The rows that no model made: those that know nothing, and people."""
    for seed in SEEDS:
        for name, (label, outputs) in uninformed_baselines(evaluator.sources, evaluator.texts, seed).items():
            whole = f"{name}-seed{seed}" if name in NOISES else name
            if store.get(whole, key) is None:
                store.put(whole, key, {"row": name, "label": label, "knows_nothing": True, **evaluator.of(outputs)})
    if store.get(PEOPLE, key) is None:
        about = {"row": PEOPLE, "label": "a person's rewrite, against the other nine", "knows_nothing": False}
        store.put(PEOPLE, key, {**about, "person": True, **evaluator.of_people()})


def least_of(name: str) -> int:
    """How often a word has to stand there for no word of one source alone to be known: a source stands ten times, and
    where both sides have one vocabulary its ten rewrites are counted with it; and so is what a model makes of texts."""
    sides = 2 if getattr(TRANSFERS[name], "shared", False) else 1
    return sides * (REFERENCES + MADE.get(name, 0)) + 1


def options_of(name: str, given: Mapping[str, Any]) -> Any:
    """The model's options with those of the given ones that it has."""
    kind = TRANSFERS[name].Options
    known = {option.name for option in list_options(kind)}
    return validate_options(kind, {key: value for key, value in given.items() if key in known})


def _write(
    one: Planned, trained_on: TrainingData, sources: Sequence[str], place: RunEnvironment
) -> tuple[OutputTexts, RunResult]:
    before = make_base(one.row, trained_on, one.seed, place) if one.row in BASES else ElapsedTime()
    trained = train_model(one.model, trained_on, one.options, one.seed, place)
    decoding = TRANSFERS[one.model].Decoding()
    start = elapsed()
    moved = trained.model.transfer(sources, STYLES, decoding)
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
        "signature": trained.model.signature(STYLES, decoding),
        "machine": machine(),
        "threads": threads(),
        "device": place.device,
    }


def _lines(file: Path) -> Lines:
    try:
        return re.sub(r"\n\Z", "", file.read_text(encoding="utf-8")).split("\n")
    except OSError:
        raise UserError("The file of ASSET is not there; see docs/results.md.", where=str(file)) from None
