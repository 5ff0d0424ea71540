"""Removing and having it back in a real browser, also without scripts."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect
from support import campaigns as make
from support.campaigns import study as texts
from support.demo_site import sign_in

from accounts.permissions import Role
from corpora.models import Study


@pytest.fixture
def study(web_server: Any) -> Study:
    made = texts(items=8, systems=2, references=2)
    Study.objects.filter(pk=made.pk).update(title="Tone of messages", description="What people write at night.")
    made.refresh_from_db()
    make.campaign(made, name="Rewrite them", state="draft", direction=None)
    return made


@pytest.fixture
def lead(study: Study) -> Any:
    return make.person(Role.RESEARCHER, study, name="Lee Example")


def test_a_system_is_removed_and_back_with_one_click(new_page, web_server, study, lead) -> None:
    page: Page = new_page()
    sign_in(page, lead, web_server.url)
    system = study.systems.first()
    page.goto(f"/studies/{study.slug}/systems/{system.pk}/")
    page.get_by_role("button", name="Remove").click()
    page.get_by_role("dialog").get_by_role("button", name="Remove").click()
    expect(page.locator("#messages")).to_contain_text(f"Removed: {system.name}.")
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#messages")).to_contain_text(f"Restored: {system.name}.")
    assert study.systems.count() == 2


def test_without_scripts_sources_go_and_come_back(new_page, web_server, study, lead) -> None:
    page: Page = new_page(java_script_enabled=False)
    sign_in(page, lead, web_server.url)
    study.campaigns.all().delete()
    page.goto(f"/studies/{study.slug}/texts/")
    page.get_by_text("Remove sentences").click()
    page.get_by_label("Sentence numbers").fill("2, 4-6")
    page.locator("form", has=page.get_by_label("Sentence numbers")).get_by_role("button", name="Remove").click()
    expect(page.locator("#messages")).to_contain_text("Removed: informal-formal 2, 4-6.")
    assert study.directions.get().sentences.count() == 4
    page.get_by_role("button", name="Undo").click()
    expect(page.locator("#messages")).to_contain_text("Restored")
    assert study.directions.get().sentences.count() == 8


def test_a_study_is_archived_deleted_and_back(new_page, web_server, study, lead) -> None:
    page: Page = new_page(viewport={"width": 390, "height": 844})
    sign_in(page, lead, web_server.url)
    page.goto(f"/studies/{study.slug}/")
    page.get_by_text("More", exact=True).click()
    page.get_by_role("button", name="Archive").click()
    expect(page.get_by_text("Archived since")).to_be_visible()
    page.get_by_text("More", exact=True).click()
    page.get_by_role("link", name="Delete", exact=True).click()
    page.get_by_label("Title of the study").fill("Tone")
    page.get_by_role("button", name="Delete the study").click()
    expect(page.get_by_text("This is not the title of the study")).to_be_visible()
    page.get_by_label("Title of the study").fill("Tone of messages")
    page.get_by_role("button", name="Delete the study").click()
    expect(page.locator("#messages")).to_contain_text("Removed: Tone of messages.")
    page.get_by_role("button", name="Undo").click()
    expect(page.get_by_role("heading", name="Tone of messages")).to_be_visible()
    assert Study.objects.get().systems.count() == 2
