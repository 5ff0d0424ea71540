"""Clients of the site: one signed in as a person, one with a token of theirs."""

from django.test import Client

from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Person


def as_person(person: Person) -> Client:
    client = Client()
    client.force_login(person)
    return client


def with_token(person: Person) -> Client:
    """A client of the API that may do all that its person may."""
    _, secret = make_token(person=person, name="test", scopes=ApiToken.Scope.values, days=1)
    return Client(headers={"Authorization": f"Token {secret}"})
