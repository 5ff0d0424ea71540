"""Packages of a lab that bring entries of their own: a metric, a scale, a table, with no change of this project.

An installed package names its folder of entries in an entry point (PyPA, "Entry points specification"):

    [project.entry-points."restyle.metrics"]
    acme = "acme_restyle.metrics"

Each file of that folder is then an entry, `acme/NAME`, or holds several (`entry_files`). Nothing is imported to list
them.
"""

import ast
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, lru_cache
from importlib.machinery import PathFinder
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path

from foundation.errors import UserError


class PluginError(UserError):
    """An installed package whose entries cannot be used; the sentence names it."""


@dataclass(frozen=True)
class Plugin:
    """A folder of entries in an installed package."""

    prefix: str
    """What stands before the slash in the names of its entries."""
    package: str
    """The package to import, with dots."""
    distribution: str
    """What was installed, as pip names it."""
    folder: Path

    def names(self) -> list[str]:
        return sorted(f"{self.prefix}/{name}" for name in entry_files(self.folder))


def entry_files(folder: Path) -> Mapping[str, str]:
    """The entries of a folder by name, each with the module (without dots) that holds it; nothing is imported.

    A file is an entry of its own name, or holds a family of them in `ENTRIES = {"icc_1_1": ..., "icc_1_k": ...}`, whose
    keys are read from its text. Files that start with `_` are the folder's own.

    Raises:
        PluginError: Two files hold an entry of one name.
    """
    try:
        listed = tuple(os.listdir(folder))
    except FileNotFoundError:
        return {}
    return _entry_files(folder, listed)


@lru_cache(maxsize=256)  # a report asks a hundred times; what a folder lists tells whether something came or went
def _entry_files(folder: Path, listed: tuple[str, ...]) -> Mapping[str, str]:
    found: dict[str, str] = {}
    for file in (folder / name for name in sorted(listed) if name.endswith(".py") and not name.startswith("_")):
        for name in _names_in(file):
            if name in found:
                raise PluginError(
                    "Both {file} and {other} in {folder} hold an entry '{name}'.",
                    file=f"{found[name]}.py", other=file.name, folder=folder.name, name=name,
                )  # fmt: skip
            found[name] = file.stem
    return found


@cache
def _names_in(file: Path) -> tuple[str, ...]:
    """The keys of `ENTRIES`, else the file's own name, also of a file that Python cannot read: it fails when used."""
    text = file.read_text(encoding="utf-8", errors="replace")
    if "\nENTRIES" not in text:
        return (file.stem,)
    try:
        nodes = ast.parse(text).body
    except (SyntaxError, ValueError):
        return (file.stem,)
    for node in nodes:
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        value = getattr(node, "value", None)
        if isinstance(value, ast.Dict) and any(isinstance(one, ast.Name) and one.id == "ENTRIES" for one in targets):
            return tuple(str(key.value) for key in value.keys if isinstance(key, ast.Constant))
    return (file.stem,)


@cache
def plugins_of(group: str) -> tuple[Plugin, ...]:
    """The installed folders of entries for `restyle.<group>`, in the order of their prefixes.

    Raises:
        PluginError: Two packages take the same prefix, a prefix is no name, or a folder is missing.
    """
    named = sorted(entry_points(group=f"restyle.{group}"), key=lambda point: (point.name, point.value))
    found: dict[str, Plugin] = {}
    for plugin in map(_plugin, named):
        other = found.setdefault(plugin.prefix, plugin)
        if other != plugin:
            raise PluginError(
                "The installed packages {distribution} and {other} both bring {group} under the "
                "name '{prefix}': uninstall one of them.",
                distribution=other.distribution,
                other=plugin.distribution,
                group=group,
                prefix=plugin.prefix,
            )
    return tuple(found.values())


def template_folders() -> list[Path]:
    """The folders `templates` beside the entries of installed task types."""
    folders = (plugin.folder.parent / "templates" for plugin in plugins_of("task_types"))
    return [folder for folder in folders if folder.is_dir()]


def _plugin(point: EntryPoint) -> Plugin:
    distribution = point.dist.name if point.dist else point.module
    if not point.name.isidentifier():
        raise PluginError(
            "The package {distribution} names its entries '{name}': use letters, digits and '_'.",
            distribution=distribution,
            name=point.name,
        )
    folder = _folder(point.module)
    if folder is None:
        raise PluginError(
            "The package {distribution} names the folder {module}, which is not there.",
            distribution=distribution,
            module=point.module,
        )
    return Plugin(point.name, point.module, distribution, folder)


def _folder(package: str) -> Path | None:
    """The folder of a package, found without importing it or its parents."""
    first, *inner = package.split(".")
    spec = PathFinder.find_spec(first)
    for place in (spec and spec.submodule_search_locations) or ():
        if (folder := Path(place, *inner)).is_dir():
            return folder
    return None
