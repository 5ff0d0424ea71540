"""The pages of sign-in, invitations, people and tokens in a real browser: by keyboard, on a phone, under axe-core."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect
from support import axe

from accounts.models import Person
from accounts.permissions import Role

PASSWORD = "seven-Wet-otters"


@pytest.fixture
def admin(web_server) -> Person:
    return Person.objects.create_user("admin@example.org", PASSWORD, role=Role.ADMIN, name="Ada Example")


def sign_in(page: Page, email: str, then: str) -> None:
    """By keyboard alone."""
    page.goto(f"/accounts/login/?next={then}")
    page.get_by_label("Email").focus()
    page.keyboard.type(email)
    page.keyboard.press("Tab")
    page.keyboard.type(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_url(lambda url: urlsplit(url).path == then)


def check(page: Page) -> None:
    """axe-core finds nothing and nothing sticks out of the screen."""
    assert axe.faults(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth")


def test_a_refused_sign_in_says_so_to_everybody(new_page, admin) -> None:
    page = new_page()
    page.goto("/accounts/login/")
    page.get_by_label("Email").fill(admin.email)
    page.get_by_label("Password").fill("wrong")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not correct")
    check(page)


def test_an_invitation_is_copied_passed_on_and_accepted(new_page, admin) -> None:
    page, guest = new_page(), new_page(viewport={"width": 360, "height": 740})
    sign_in(page, admin.email, "/people/invite/")
    page.get_by_label("E-mail address").fill("new@example.org")
    page.get_by_label("Role").select_option("reviewer")
    page.get_by_role("button", name="Create invitation").click()
    expect(page.locator("#handed-url")).to_be_visible()
    address = page.locator("#handed-url").inner_text()
    check(page)

    guest.goto(address)
    guest.get_by_label("Your name").fill("Grace")
    guest.get_by_label("Password").fill(PASSWORD)
    guest.get_by_role("button", name="Join").click()
    guest.wait_for_url(lambda url: "/join/" not in url)
    guest.goto("/account/")
    expect(guest.get_by_label("Name")).to_have_value("Grace")


def test_the_second_step_is_set_up_on_the_page(new_page, admin) -> None:
    page = new_page()
    sign_in(page, admin.email, "/account/")
    page.get_by_role("link", name="Set up the second step").click()
    page.get_by_role("link", name="Set it up").click()
    expect(page.get_by_label("Password")).to_be_visible()
    page.get_by_label("Password").fill(PASSWORD)
    page.keyboard.press("Enter")
    page.get_by_text("enter the secret by hand").click()
    expect(page.get_by_label("Authenticator secret")).to_be_visible()
    assert page.locator("img").evaluate("image => image.complete && image.naturalWidth > 0")


def test_a_token_is_made_shown_once_and_revoked(new_page, admin) -> None:
    page = new_page()
    sign_in(page, admin.email, "/tokens/")
    page.get_by_label("Purpose of the token").fill("my script")
    page.get_by_role("button", name="Create token").click()
    assert len(page.locator("#secret").inner_text().strip()) == 43
    check(page)
    page.get_by_role("button", name="Revoke my script").click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The token is revoked.")).to_be_visible()
    assert not admin.tokens.exists()
