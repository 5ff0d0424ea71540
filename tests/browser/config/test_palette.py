"""The command palette by keys, by touch and for a screen reader: the focus stays in its field, the list follows."""

from playwright.sync_api import expect
from support.axe import faults
from support.campaigns import person, study
from support.demo_site import sign_in
from support.screenshots import PHONE

from accounts.permissions import Role
from corpora.models import Membership


def test_a_page_is_found_by_name_with_keys_or_on_a_phone(new_page, web_server):
    made, lead = study(), person()
    Membership.objects.create(study=made, person=lead, role=Role.RESEARCHER)
    page = new_page()
    sign_in(page, lead, web_server.url)
    page.goto(f"/studies/{made.slug}/")
    dialog = page.get_by_role("dialog", name="Go to")
    field, options = dialog.get_by_role("combobox"), dialog.get_by_role("option")
    chosen = dialog.locator("[aria-selected=true]")
    page.keyboard.press("Control+k")
    expect(field).to_be_focused()
    expect(options.first).to_be_visible()
    field.fill("which metric")
    expect(options).to_have_count(1)
    expect(dialog.get_by_role("status")).to_have_text("Results: 1")
    expect(field).to_have_attribute("aria-activedescendant", chosen.get_attribute("id") or "")
    assert faults(page) == []
    page.keyboard.press("Enter")
    expect(page).to_have_url(f"{web_server.url}/studies/{made.slug}/report/trust/")
    page.keyboard.press("Control+k")
    field.fill("import")
    expect(options.nth(1)).to_be_visible()
    first = chosen.get_attribute("id")
    page.keyboard.press("ArrowDown")
    expect(options.nth(1)).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowUp")
    expect(chosen).to_have_attribute("id", first or "")
    field.fill("no page is called so")
    expect(dialog.get_by_role("status")).to_have_text("Nothing has this name.")
    expect(field).to_have_attribute("aria-expanded", "false")
    page.keyboard.press("Escape")
    expect(dialog).to_be_hidden()
    page.set_viewport_size(PHONE)
    page.get_by_role("link", name="Go to", exact=True).click()
    field.fill("leaderboard")
    expect(options).to_have_count(1)
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    options.first.click()
    expect(page).to_have_url(f"{web_server.url}/studies/{made.slug}/report/")
