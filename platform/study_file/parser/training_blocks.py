"""The blocks of a study file that ask for trained models, and for runs of models."""

from collections.abc import Mapping, Sequence
from typing import Any

from foundation.errors import UserError
from foundation.options import validate_options
from modelserving.option_search import plan_sweep
from modelserving.transfer import TRANSFERS
from study_file.parser.fields import RunBlock, SweepBlock, TrainingBlock
from study_file.parser.model_spec import RunSpec, SweepSpec, TrainingSpec
from study_file.parser.toml_table import TomlTable

MADE_BY = ("training", "checkpoint", "model")
LONGEST_NAME = 80  # with a seed behind it, 100


def training(block: TomlTable, directions: Sequence[str]) -> TrainingSpec:
    """A training; its options are checked by the model that they are of."""
    given = block.read(TrainingBlock, {"direction": directions})
    model, options, preset = TRANSFERS[given["model"]], given["options"], given["preset"]
    block.checked(lambda: model.choose_options({}, preset))  # a fault of the preset is reported at its key
    block.checked(lambda: model.choose_options(options, preset), "options")
    if given["seeds"] is not None and "seed" in block.values:
        raise block.error("'seed' and 'seeds' do not stand together.", "seeds")
    _check_name(block, bool(given["seeds"]))
    return TrainingSpec(**{**given, "seeds": given["seeds"] or ()})


def sweep(block: TomlTable, directions: Sequence[str]) -> SweepSpec:
    """A sweep; each combination of its options is checked by the model."""
    spec = SweepSpec(**block.read(SweepBlock, {"direction": directions}))
    model = TRANSFERS[spec.model]
    try:
        plan_sweep(
            model, spec.vary, spec.options, preset=spec.preset, search=spec.search, at_most=spec.at_most,
            seed=spec.seed, score=spec.score,
        )  # fmt: skip
    except UserError as error:
        place = error.where.split(".")
        keys = place if place[0] in vars(spec) else ["options", *place]
        raise block.error(error.sentence, *(int(key) if key.isdecimal() else key for key in keys)) from None
    return spec


def _check_name(block: TomlTable, seeds: bool) -> None:
    if seeds:
        block.text("name", longest=LONGEST_NAME)


def run(block: TomlTable, trainings: Mapping[str, TrainingSpec], directions: Sequence[str]) -> RunSpec:
    """A run of a training of this file, of a checkpoint's file, or of a model that needs neither.

    Its decoding is checked by the model; that of a checkpoint is known once its file is read.
    """
    given = block.read(RunBlock, {"training": trainings, "direction": directions})
    if sum(key in block.values for key in MADE_BY) != 1:
        raise block.error("one of 'training', 'checkpoint' (a file) and 'model' (one that needs none) was expected.")
    own = trainings[given["training"]] if given["training"] else None
    if "checkpoint" not in block.values:
        model = own.model if own else given["model"]
        block.checked(lambda: _check_run(model, {}, own is not None), "training" if own else "model")
        block.checked(lambda: _check_run(model, given["decoding"], own is not None), "decoding")
    seeds = own.seeds if own else ()
    _check_name(block, bool(seeds))
    split = "" if given["split"] == "all" else given["split"]
    return RunSpec(**{**given, "checkpoint": given["checkpoint"] or "", "split": split, "seeds": seeds})


def _check_run(model: str, decoding: Mapping[str, Any], trained: bool) -> None:
    kind = TRANSFERS[model]
    if kind.needs != "nothing" and not trained:
        raise UserError("{label} must be trained first: declare a training, and name that.", label=kind.label)
    validate_options(kind.Decoding, decoding)
