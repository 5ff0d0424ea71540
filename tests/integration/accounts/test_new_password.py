"""A new password shuts out whoever was let in by the old one: in other browsers, and by tokens that they made."""

import pytest
from django.core import mail
from django.test import Client

from accounts.actions.make_reset_link import make_reset_link
from accounts.actions.make_token import make_token
from accounts.models import ApiToken, Person
from accounts.permissions import Role

PASSWORD, NEW = "seven-Wet-otters", "nine-Dry-badgers"


@pytest.fixture
def person(make_person):
    return make_person(Role.RESEARCHER)


@pytest.fixture
def intruder(person, make_person):
    """Somebody who knows the old password: signed in, with a token of theirs and a link to yet another password."""
    return Intruder(person, make_person(Role.ADMIN))


class Intruder:
    def __init__(self, person, admin):
        self.person = person
        self.browser = Client()
        self.browser.force_login(person)
        _, self.secret = make_token(person=person, name="mine", scopes=["read"], days=30)
        _, self.link = make_reset_link(person=person, by=admin)

    def is_in(self):
        token = Client(headers={"authorization": f"Token {self.secret}"})
        ways = [self.browser.get("/account/"), token.get("/api/me/"), Client().get(f"/reset/{self.link}/")]
        return [answer.status_code for answer in ways]


def by_page(client, person):
    client.force_login(person)
    given = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert client.post("/accounts/password/change/", given).status_code == 302
    assert client.get("/account/").status_code == 200, "the one who changed it stays signed in"


def by_mail(client, person):
    client.post("/accounts/password/reset/", {"email": person.email})
    path = client.get(mail.outbox[-1].body.split("http://testserver")[1].split()[0])["Location"]
    assert client.post(path, {"password1": NEW, "password2": NEW}).status_code == 302


def by_link(client, person):
    _, secret = make_reset_link(person=person, by=Person.objects.get(role=Role.ADMIN))
    assert client.post(f"/reset/{secret}/", {"password": NEW}).status_code == 302


@pytest.mark.parametrize("way", [by_page, by_mail, by_link])
def test_it_ends_their_sessions_tokens_and_links(client, settings, person, intruder, sign_in, way):
    settings.HAS_MAIL_SERVER = True
    assert intruder.is_in() == [200, 200, 200]
    way(client, person)
    assert intruder.is_in() == [302, 401, 410]
    assert sign_in(person.email, NEW).status_code == 302


def test_tokens_of_others_stay(client, person, make_person):
    make_token(person=make_person(), name="another's", scopes=["read"], days=30)
    by_page(client, person)
    assert ApiToken.objects.count() == 1


def test_a_token_outlives_a_refused_change(client, person, intruder):
    client.force_login(person)
    client.post("/accounts/password/change/", {"oldpassword": "wrong", "password1": NEW, "password2": NEW})
    assert intruder.is_in() == [200, 200, 200]
