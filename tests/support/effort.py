"""What an item of work costs somebody at a page: keys, taps, and the pixels that they scroll themselves."""

import os
from typing import Any

from playwright.sync_api import Locator, Page, expect

DESK: dict[str, Any] = {"viewport": {"width": 1280, "height": 900}}
PHONE: dict[str, Any] = {  # a small phone's screen, in CSS pixels
    "viewport": {"width": 360, "height": 740},
    "has_touch": True,
    "is_mobile": True,
}
# What a thumb aims at: the words of a choice, not its circle alone.
AIMED = 'element => (element.matches("input") ? element.labels?.[0] ?? element : element)'
# Brings an element where a thumb reaches it, as shortly as possible; pixels that the page moved.
REACH = """(target) => {
  const reached = () => {
    const box = target.getBoundingClientRect();
    const hit = document.elementFromPoint(box.x + box.width / 2, box.y + box.height / 2);
    return hit !== null && target.contains(hit);
  };
  const before = scrollY;
  for (const block of ["nearest", "center"]) if (!reached()) target.scrollIntoView({ block, behavior: "instant" });
  return Math.abs(scrollY - before);
}"""


class Hand:
    """Somebody at work on a page: each key and each tap counts, and so does what has to be scrolled.

    `at_once`: the campaign submits with the last answer.
    """

    def __init__(self, page: Page, *, at_once: bool = False) -> None:
        self.page = page
        self.at_once = at_once
        self.keys = self.taps = self.scrolled = 0

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)
        self.keys += len(keys)

    def write(self, text: str) -> None:
        """Type a text, which is the same work in every tool and is not counted."""
        self.page.keyboard.type(text)

    def tap(self, target: Locator | str) -> None:
        element = self.page.locator(target) if isinstance(target, str) else target
        expect(element).to_be_visible()
        aimed = element.evaluate_handle(AIMED).as_element()
        assert aimed is not None
        self.scrolled += round(aimed.evaluate(REACH))
        aimed.tap()
        self.taps += 1

    def tap_enter(self) -> None:
        """Tap Enter on the keyboard that a phone shows under a text field."""
        self.page.keyboard.press("Enter")
        self.taps += 1

    def finish(self, number: int = 2) -> None:
        """The next item is there, at the top of the page."""
        expect(self.page.locator("#work")).to_have_attribute("data-say", f"Item {number}")
        self.page.wait_for_function("scrollY === 0")

    def finish_all(self) -> None:
        """There is no further item."""
        expect(self.page.get_by_role("heading", name="All items are done")).to_be_visible()


def shoot(page: Page, name: str) -> None:
    """A picture of what a phone shows, for people to look at, where SHOTS names a folder."""
    if folder := os.environ.get("SHOTS"):
        page.screenshot(path=f"{folder}/{name}.png", caret="initial")
