"""Navigating a study by mouse, by keys and on a phone, where it scrolls to where one is; names that change in place."""

from playwright.sync_api import expect
from support.axe import faults
from support.campaigns import person, study
from support.demo_site import sign_in
from support.screenshots import PHONE

from accounts.models import AuditEntry
from accounts.permissions import Role
from corpora.models import Membership


def test_two_levels_lead_everywhere_and_mark_the_place(new_page, web_server):
    made, lead = study(), person()
    Membership.objects.create(study=made, person=lead, role=Role.RESEARCHER)
    page = new_page()
    sign_in(page, lead, web_server.url)
    page.goto(f"/studies/{made.slug}/")
    sections = page.get_by_role("navigation", name="Study")
    expect(page.locator("header nav")).to_have_count(1)
    sections.get_by_role("link", name="People's work").focus()
    page.keyboard.press("Enter")
    expect(sections.locator("[aria-current]")).to_have_text("People's work")
    inner = page.get_by_role("navigation", name="People's work")
    page.keyboard.press("Tab")  # the skip link
    inner.get_by_role("link", name="Reviews").click()
    expect(page).to_have_title(f"Reviews · {made.title} · Restyle")
    expect(inner.locator("[aria-current=page]")).to_have_text("Reviews")
    page.set_viewport_size(PHONE)
    page.goto(f"/studies/{made.slug}/trail/")
    for place in (sections.locator("[aria-current]"), page.locator(".inner-nav [aria-current]")):
        expect(place).to_be_in_viewport(ratio=0.95)  # of an edge a fraction of a pixel may be cut
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_a_name_is_changed_where_it_stands(new_page, web_server):
    made, lead = study(), person()
    Membership.objects.create(study=made, person=lead, role=Role.RESEARCHER)
    page = new_page(viewport=PHONE)
    sign_in(page, lead, web_server.url)
    page.goto(f"/studies/{made.slug}/")
    name, field = page.locator("h1 a"), page.get_by_role("textbox", name="Name")
    expect(name).to_have_attribute("href", f"/studies/{made.slug}/edit/")  # without a script
    name.focus()
    page.keyboard.press("F2")
    expect(field).to_be_focused()
    field.fill("Given back")
    page.keyboard.press("Escape")
    expect(name).to_be_focused()
    expect(name).to_have_text(made.title)
    page.keyboard.press("Enter")
    field.fill(" ")
    page.keyboard.press("Enter")
    expect(page.locator("#rename-error")).not_to_be_empty()
    expect(field).to_be_focused()
    assert faults(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    field.fill("New <one>")
    page.keyboard.press("Enter")
    expect(name).to_be_focused()
    expect(name).to_have_text("New <one>")
    expect(page).to_have_title("Overview · New <one> · Restyle")
    expect(page.locator(".crumbs [aria-current]")).to_have_text("New <one>")
    made.refresh_from_db()
    assert made.title == "New <one>"
    assert AuditEntry.objects.filter(person=lead, study_slug=made.slug, action="edit_study").count() == 1
