"""A real Chromium, found on the machine and driven by Playwright."""

import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import wraps
from typing import Any

from playwright.sync_api import BrowserContext, ConsoleMessage, Locator, Page, expect, sync_playwright
from support.kept_profiles import KeptProfiles, Profile
from support.processes import as_loaded

NO_CHROMIUM = "no Chromium was found (apt install chromium-headless-shell, or chromium)"
# The first is Chromium without its own windows and menus: the pages are the same, at less of the processor's time.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
# A sandbox needs rights that root in a container has not; the rest keeps it from asking the network for anything.
OPTIONS = [
    "--no-sandbox",
    "--disable-dev-shm-usage",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-extensions",
    "--disable-sync",
    "--no-first-run",
    "--process-per-site",  # a page of a profile that was kept finds its scripts compiled
    "--in-process-gpu",  # one process less to send each frame to: a twelfth of the browser's time
    "--js-flags=--no-opt --no-maglev",  # a page is gone before the time that it takes to compile its scripts well pays
]
# A window's address bar draws its suggestions in hidden pages of its own: two thirds of the time of a visit. Chromium
# takes the last list alone, so those that Playwright turns off and that matter here are named again.
OFF = [
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
    "AimEnabled",
    "PreloadTopChromeWebUI",
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "MediaRouter",
    "NetworkTimeServiceQuerying",
    "OptimizationHints",
    "PaintHolding",
    "PreconnectToSearch",
    "RenderDocument",  # makes a frame, with an empty page in it, for each page of a site: a sixth of a visit
    "ThirdPartyStoragePartitioning",
]
# An answer of 4xx, no network, or a site that starts again: tests ask for them. An abort is a request that a newer one
# replaces, as hx-sync says.
REFUSED = ("Failed to load resource", "Response Status Error", "htmx:afterRequest", "htmx:sendError", "htmx:sendAbort")
# What people do to a page. After a link, its words are there before its scripts hear anything: on a busy machine a key
# that is pressed then is lost.
ACTIONS = ("check", "click", "fill", "focus", "hover", "press", "press_sequentially", "select_option", "tap", "uncheck")
KEYS = ("insert_text", "press", "type")
PATIENCE = 120_000  # milliseconds that an action or a change of a page may take, on a machine that is not overloaded


def find_chromium() -> str | None:
    """The path of a Chromium: the environment's CHROMIUM, or one on the path."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


class Chromium:
    """A browser for the whole run; the pages of a test have a profile each, empty at its beginning."""

    def __init__(self, path: str) -> None:
        self._path = path
        self._kept = KeptProfiles()
        self._complaints: list[str] = []

    def __enter__(self) -> "Chromium":
        self._playwright = sync_playwright().start()
        for name in ACTIONS:
            setattr(Locator, name, _once_loaded(getattr(Locator, name)))
        options = [*OPTIONS, "--disable-features=" + ",".join(OFF)]
        self._browser = self._playwright.chromium.launch(executable_path=self._path, args=options)
        return self

    def __exit__(self, *_: object) -> None:
        self._browser.close()
        self._playwright.stop()

    @contextmanager
    def profiles(self, url: str, keeps: bool = False) -> Iterator[Callable[..., Page]]:
        """A function that opens pages at `url`, each in a profile of its own; they are closed at the end.

        `keeps` leaves them to the next tests at this address, which is that of the run's one web server.
        A test in which a script threw, or the console showed an error, fails then.
        """
        profiles: list[tuple[Profile | None, BrowserContext]] = []

        def open_page(**options: Any) -> Page:
            profile = None
            if keeps:
                profile = self._kept.take(options) or Profile(self._new_context(url, **options), url, options)
            context = profile.context if profile else self._new_context(url, **options)
            context.set_default_timeout(as_loaded(PATIENCE))
            expect.set_options(timeout=as_loaded(PATIENCE))
            profiles.append((profile, context))
            return context.new_page()

        try:
            yield open_page
        finally:
            for profile, context in profiles:
                if profile:
                    self._kept.leave(profile)
                else:
                    context.close()
            complaints, self._complaints = self._complaints, []
        assert complaints == [], "\n".join(complaints)

    def _new_context(self, url: str, **options: Any) -> BrowserContext:
        context = self._browser.new_context(base_url=url, **options)
        context.on("weberror", lambda error: self._complaints.append(str(error.error)))
        context.on("console", self._note)
        context.on("page", _hear_keys_once_loaded)
        return context

    def _note(self, said: ConsoleMessage) -> None:
        if said.type == "error" and not said.text.startswith(REFUSED):
            self._complaints.append(f"{said.location.get('url')}: {said.text}")


def _once_loaded(act: Callable[..., Any]) -> Callable[..., Any]:
    """The action of a locator, from when its page is loaded and its scripts listen."""

    @wraps(act)
    def wait_and_act(self: Locator, *args: Any, **options: Any) -> Any:
        self.page.wait_for_load_state()
        return act(self, *args, **options)

    return wait_and_act


def _hear_keys_once_loaded(page: Page) -> None:
    """Press keys on the page from when it is loaded."""

    def once_loaded(act: Callable[..., None]) -> Callable[..., None]:
        def wait_and_act(*args: Any, **options: Any) -> None:
            page.wait_for_load_state()
            act(*args, **options)

        return wait_and_act

    for name in KEYS:
        setattr(page.keyboard, name, once_loaded(getattr(page.keyboard, name)))
