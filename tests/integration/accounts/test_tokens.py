import hashlib
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from rest_framework.test import APIRequestFactory

from accounts import authentication
from accounts.actions.make_token import make_token
from accounts.models import ApiToken
from accounts.permissions import Role
from foundation.errors import UserError


@pytest.fixture
def owner(make_person):
    return make_person(Role.RESEARCHER, name="Ada")


@pytest.fixture
def call():
    """Call the API with a token alone: no cookie, no session."""

    def request(method, path, secret, data=None):
        return getattr(Client(), method)(
            f"/api/{path}",
            *([] if data is None else [data]),
            content_type="application/json",
            headers={"Authorization": f"Token {secret}"},
        )

    return request


def a_token(owner, *wanted, **options):
    return make_token(person=owner, name="script", scopes=wanted, **{"days": 30} | options)


def test_a_token_is_its_owner(call, owner):
    _, secret = a_token(owner, "read")
    answer = call("get", "me/", secret)
    assert answer.status_code == 200
    assert answer.json()["email"] == owner.email


def test_only_the_hash_is_kept(owner):
    token, secret = a_token(owner, "read")
    assert token.digest == hashlib.sha256(secret.encode()).hexdigest()
    assert secret not in str(ApiToken.objects.values().get())


def test_reading_needs_read_and_changing_needs_write(call, owner):
    _, reads = a_token(owner, "read")
    _, writes = a_token(owner, "write")
    assert call("patch", "me/", reads, {"name": "Eve"}).status_code == 403
    assert call("get", "me/", writes).status_code == 403
    assert call("patch", "me/", writes, {"name": "Ada L."}).json()["name"] == "Ada L."
    assert call("patch", "me/", reads, {"name": "Eve"}).json() == {"detail": "This token lacks the scope 'write'."}


def test_work_needs_annotate_whatever_the_method(owner):
    class Work:
        scope = "annotate"

    for method in ("get", "post"):
        request = getattr(APIRequestFactory(), method)("/")
        request.auth, _ = a_token(owner, "read", "write")
        with pytest.raises(authentication.PermissionDenied):
            authentication.check_scope(request, Work())
        request.auth, _ = a_token(owner, "annotate")
        authentication.check_scope(request, Work())


def test_an_expired_token_is_refused(call, owner):
    token, secret = a_token(owner, "read")
    ApiToken.objects.filter(pk=token.pk).update(expires_at=timezone.now())
    assert call("get", "me/", secret).status_code == 401


def test_a_token_stops_with_its_owner(call, owner):
    _, secret = a_token(owner, "read")
    owner.is_active = False
    owner.save()
    assert call("get", "me/", secret).status_code == 401


@pytest.mark.parametrize("secret", ["", "nonsense", "two words", "\u00e9"])
def test_nonsense_is_refused(call, db, secret):
    assert call("get", "me/", secret.encode().decode("latin-1")).status_code == 401


def test_the_last_use_is_noted_once_a_minute(call, owner):
    token, secret = a_token(owner, "read")
    call("get", "me/", secret)
    token.refresh_from_db()
    first = token.last_used_at
    assert timezone.now() - first < timedelta(seconds=30)
    call("get", "me/", secret)
    token.refresh_from_db()
    assert token.last_used_at == first
    ApiToken.objects.update(last_used_at=first - timedelta(minutes=1))
    call("get", "me/", secret)
    token.refresh_from_db()
    assert token.last_used_at > first


def test_a_token_makes_none_stronger_or_longer_than_itself(call, owner):
    parent, secret = a_token(owner, "write", days=2)
    body = {"name": "child", "scopes": ["read", "write"], "days": 30}
    assert call("post", "tokens/", secret, body).status_code == 400
    made = call("post", "tokens/", secret, {**body, "scopes": ["write"]})
    assert made.status_code == 201
    assert ApiToken.objects.get(name="child").expires_at == parent.expires_at
    assert call("patch", "me/", made.json()["secret"], {"name": "Ada"}).status_code == 200


@pytest.mark.parametrize("options", [{"days": 0}, {"days": 366}, {"scopes": []}])
def test_a_token_that_cannot_be_is_refused(owner, options):
    with pytest.raises(UserError):
        make_token(**{"person": owner, "name": "x", "scopes": ["read"], "days": 1} | options)


def test_the_page_shows_the_secret_once_and_revokes(client, call, owner):
    client.force_login(owner)
    page = client.post("/tokens/", {"name": "my script", "scopes": ["read"], "days": "30"})
    secret = page.context["secret"]
    assert secret in page.content.decode()
    assert page["Cache-Control"].count("no-store") == 1
    assert secret not in client.get("/tokens/").content.decode()
    assert call("get", "me/", secret).status_code == 200
    client.post(f"/tokens/{ApiToken.objects.get().pk}/revoke/")
    assert call("get", "me/", secret).status_code == 401


def test_nobody_revokes_anothers_token(client, owner, make_person):
    token, _ = a_token(owner, "read")
    client.force_login(make_person(Role.ADMIN))
    assert client.post(f"/tokens/{token.pk}/revoke/").status_code == 404
    assert client.delete(f"/api/tokens/{token.pk}/").status_code == 404
    assert ApiToken.objects.count() == 1


def test_the_api_manages_people_for_an_admin_alone(call, owner, admin, make_person):
    _, secret = a_token(admin, "read", "write")
    _, others = a_token(owner, "read", "write")
    person = make_person()
    assert call("get", "people/", others).status_code == 403
    assert call("get", "people/", secret).json()["count"] == 3
    assert call("post", f"people/{person.pk}/role/", secret, {"role": "reviewer"}).json()["role"] == "reviewer"
    assert call("post", f"people/{person.pk}/deactivate/", secret).json()["is_active"] is False
    assert call("post", f"people/{person.pk}/reset-link/", secret).status_code == 400
    assert call("post", f"people/{person.pk}/reactivate/", secret).json()["is_active"] is True
    assert "/reset/" in call("post", f"people/{person.pk}/reset-link/", secret).json()["url"]
    assert call("post", f"people/{admin.pk}/role/", secret, {"role": "reviewer"}).status_code == 400
    made = call("post", "invitations/", secret, {"email": "new@example.org", "role": "reviewer"})
    assert made.status_code == 201
    assert "/join/" in made.json()["url"]
    listed = call("get", "invitations/", secret).json()["results"]
    assert [one["email"] for one in listed] == ["new@example.org"]
    assert call("delete", f"invitations/{listed[0]['id']}/", secret).status_code == 204
    assert call("get", "people/99999999999999999999999/", secret).status_code == 404


def test_a_session_needs_the_csrf_token(owner):
    client = Client(enforce_csrf_checks=True)
    client.force_login(owner)
    assert client.patch("/api/me/", {"name": "Eve"}, content_type="application/json").status_code == 403
