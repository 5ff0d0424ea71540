"""One file, one kind of rows that a table can bring in: what its columns can mean, and what then happens.

`TARGETS["texts"]` is `TARGET` of `texts.py`. A room above adds one of its own with `add`, by the name of its module.
"""

import importlib
from collections.abc import Iterator
from pathlib import Path

from corpora.import_targets._base import Mapped, Meaning, Plan, Question, Setting, Settings, Target
from foundation.registry import Registry

__all__ = ["TARGETS", "Mapped", "Meaning", "Plan", "Question", "Setting", "Settings", "Target", "add"]


class Targets(Registry[Target]):
    """The targets of this folder and those that were added."""

    def __init__(self) -> None:
        super().__init__("target", "corpora.import_targets", Path(__file__).parent, attribute="TARGET")
        self.others: dict[str, str] = {}

    def names(self) -> list[str]:
        return [*sorted(super().names(), reverse=True), *self.others]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def _load(self, name: str) -> Target:
        if name in self.others:
            found: Target = importlib.import_module(self.others[name]).TARGET
            return found
        return super()._load(name)


TARGETS = Targets()


def add(name: str, module: str) -> None:
    """Make `TARGET` of `module` the target of that name; the module is imported when it is asked for."""
    TARGETS.others[name] = module
