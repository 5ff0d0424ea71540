"""Degenerate baselines: outputs that are made to fool metrics; one file is one, and holds it as `BASELINE`."""

from pathlib import Path

from evaluation.baselines._base import BaselineInput, DegenerateBaseline
from foundation.registry import Registry

BASELINES = Registry[DegenerateBaseline]("degenerate baseline", __name__, Path(__file__).parent, attribute="BASELINE")

__all__ = ["BASELINES", "BaselineInput", "DegenerateBaseline"]
