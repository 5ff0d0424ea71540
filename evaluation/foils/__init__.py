"""Outputs that are made to fool metrics; one file is one, and holds it as `FOIL`."""

from pathlib import Path

from evaluation.foils._base import Foil, FoilTexts
from foundation.registry import Registry

FOILS = Registry[Foil]("foil", __name__, Path(__file__).parent, attribute="FOIL")

__all__ = ["FOILS", "Foil", "FoilTexts"]
