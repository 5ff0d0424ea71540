"""The scales that people rate on; a file is a scale, and holds it as `SCALE`."""

from pathlib import Path

from annotation.scales._base import Level, Scale
from foundation.registry import Registry

SCALES = Registry[Scale]("scale", "annotation.scales", Path(__file__).parent, attribute="SCALE")

__all__ = ["SCALES", "Level", "Scale"]
