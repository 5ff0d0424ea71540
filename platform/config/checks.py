"""Installed packages whose entries cannot be used: the site does not start, and says why."""

import difflib
from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

from django.core.checks import Error, register

from foundation.plugins import PluginError, plugins_of
from foundation.registry import Registry

GROUP = "restyle."


@register
def check_installed_packages(app_configs: Sequence[Any] | None, **options: Any) -> list[Error]:
    """An error for each group of entry points that cannot be used."""
    import config.urls  # noqa: F401 (with it every registry is imported)

    groups = sorted(group.removeprefix(GROUP) for group in entry_points().groups if group.startswith(GROUP))
    return [error for group in groups for error in _errors(group)]


def _errors(group: str) -> list[Error]:
    if group not in Registry.groups:
        return [Error(_unknown(group), id="restyle.E002")]
    try:
        plugins_of(group)
    except PluginError as error:
        return [Error(str(error), id="restyle.E001")]
    return []


def _unknown(group: str) -> str:
    """The sentence about a group that no registry has."""
    installed = sorted({point.dist.name for point in entry_points(group=GROUP + group) if point.dist})
    near = difflib.get_close_matches(group, Registry.groups, n=1) or sorted(Registry.groups)
    return (
        f"The installed package {', '.join(installed)} names the entry point {GROUP}{group}, which is none; "
        f"did you mean {', '.join(GROUP + name for name in near)}?"
    )
