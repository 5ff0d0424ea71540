"""Scales by name."""

from annotation.rating_scales.own_scales import is_own, own_scale
from annotation.rating_scales.scale import Scale
from foundation.errors import UserError
from foundation.registry import Registry


class ScaleRegistry(Registry[Scale]):
    """The scales of a folder and of packages, by name, and those of a lab's own, by their line."""

    def __getitem__(self, name: str) -> Scale:
        return own_scale(name) if is_own(name) else super().__getitem__(name)

    def __contains__(self, name: object) -> bool:
        if isinstance(name, str) and is_own(name):
            try:
                return bool(own_scale(name))
            except UserError:
                return False
        return super().__contains__(name)
