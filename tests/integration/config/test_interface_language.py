"""The language of the interface: the person's choice, then the browser's, then English."""

import pytest
from django.conf import settings
from django.core import mail
from django.test import Client
from django.urls import reverse
from factories.whole_study import person, token
from support.clients import as_person

from accounts.models import AuditEntry, Person

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"


def language_of(answer):
    return answer["Content-Language"], b' dir="rtl"' in answer.content


@pytest.mark.parametrize(("asked", "told"), [
    ("", ("en", False)),
    ("de-AT,de;q=0.9,en;q=0.5", ("de", False)),
    ("ar-EG", ("ar", True)),
    ("he-IL", ("he", True)),
    ("zh-CN,zh;q=0.9", ("zh-hans", False)),
    ("pt-BR,fr;q=0.4", ("fr", False)),
    ("xx,*;q=0.1", ("en", False)),
])  # fmt: skip
def test_the_browsers_language_or_english(asked, told):
    answer = Client(headers={"accept-language": asked}).get(LOGIN)
    assert language_of(answer) == told
    assert f'<html lang="{told[0]}"'.encode() in answer.content
    assert {"Accept-Language", "Cookie"} <= {one.strip() for one in answer["Vary"].split(",")}


def test_who_is_not_signed_in_chooses_for_the_browser():
    client = Client(headers={"accept-language": "fr", "referer": f"http://testserver{LOGIN}?next=/work/"})
    answer = client.post("/language/", {"language": "ar"})
    assert answer["Location"] == f"{LOGIN}?next=/work/"
    assert (cookie := answer.cookies[settings.LANGUAGE_COOKIE_NAME]).value == "ar"
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"
    assert language_of(client.get(LOGIN)) == ("ar", True)
    client.post("/language/", {"language": ""})
    assert language_of(client.get(LOGIN)) == ("fr", False)


@pytest.mark.parametrize(
    "came", ["https://elsewhere.example/there/", "//elsewhere.example/", "", "javascript:alert(1)"]
)
def test_the_choice_leads_nowhere_else(came):
    assert Client(headers={"referer": came}).post("/language/", {"language": "de"})["Location"] == "/"


def test_without_scripts_the_choice_is_a_page_that_leads_back():
    client = Client(headers={"referer": f"http://testserver{LOGIN}?next=/work/", "accept-language": "de"})
    page = client.get("/language/").content.decode()
    assert f'name="next" value="{LOGIN}?next=/work/"' in page
    assert 'value="de" lang="de" aria-current="true"' in page
    came = {"referer": "http://testserver/language/"}
    answer = client.post("/language/", {"language": "ar", "next": f"{LOGIN}?next=/work/"}, headers=came)
    assert answer["Location"] == f"{LOGIN}?next=/work/"
    assert language_of(client.get(LOGIN)) == ("ar", True)


@pytest.mark.parametrize("said", ["https://elsewhere.example/", "//elsewhere.example/", "/\\elsewhere.example", "x:y"])
def test_the_page_of_the_choice_leads_nowhere_else(said):
    assert Client().post("/language/", {"language": "de", "next": said})["Location"] == "/"


def test_a_language_that_the_site_has_not_is_not_kept(client):
    answer = client.post("/language/", {"language": "../../etc"})
    assert answer.status_code == 302
    assert settings.LANGUAGE_COOKIE_NAME not in answer.cookies


def test_the_choice_needs_the_token_of_its_form():
    assert Client(enforce_csrf_checks=True).post("/language/", {"language": "de"}).status_code == 403


def test_a_persons_choice_goes_before_the_browsers_and_is_in_the_audit_log():
    who = person("reviewer")
    client = as_person(who)
    client.post("/language/", {"language": "he"})
    assert Person.objects.get(pk=who.pk).interface_language == "he"
    assert language_of(client.get("/account/", headers={"accept-language": "de"})) == ("he", True)
    assert b'<option value="he" selected lang="he">' in client.get("/account/").content
    assert AuditEntry.objects.filter(person=who, action__contains="choose_language").exists()
    assert language_of(client.get("/nothing/at/all/", headers={"accept-language": "de"})) == ("he", True)
    client.post("/language/", {"language": ""})
    assert language_of(client.get("/account/", headers={"accept-language": "de"})) == ("de", False)


def test_a_choice_of_a_language_that_is_gone_is_the_browsers():
    who = person("reviewer")
    Person.objects.filter(pk=who.pk).update(interface_language="tlh")
    assert language_of(as_person(who).get("/account/")) == ("en", False)


def test_the_api_keeps_the_choice_too():
    client = as_person(person("reviewer"))
    assert client.get("/api/me/").json()["interface_language"] == ""
    told = client.patch("/api/me/", {"interface_language": "es"}, content_type="application/json")
    assert told.json()["interface_language"] == "es"
    assert client.patch("/api/me/", {"interface_language": "xx"}, content_type="application/json").status_code == 400


def test_a_token_hears_the_language_that_its_program_asks_for():
    who = person("reviewer")
    Person.objects.filter(pk=who.pk).update(interface_language="he")
    _, secret = token(who)
    client = Client(headers={"authorization": f"Token {secret}"})
    assert client.get("/api/me/")["Content-Language"] == "en"
    assert client.get("/api/me/", headers={"accept-language": "de"})["Content-Language"] == "de"


def test_mail_is_in_the_language_of_who_reads_it(settings):
    settings.HAS_MAIL_SERVER = True
    reader, admin = person("reviewer"), person("admin")
    Person.objects.filter(pk=reader.pk).update(interface_language="de")
    as_person(admin).post(reverse("person_reset_link", args=[reader.pk]))
    until = reader.access_links.get().expires_at
    assert f"{until:%d.%m.%Y}" in mail.outbox[0].body


def test_dates_and_numbers_are_written_as_in_the_language():
    client = as_person(who := person("admin"))
    address = reverse("person", args=[who.pk])
    assert f"{who.joined_at:%d.%m.%Y}" in client.get("/people/", headers={"accept-language": "de"}).content.decode()
    english = client.get("/people/").content.decode()
    assert f"{who.joined_at.day} {who.joined_at:%b %Y}" in english
    assert client.get(address, headers={"accept-language": "ar"}).status_code == 200


@pytest.mark.parametrize("path", ["/account/", "/nothing/at/all/", "/api/me/"])
def test_the_language_costs_no_query(path, django_assert_num_queries):
    """The person is asked for anyway; what asks for nobody stays without a question."""
    client = as_person(person("reviewer"))
    client.get(path)
    with django_assert_num_queries(0):
        Client(headers={"accept-language": "de"}).get("/nothing/at/all/")


def test_the_next_request_of_the_thread_begins_in_english(client):
    from django.utils import translation

    client.get(LOGIN, headers={"accept-language": "ar"})
    assert translation.get_language() == "en"


def test_everybody_finds_the_choice_and_each_language_is_named_in_itself(client):
    assert '<a href="/language/" data-language>' in client.get(LOGIN).content.decode()
    page = client.get("/language/").content.decode()
    for code, name in settings.LANGUAGES:
        assert f'value="{code}" lang="{code}"' in page
        assert f">{name}</button>" in page
