"""The blocks of a study file that ask for trained models."""

from collections.abc import Sequence

from corpora.study_file_parser.allowed_names import Allowed
from corpora.study_file_parser.spec import TrainingSpec
from corpora.study_file_parser.toml_table import TomlTable

KEYS = ("name", "model", "direction", "seed", "device", "preset", "options")
DEVICES = ("auto", "cpu", "cuda")


def training(block: TomlTable, directions: Sequence[str], allowed: Allowed) -> TrainingSpec:
    """A training; its options are checked by the model that they are of."""
    block.known(KEYS)
    model = block.choice("model", allowed.models, "model")
    options = dict(block.table("options").values)
    preset = block.text("preset", "", longest=60)
    block.checked(lambda: allowed.check_training(model, {}, preset))  # what is wrong with the preset stands at its key
    block.checked(lambda: allowed.check_training(model, options, preset), "options")
    return TrainingSpec(
        block.text("name", longest=100),
        model,
        block.choice("direction", directions, "direction", ""),
        block.whole("seed", 1, 0, 2**31 - 1),
        block.choice("device", DEVICES, "device", "auto"),
        options,
        preset,
    )
