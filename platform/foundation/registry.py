"""Registries by file name: a file in the folder is an entry, its name the entry's name.

Names are listed from the folder without importing anything, so a process that only shows them stays small;
an entry is imported when it is asked for. Files that start with `_` are the folder's own.
"""

import difflib
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Generic, TypeVar, cast

from foundation.errors import UserError

Entry = TypeVar("Entry")


class UnknownName(UserError, KeyError):
    """No entry of that name; the sentence offers the nearest ones."""

    __str__ = UserError.__str__


class Registry(Mapping[str, Entry], Generic[Entry]):
    """The entries of one folder.

    `METRICS = Registry[Metric]("metric", "evaluation.metrics", Path(__file__).parent, attribute="METRIC")`
    gives `METRICS["bleu"]`, which is `METRIC` of `evaluation/metrics/bleu.py`.
    """

    def __init__(self, kind: str, package: str, folder: Path, attribute: str) -> None:
        self.kind = kind
        self.package = package
        self.folder = folder
        self.attribute = attribute
        self._loaded: dict[str, Entry] = {}

    def names(self) -> list[str]:
        """The names of all entries, sorted, with nothing imported."""
        return sorted(file.stem for file in self.folder.glob("[!_]*.py"))

    def __getitem__(self, name: str) -> Entry:
        if name not in self._loaded:
            self._loaded[name] = self._load(name)
        return self._loaded[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.names())

    def __len__(self) -> int:
        return len(self.names())

    def __contains__(self, name: object) -> bool:
        return name in self.names()

    def _load(self, name: str) -> Entry:
        if name not in self.names():
            raise UnknownName(self._unknown(name))
        module = importlib.import_module(f"{self.package}.{name}")
        return cast(Entry, getattr(module, self.attribute))

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self.names(), n=3) or self.names()
        return f"There is no {self.kind} '{name}'; did you mean {', '.join(near)}?"
