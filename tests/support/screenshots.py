"""Screenshots for people to look at, where SHOTS names a folder: light and dark on a desktop, and on a phone."""

import os

from playwright.sync_api import Page
from support.axe import WIDE

PHONE = {"width": 390, "height": 844}  # of an iPhone 14, in CSS pixels
STATES = (("light", WIDE, ""), ("dark", WIDE, "-dark"), ("light", PHONE, "-phone"))


def shoot(page: Page, name: str) -> None:
    """Three screenshots of the whole page as it stands; it is left light and wide."""
    if not (folder := os.environ.get("SHOTS")):
        return
    for scheme, size, ending in STATES:
        page.set_viewport_size(size)
        page.emulate_media(color_scheme=scheme)
        page.screenshot(path=f"{folder}/{name}{ending}.png", full_page=True)
    page.set_viewport_size(WIDE)
    page.emulate_media(color_scheme="light")
