"""People for the tests of accounts."""

import base64
import hashlib
import hmac
import itertools

import pytest

from accounts.permissions import Role

PASSWORD = "seven-Wet-otters"


@pytest.fixture
def make_person(db):
    """`make_person(role)`: somebody new, whose password is PASSWORD."""
    from accounts.models import Person  # this file is read before the apps are ready

    numbers = itertools.count(1)

    def make(role=Role.CROWD_ANNOTATOR, **fields):
        email = fields.pop("email", f"p{next(numbers)}@example.org")
        return Person.objects.create_user(email, PASSWORD, role=role, **fields)

    return make


@pytest.fixture
def admin(make_person):
    return make_person(Role.ADMIN, email="admin@example.org")


@pytest.fixture
def sign_in(client):
    """Sign a person in through the page, as a browser does."""

    def post(email, password=PASSWORD, **extra):
        return client.post("/accounts/login/", {"login": email, "password": password}, **extra)

    return post


@pytest.fixture
def code_now(settings):
    """`code_now(secret)`: the code that an app shows, the same for ages: no test falls between two half minutes."""
    settings.MFA_TOTP_PERIOD = 10**12

    def code(secret):
        digest = hmac.digest(base64.b32decode(secret), bytes(8), hashlib.sha1)  # RFC 4226, of the counter 0
        at = digest[-1] & 0xF
        return f"{(int.from_bytes(digest[at : at + 4]) & 0x7FFFFFFF) % 10**6:06}"

    return code


@pytest.fixture
def signed_in(client):
    """Whether the client is signed in, as a page sees it."""
    return lambda: client.get("/account/").status_code == 200
