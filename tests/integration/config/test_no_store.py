"""No cache keeps what is private. That all routes are held to it is tested by the table of permissions."""

import pytest
from django.http import HttpResponse
from django.test import Client, RequestFactory
from factories.whole_study import person, token

from config.middleware import NoStore

pytestmark = pytest.mark.django_db
PRIVATE = "private, no-store"


def test_a_page_that_anyone_may_open_is_private_once_somebody_is_signed_in(client):
    """It shows their name; what is the same for everybody is not."""
    client.force_login(person("reviewer"))
    assert client.get("/accounts/password/reset/done/")["Cache-Control"] == PRIVATE
    assert "Cache-Control" not in Client().get("/api/nothing/")


@pytest.mark.parametrize("address", ["/nothing/here/", "/studies/nothing/", "/api/studies/nothing/", "/people/"])
def test_refusals_to_somebody_are_private_too(client, address):
    client.force_login(person("crowd_annotator"))
    answer = client.get(address)
    assert answer.status_code in {403, 404}
    assert answer["Cache-Control"] == PRIVATE


def test_what_a_token_reads_is_private_and_so_is_the_way_to_the_sign_in():
    _, secret = token(person("reviewer"))
    assert Client(headers={"authorization": f"Token {secret}"}).get("/api/me/")["Cache-Control"] == PRIVATE
    assert Client().get("/api/me/")["Cache-Control"] == PRIVATE
    assert Client().get("/")["Cache-Control"] == PRIVATE


def test_no_question_is_asked_of_the_database(django_assert_num_queries):
    request = RequestFactory().get("/accounts/login/")
    request.resolver_match = None
    with django_assert_num_queries(0):
        assert "Cache-Control" not in NoStore(lambda _request: HttpResponse())(request)
