"""A library that is loaded at its first use: who only lists what uses it stays small.

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
        """Asked once for each attribute: what was found is kept."""
        if attribute.startswith("__"):
            raise AttributeError(attribute)  # what inspects objects loads nothing
        found = getattr(importlib.import_module(self._name), attribute)
        setattr(self, attribute, found)
        return found


def lazy_import(name: str) -> Any:
    """The module of this name, not loaded yet."""
    return LazyModule(name)
