"""axe-core on a page as it stands (WCAG 2.2 AA and best practice): on the screen that it is on, or in two states."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parents[1] / "browser" / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RUN = """async (tags) => {
  const frame = () => new Promise(requestAnimationFrame);
  await frame().then(frame);  // until the new colours are there
  // What lies under a bar that stays in reach is no small target: it is scrolled to.
  const bars = [...document.querySelectorAll(".workbar")];
  bars.forEach((bar) => { bar.style.position = "static"; });
  const { violations } = await axe.run({runOnly: tags, resultTypes: ["violations"], preload: false});
  bars.forEach((bar) => { bar.style.position = ""; });
  return violations;
}"""
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
WIDE, PHONE = {"width": 1280, "height": 900}, {"width": 360, "height": 740}
STATES: tuple[tuple[Any, Any], ...] = (("dark", PHONE), ("light", WIDE))
STICKS_OUT = """(width) => [...document.querySelectorAll("body *")]
  .filter((one) => one.getBoundingClientRect().right > width).map((one) => one.outerHTML.slice(0, 100)).slice(-3)"""
Fault = tuple[str, list[str]]


def faults(page: Page) -> list[Fault]:
    """What axe-core finds: the rule, and the HTML of what breaks it. The page that is coming in is there whole first.

    Whoever clicked on what loads another page expects something of that page before: a page that is on its way and did
    not answer yet is not seen from here.
    """
    page.wait_for_load_state()
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE)
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in page.evaluate(RUN, TAGS)]


def faults_in_two_states(page: Page) -> list[tuple[Any, ...]]:
    """Dark on a phone, then light and wide, the theme before each; with what sticks out. Left light and wide."""
    return faults_in_states(page, STATES)


def faults_in_states(page: Page, states: Iterable[tuple[Any, Any]]) -> list[tuple[Any, ...]]:
    """In each of these states, its theme before the fault; with what sticks out. Left in the last of them."""
    found: list[tuple[Any, ...]] = []
    page.wait_for_load_state()
    for theme, size in states:
        resize(page, size)
        page.emulate_media(color_scheme=theme, reduced_motion="reduce")
        found += [(theme, *fault) for fault in [*too_wide(page, size["width"]), *faults(page)]]
    return found


def resize(page: Page, size: Any) -> None:
    """Give the page a screen of this size, unless it has it: the browser would wait for a frame all the same."""
    if page.viewport_size != size:
        page.set_viewport_size(size)


def too_wide(page: Page, width: int) -> list[Fault]:
    """What sticks out of a screen of this width."""
    wide = page.evaluate("document.documentElement.scrollWidth")
    return [(f"{wide} pixels wide on a screen of {width}", page.evaluate(STICKS_OUT, width))] if wide > width else []
