"""The blocks of a study file that ask for trained models, and for runs of models."""

from collections.abc import Mapping, Sequence
from typing import Any

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.transfer import TRANSFERS
from study_file.parser.blocks import SPLITS
from study_file.parser.model_spec import RunSpec, TrainingSpec
from study_file.parser.toml_table import TomlTable

KEYS = ("name", "model", "direction", "seed", "seeds", "device", "preset", "options")
MADE_BY = ("training", "checkpoint", "model")
RUN_KEYS = ("name", *MADE_BY, "direction", "split", "decoding")
DEVICES = ("auto", "cpu", "cuda")
MOST_SEED = 2**31 - 1
MOST_SEEDS = 100
LONGEST_NAME = 80  # with a seed behind it, 100


def training(block: TomlTable, directions: Sequence[str]) -> TrainingSpec:
    """A training; its options are checked by the model that they are of."""
    block.known(KEYS)
    model = block.choice("model", TRANSFERS, "model")
    options = dict(block.table("options").values)
    preset = block.text("preset", "", longest=60)
    block.checked(lambda: TRANSFERS[model].choose_options({}, preset))  # a fault of the preset is reported at its key
    block.checked(lambda: TRANSFERS[model].choose_options(options, preset), "options")
    seeds = _seeds(block)
    return TrainingSpec(
        block.text("name", longest=LONGEST_NAME if seeds else 100),
        model,
        block.choice("direction", directions, "direction", ""),
        block.whole("seed", 1, 0, MOST_SEED),
        block.choice("device", DEVICES, "device", "auto"),
        options,
        preset,
        seeds,
    )


def _seeds(block: TomlTable) -> tuple[int, ...]:
    """Different whole numbers, in place of one seed."""
    if "seeds" not in block.values:
        return ()
    if "seed" in block.values:
        raise block.error("'seed' and 'seeds' do not stand together.", "seeds")
    value = block.values["seeds"]
    whole = isinstance(value, list) and all(type(one) is int and 0 <= one <= MOST_SEED for one in value)
    if not whole or not 0 < len(value) <= MOST_SEEDS or len(set(value)) < len(value):
        raise block.error(f"a list of 1 to {MOST_SEEDS} different whole numbers from 0 was expected.", "seeds")
    return tuple(value)


def run(block: TomlTable, trainings: Mapping[str, TrainingSpec], directions: Sequence[str]) -> RunSpec:
    """A run of a training of this file, of a checkpoint's file, or of a model that needs neither.

    Its decoding is checked by the model; that of a checkpoint is known once its file is read.
    """
    block.known(RUN_KEYS)
    if sum(key in block.values for key in MADE_BY) != 1:
        raise block.error("one of 'training', 'checkpoint' (a file) and 'model' (one that needs none) was expected.")
    trained = block.choice("training", trainings, "training in this file", "")
    own = trainings[trained] if trained else None
    decoding = dict(block.table("decoding").values)
    if "checkpoint" not in block.values:
        model = own.model if own else block.choice("model", TRANSFERS, "model")
        block.checked(lambda: _check_run(model, {}, own is not None), "training" if own else "model")
        block.checked(lambda: _check_run(model, decoding, own is not None), "decoding")
    seeds = own.seeds if own else ()
    return RunSpec(
        name=block.text("name", longest=LONGEST_NAME if seeds else 100),
        training=trained,
        model=block.text("model", ""),
        checkpoint=block.text("checkpoint", "", longest=4000),
        direction=block.choice("direction", directions, "direction", ""),
        split="" if block.values.get("split") == "all" else block.choice("split", (*SPLITS, "all"), "split", "test"),
        decoding=decoding,
        seeds=seeds,
    )


def _check_run(model: str, decoding: Mapping[str, Any], trained: bool) -> None:
    kind = TRANSFERS[model]
    if kind.needs != "nothing" and not trained:
        raise UserError("{label} must be trained first: declare a training, and name that.", label=kind.label)
    validate_options(kind.Decoding, decoding)
