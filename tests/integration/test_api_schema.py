"""The API against its own description: whatever it is sent it answers as it says, and never with an error of its own.

Schemathesis makes the requests from the OpenAPI schema, the same ones every time; each is undone.
"""

import functools
import json
import shlex
from io import StringIO
from types import SimpleNamespace

import httpx
import pytest
import schemathesis
from django.core.handlers.wsgi import WSGIHandler
from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.test import Client
from factories.handles import handle
from hypothesis import HealthCheck, given, settings
from schemathesis import GenerationMode
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
    unsupported_method,
)

import restyle
from config.api.reference import METHODS, parts

pytestmark = pytest.mark.django_db
CHECKS = [
    not_a_server_error, status_code_conformance, content_type_conformance, response_schema_conformance,
    unsupported_method,
]  # fmt: skip
QUIET = {"derandomize": True, "database": None, "deadline": None, "suppress_health_check": list(HealthCheck)}
SECRET = "s" * 43


@pytest.fixture(scope="module")
def world(django_db_setup, django_db_blocker):
    """A study with one of everything, and an admin whose token has every scope."""
    from factories.whole_study import WholeStudy, person, token

    from accounts.actions.set_credential import set_credential
    from accounts.authentication import digest_of
    from accounts.models import ApiToken

    with django_db_blocker.unblock(), transaction.atomic():
        admin = person("admin")
        whole = WholeStudy(workers=[admin])
        key, _ = token(admin)
        ApiToken.objects.filter(pk=key.pk).update(digest=digest_of(SECRET))
        target = person("reviewer")
        set_credential(person=target, name="md", by=admin)
        yield SimpleNamespace(admin=admin, whole=whole, key=key, target=target)
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def schema(world):
    for signal in (request_started, request_finished):  # the application would close the test's own connection
        signal.disconnect(close_old_connections)
    loaded = schemathesis.openapi.from_wsgi(
        "/api/schema/",
        WSGIHandler(),
        headers={"Authorization": f"Token {SECRET}", "Host": "localhost", "Accept": "application/json"},
    )
    yield loaded
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def objects(world, path):
    """What the names in a path stand for, so that requests come further than 404."""
    whole = world.whole
    by_part = {
        "people": world.target.pk, "tokens": world.key.pk, "jobs": whole.job.pk, "systems": whole.system.pk,
        "references": whole.references.pk, "members": whole.member.pk, "invitations": whole.invitation.pk,
        "documents": whole.document.pk, "trainings": whole.training.pk, "checkpoints": whole.checkpoint.pk,
        "transfers": whole.transfer.pk, "sweeps": whole.sweep.pk, "removed": whole.removal.pk,
    }  # fmt: skip
    numbers = {"releases": whole.release.number, "expected": 1, "directions": whole.direction.number}
    parts = path.strip("/").split("/")
    before = {name: parts[at - 1] for at, name in enumerate(parts)}
    answer = whole.answer_of(world.admin)
    return {
        "study": whole.study.slug, "campaign": whole.campaign.slug, "id": by_part.get(before.get("{id}"), 1),
        "number": numbers.get(before.get("{number}"), whole.ratings.number), 
        "answer": handle("answer", answer.pk, world.admin),
        "name": {"credentials": "md", "tables": "systems"}.get(before.get("{name}"), "gold.jsonl"),
        "worker": answer.person_id, "review": handle("review", whole.review_of(world.admin).pk, world.admin),
        "entrance": whole.recruitment_link.pk, "entrant": whole.participant.pk, "human": whole.human.slug,
        "key": asked(world) if "{key}" in path else "",
    }  # fmt: skip


def asked(world):
    """The key of a sentence that the admin has the models rewrite."""
    from modelserving import typed_sentences

    whole = world.whole
    return typed_sentences.ask(
        study=whole.study, person=world.admin, text="wat r u doin", direction=whole.direction
    ).key


def call(case):
    """Send it; whatever it changed is undone."""
    point = transaction.savepoint()
    try:
        case.headers["Authorization"] = f"Token {SECRET}"
        case.call_and_validate(checks=CHECKS)
    finally:
        transaction.savepoint_rollback(point)


def attempt(schema, mode, examples, known=None):
    """What is wrong with the answers to generated requests, by endpoint; `known(path)` names what is in its place."""
    wrong = {}
    for found in schema.get_all_operations():
        operation = found.ok()
        if mode.is_negative and not (operation.query or operation.body):
            continue  # there is nothing to spoil, which Hypothesis finds out after hundreds of tries
        there = known(operation.path) if known else {}
        path = {
            path_parameter.name: there[path_parameter.name]
            for path_parameter in operation.path_parameters
            if path_parameter.name in there
        }

        @settings(max_examples=examples, **QUIET)
        @given(case=operation.as_strategy(generation_mode=mode, path_parameters=path or None))
        def ask(case):
            call(case)

        try:
            ask()
        except BaseExceptionGroup as error:
            wrong[operation.label] = str(error.exceptions[0])
    return "\n\n".join(f"{label}: {said}" for label, said in wrong.items())


@pytest.mark.parametrize("examples", [1, pytest.param(10, marks=pytest.mark.soak)])
@pytest.mark.parametrize("mode", list(GenerationMode))
def test_requests_about_real_things(schema, world, mode, examples):
    wrong = attempt(schema, mode, examples, lambda path: objects(world, path))
    assert not wrong, wrong


def test_requests_about_things_that_are_not_there(schema, world):
    wrong = attempt(schema, GenerationMode.POSITIVE, 1)
    assert not wrong, wrong


