"""What each page has and shows seldom is a script that browsers keep, one for each language."""

import re

import pytest
from django.conf import settings
from django.test import Client
from django.urls import set_script_prefix
from factories.whole_study import person
from support.clients import as_person

pytestmark = pytest.mark.django_db
LOGIN = "/accounts/login/"
ADDRESS = re.compile(r'<script src="([^"]*/parts/[^"]+)" defer>')
PARTS = ('id=\\"announcer\\"', 'id=\\"toast\\"', 'id=\\"keys-help\\"', 'id=\\"confirm\\"', 'id=\\"waiting\\"')


def address_on(page):
    return ADDRESS.search(page.content.decode())[1]


@pytest.mark.parametrize(("language", "word"), [("en", "Close"), ("de", "Schließen"), ("ar", "إغلاق"), ("he", "סגירה")])
def test_a_page_names_the_parts_in_its_language(language, word):
    browser = Client(headers={"accept-language": language})
    page = browser.get(LOGIN)
    assert "<dialog" not in page.content.decode()
    script = browser.get(address_on(page)).content.decode()
    assert f">{word}</button>" in script
    assert all(part in script for part in PARTS)


def test_a_browser_keeps_them_whoever_asks(django_assert_num_queries):
    browser = as_person(person("reviewer"))
    address = address_on(browser.get("/account/"))
    for client in (browser, Client()):
        with django_assert_num_queries(0):
            answer = client.get(address)
        assert answer["Cache-Control"] == "public, max-age=31536000, immutable"
        assert answer["Content-Type"] == "text/javascript; charset=utf-8"
        assert not answer.has_header("Vary")
        assert not answer.cookies


def test_a_page_of_another_version_gets_those_of_this_one_and_does_not_keep_them():
    address = address_on(Client().get(LOGIN))
    answer = Client().get(re.sub(r"[0-9a-f]{12}", "0" * 12, address))
    assert answer["Cache-Control"] == "no-store"
    assert answer.content == Client().get(address).content


@pytest.mark.parametrize(
    "path", ["/parts/xx.000000000000.js", "/parts/", "/parts/en.js", "/parts/../en.000000000000.js"]
)
def test_there_are_no_others(path):
    assert Client().get(path).status_code == 404


@pytest.fixture
def below():
    set_script_prefix("/there/")
    yield
    set_script_prefix("/")


def test_below_a_path_they_and_their_addresses_are_below_it(below):
    address = address_on(Client().get(LOGIN))
    assert address.startswith("/there/parts/en.")
    script = Client().get(address.removeprefix("/there")).content.decode()
    assert "/there/accounts/login/" in script


def test_the_menu_of_languages_is_one_of_them():
    script = Client().get(address_on(Client().get(LOGIN))).content.decode()
    assert re.findall(r'value=\\"([a-z-]+)\\" lang', script) == [code for code, _name in settings.LANGUAGES]
