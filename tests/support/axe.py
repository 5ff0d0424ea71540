"""axe-core on a page as it stands: on the screen that it is on, or wide and narrow, light and dark."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parents[1] / "browser" / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RUN = """async (rules) => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame().then(frame);  // until the new colours are there
  const only = rules.length ? {runOnly: rules} : {};
  return (await axe.run({...only, resultTypes: ["violations"], preload: false})).violations;
}"""
COLOURS = ("color-contrast", "link-in-text-block")
THEMES: dict[Any, Sequence[str]] = {"light": (), "dark": COLOURS}  # all rules, and then those on what themes differ in
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}


def violations(page: Page, rules: Sequence[str] = ()) -> list[dict[str, Any]]:
    """What axe-core finds, by all of its rules or these alone."""
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(RUN, list(rules))
    return found


def faults(page: Page, rules: Sequence[str] = ()) -> list[tuple[str, list[str]]]:
    """What it finds: the rule, and the HTML of what breaks it."""
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in violations(page, rules)]


def faults_in_both_themes(page: Page) -> list[tuple[Any, ...]]:
    """The theme before each; the page is left light."""
    found: list[tuple[Any, ...]] = []
    for theme, rules in THEMES.items():
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [(theme, *fault) for fault in faults(page, rules)]
    page.emulate_media(color_scheme="light")
    return found


def faults_in_two_states(page: Page) -> list[tuple[Any, ...]]:
    """By all rules dark on a phone, then light and wide; with what is wider than the screen. Left light and wide."""
    found: list[tuple[Any, ...]] = []
    for theme, size in (("dark", PHONE), ("light", WIDE)):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
        found += [(theme, *fault) for fault in [*_too_wide(page, size), *faults(page)]]
    return found


def faults_on_every_screen(page: Page) -> list[tuple[Any, ...]]:
    """Wide and on a phone, in both themes, the width before each; with what is wider than the screen. Left wide."""
    found: list[tuple[Any, ...]] = []
    for size in (PHONE, WIDE):
        page.set_viewport_size(size)  # type: ignore[arg-type]
        found += [(size["width"], *fault) for fault in [*_too_wide(page, size), *faults_in_both_themes(page)]]
    return found


def _too_wide(page: Page, size: dict[str, int]) -> list[tuple[Any, ...]]:
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [(f"{wide} pixels wide",)] if wide > size["width"] else []
