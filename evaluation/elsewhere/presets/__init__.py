"""The tables of known tools; a file is one, and holds it as `PRESET`. No Django."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from evaluation.elsewhere.presets._base import Preset
from foundation.registry import Registry

PRESETS = Registry[Preset]("preset", "evaluation.elsewhere.presets", Path(__file__).parent, attribute="PRESET")

__all__ = ["PRESETS", "Preset", "preset_of"]


def preset_of(columns: Sequence[str], rows: Sequence[Mapping[str, str]]) -> str:
    """The tool that such a table comes from; "plain" where it is none that is known."""
    names = [name for name in PRESETS.names() if name != "plain"]
    return next((name for name in names if PRESETS[name].fits(columns, rows)), "plain")
