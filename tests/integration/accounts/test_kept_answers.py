"""A request that names an `Idempotency-Key` is done once, however often it is sent."""

import threading
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from factories.whole_study import person
from support.clients import with_token

from accounts.actions.erase_person import erase_person
from accounts.kept_answers import forget_old_answers
from accounts.models import ApiToken, KeptAnswer, Person
from corpora.models import Study

NEW = {"slug": "tone", "title": "Tone", "styles": ["informal", "formal"]}


@pytest.fixture
def lead(db: None) -> Person:
    return person("researcher")


@pytest.fixture
def client(lead: Person) -> Client:
    return with_token(lead)


def post(client: Client, path: str, body: Any, key: str = "") -> Any:
    return client.post(path, body, content_type="application/json", headers={"Idempotency-Key": key or str(uuid4())})


def test_the_same_key_again_gets_the_first_answer_and_does_nothing(client: Client) -> None:
    key = str(uuid4())
    first, again = (post(client, "/api/studies/", NEW, key) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 201)
    assert first.json() == again.json()
    assert Study.objects.filter(slug="tone").count() == 1
    assert post(client, "/api/studies/", NEW).status_code == 400  # another key is another act: the name is taken


def test_a_key_is_for_one_act(client: Client) -> None:
    key = str(uuid4())
    post(client, "/api/studies/", NEW, key)
    other = post(client, "/api/studies/tone/directions/", {"source_style": "informal", "target_style": "formal"}, key)
    assert other.status_code == 400
    assert other.json()["detail"] == (
        "Idempotency-Key: this key was used for POST /api/studies/; another request needs another key."
    )
    assert post(client, "/api/studies/", NEW, "no").json()["detail"].startswith("Idempotency-Key: expected 8 to 64")


def test_a_key_is_its_persons_own(client: Client) -> None:
    key = str(uuid4())
    post(client, "/api/studies/", NEW, key)
    another = post(with_token(person("researcher")), "/api/studies/", NEW | {"slug": "other", "title": "Other"}, key)
    assert another.json()["slug"] == "other"


def test_a_refusal_is_not_kept(client: Client) -> None:
    key = str(uuid4())
    assert post(client, "/api/studies/", NEW | {"styles": []}, key).status_code == 400
    assert not KeptAnswer.objects.exists()
    assert post(client, "/api/studies/", NEW, key).status_code == 201


def test_a_secret_is_not_kept(client: Client, lead: Person) -> None:
    key, new = str(uuid4()), {"name": "laptop", "scopes": ["read"], "days": 3}
    secret = post(client, "/api/tokens/", new, key).json()["secret"]
    again = post(client, "/api/tokens/", new, key)
    assert again.status_code == 409
    assert "held a secret" in again.json()["detail"]
    assert ApiToken.objects.filter(person=lead, name="laptop").count() == 1
    assert not KeptAnswer.objects.filter(body__contains=secret).exists()


def test_an_answer_without_a_body_is_given_again(client: Client) -> None:
    token = post(client, "/api/tokens/", {"name": "laptop", "scopes": ["read"], "days": 3}).json()["id"]
    headers = {"Idempotency-Key": str(uuid4())}
    said = [client.delete(f"/api/tokens/{token}/", headers=headers) for _ in range(2)]
    assert [(one.status_code, one.content) for one in said] == [(204, b"")] * 2


def test_kept_answers_go_with_the_day_and_with_the_person(client: Client, lead: Person) -> None:
    post(client, "/api/studies/", NEW)
    assert forget_old_answers() == 0
    KeptAnswer.objects.update(made_at="2026-01-01T00:00Z")
    assert forget_old_answers() == 1
    post(client, "/api/studies/", NEW | {"slug": "again", "title": "Again"})
    person("admin")
    erase_person(person=lead)
    assert not KeptAnswer.objects.exists()


@pytest.mark.django_db(transaction=True)
def test_two_at_once_are_done_once() -> None:
    token, key, said = with_token(person("researcher")), str(uuid4()), []

    def send() -> None:
        said.append(post(Client(headers=token.defaults_headers), "/api/studies/", NEW, key).json())
        connection.close()

    token.defaults_headers = {"Authorization": token.defaults["HTTP_AUTHORIZATION"]}
    threads = [threading.Thread(target=send) for _ in range(4)]
    for one in threads:
        one.start()
    for one in threads:
        one.join()
    assert [one["slug"] for one in said] == ["tone"] * 4
    assert said == [said[0]] * 4
