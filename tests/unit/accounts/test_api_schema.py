"""The bodies of requests are read in one place."""

from types import SimpleNamespace

import pytest
from django.utils import translation
from rest_framework import serializers
from rest_framework.exceptions import ValidationError

from accounts.api_schema import StrictSerializer, checked
from foundation.project import ROOT

READERS = {"platform/accounts/api_schema.py", "platform/corpora/api/base.py"}


class Named(StrictSerializer):
    name = serializers.CharField(max_length=2)


def refusal(language: str) -> str:
    with translation.override(language), pytest.raises(ValidationError) as caught:
        checked(Named, SimpleNamespace(data={"name": "xxx"}))
    return str(caught.value.detail["name"][0])


def test_each_asker_is_refused_in_their_own_language():
    german = refusal("de")
    assert refusal("en") == "Ensure this field has no more than 2 characters."
    assert german == refusal("de") != refusal("en")


def test_no_endpoint_reads_its_body_by_hand():
    rooms = ("annotation", "evaluation", "modelserving", "platform")
    files = [file for room in rooms for file in (ROOT / room).rglob("*.py")]
    found = {str(file.relative_to(ROOT)) for file in files if "request.data" in file.read_text()}
    assert found == READERS, "Decorate the endpoint with `with_body`, which gives it what was sent."
