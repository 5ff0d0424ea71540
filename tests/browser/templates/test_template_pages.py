"""The page of the templates and the overview of a study that began from one, held to axe-core."""

import pytest
from playwright.sync_api import expect
from support import axe
from support.template_crew import Crew

pytestmark = pytest.mark.soak


def check(page):
    assert axe.faults_in_two_states(page) == [], page.url


def test_templates_and_overview(new_page, web_server):
    crew = Crew(new_page, web_server.url, "plaba", "Abstracts")
    page = crew.lead
    check(page)
    page.goto("/studies/new/template/")
    page.locator("#template-msd").check()
    check(page)
    page.get_by_role("button", name="Create study").click()
    expect(page.locator(".errorlist")).to_be_visible()  # it has no title
    expect(page.locator("#template-msd")).to_be_checked()
    check(page)
