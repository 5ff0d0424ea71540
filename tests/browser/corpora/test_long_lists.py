"""Texts, members and the audit log in a browser: searched by keys, compact, opened row by row, read on a phone."""

from playwright.sync_api import expect
from support import campaigns, demo_site, screenshots
from support.axe import STATES, WIDE, faults_in_states

from accounts.permissions import Role
from corpora.actions.edit_study import edit_study


def test_long_lists_are_searched_and_read(new_page, web_server):
    study = campaigns.study(items=60, systems=3, references=2)
    study.directions.get().sentences.filter(number=2).update(text="هذا نص طويل جدا " * 60)
    for n in range(12):
        campaigns.person(Role.CROWD_ANNOTATOR, study, name=f"Someone {n}")
    edit_study(study=study, title="Another title", description="Said anew")
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)

    page.goto(f"/studies/{study.slug}/texts/")
    rows = page.locator(".sentence-row")
    expect(rows).to_have_count(50)
    assert rows.last.bounding_box()["y"] - rows.first.bounding_box()["y"] < 2500, "fifty where twenty stood"
    rows.nth(1).locator("summary").focus()
    page.keyboard.press("Enter")
    expect(rows.nth(1).get_by_text("HumanSecret")).to_be_visible()
    screenshots.shoot(page, "texts")
    assert faults_in_states(page, STATES[:1]) == []
    page.set_viewport_size(WIDE)
    page.keyboard.press("/")
    page.keyboard.type("number 17")
    page.keyboard.press("Enter")
    expect(rows).to_have_count(1)
    expect(page.get_by_label("Search")).to_have_value("number 17")
    page.go_back()
    expect(rows).to_have_count(50)

    page.goto(f"/studies/{study.slug}/members/")
    page.get_by_label("Search").fill("someone 11")
    page.keyboard.press("Enter")
    expect(page.locator("table").first.locator("tbody tr")).to_have_count(1)
    page.get_by_role("link", name="Show all").click()
    screenshots.shoot(page, "members")

    page.goto(f"/studies/{study.slug}/trail/")
    page.get_by_label("Action or object").fill("edit study")
    page.keyboard.press("Enter")
    expect(page.locator(".changes ins").first).to_have_text("Another title")
    screenshots.shoot(page, "audit-log")
