"""The components in a real browser, under the content security policy: nothing axe-core finds, the keys, the asking.

A page that breaks the policy says so on its console, which fails each of these tests.

The gallery is rendered from its template and given to the browser with the static files; no server and no database.
"""

import mimetypes
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from django import forms
from django.contrib.staticfiles import finders
from django.template.autoreload import reset_loaders
from django.template.loader import render_to_string
from django.test import RequestFactory
from playwright.sync_api import Page, Route, expect
from support import axe
from support.chromium import Chromium

from config.pages.page_parts import parts_at

SITE = "http://look.invalid"
POLICY = {"Content-Security-Policy": "default-src 'self'; img-src 'self' data:"}


class Example(forms.Form):
    """A field of each kind, with help and errors."""

    name = forms.CharField(help_text="What people see.")
    guideline = forms.CharField(widget=forms.Textarea, required=False)
    kind = forms.ChoiceField(widget=forms.RadioSelect, choices=[("e", "Experts"), ("c", "Crowd")], help_text="One.")
    criteria = forms.MultipleChoiceField(widget=forms.CheckboxSelectMultiple, choices=[("f", "Formality")])
    blind = forms.BooleanField(help_text="Names never reach the browser.")
    outputs = forms.FileField(help_text="UTF-8.")


def answer(route: Route) -> None:
    path = route.request.url.removeprefix(SITE).split("?")[0]
    if parts := parts_at(path):
        return route.fulfill(body=parts[0], content_type="text/javascript")
    if not path.startswith("/static/"):
        navigation = [{"url": "/", "label": "Texts", "current": True}, {"url": "/r", "label": "Runs", "current": False}]
        study_nav = {"sections": navigation, "section": "Texts", "pages": navigation}
        context = {"form": Example({"kind": "x"}), "study_nav": study_nav, "study_switch": navigation}
        page = render_to_string("parts/gallery.html", context, RequestFactory().get("/"))
        return route.fulfill(body=page, content_type="text/html", headers=POLICY)
    found = finders.find(path.removeprefix("/static/"))
    if found is None:
        return route.fulfill(status=404)
    return route.fulfill(body=Path(found).read_bytes(), content_type=mimetypes.guess_type(found)[0])


@pytest.fixture
def open_gallery(_chromium: Chromium) -> Iterator[Callable[..., Page]]:
    reset_loaders()  # tests beside a web server have templates with its addresses of static files
    with _chromium.profiles(SITE) as open_page:

        def opened(**options: object) -> Page:
            page = open_page(**options)
            page.route("**/*", answer)
            page.goto("/")
            return page

        yield opened


@pytest.fixture
def gallery(open_gallery: Callable[..., Page]) -> Page:
    return open_gallery()


def checked(page: Page, name: str) -> str | None:
    chosen = page.locator(f"input[name={name}]:checked")
    return chosen.input_value() if chosen.count() else None


def test_axe_finds_nothing_and_what_is_chosen_stays_chosen(gallery: Page) -> None:
    assert axe.faults_in_two_states(gallery) == []
    the_theme_is_kept(gallery)
    a_menu_closes_on_escape_and_gives_the_focus_back(gallery)
    a_form_asks_before_it_goes(gallery)


def the_theme_is_kept(gallery: Page) -> None:
    toggle = gallery.locator("[data-theme-toggle]")
    toggle.click()
    toggle.click()
    gallery.reload()
    expect(gallery.locator("html")).to_have_attribute("data-theme", "dark")
    expect(toggle).to_have_accessible_name("Theme: dark")


def a_menu_closes_on_escape_and_gives_the_focus_back(gallery: Page) -> None:
    menu = gallery.locator("details[data-menu]").first
    menu.locator("summary").click()
    expect(menu).to_have_attribute("open", "")
    gallery.keyboard.press("Escape")
    expect(menu).not_to_have_attribute("open", "")
    expect(menu.locator("summary")).to_be_focused()


def a_form_asks_before_it_goes(gallery: Page) -> None:
    button = gallery.get_by_role("button", name="Delete the outputs")
    button.click()
    expect(gallery.locator("#confirm")).to_contain_text("Their ratings stay.")
    gallery.get_by_role("button", name="Cancel").click()
    assert gallery.url == f"{SITE}/"
    button.click()
    gallery.get_by_role("button", name="Delete", exact=True).last.click()
    gallery.wait_for_url("**/look/?")


def test_keys_do_what_is_listed_and_can_be_switched_off(gallery: Page) -> None:
    no_single_key_fires_while_someone_types(gallery)
    a_key_with_a_modifier_fires_in_a_text_field(gallery)
    gallery.goto("/")
    a_key_goes_to_the_first_scale_without_an_answer_then_to_the_one_in_focus(gallery)
    the_keys_are_listed_and_can_be_switched_off(gallery)


def no_single_key_fires_while_someone_types(gallery: Page) -> None:
    field = gallery.locator("#rewrite")
    field.fill("")
    gallery.keyboard.type("3?s")
    expect(field).to_have_value("3?s")
    assert checked(gallery, "g") is None
    expect(gallery.locator("#keys-help")).to_be_hidden()


def a_key_with_a_modifier_fires_in_a_text_field(gallery: Page) -> None:
    gallery.evaluate("document.addEventListener('click', (event) => { window.hit = event.target.dataset.key; })")
    gallery.locator("#rewrite").focus()
    gallery.keyboard.press("Control+Enter")
    assert gallery.evaluate("window.hit") == "Ctrl+Enter"


def a_key_goes_to_the_first_scale_without_an_answer_then_to_the_one_in_focus(gallery: Page) -> None:
    assert (checked(gallery, "f"), checked(gallery, "g")) == ("2", None)
    gallery.keyboard.press("3")
    assert (checked(gallery, "f"), checked(gallery, "g")) == ("2", "3")
    gallery.locator("input[name=f]:checked").focus()
    gallery.keyboard.press("1")
    assert (checked(gallery, "f"), checked(gallery, "g")) == ("-3", "3")


def the_keys_are_listed_and_can_be_switched_off(gallery: Page) -> None:
    gallery.keyboard.press("?")
    expect(gallery.locator("#keys-help")).to_contain_text("Formality, Fluency")
    gallery.locator("#keys-on").uncheck()
    gallery.keyboard.press("Escape")
    gallery.goto("/")
    gallery.keyboard.press("3")
    assert checked(gallery, "g") is None
