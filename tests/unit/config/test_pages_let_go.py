"""What a page was made of is gone with the page, and does not wait for Python's collector."""

import gc
import weakref

import pytest
from django.contrib.auth.models import AnonymousUser
from django.shortcuts import render
from django.template import TemplateDoesNotExist
from django.template.loader import render_to_string
from django.test import RequestFactory


class Report:
    """Something large."""


@pytest.fixture
def no_collector():
    was = gc.isenabled()
    gc.disable()
    yield
    if was:
        gc.enable()


def test_what_a_page_was_made_of_is_let_go_of(no_collector):
    request = RequestFactory().get("/")
    request.user = AnonymousUser()
    report = Report()
    seen = weakref.ref(report)
    answer = render(request, "parts/empty.html", {"title": "Open", "report": report})
    del report
    assert b"Open" in answer.content
    assert seen() is None


def test_a_template_that_is_not_there_is_named():
    with pytest.raises(TemplateDoesNotExist, match=r"no/such\.html"):
        render_to_string("no/such.html")
