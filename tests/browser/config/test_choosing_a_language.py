"""The language of the pages is chosen from a menu in the footer, without scripts on a page of its own."""

import pytest
from playwright.sync_api import expect

LOGIN = "/accounts/login/?next=/work/"


@pytest.mark.parametrize("scripts", [True, False])
def test_the_language_is_chosen_from_the_footer(new_page, web_server, scripts):
    page = new_page(java_script_enabled=scripts)
    page.goto(LOGIN)
    page.get_by_role("contentinfo").locator(":is(a, summary)", has_text="English").click()
    if not scripts:
        expect(page).to_have_title("Language of the pages · Restyle")
    page.get_by_role("button", name="Deutsch").click()
    page.wait_for_url(f"**{LOGIN}")
    expect(page.locator("html")).to_have_attribute("lang", "de")
    expect(page.get_by_role("contentinfo")).to_contain_text("Deutsch")
