"""What a transfer model is: what it asks for, how it is trained, kept, loaded and used. No Django, no Celery.

A file of `modelserving/transfer` holds a `Transfer`: the kind of model. Trained or loaded it is a `Model`, which
rewrites texts.

    kind = TRANSFERS["seq2seq"]
    model = kind.fit(data, checked(kind.Options, {"hidden": 64}), callbacks)
    model.save(folder)
    model = kind.load(folder)
    list(model.transfer(["wat r u doin"], ("informal", "formal"), kind.Decoding()))
"""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, ClassVar, Literal

from foundation.errors import UserError
from foundation.options import NoOptions
from foundation.papers import Paper
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData

Direction = tuple[str, str]
"""The names of the source style and the target style."""

Needs = Literal["nothing", "parallel", "styles", "dictionary"]
"""What a kind of model is trained on: pairs of a direction, texts of two styles, or terms and their full forms."""


class Model(ABC):
    """A model that is ready. `directions` are those that it was trained for; empty where it takes any its kind serves.

    What it gives for a text depends on this text alone, never on those beside it: not on their order, number or length.
    """

    directions: tuple[Direction, ...] = ()

    def known_as(self, direction: Direction) -> Direction:
        """The direction in the letters in which the model knows it, case aside; as it is where it knows none such."""
        source, target = map(str.casefold, direction)
        return next((pair for pair in self.directions if (*map(str.casefold, pair),) == (source, target)), direction)

    @abstractmethod
    def transfer(self, texts: Sequence[str], direction: Direction, decoding: Any) -> Iterator[str]:
        """One output a text, in order, as they are ready. `decoding` is of its kind's `Decoding`.

        An empty text gives an empty one. A UserError where it does not serve the direction.
        """

    @abstractmethod
    def signature(self, direction: Direction, decoding: Any) -> str:
        """'key:value|key:value': equal signatures of equal files give equal outputs."""

    def save(self, folder: Path) -> None:
        """Write all that `load` needs into the empty folder: safetensors, JSON and plain text, side by side."""
        raise NotImplementedError  # of kinds that need nothing


class Transfer(ABC):
    """A kind of model. Stateless: one instance serves all.

    `Options` say how it is trained (the paper's values are the defaults), `Decoding` how a trained one rewrites; both
    are dataclasses of `foundation.options`. `device` is what it needs to be quick enough for a whole corpus.
    """

    label: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    needs: ClassVar[Needs] = "nothing"
    device: ClassVar[Literal["cpu", "gpu"]] = "cpu"
    directions: ClassVar[tuple[Direction, ...]] = ()
    """The pairs that it serves; empty where it can be trained for any pair."""
    Options: ClassVar[type] = NoOptions
    Decoding: ClassVar[type] = NoOptions

    def serves(self, source_style: str, target_style: str) -> bool:
        """Whether it has this direction, case aside."""
        return not self.directions or (source_style.casefold(), target_style.casefold()) in self.directions

    def fit(self, data: TrainingData, options: Any, callbacks: Callbacks) -> Model:
        """Train on `data`; equal arguments give an equal model. Goes on from what `callbacks` kept of an earlier try.

        A UserError where the data lacks what it needs; `training.callbacks.Stopped` where somebody asked it to stop.
        """
        raise UserError(f"{self.label} is not trained.")

    @abstractmethod
    def load(self, folder: Path | None, device: str = "cpu") -> Model:
        """The model that was saved there; None for a kind that needs nothing.

        A UserError names the file that is missing, broken, or not of this kind. Nothing is unpickled.
        """

    def refuse(self, source_style: str, target_style: str) -> UserError:
        """The error for a direction that it does not serve."""
        served = ", ".join(f"{source} to {target}" for source, target in self.directions)
        return UserError(f"{self.label} does not go from {source_style} to {target_style}; it serves {served}.")
