"""A web process remembers what addresses lead to, and keeps little for each."""

import gc

import pytest
from django.urls import Resolver404, URLResolver
from django.urls.resolvers import RegexPattern

from config.environment.remembered_addresses import remember_addresses


@pytest.fixture
def resolver():
    resolver = URLResolver(RegexPattern(r"^/"), "config.urls")
    remember_addresses(resolver)
    return resolver


def test_an_address_is_looked_up_once(resolver):
    found = resolver.resolve("/studies/demo/report/")
    assert found.url_name == "study_report"
    assert found.kwargs == {"study": "demo"}
    assert resolver.resolve("/studies/demo/report/") is found
    assert resolver.reverse("study_report", "demo") == resolver.reverse("study_report", study="demo")


def test_of_an_address_no_list_of_other_patterns_is_kept(resolver):
    """Each had some 200 lists: with 1,000 addresses 18 MiB of a process."""
    resolver.resolve("/studies/demo/report/")
    before = len(gc.get_objects())
    for number in range(20):
        assert resolver.resolve(f"/studies/study-{number}/report/").tried is None
    assert len(gc.get_objects()) - before < 20 * 20


def test_one_that_leads_nowhere_says_what_was_tried(resolver):
    with pytest.raises(Resolver404) as nowhere:
        resolver.resolve("/nowhere/")
    assert nowhere.value.args[0]["tried"]
