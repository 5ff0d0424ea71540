import os
import subprocess
import sys
from pathlib import Path

import pytest
import requests
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP
from django.core import mail
from django.core.cache import cache
from django.test import Client, RequestFactory
from django.urls import reverse

from accounts.authentication import known_as, make_link, renew_password
from accounts.models import AccessLink

ROOT = Path(__file__).parents[3]
PASSWORD = "seven-Wet-otters"
SECRET = "JBSWY3DPEHPK3PXPJBSWY3DPEHPK3PXP"


def test_e_mail_and_password_sign_in(make_person, sign_in, signed_in):
    person = make_person()
    assert sign_in(person.email.upper())["Location"] == "/"
    assert signed_in()


def test_a_stranger_learns_nothing_from_a_refusal(make_person, sign_in):
    wrong = sign_in(make_person().email, "wrong").content.decode()
    unknown = sign_in("nobody@example.org", "wrong").content.decode()
    sentence = "The email address and/or password you specified are not correct."
    assert sentence in wrong
    assert sentence in unknown


def test_the_fifth_wrong_password_is_the_last_for_a_while(make_person, sign_in, signed_in):
    person = make_person()
    answers = [sign_in(person.email, f"wrong-{n}").content.decode() for n in range(6)]
    assert ["Too many failed" in answer for answer in answers] == [False] * 5 + [True]
    assert "Too many failed" in sign_in(person.email).content.decode(), "not even the right one"
    assert not signed_in()


def test_nobody_locks_out_another_by_wrong_passwords_from_elsewhere(make_person, sign_in, signed_in):
    person = make_person()
    for n in range(12):
        sign_in(person.email, f"wrong-{n}", REMOTE_ADDR=f"192.0.2.{n % 2}")
    assert "Too many failed" in sign_in(person.email, REMOTE_ADDR="192.0.2.1").content.decode()
    sign_in(person.email)
    assert signed_in()


def test_a_browser_that_was_signed_in_passes_whatever_others_of_its_address_try(
    client, make_person, sign_in, signed_in
):
    person, other = make_person(), Client()
    sign_in(person.email)
    client.post("/accounts/logout/")
    for n in range(12):
        other.post("/accounts/login/", {"login": person.email, "password": f"wrong-{n}"})
    tried = other.post("/accounts/login/", {"login": person.email, "password": "seven-Wet-otters"})
    assert "Too many failed" in tried.content.decode()
    sign_in(person.email)
    assert signed_in()


def test_a_known_browser_may_not_guess_without_end_and_is_known_to_its_owner_alone(client, make_person, sign_in):
    person, second = make_person(), make_person()
    sign_in(person.email)
    known = client.cookies["known"].value
    client.post("/accounts/logout/")
    answers = [sign_in(person.email, f"wrong-{n}").content.decode() for n in range(6)]
    assert ["Too many failed" in answer for answer in answers] == [False] * 5 + [True]
    for changed in (known, known[:-1], f"{second.pk}{known[known.index(':') :]}", "x"):
        client.cookies["known"] = changed
        answers = [sign_in(second.email, f"wrong-{n}").content.decode() for n in range(6)]
        assert "Too many failed" in answers[-1]  # as in any other browser
        cache.clear()
    client.cookies["known"] = known
    renew_password(person, "eight-Dry-otters")
    assert known_as_now(client, person) == ""


def known_as_now(client, person):
    request = RequestFactory().get("/")
    request.COOKIES["known"] = client.cookies["known"].value
    return known_as(request, person.email)


def test_each_further_wrong_password_costs_a_longer_wait(make_person, sign_in, monkeypatch):
    """Five in five minutes, ten in an hour, twenty in a day."""
    person, now, tried = make_person(), [1_000_000.0], []
    monkeypatch.setattr("allauth.core.internal.ratelimit.time.time", lambda: now[0])
    for _ in range(90):  # six hours
        if "Too many failed" not in sign_in(person.email, "wrong").content.decode():
            tried.append(now[0] - 1_000_000)
        now[0] += 240
    assert len([one for one in tried if one < 3600]) == 10
    assert len(tried) == 20


def guess_from_everywhere(person, monkeypatch, hours):
    """How many of 40 guesses an hour, each from an address of its own, are looked at; and when it is over."""
    tried, now = 0, [2_000_000.0]
    monkeypatch.setattr("allauth.core.internal.ratelimit.time.time", lambda: now[0])
    for n in range(hours * 40):
        client, data = (
            Client(REMOTE_ADDR=f"198.51.{n // 250}.{n % 250}"),
            {"login": person.email, "password": f"no-{n}"},
        )
        answer = client.post("/accounts/login/", data).content.decode()
        tried += "Too many failed" not in answer
        now[0] += 90
    return tried


