"""The site's own typefaces in a real browser: few bytes, used where they should be, and no line moves for them."""

import hashlib
import mimetypes
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.template.autoreload import reset_loaders
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Page, Route
from support.chromium import Chromium

from config.pages.page_parts import parts_at

SITE = "http://typefaces.invalid"
FOLDER = Path(str(finders.find("vendor/fonts/VERSION"))).parent
MOST_BYTES = 250_000
FACES = """() => document.fonts.ready.then(
  () => [...document.fonts].filter((one) => one.status === "loaded").map((one) => one.family))"""


@pytest.fixture
def open_site(_chromium: Chromium) -> Iterator[Callable[..., tuple[Page, list[str]]]]:
    reset_loaders()  # tests beside a web server have templates with its addresses of static files
    with _chromium.profiles(SITE) as open_page:

        def opened(words: str = "", with_fonts: bool = True) -> tuple[Page, list[str]]:
            asked: list[str] = []

            def answer(route: Route) -> None:
                path = route.request.url.removeprefix(SITE).split("?")[0]
                if parts := parts_at(path):
                    return route.fulfill(body=parts[0], content_type="text/javascript")
                if not path.startswith("/static/"):
                    page = render_to_string("404.html", {}, RequestFactory().get("/"))
                    page = page.replace("<main", f'<p>{words}</p><p class="text">{words}</p><main', 1)
                    return route.fulfill(body=page, content_type="text/html")
                if path.endswith(".woff2"):
                    asked.append(path.rpartition("/")[2])
                    if not with_fonts:
                        return route.abort()
                found = finders.find(path.removeprefix("/static/"))
                if found is None:
                    return route.fulfill(status=404)
                return route.fulfill(body=Path(found).read_bytes(), content_type=mimetypes.guess_type(found)[0])

            page = open_page()
            page.route("**/*", answer)
            page.goto("/")
            page.evaluate("() => document.fonts.ready")
            return page, asked

        yield opened


def bytes_of(names: list[str]) -> int:
    return sum((FOLDER / name).stat().st_size for name in set(names))


def test_a_page_in_english_loads_the_two_files_that_it_preloads(
    open_site: Callable[..., tuple[Page, list[str]]],
) -> None:
    page, asked = open_site()
    assert set(asked) == {"inter-latin.woff2", "source-serif-4-latin.woff2"}
    assert bytes_of(asked) < MOST_BYTES / 2
    assert set(page.evaluate(FACES)) >= {"Inter", "Source Serif 4"}


def test_another_script_loads_its_file_and_stays_small(open_site: Callable[..., tuple[Page, list[str]]]) -> None:
    for words in ("Αθήνα", "Москва", "Łódź", "Việt Nam"):
        _, asked = open_site(words)
        assert len(set(asked)) > 2, words
        assert bytes_of(asked) < MOST_BYTES, words


def test_a_script_that_they_lack_loads_nothing_more(open_site: Callable[..., tuple[Page, list[str]]]) -> None:
    _, asked = open_site("مرحبا שלום 漢字 हिन्दी")
    assert set(asked) == {"inter-latin.woff2", "source-serif-4-latin.woff2"}


def test_lines_are_as_high_and_nearly_as_wide_before_they_come(
    open_site: Callable[..., tuple[Page, list[str]]],
) -> None:
    words = "The patient was given a medicine against the pain, and went home on the next day."
    size = """() => [...document.querySelectorAll("body > p:not(.x)")].slice(-2).map((one) => {
      const range = document.createRange(); range.selectNodeContents(one);
      const { width, height } = range.getBoundingClientRect(); return [width, height]; })"""
    (with_fonts, _), (without, _) = open_site(words), open_site(words, with_fonts=False)
    for (width, height), (width_before, height_before) in zip(
        with_fonts.evaluate(size), without.evaluate(size), strict=True
    ):
        assert height == height_before
        assert abs(width - width_before) / width < 0.03


def test_the_files_are_those_of_the_version_note() -> None:
    noted = dict(line.split("  ")[::-1] for line in (FOLDER / "VERSION").read_text().split("sha256\n")[1].splitlines())
    files = {path.name: hashlib.sha256(path.read_bytes()).hexdigest() for path in FOLDER.glob("*.woff2")}
    assert noted == files
