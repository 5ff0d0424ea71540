"""The page of a recruitment, as tests use it."""

from playwright.sync_api import Locator, Page, expect


def tick(page: Page, row: Locator) -> None:
    """Choose the person of a row, once no order is under way: while one is, the page brings its rows anew."""
    expect(page.locator("#recruitment:not([hx-get])"), "an order stays under way").to_have_count(1)
    row.get_by_role("checkbox").check()
