"""Control texts that are put among the outputs; one file is one kind, and holds it as `CONTROL`."""

from pathlib import Path

from evaluation.human.controls._base import Control, Given
from foundation.registry import Registry

CONTROLS = Registry[Control]("kind of control text", __name__, Path(__file__).parent, attribute="CONTROL")

__all__ = ["CONTROLS", "Control", "Given"]
