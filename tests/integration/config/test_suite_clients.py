"""The tests' own clients share what is the same for all of them, and no more."""

import pytest
from django.test import Client


@pytest.fixture
def pages():
    """Two clients that have shown a page each, and the page of the first."""
    first, second = Client(), Client()
    answers = [one.get("/accounts/login/") for one in (first, second)]
    assert [one.status_code for one in answers] == [200, 200]
    return first, second, answers[0]


def test_middleware_is_made_once_until_a_setting_changes(db, pages, settings):
    first, second, _ = pages
    assert first.handler._middleware_chain is second.handler._middleware_chain
    settings.SECURE_SSL_REDIRECT = True
    assert Client().get("/accounts/login/").status_code == 301
    assert first.get("/accounts/login/").status_code == 200


def test_the_context_of_a_page_is_told_and_that_of_its_parts_is_not(db, pages):
    *_, page = pages
    assert "login" in page.context["form"].fields
    assert len(page.templates) == 1
