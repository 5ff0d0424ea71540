"""A work page that has the next items in its memory, so that the network may go."""

from playwright.sync_api import Page

COUNT = "document.addEventListener('restyle:ahead', ({ detail }) => { window.itemsAhead = detail; });"


def open_with_items_ahead(page: Page, address: str) -> None:
    """Open a work page and wait for its items: their response alone does not say that the page has read it."""
    page.add_init_script(COUNT)
    page.goto(address)
    page.wait_for_function("() => window.itemsAhead !== undefined")
