"""Where somebody who was signed out in the middle of their work comes back to."""

from urllib.parse import parse_qs, urlsplit

import pytest

pytestmark = pytest.mark.django_db
ACT = "/studies/s/campaigns/c/work/submit/"
PAGE = "/studies/s/campaigns/c/work/?a=b"


def way_back(address: str) -> str:
    return parse_qs(urlsplit(address).query)["next"][0]


def test_a_page_leads_back_to_itself(client):
    assert way_back(client.get(PAGE)["Location"]) == PAGE


@pytest.mark.parametrize(
    ("referer", "back"),
    [
        (f"http://testserver{PAGE}", PAGE),
        ("https://elsewhere.example/page/", "/"),
        ("", "/"),
    ],
)
def test_a_form_leads_back_to_the_page_where_it_was_filled_in(client, referer, back):
    assert way_back(client.post(ACT, headers={"referer": referer})["Location"]) == back


def test_what_htmx_asked_for_leads_the_browser_on_and_changes_no_part_of_the_page(client):
    answer = client.post(ACT, headers={"hx-request": "true", "hx-current-url": f"http://testserver{PAGE}"})
    assert (answer.status_code, answer.content) == (401, b"")
    assert way_back(answer["HX-Redirect"]) == PAGE
