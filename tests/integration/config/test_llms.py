"""`/llms.txt` is for anybody, short, and each of its addresses is one of this site."""

import re

import pytest
from django.test import Client
from factories.whole_study import person

pytestmark = pytest.mark.django_db


def test_each_address_is_there_and_the_text_is_short() -> None:
    answer = Client().get("/llms.txt")
    assert (answer.status_code, answer["Content-Type"]) == (200, "text/plain; charset=utf-8")
    assert "no-store" not in answer.get("Cache-Control", "")
    text = answer.content.decode()
    assert text.startswith("# Restyle\n\n> A platform for text style transfer")
    assert len(text) < 2500
    addresses = set(re.findall(r"http://testserver(/[^\s):]*)", text)) - {"/tokens/."} | {"/tokens/"}
    assert {"/tokens/", "/api/schema/", "/docs/api/", "/study-file.schema.json"} <= addresses
    client = Client()
    client.force_login(person("researcher"))
    for address in addresses - {"/api/studies/apply/"}:
        assert client.get(address).status_code == 200, address