def test_the_schema_speaks_of_every_endpoint(schema, world):
    from django.urls import get_resolver

    patterns = next(
        url_pattern for url_pattern in get_resolver().url_patterns if getattr(url_pattern, "namespace", "") == "api"
    ).url_patterns
    names = {pattern.name for room in patterns for pattern in getattr(room, "url_patterns", [room])}
    paths = {"/" + str(path).strip("/") for path in schema.raw_schema["paths"]}
    assert len(paths) == len(names)


def test_the_schema_is_made_without_a_warning(capsys):
    """Of two shapes of one name it would describe one alone; operations of one name it numbers, as they come."""
    from django.core.management import call_command

    call_command("spectacular", "--validate", stdout=StringIO())
    told = capsys.readouterr().err.splitlines()
    assert [line for line in told if "Warning: " in line or "Error: " in line] == []


def ask_raw(method, url, body, kind="application/json"):
    return Client(raise_request_exception=False).generic(
        method, url, body, content_type=kind, headers={"Authorization": f"Token {SECRET}"}
    )


@pytest.mark.parametrize(
    "body",
    [
        b"{", b"[]", b"null", b'"text"', b"{\"name\": NaN}", b"\xff\xfe", b"[" * 100_000, b'{"name": "a\\u0000b"}',
        b'{"name": "\\ud800"}', b'{"name": "x", "model": "no such model"}', b'{"name": 1e400, "model": 7}',
        b'{"name": "x", "model": "rule_based_formality", "settings": {"seed": "a\\u0000"}}',
        b'{"name": "x", "model": "rule_based_formality", "direction": "a\\udfff-b"}',
    ],
)  # fmt: skip
def test_bodies_that_are_no_good(world, body):
    answer = ask_raw("POST", f"/api/studies/{world.whole.study.slug}/transfers/", body)
    assert answer.status_code == 400
    assert isinstance(answer.json()["detail"], str)


@pytest.mark.parametrize("page", ["0", "-1", "x", "9" * 30, "\0", "1e9", "last%00"])
def test_pages_that_are_not_there(world, page):
    answer = Client().get("/api/people/", {"page": page}, headers={"Authorization": f"Token {SECRET}"})
    assert answer.status_code == 404
    assert answer.json() == {"detail": "Invalid page."}


@pytest.mark.parametrize("number", ["9" * 19, "9" * 40, "9" * 5000, "0"])
@pytest.mark.parametrize("thing", ["jobs", "systems"])
def test_numbers_that_no_row_has(world, thing, number):
    assert ask_raw("GET", f"/api/studies/{world.whole.study.slug}/{thing}/{number}/", b"").status_code == 404


def test_a_session_needs_its_csrf_token(world):
    """An endpoint that believes a browser's cookie asks for the token that another site's page cannot know."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(world.admin)
    assert client.get("/api/me/").status_code == 200
    answer = client.patch("/api/me/", {"name": "Eve"}, content_type="application/json")
    assert answer.status_code == 403
    assert "CSRF" in answer.json()["detail"]
    assert ask_raw("PATCH", "/api/me/", b'{"name": "Ada"}').status_code == 200


def test_the_reference_for_people_names_every_request(world, schema):
    client = Client()
    client.force_login(world.admin)
    page = client.get("/docs/api/").content.decode()
    for path, methods in schema.raw_schema["paths"].items():
        for method in set(methods) & {"get", "post", "put", "patch", "delete"}:
            assert f"<code>{method.upper()} {path}</code>" in page


def test_each_request_has_an_example_for_curl_and_for_python_with_all_that_is_required(
    world, schema, monkeypatch, tmp_path
):
    """Held to the shell's own rules; the Python ones run, and the client sends what the one for curl would."""
    asked = sent_by_the_client(monkeypatch)
    monkeypatch.chdir(tmp_path)
    found = [one for part in parts("https://site.example") for one in part["operations"]]
    assert len(found) == sum(len(set(one) & set(METHODS)) for one in schema.raw_schema["paths"].values())
    for one in found:
        words = shlex.split(one["curl"].replace("\\\n", " "))
        assert words[0] == "curl"
        assert words[-1].startswith("https://site.example/api/")
        assert "{" not in words[-1]
        required = {field["name"] for field in one["sends"] if field["required"]}
        if one["files"]:
            sent = {words[place + 1].split("=")[0] for place, word in enumerate(words) if word == "-F"}
        else:
            sent = set(json.loads(words[words.index("-d") + 1])) if "-d" in words else set()
        assert required <= sent, one["path"]
        for name in sent if one["files"] else ():
            (tmp_path / f"{name}.txt").write_text("a text")
        exec(one["python"], {})  # noqa: S102 (it is what people copy)
        request = asked.pop()
        assert (request.method, str(request.url).partition("?")[0]) == (one["method"], words[-1])
        assert all(name.encode() in request.content for name in required), one["path"]


def sent_by_the_client(monkeypatch) -> list[httpx.Request]:
    """The requests that the client sends from now on; each is answered by an empty list."""
    asked = []

    def answer(request: httpx.Request) -> httpx.Response:
        request.read()
        asked.append(request)
        return httpx.Response(200, json={"results": [], "next": None}, headers={"X-Restyle": "1"})

    client = functools.partial(restyle.Client, token="secret", transport=httpx.MockTransport(answer))
    monkeypatch.setattr(restyle, "Client", client)
    monkeypatch.setattr("builtins.print", lambda *_: None)
    return asked


def test_a_resource_has_a_page_with_its_fields_and_an_unknown_one_has_none(world):
    client = Client()
    client.force_login(world.admin)
    page = client.get("/docs/api/", {"resource": "jobs"}).content.decode()
    assert "client.post(" in page
    assert "client.post(" not in client.get("/docs/api/").content.decode()
    assert client.get("/docs/api/", {"resource": "nothing"}).status_code == 404
