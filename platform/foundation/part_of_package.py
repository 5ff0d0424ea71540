"""A module of a large package without all that the package loads when it is imported.

    destructive = part_of_package("nltk.tokenize.destructive")

NLTK loads its parsers, SciPy's statistics and scikit-learn: 1.3 seconds of the processor and 120 MB in each process
that cuts a sentence into words, which takes a module of a hundred lines.
"""

import importlib
import sys
from importlib.util import find_spec, module_from_spec
from types import ModuleType


def part_of_package(name: str) -> ModuleType:
    """The module; its own imports find its package's other modules, and none of what the package says at its top.

    It is a copy for the caller alone: who imports the package later finds it whole. Where the package is loaded
    already, or the module needs more of it, this is the package's own module.
    """
    package = name.partition(".")[0]
    if package in sys.modules:
        return importlib.import_module(name)
    try:
        return _alone(name, package)
    except ImportError:
        return importlib.import_module(name)


def _alone(name: str, package: str) -> ModuleType:
    parts = name.split(".")
    try:
        for end in range(1, len(parts)):
            folder = ".".join(parts[:end])
            spec = find_spec(folder)
            if spec is None:
                raise ModuleNotFoundError(f"No module named '{folder}'", name=folder)
            sys.modules[folder] = module_from_spec(spec)  # not run, but a place to look for modules
        return importlib.import_module(name)
    finally:
        for one in [one for one in sys.modules if one == package or one.startswith(f"{package}.")]:
            del sys.modules[one]
