"""Sentences and members are searched, filtered and sorted on the server, a page at a time; no row costs a query."""

import re

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from support import campaigns

from accounts.permissions import Role
from corpora.actions.add_references import add_references
from corpora.models import Sentence

pytestmark = pytest.mark.django_db


@pytest.fixture
def study(client):
    made = campaigns.study(items=120, systems=2, references=1)
    client.force_login(campaigns.person(Role.RESEARCHER, made))
    return made


def numbers(client, study, query=""):
    page = client.get(f"/studies/{study.slug}/texts/{query}").content.decode()
    return [int(number) for number in re.findall(r'<span class="number">(\d+)</span>', page)]


def test_fifty_stand_on_a_page_and_no_sentence_costs_a_query(client, study):
    with CaptureQueriesContext(connection) as few:
        assert numbers(client, study, "?q=119") == [119]
    with CaptureQueriesContext(connection) as many:
        assert numbers(client, study) == [*range(1, 51)]
    assert len(many) == len(few)
    assert numbers(client, study, "?page=3") == [*range(101, 121)]


def test_words_are_looked_for_in_sources_and_references(client, study):
    texts = ["المريض بخير" if n == 7 else f"Some words {n}" for n in range(1, 121)]
    add_references(direction=study.directions.get(), texts=texts, origin="a second file")
    assert numbers(client, study, "?q=المريض") == [7]
    assert numbers(client, study, "?q=gotta+number+17") == [17, 117]
    assert numbers(client, study, "?q=100%25") == []
    assert "No sentence matches." in client.get(f"/studies/{study.slug}/texts/?q=nowhere").content.decode()


def test_they_are_filtered_and_sorted(client, study):
    Sentence.objects.filter(number__in=[3, 90]).update(split="tune")
    Sentence.objects.filter(number=90).update(text="short")
    assert numbers(client, study, "?split=tune") == [3, 90]
    assert numbers(client, study, "?sort=length")[0] == 90
    assert numbers(client, study, "?sort=-number")[:2] == [120, 119]
    assert numbers(client, study, "?sort=-length&split=tune") == [3, 90]


@pytest.mark.parametrize("query", ["?sort=drop", "?split=none", "?q=%00", "?q=" + "a" * 300, "?page=x"])
def test_what_is_no_sense_narrows_nothing(client, study, query):
    assert numbers(client, study, query) == [*range(1, 51)]


def test_members_are_found_by_name_address_and_role(client, study):
    for n in range(60):
        role = Role.REVIEWER if n % 20 == 0 else Role.CROWD_ANNOTATOR
        campaigns.person(role, study, name=f"Someone {n:02}")

    def names(query=""):
        page = client.get(f"/studies/{study.slug}/members/{query}").content.decode()
        return re.findall(r'<th scope="row">\s*<bdi>([^<]+?)</bdi>', page)

    assert len(names()) == 50
    assert names("?q=someone+07") == ["Someone 07"]
    assert names("?role=reviewer&sort=name") == ["Someone 00", "Someone 20", "Someone 40"]
    assert len(names("?page=2")) == 11
    assert "No member matches." in client.get(f"/studies/{study.slug}/members/?q=nobody").content.decode()


def test_a_few_members_need_no_search(client, study):
    assert "find_q" not in client.get(f"/studies/{study.slug}/members/").content.decode()
