"""What a transfer model is: which styles it serves, what it runs on, and how it is loaded."""

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar, Literal

from foundation.errors import UserError
from foundation.papers import Paper


class Model(ABC):
    """A model that is loaded for one direction."""

    signature: str
    """Says model, direction, version and seed: equal signatures give equal outputs."""

    @abstractmethod
    def transfer(self, texts: Sequence[str]) -> Iterator[str]:
        """One output a text, in order, as they are ready; an output depends on its own text alone."""


class Transfer(ABC):
    """A kind of model, before it is loaded. `device` is what it needs to be quick enough for a whole test set."""

    label: ClassVar[str]
    paper: ClassVar[Paper | None] = None
    device: ClassVar[Literal["cpu", "gpu"]] = "cpu"
    directions: ClassVar[tuple[tuple[str, str], ...]] = ()
    """The pairs (source style, target style) that it serves; empty where it is trained for any pair."""
    defaults: ClassVar[dict[str, Any]] = {}

    def serves(self, source_style: str, target_style: str) -> bool:
        """Whether it has this direction, case aside."""
        return not self.directions or (source_style.casefold(), target_style.casefold()) in self.directions

    @abstractmethod
    def check_settings(self, settings: Mapping[str, Any]) -> dict[str, Any]:
        """The settings with their defaults; a UserError that names the key. Idempotent."""

    @abstractmethod
    def load(self, source_style: str, target_style: str, settings: Mapping[str, Any]) -> Model:
        """The model for this direction; a UserError where it does not serve it."""

    def refuse(self, source_style: str, target_style: str) -> UserError:
        """The error for a direction that it does not serve."""
        served = ", ".join(f"{source} to {target}" for source, target in self.directions)
        return UserError(f"{self.label} does not go from {source_style} to {target_style}; it serves {served}.")
