"""Profiles of the browser that one test leaves to the next, without anything of it but the files that never change.

A new profile starts a process of the browser, fetches styles, typefaces and scripts anew and compiles them, and its end
costs as much as a page: 430 ms of the processor with its first page, where one that is left takes 300. A profile that a
test changed for good (what listens to it, what it may do, its clock) ends with that test.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any

from playwright.sync_api import BrowserContext, CDPSession, Error, Page

MOST = 4  # the people of most tests, at a desk and with a phone; each holds a process of the browser
# Stays open, or the browser would end the process with the last page of the test.
SOMETHING_SMALL = "/static/restyle/js/theme.js"
STORED = "cache_storage,indexeddb,local_storage,service_workers"
CHANGES = (
    "add_init_script", "expose_binding", "expose_function", "grant_permissions", "on", "once", "route",
    "route_from_har", "route_web_socket", "set_extra_http_headers", "set_geolocation",
)  # fmt: skip
CHANGES_OF_THE_CLOCK = ("fast_forward", "install", "pause_at", "run_for", "set_fixed_time", "set_system_time")
# What a page sends and keeps when it is left would reach the next test.
SILENCE = """() => ["beforeunload", "pagehide", "visibilitychange"].forEach(
  (name) => addEventListener(name, (event) => event.stopImmediatePropagation(), true))"""


class Profile:
    """A profile of the browser at the address of a site, and the options that it was made with."""

    def __init__(self, context: BrowserContext, url: str, options: dict[str, Any]) -> None:
        self.context, self.options, self._url = context, options, url
        self._anchor: tuple[Page, CDPSession] | None = None
        self._changed = False
        for one, names in ((context, CHANGES), (context.clock, CHANGES_OF_THE_CLOCK)):
            for name in names:
                setattr(one, name, self._noticed(getattr(one, name)))

    def is_emptied(self) -> bool:
        """Whether all is gone that the site and a test left in it; otherwise it has to be closed."""
        if self._changed or not self.options.get("java_script_enabled", True):
            return False
        try:
            self._empty()
        except Error:  # a page has crashed or is on its way, or its server has ended
            return False
        return True

    def _empty(self) -> None:
        anchor, session = self._anchor = self._anchor or self._drop_anchor()
        for page in self.context.pages:
            if page != anchor:
                page.evaluate(SILENCE)
                page.close()
        self.context.set_offline(False)
        self.context.clear_cookies()
        session.send("Storage.clearDataForOrigin", {"origin": self._url, "storageTypes": STORED})

    def _drop_anchor(self) -> tuple[Page, CDPSession]:
        self.context.set_offline(False)
        page = self.context.new_page()
        page.goto(self._url + SOMETHING_SMALL)
        return page, self.context.new_cdp_session(page)

    def _noticed(self, change: Callable[..., Any]) -> Callable[..., Any]:
        @wraps(change)
        def notice_and_change(*args: Any, **options: Any) -> Any:
            self._changed = True
            return change(*args, **options)

        return notice_and_change


class KeptProfiles:
    """Those that wait for a test: `take` one of the same options, and `leave` it behind the test."""

    def __init__(self) -> None:
        self._waiting: list[Profile] = []

    def take(self, options: dict[str, Any]) -> Profile | None:
        """An empty one; None where none waits."""
        for profile in self._waiting:
            if profile.options == options:
                self._waiting.remove(profile)
                return profile
        return None

    def leave(self, profile: Profile) -> None:
        """Keep it for a test to come, in the place of the one that waits longest; or end it."""
        if not profile.is_emptied():
            profile.context.close()
            return
        self._waiting.append(profile)
        if len(self._waiting) > MOST:
            self._waiting.pop(0).context.close()
