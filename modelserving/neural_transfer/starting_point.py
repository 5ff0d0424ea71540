"""The checkpoint that a training starts from: one of the same kind, whose words it keeps and whose sizes it has."""

import dataclasses
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.errors import UserError
from foundation.local_resources import local_path, missing_resource_message
from modelserving.training.callbacks import Callbacks
from modelserving.training.checkpoint import unpack
from modelserving.training.dataset import TrainingData
from modelserving.training.recipe import TrainingRecipe

if TYPE_CHECKING:
    from modelserving.training.network import Network
    from modelserving.training.process_group import ProcessGroup

WHERE = "start_from"
OF_WORDS = ("lowercase", "numbers", "subwords", "tagger")  # options by which texts are read: ids would mean other words


def starting_point(data: TrainingData, options: Any, callbacks: Callbacks, group: "ProcessGroup") -> Path | None:
    """The folder of the checkpoint's files, which the first process unpacks; None where the training starts afresh.

    The data's own checkpoint goes before a file of that name below RESTYLE_MODELS, which may have changed since.
    """
    if not options.start_from:
        return None
    folder = callbacks.folder / "start"
    if group.first:
        shutil.rmtree(folder, ignore_errors=True)
        with naming_start():
            unpack(data.start or start_file(options.start_from), folder)
    group.wait()
    return folder


def start_file(name: str, where: str = WHERE) -> Path:
    """The checkpoint of that name below RESTYLE_MODELS; a UserError, which names the option, where there is none."""
    path = local_path(name, where=where)
    if path is None or not path.is_file():
        raise UserError(missing_resource_message("checkpoint", name), where=where)
    return path


@contextmanager
def naming_start() -> Iterator[None]:
    """A UserError within names the option."""
    try:
        yield
    except UserError as error:
        raise UserError(
            error.sentence, where=WHERE if error.where in ("", WHERE) else f"{WHERE}, {error.where}"
        ) from None


def check_same_words(trained: Any, options: Any) -> None:
    """A UserError where the checkpoint's texts were cut otherwise."""
    for name in OF_WORDS:
        if getattr(trained, name, None) != getattr(options, name, None):
            raise UserError(
                "{differing}: texts would be cut into other words.",
                differing=_differing(name, trained, options),
                where=WHERE,
            )


def read_start(net: "Network", folder: Path, trained: Any, options: Any) -> None:
    """Fill the network with the checkpoint's weights; a UserError says by which options they do not fit."""
    from modelserving.training import weights

    try:
        weights.read_network(folder / weights.FILE, net)
    except UserError as error:
        own = {field.name for field in dataclasses.fields(options)} - {
            field.name for field in dataclasses.fields(TrainingRecipe)
        }
        others = [name for name in sorted(own) if getattr(trained, name) != getattr(options, name)]
        listed = "; ".join(_differing(name, trained, options) for name in others)
        raise UserError(f"{error.sentence} {listed}.".replace(" .", ""), where=WHERE) from None


def _differing(name: str, trained: Any, options: Any) -> str:
    return f"{name} is {getattr(trained, name, None)} in the checkpoint and {getattr(options, name, None)} here"
