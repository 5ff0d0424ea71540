"""Two installed packages that bring entries under one name: the site does not start, and says why."""

from collections.abc import Sequence
from importlib.metadata import entry_points
from typing import Any

from django.core.checks import Error, register

from foundation.plugins import PluginError, plugins_of

GROUP = "restyle."


@register
def check_installed_packages(app_configs: Sequence[Any] | None, **options: Any) -> list[Error]:
    """An error for each group of entry points that cannot be used."""
    groups = sorted(group.removeprefix(GROUP) for group in entry_points().groups if group.startswith(GROUP))
    return [error for group in groups for error in _errors(group)]


def _errors(group: str) -> list[Error]:
    try:
        plugins_of(group)
    except PluginError as error:
        return [Error(str(error), id="restyle.E001")]
    return []
