"""The content security policy allows neither inline scripts nor inline styles: no template may carry one."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
TEMPLATES = sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".svg"})
FORBIDDEN = {
    "an inline script": r"<script(?![^>]*\bsrc=)[^>]*>",
    "a style element": r"<style\b",
    "a style attribute": r"\sstyle\s*=",
    "an event attribute": r"<[^>]*\son[a-z]+\s*=",
    "hx-on, which htmx would evaluate": r"\s(data-)?hx-on\b",
    "a javascript address": r"javascript:",
    "a trigger filter, which htmx would evaluate": r"hx-trigger=\"[^\"]*\[",
}


def test_there_are_templates() -> None:
    assert ROOT / "templates" / "base.html" in TEMPLATES


def test_templates_keep_the_policy() -> None:
    found = []
    for path in TEMPLATES:
        text = re.sub(r"{%.*?%}", "", path.read_text(encoding="utf-8"))  # a comparison in a tag is no attribute
        broken = [name for name, pattern in FORBIDDEN.items() if re.search(pattern, text, re.IGNORECASE)]
        found += [f"{path.relative_to(ROOT)}: {name}" for name in broken]
    assert not found


# What may be cut without a loss: words that are looked for, the name of an encoding, a number of rows.
CUT = {("search", "q"), ("text", ""), ("text", "above"), ("text", "encoding")}


def test_nothing_that_somebody_types_is_cut_by_the_browser() -> None:
    """`data-longest` says how many characters are too many (js/longest.js); `maxlength` drops them."""
    found = []
    for path in TEMPLATES:
        fields = re.findall(r"<(?:input|textarea)\b[^>]*\bmaxlength=[^>]*>", path.read_text(encoding="utf-8"))
        attributes = [dict(re.findall(r'(\w+)="([^"]*)"', field)) for field in fields]
        found += [path.name for own in attributes if (own.get("type", ""), own.get("name", "")) not in CUT]
    assert not found


@pytest.mark.parametrize(
    "text",
    ["<script>x()</script>", '<p style="color: red">', '<a onclick="x()">', '<b hx-on:click="x()">', "<style>"],
)
def test_what_breaks_the_policy_is_seen(text: str) -> None:
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in FORBIDDEN.values())