def test_many_addresses_have_no_more_guesses_at_one_account(client, make_person, sign_in, signed_in, monkeypatch):
    person, other = make_person(), make_person()
    sign_in(person.email)
    client.post("/accounts/logout/")
    assert guess_from_everywhere(person, monkeypatch, hours=3) == 60
    elsewhere = Client(REMOTE_ADDR="203.0.113.9")
    told = elsewhere.post("/accounts/login/", {"login": person.email.upper(), "password": PASSWORD}).content.decode()
    assert "Use a browser in which you signed in before" in told
    elsewhere.post("/accounts/login/", {"login": other.email, "password": PASSWORD})
    assert elsewhere.get("/account/").status_code == 200, "other people are not touched"
    sign_in(person.email)
    assert signed_in(), "the owner's browser passes"


def test_a_right_password_is_no_guess(make_person):
    person = make_person()
    for n in range(33):
        client = Client(REMOTE_ADDR=f"198.51.100.{n}")
        client.post("/accounts/login/", {"login": person.email, "password": PASSWORD})
        assert client.get("/account/").status_code == 200


def test_who_chooses_a_new_password_by_an_admins_link_passes(
    admin, make_person, sign_in, signed_in, client, monkeypatch
):
    person = make_person()
    guess_from_everywhere(person, monkeypatch, hours=2)
    assert "Too many failed" in sign_in(person.email).content.decode()
    _, secret = make_link(AccessLink.Purpose.PASSWORD_RESET, by=admin, person=person)
    client.post(reverse("reset", args=[secret]), {"password": "nine-Dry-badgers"})
    sign_in(person.email, "nine-Dry-badgers")
    assert signed_in()


def test_one_address_may_not_try_many_people(make_person, sign_in, signed_in):
    for n in range(10):
        sign_in(f"nobody{n}@example.org", "wrong")
    person = make_person()
    assert "Too many failed" in sign_in(person.email).content.decode()
    sign_in(person.email, REMOTE_ADDR="192.0.2.7")
    assert signed_in(), "another address may"


def test_a_forged_forwarding_header_gets_nobody_around_the_limit(sign_in, make_person):
    for n in range(10):
        sign_in(f"nobody{n}@example.org", "wrong", HTTP_X_FORWARDED_FOR=f"192.0.2.{n}")
    answer = sign_in(make_person().email, HTTP_X_FORWARDED_FOR="192.0.2.77").content.decode()
    assert "Too many failed" in answer


def test_behind_a_stated_proxy_each_client_has_their_own_limit(settings, sign_in, make_person, signed_in):
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = 1
    for n in range(10):
        sign_in(f"nobody{n}@example.org", "wrong", HTTP_X_FORWARDED_FOR="192.0.2.1")
    sign_in(make_person().email, HTTP_X_FORWARDED_FOR="192.0.2.2")
    assert signed_in()


def test_the_second_step_stands_between_password_and_site(client, make_person, sign_in, signed_in, code_now):
    person = make_person()
    TOTP.activate(person, SECRET)
    assert sign_in(person.email)["Location"].startswith("/accounts/2fa/authenticate/")
    assert not signed_in()
    assert client.post("/accounts/2fa/authenticate/", {"code": "000000"}).status_code == 200
    assert not signed_in()
    client.post("/accounts/2fa/authenticate/", {"code": code_now(SECRET)})
    assert signed_in()


def test_a_code_works_once(client, make_person, sign_in, code_now):
    person, code = make_person(), None
    TOTP.activate(person, SECRET)
    code = code_now(SECRET)
    for _ in range(2):
        client.logout()
        sign_in(person.email)
        client.post("/accounts/2fa/authenticate/", {"code": code})
    assert client.get("/account/").status_code == 302


def test_a_recovery_code_takes_the_apps_place(client, make_person, sign_in, signed_in):
    person = make_person()
    TOTP.activate(person, SECRET)
    codes = RecoveryCodes.activate(person).get_unused_codes()
    sign_in(person.email)
    client.post("/accounts/2fa/authenticate/", {"code": codes[0]})
    assert signed_in()


