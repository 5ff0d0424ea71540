"""A person at a page, each of whose actions is counted.

An action is a click, a choice in a list, a field that is typed, a file dialog that is answered (several files at once
are one), or Enter. Signing in and looking are none. The helper opens the page itself and hands it to nobody, so a test
can act on it in no way that is not counted.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, expect
from support.demo_site import sign_in
from support.screenshots import shoot

from accounts.models import Person


class Hands:
    """A signed-in person at the first page of the site; `count` is the number of actions so far, `done` lists them."""

    def __init__(self, new_page: Callable[[], Page], person: Person, url: str) -> None:
        self.__page = new_page()
        self.__page.set_default_timeout(20_000)
        self.done = list[str]()
        sign_in(self.__page, person, url)
        self.__page.goto("/")

    @property
    def count(self) -> int:
        return len(self.done)

    def click(self, role: Any, name: str, *, within: str = "body") -> None:
        self.done.append(f"click {name}")
        self.__page.locator(within).get_by_role(role, name=name, exact=True).click()

    def fill(self, label: str, text: str) -> None:
        self.done.append(f"fill {label}")
        self.__page.get_by_label(label, exact=True).fill(text)

    def answer_dialog(self, label: str, *paths: Path) -> None:
        self.done.append(f"files {label}")
        self.__page.get_by_label(label).set_input_files(list(paths))

    def sees(self, role: Any, name: str, **options: Any) -> None:
        """Wait until the page shows it."""
        expect(self.__page.get_by_role(role, name=name, exact=True, **options).first).to_be_visible()

    def shoot(self, name: str) -> None:
        shoot(self.__page, name)

    def waits_for(self, address: str) -> None:
        self.__page.wait_for_url(address)
