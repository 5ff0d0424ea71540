"""One line a request, with its time and no secret; no traceback for a refusal."""

import io
import logging
import re

import pytest
from django.conf import settings
from django.db import OperationalError
from django.http import UnreadablePostError
from django.test import Client
from django.utils.log import configure_logging
from factories.whole_study import person

from health.findings import Finding

LINE = re.compile(
    r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d,\d{3} INFO restyle\.requests request=[0-9a-f]{16} (?P<said>\S+ \S+ \d{3}) \d+ ms "
    r"person=(?P<who>\S+)"
)
pytestmark = pytest.mark.django_db


@pytest.fixture
def written():
    """What the console's handler writes."""
    handler = next(one for one in logging.getLogger().handlers if one.formatter and "request_id" in one.formatter._fmt)
    stream = io.StringIO()
    former = handler.setStream(stream)
    yield lambda: stream.getvalue().splitlines()
    handler.setStream(former)


@pytest.fixture(autouse=True)
def as_configured():
    configure_logging(settings.LOGGING_CONFIG, settings.LOGGING)


def test_a_request_is_one_line(written):
    client, someone = Client(), person("reviewer")
    client.force_login(someone)
    answer = client.get("/api/me/")
    (line,) = written()
    found = LINE.fullmatch(line)
    assert (found["said"], found["who"]) == ("GET /api/me/ 200", str(someone.pk))
    assert f"request={answer['X-Request-ID']} " in line


@pytest.mark.parametrize(
    ("method", "path", "status", "shown"),
    [
        ("get", "/people/", 403, "/people/"),
        ("get", "/nothing/verysecret/", 404, "/nothing/..."),
        ("get", "/join/verysecret", 301, "/join/..."),
        ("get", "/join/verysecret/", None, "/join/<str:secret>/"),
        ("get", "/reset/verysecret/", None, "/reset/<str:secret>/"),
        ("post", "/api/studies/?token=verysecret", 403, "/api/studies/"),
        ("post", "/accounts/login/", 403, "/accounts/login/"),
        ("get", "/a%0Ab%20c/", 404, "/a?b?c"),
    ],
)
def test_a_refusal_is_one_line_without_a_secret(written, method, path, status, shown):
    client = Client(enforce_csrf_checks=True)
    client.force_login(person("crowd_annotator"))
    answer = getattr(client, method)(path)
    (line,) = written()
    said = LINE.fullmatch(line)["said"].split(" ")
    assert said[1].rstrip("/.") == shown.rstrip("/.")
    assert "verysecret" not in line
    assert status is None or (answer.status_code, said[2]) == (status, str(status))


def test_a_strange_host_is_one_line(written):
    assert Client(headers={"host": "elsewhere.example"}).get("/accounts/login/").status_code == 400
    (line,) = written()
    assert LINE.fullmatch(line)["said"] == "GET /accounts/... 400"


def test_an_error_of_the_program_has_its_traceback_and_the_same_id(written, monkeypatch):
    monkeypatch.setattr("accounts.api.people.Me.get", lambda *_, **__: 1 / 0)
    client = Client(raise_request_exception=False)
    client.force_login(person("reviewer"))
    answer = client.get("/api/me/")
    assert answer.status_code == 500
    lines = written()
    assert "ZeroDivisionError: division by zero" in lines
    assert f"request={answer['X-Request-ID']} The program made an error at /api/me/" in lines[0]
    assert "GET /api/me/ 500" in lines[-1]


def test_a_probe_that_is_not_well_is_one_line(written, monkeypatch):
    monkeypatch.setattr("health.views.findings", lambda: [Finding("redis", "Redis does not answer.", 0.1, 1.0)])
    assert Client().get("/health/status").status_code == 503
    (line,) = written()
    assert LINE.fullmatch(line)["said"] == "GET /health/status 503"


def test_where_the_database_is_away_its_own_words_are_one_line_more(written, monkeypatch):
    def away(*_, **__):
        raise OperationalError("connection failed:\n\tConnection refused")

    monkeypatch.setattr("accounts.api.people.Me.get", away)
    client = Client(raise_request_exception=False)
    client.force_login(person("reviewer"))
    answer = client.get("/api/me/")
    assert answer.status_code == 503
    why, line = written()
    said = f"request={answer['X-Request-ID']} Not there for /api/me/: connection failed: Connection refused"
    assert why.endswith(said)
    assert LINE.fullmatch(line)["said"] == "GET /api/me/ 503"


def test_who_goes_away_made_no_error(written, monkeypatch):
    def gone(*_, **__):
        raise UnreadablePostError("connection lost")

    monkeypatch.setattr("accounts.api.people.Me.get", gone)
    client = Client()
    client.force_login(person("reviewer"))
    assert client.get("/api/me/").status_code == 400
    assert len(written()) == 1


def test_an_id_that_a_proxy_gave_is_kept_if_it_is_one(written):
    assert Client(headers={"x-request-id": "abcd-1234"}).get("/accounts/login/")["X-Request-ID"] == "abcd-1234"
    assert Client(headers={"x-request-id": "a b\tc" * 9}).get("/accounts/login/")["X-Request-ID"].isalnum()
    assert " request=abcd-1234 GET /accounts/login/ 200 " in written()[0]


def test_probes_that_are_well_are_no_lines(written):
    Client().get("/health/live")
    assert written() == []
