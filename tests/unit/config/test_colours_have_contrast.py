"""Every pair of colours that carries text or a control's edge meets WCAG 2.2 AA, in the light and in the dark theme.

Relative luminance and contrast ratio as WCAG 2.2 defines them (https://www.w3.org/TR/WCAG22/#dfn-contrast-ratio).
"""

import re
from pathlib import Path

import pytest

TOKENS = Path(__file__).resolve().parents[3] / "platform/config/static/restyle/css/tokens.css"
PAIRS = re.findall(r"--([\w-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\);", TOKENS.read_text(encoding="utf-8"))
COLOURS = {name: {"light": light, "dark": dark} for name, light, dark in PAIRS}
SURFACES = ["paper", "sheet", "well"]
TEXT = [(ink, surface) for ink in ["ink", "ink-2", "accent", "danger", "ok", "warn", "info"] for surface in SURFACES]
TEXT += [("ink-3", "paper"), ("ink-3", "sheet"), ("ink-3", "well"), ("accent-deep", "sheet"), ("ink", "marker-soft")]
TEXT += [(state, f"{state}-soft") for state in ["ok", "warn", "danger", "info"]]
TEXT += [("on-accent", "accent"), ("on-accent", "accent-deep"), ("on-danger", "danger"), ("ink-2", "accent-soft")]
EDGES = [("line-strong", "paper"), ("line-strong", "sheet"), ("accent", "line"), ("danger", "sheet")]


def luminance(colour: str) -> float:
    parts = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = [part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in parts]
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    low, high = sorted([luminance(one), luminance(other)])
    return (high + 0.05) / (low + 0.05)


def test_contrast_of_known_pairs() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.478, abs=0.001)


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("ink", "surface"), TEXT)
def test_text_can_be_read(ink: str, surface: str, theme: str) -> None:
    assert contrast(COLOURS[ink][theme], COLOURS[surface][theme]) >= 4.5


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("edge", "surface"), EDGES)
def test_edges_of_controls_can_be_seen(edge: str, surface: str, theme: str) -> None:
    assert contrast(COLOURS[edge][theme], COLOURS[surface][theme]) >= 3
