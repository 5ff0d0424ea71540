"""How a person sees a table of the pages: kept for them alone, put into the page, forgotten when nothing is chosen."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns

from accounts.actions.erase_person import erase_person
from accounts.actions.keep_table_view import MOST
from accounts.models import TableView
from accounts.permissions import Role

pytestmark = pytest.mark.django_db
CHOSEN = {"sort": "-Name", "hidden": ["Since"], "pinned": ["Role"], "widths": {"Role": 120}, "rows": "close"}


def put(client, chosen, table="people"):
    return client.put(reverse("api:me-table", args=[table]), json.dumps(chosen), content_type="application/json")


def signed_in(person):
    client = Client()
    client.force_login(person)
    return client


def test_a_view_is_in_its_persons_page_and_in_nobody_elses():
    one, other = (signed_in(campaigns.person(Role.ADMIN)) for _ in range(2))
    assert put(one, CHOSEN).json() == CHOSEN
    assert put(one, CHOSEN | {"sort": ""}).json()["sort"] == "", "chosen anew"
    page = one.get(reverse("people")).content.decode()
    assert "data-view=" in page
    assert "&quot;widths&quot;:{&quot;Role&quot;:120}" in page
    assert "data-view=" not in other.get(reverse("people")).content.decode()
    assert other.get(reverse("api:me-table", args=["people"])).json()["hidden"] == []
    assert put(one, {}).status_code == 200
    assert not TableView.objects.exists(), "nothing chosen is no row"


@pytest.mark.parametrize(
    ("wrong", "told"),
    [
        ({"widths": {"Role": 4}}, "widths"),
        ({"widths": {"Role": True}}, "widths"),
        ({"widths": [1]}, "widths"),
        ({"widths": {"x" * 201: 90}}, "widths"),
        ({"hidden": ["x"] * 201}, "hidden"),
        ({"rows": "closer"}, "rows"),
        ({"column": "x"}, "column"),
        ({"sort": "a\0b"}, "NUL"),
    ],
)
def test_a_wrong_view_is_refused_by_its_field_and_changes_nothing(wrong, told):
    client = signed_in(campaigns.person(Role.ADMIN))
    put(client, CHOSEN)
    answer = put(client, wrong)
    assert answer.status_code == 400
    assert told in answer.content.decode()
    assert TableView.objects.get().chosen == CHOSEN


def test_a_person_has_views_of_so_many_tables_and_none_once_erased():
    person = campaigns.person(Role.RESEARCHER)
    TableView.objects.bulk_create(TableView(person=person, table=f"t{n}", chosen=CHOSEN) for n in range(MOST))
    client = signed_in(person)
    assert put(client, CHOSEN, "another").status_code == 400
    assert put(client, CHOSEN, "t0").status_code == 200, "one that is there may change"
    erase_person(person=person)
    assert not TableView.objects.exists()
