"""axe-core on a page as it stands."""

from pathlib import Path
from typing import Any

from playwright.sync_api import Page

AXE = (Path(__file__).parents[1] / "browser" / "vendor" / "axe.min.js").read_text(encoding="utf-8")
RUN = 'async () => (await axe.run({resultTypes: ["violations"], preload: false})).violations'


def faults(page: Page) -> list[tuple[str, list[str]]]:
    """What it finds: the rule, and the HTML of what breaks it."""
    page.evaluate(AXE)
    found: list[dict[str, Any]] = page.evaluate(RUN)
    return [(one["id"], [node["html"] for node in one["nodes"]]) for one in found]


def let_in(page: Page) -> None:
    """Load the page anew without its policy, which keeps out scripts that are not the site's own."""
    page.context.new_cdp_session(page).send("Page.setBypassCSP", {"enabled": True})
    page.reload()
