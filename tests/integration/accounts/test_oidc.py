"""Sign-in through a provider, against a real one: a small OpenID Connect server in a thread."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from urllib.parse import parse_qs, urlsplit

import pytest
from allauth.account.adapter import get_adapter
from allauth.account.models import EmailAddress
from allauth.socialaccount.models import SocialAccount
from django.core.exceptions import ImproperlyConfigured
from django.test import Client

from accounts.actions.make_token import make_token
from accounts.models import Person
from config.environment.trusted_domains import trusted_domains


class Provider(BaseHTTPRequestHandler):
    """Answers discovery, token and userinfo; `server.identity` is whom it signs in."""

    def do_GET(self):
        base = f"http://127.0.0.1:{self.server.server_port}"
        if self.path == "/.well-known/openid-configuration":
            ends = {"authorization": "authorize", "token": "token", "userinfo": "userinfo"}
            self.say({"issuer": base} | {f"{name}_endpoint": f"{base}/{path}" for name, path in ends.items()})
        else:
            self.say(self.server.identity)

    def do_POST(self):
        self.rfile.read(int(self.headers["Content-Length"]))
        self.say({"access_token": "a-token", "token_type": "Bearer"})

    def say(self, answer):
        body = json.dumps(answer).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        pass


@pytest.fixture
def provider(settings):
    server = ThreadingHTTPServer(("127.0.0.1", 0), Provider)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    app = {
        "provider_id": "oidc", "name": "The University", "client_id": "restyle", "secret": "s",
        "settings": {"server_url": f"http://127.0.0.1:{server.server_port}"},
    }  # fmt: skip
    settings.SOCIALACCOUNT_PROVIDERS = {"openid_connect": {"APPS": [app]}}
    yield server
    server.shutdown()
    thread.join()
    server.server_close()


@pytest.fixture
def come(client, provider):
    """Come back from the provider as the identity given; the page's answer."""

    def go(query="", **identity):
        provider.identity = {"sub": "u-1", **identity}
        start = client.post(f"/accounts/oidc/oidc/login/{query}")
        state = parse_qs(urlsplit(start["Location"]).query)["state"][0]
        return client.get("/accounts/oidc/oidc/login/callback/", {"code": "c", "state": state})

    return go


def test_a_verified_address_signs_its_person_in_and_is_remembered(client, come, make_person, signed_in):
    person = make_person(email="ada@example.org")
    assert come(email="Ada@example.org", email_verified=True)["Location"] == "/"
    assert signed_in()
    assert SocialAccount.objects.get().user == person
    client.logout()
    come(email="renamed@example.org", email_verified=False)
    assert signed_in(), "the identity counts from now on, not the address"


def test_a_password_set_without_proof_of_the_address_is_removed(come, make_person):
    person, thief = make_person(email="ada@example.org"), Client()
    thief.force_login(person)
    make_token(person=person, name="the thief's", scopes=["read"], days=1)
    come(email="ada@example.org", email_verified=True)
    person.refresh_from_db()
    assert not person.has_usable_password()
    assert not person.tokens.exists()
    assert thief.get("/account/").status_code == 302


@pytest.mark.parametrize("verified", [False, None, "false", 0])
def test_an_address_that_is_not_vouched_for_signs_nobody_in(come, make_person, signed_in, verified):
    make_person(email="ada@example.org")
    page = come(email="ada@example.org", email_verified=verified)
    assert "by invitation" in page.content.decode()
    assert not signed_in()
    assert not SocialAccount.objects.exists()


def test_a_provider_that_says_nothing_of_it_is_believed_for_the_domains_that_the_site_names(
    settings, client, come, make_person, signed_in
):
    """Microsoft Entra sends no `email_verified`
    (https://learn.microsoft.com/en-us/entra/identity-platform/id-token-claims-reference)."""
    make_person(email="ada@lab.example")
    make_person(email="eve@sub.lab.example")
    app = settings.SOCIALACCOUNT_PROVIDERS["openid_connect"]["APPS"][0]
    app["settings"]["trusted_domains"] = ["lab.example"]
    come(email="eve@sub.lab.example")
    come(email="ada@lab.example", email_verified=False)
    assert not signed_in()
    come(email="Ada@lab.example")
    assert signed_in()


@pytest.mark.parametrize("server", ["https://login.microsoftonline.com/common/v2.0", "https://x.example/organizations"])
def test_domains_are_trusted_of_no_provider_where_any_tenant_signs_in(server):
    assert trusted_domains("", server) == []
    assert trusted_domains("Lab.example, uni.example", "https://x.example/0-1/v2.0") == ["lab.example", "uni.example"]
    with pytest.raises(ImproperlyConfigured, match="own tenant"):
        trusted_domains("lab.example", server)
    with pytest.raises(ImproperlyConfigured, match="is none"):
        trusted_domains("*", "https://x.example")


def test_a_stranger_is_not_let_in_nor_made(come, db, signed_in):
    come(email="nobody@example.org", email_verified=True)
    assert not signed_in()
    assert not Person.objects.exists()


def test_a_deactivated_person_is_not_let_in(come, make_person, signed_in):
    make_person(email="ada@example.org", is_active=False)
    come(email="ada@example.org", email_verified=True)
    assert not signed_in()


def test_a_signed_in_person_ties_no_other_identity_to_their_account(client, come, make_person):
    client.force_login(make_person(email="ada@example.org"))
    page = come("?process=connect", email="eve@example.org", email_verified=True)
    assert not SocialAccount.objects.exists()
    assert "This identity has another e-mail address than your account." in page.content.decode()


def test_who_has_no_password_sets_a_second_step_up_and_is_led_to_no_closed_page(client, come, make_person, code_now):
    person = make_person(email="ada@example.org")
    come(email="ada@example.org", email_verified=True)
    EmailAddress.objects.create(user=person, email=person.email, verified=True)  # what a code would be mailed to
    page = client.get("/accounts/2fa/totp/activate/")
    client.post("/accounts/2fa/totp/activate/", {"code": code_now(page.context["form"].secret)})
    person.refresh_from_db()
    (again,) = get_adapter().get_reauthentication_methods(person)
    assert again["url"] == "/accounts/2fa/reauthenticate/", "the app's code, and none by mail"
    assert client.get("/accounts/2fa/totp/deactivate/")["Location"].startswith(again["url"])


def test_the_sign_in_page_offers_the_provider(client, provider, db):
    assert "Sign in with The University" in client.get("/accounts/login/").content.decode()
