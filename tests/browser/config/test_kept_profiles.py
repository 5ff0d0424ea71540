"""A profile of the browser that goes on to the next test has nothing of the one before."""

from collections.abc import Callable
from contextlib import AbstractContextManager

import pytest
from playwright.sync_api import Page
from support.chromium import Chromium
from support.processes import WebServer

SIGN_IN = "/accounts/login/"
STORES = """async () => {
  localStorage.setItem("a", "1");
  sessionStorage.setItem("a", "1");
  document.cookie = "a=1; path=/";
  await caches.open("a");
  await new Promise((done) => { indexedDB.open("a").onsuccess = done; });
  addEventListener("pagehide", () => localStorage.setItem("b", "1"));
}"""
STORED = """async () => [
  Object.keys(localStorage), sessionStorage.getItem("a"), await caches.keys(),
  (await indexedDB.databases()).map((one) => one.name), document.cookie.includes("a=1"), history.length,
]"""


@pytest.fixture
def profiles(_chromium: Chromium, web_server: WebServer) -> Callable[[], AbstractContextManager[Callable[..., Page]]]:
    return lambda: _chromium.profiles(web_server.url, keeps=True)


def test_what_a_test_left_is_gone_and_what_it_changed_ends_with_it(profiles) -> None:
    with profiles() as open_page:
        page = open_page()
        context = page.context
        page.goto(SIGN_IN)
        page.evaluate(STORES)
        context.set_offline(True)
    with profiles() as open_page:
        page = open_page()
        assert page.context == context
        page.goto(SIGN_IN)
        assert page.evaluate(STORED) == [[], None, [], [], False, 2]  # the empty page, and this one
        page.clock.install()
    with profiles() as open_page:
        assert open_page().context != context
