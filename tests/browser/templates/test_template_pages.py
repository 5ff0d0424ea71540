"""The page of the templates and the overview of a study that began from one, held to axe-core."""

import pytest
from playwright.sync_api import expect
from support import axe
from support.template_crew import Crew


def check(page):
    assert axe.faults(page) == [], page.url
    assert page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"), page.url


@pytest.mark.parametrize(("width", "theme"), [(360, "dark"), (1280, "light")])
def test_templates_and_overview(new_page, web_server, width, theme):
    def open_page():
        return new_page(viewport={"width": width, "height": 800}, color_scheme=theme, bypass_csp=True)

    crew = Crew(open_page, web_server.url, "plaba", "Abstracts")
    page = crew.lead
    check(page)
    page.goto("/studies/new/template/")
    page.locator("#template-msd").check()
    check(page)
    page.get_by_role("button", name="Make the study").click()
    expect(page.locator(".errorlist")).to_be_visible()  # it has no title
    expect(page.locator("#template-msd")).to_be_checked()
    check(page)
