"""Registries by file name: a file in the folder is an entry and gives it its name, or holds a family of entries.

Names are listed from the folder without importing anything (`foundation.plugins.entry_files`), so a process that only
shows them stays small; an entry is imported when it is asked for. Files that start with `_` are the folder's own.
Installed packages add entries of their own (`foundation.plugins`), whose names have a slash: `acme/politeness`.
"""

import difflib
import importlib
from collections.abc import Iterator, Mapping
from pathlib import Path
from types import ModuleType
from typing import Any, ClassVar, Generic, TypeVar, cast

from foundation.errors import UserError
from foundation.plugins import PluginError, entry_files, plugins_of

Entry = TypeVar("Entry")


class UnknownName(UserError, KeyError):
    """No entry of that name; the sentence offers the nearest ones."""

    __str__ = UserError.__str__


class Registry(Mapping[str, Entry], Generic[Entry]):
    """The entries of one folder, and those that installed packages add to it.

    `METRICS = Registry[Metric]("metric", "evaluation.metrics", Path(__file__).parent, attribute="METRIC")`
    gives `METRICS["sari"]`, which is `METRIC` of `evaluation/metrics/sari.py`, and `METRICS["bleu_1"]`, which stands in
    `ENTRIES` of `evaluation/metrics/bleu.py`. The entry points of packages are
    `restyle.metrics`, after the folder; `groups` has those of all registries that were imported, and `made` themselves.
    """

    groups: ClassVar[set[str]] = set()
    made: ClassVar[list["Registry[Any]"]] = []

    def __init__(self, kind: str, package: str, folder: Path, attribute: str) -> None:
        self.kind = kind
        self.package = package
        self.folder = folder
        self.attribute = attribute
        self._loaded: dict[str, Entry] = {}
        self.groups.add(folder.name)
        self.made.append(self)

    def names(self) -> list[str]:
        """The names of all entries with nothing imported, sorted; those of packages at the end."""
        return self.own_names() + [name for plugin in plugins_of(self.folder.name) for name in plugin.names()]

    def own_names(self) -> list[str]:
        """The names of the folder's entries alone."""
        return sorted(entry_files(self.folder))

    def own(self) -> dict[str, Entry]:
        """The folder's entries alone by their names: what the project ships, whatever packages are installed."""
        return {name: self[name] for name in self.own_names()}

    def module_of(self, name: str) -> str:
        """The module that holds one of the folder's own entries: `evaluation.metrics.bleu`."""
        return f"{self.package}.{entry_files(self.folder)[name]}"

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
        prefix, _, short = name.rpartition("/")
        if prefix:
            return self._load_plugin(prefix, short)
        return self._entry(importlib.import_module(self.module_of(name)), name)

    def _entry(self, module: ModuleType, name: str) -> Entry:
        family: Mapping[str, Entry] = getattr(module, "ENTRIES", {})
        return family[name] if name in family else cast(Entry, getattr(module, self.attribute))

    def _load_plugin(self, prefix: str, short: str) -> Entry:
        """An entry of an installed package, which must be of the same kind as the folder's own entries."""
        plugin = next(plugin for plugin in plugins_of(self.folder.name) if plugin.prefix == prefix)
        file = entry_files(plugin.folder)[short]
        module = importlib.import_module(f"{plugin.package}.{file}")
        place = f"{file}.py of the package {plugin.distribution}"
        try:
            entry = self._entry(module, short)
        except AttributeError:
            raise PluginError("There is no {attribute} in {place}.", attribute=self.attribute, place=place) from None
        if (said := getattr(entry, "name", None)) not in (None, f"{prefix}/{short}"):
            raise PluginError(
                "The {kind} in {place} calls itself '{said}': its name must be '{prefix}/{short}'.",
                kind=self.kind,
                place=place,
                said=said,
                prefix=prefix,
                short=short,
            )
        return entry

    def _unknown(self, name: str) -> str:
        near = difflib.get_close_matches(name, self.names(), n=3) or self.names()
        return f"There is no {self.kind} '{name}'; did you mean {', '.join(near)}?"