def test_a_person_sets_the_second_step_up_by_page(client, make_person, sign_in, code_now):
    person = make_person()
    sign_in(person.email)
    asked = client.get("/accounts/2fa/totp/activate/")["Location"]
    assert asked.startswith("/accounts/reauthenticate/"), "the password is asked for again"
    assert client.post(asked, {"password": "wrong"}).status_code == 200
    assert client.get("/accounts/2fa/totp/activate/").status_code == 302
    client.post(asked, {"password": "seven-Wet-otters"})
    page = client.get("/accounts/2fa/totp/activate/")
    assert b"data:image/svg+xml" in page.content
    secret = page.context["form"].secret
    client.post("/accounts/2fa/totp/activate/", {"code": code_now(secret)})
    assert Authenticator.objects.filter(user=person, type="totp").exists()
    assert client.get("/accounts/2fa/recovery-codes/").status_code == 200


def test_an_admin_removes_a_lost_second_step(client, admin, make_person, sign_in, signed_in):
    person, other = make_person(), Client()
    TOTP.activate(person, SECRET)
    other.force_login(admin)
    other.post(f"/people/{person.pk}/second-step/")
    sign_in(person.email)
    assert signed_in()


def test_a_forgotten_password_leads_to_an_admin_where_no_mail_is_sent(client, settings, make_person):
    settings.HAS_MAIL_SERVER = False
    assert "Ask an admin" in client.get("/accounts/password/reset/").content.decode()
    client.post("/accounts/password/reset/", {"email": make_person().email})
    assert mail.outbox == []


def test_a_forgotten_password_is_reset_by_mail_where_mail_is_sent(client, settings, make_person, sign_in, signed_in):
    settings.HAS_MAIL_SERVER = True
    person = make_person()
    client.post("/accounts/password/reset/", {"email": "nobody@example.org"})
    client.post("/accounts/password/reset/", {"email": person.email})
    assert [message.to for message in mail.outbox] == [[person.email]]
    path = mail.outbox[0].body.split("http://testserver")[1].split()[0]
    path = client.get(path)["Location"]
    client.post(path, {"password1": "nine-Dry-badgers", "password2": "nine-Dry-badgers"})
    assert signed_in()
    assert known_as_now(client, person)
    client.post("/accounts/logout/")
    sign_in(person.email, "nine-Dry-badgers")
    assert signed_in()


def test_a_new_password_by_mail_is_no_way_around_the_second_step(client, settings, make_person, signed_in, code_now):
    settings.HAS_MAIL_SERVER = True
    person = make_person()
    TOTP.activate(person, SECRET)
    client.post("/accounts/password/reset/", {"email": person.email})
    path = client.get(mail.outbox[0].body.split("http://testserver")[1].split()[0])["Location"]
    client.post(path, {"password1": "nine-Dry-badgers", "password2": "nine-Dry-badgers"})
    assert not signed_in()
    client.post("/accounts/2fa/authenticate/", {"code": code_now(SECRET)})
    assert signed_in()


@pytest.mark.parametrize("path", ["/accounts/login/", "/accounts/password/reset/", "/accounts/inactive/"])
def test_the_pages_before_sign_in_run_no_inline_script(client, db, path):
    page = client.get(path)
    assert page.status_code == 200
    assert "default-src 'self'" in page["Content-Security-Policy"]
    assert "unsafe-inline" not in page["Content-Security-Policy"]
    assert " style=" not in page.content.decode()


def test_a_real_server_on_127_0_0_1_limits_attempts_through_redis(web_server, make_person):
    person = make_person()

    def post(session, password):
        page = session.get(f"{web_server.url}/accounts/login/", timeout=30)
        token = page.text.split('name="csrfmiddlewaretoken" value="')[1].split('"')[0]
        data = {"csrfmiddlewaretoken": token, "login": person.email, "password": password, "next": "/account/"}
        return session.post(page.url, data, timeout=30)

    with requests.Session() as session:
        answers = [post(session, f"wrong-{n}").text for n in range(5)]
        assert not any("Too many failed" in answer for answer in answers)
        assert "Too many failed" in post(session, "seven-Wet-otters").text
    with requests.Session() as other:
        assert "Too many failed" in post(other, "seven-Wet-otters").text, "another session is no way around"


def test_a_providers_address_joins_the_policy_for_forms(tmp_path):
    provider = {
        "OIDC_SERVER_URL": "https://id.example.org/realms/lab",
        "OIDC_CLIENT_ID": "r",
        "OIDC_CLIENT_SECRET": "s",
    }
    script = "from config import settings as s; print(s.CONTENT_SECURITY_POLICY['DIRECTIVES']['form-action'])"
    environment = {**os.environ, **provider, "RESTYLE_DATA": str(tmp_path), "PYTHONPATH": "platform"}
    done = subprocess.run(
        [sys.executable, "-c", script], env=environment, cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == """["'self'", 'https://id.example.org']"""
