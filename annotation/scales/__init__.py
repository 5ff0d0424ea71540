"""The scales that people rate on; a file is a scale, and holds it as `SCALE`.

A lab's own is a line that says the whole of it (`_own.py`), and is its name: `SCALES["mood | ordinal | 0 | 1"]`.
"""

from pathlib import Path

from annotation.scales._base import Level, Scale
from annotation.scales._own import canonical_line, is_own, line_of, own_scale, short_name
from foundation.errors import UserError
from foundation.registry import Registry


class Scales(Registry[Scale]):
    """The scales of the folder and of packages, by name, and those of a lab's own, by their line."""

    def __getitem__(self, name: str) -> Scale:
        return own_scale(name) if is_own(name) else super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and is_own(name):
            try:
                return bool(own_scale(name))
            except UserError:
                return False
        return super().__contains__(name)


SCALES = Scales("scale", "annotation.scales", Path(__file__).parent, attribute="SCALE")

__all__ = ["SCALES", "Level", "Scale", "canonical_line", "is_own", "line_of", "own_scale", "short_name"]
