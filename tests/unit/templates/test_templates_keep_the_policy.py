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


@pytest.mark.parametrize(
    "text",
    ["<script>x()</script>", '<p style="color: red">', '<a onclick="x()">', '<b hx-on:click="x()">', "<style>"],
)
def test_what_breaks_the_policy_is_seen(text: str) -> None:
    assert any(re.search(pattern, text, re.IGNORECASE) for pattern in FORBIDDEN.values())
