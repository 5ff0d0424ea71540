"""A library that is loaded at its first use: a process that only lists its users stays small.

special = lazy_import("scipy.special")
...
special.ndtr(0.0)  # loaded here
"""

import importlib
from typing import Any


class LazyModule:
    """A module by its name, which is imported when something of it is asked for."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __getattr__(self, attribute: str) -> Any:
        """Look an attribute up once, and keep it."""
        if attribute.startswith("__"):
            raise AttributeError(attribute)  # inspecting the object does not load the module
        found = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


def lazy_import(name: str) -> Any:
    """The module of this name, not loaded yet."""
    return LazyModule(name)
