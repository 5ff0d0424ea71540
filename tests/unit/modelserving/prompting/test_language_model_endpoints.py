"""The endpoints that a site's settings name, and what is wrong with settings."""

import pytest

from foundation.errors import UserError
from modelserving.prompting.endpoints import endpoint_named, endpoints

LAB = "lab=http://gpu1:8000/v1/ models=llama,qwen local=1"


@pytest.fixture
def named(monkeypatch):
    def name(models, keys=""):
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", models)
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", keys)

    return name


def test_endpoints_are_read_with_their_models_and_keys(named):
    named(f"{LAB}; far=https://api.example.org/v1 tokens=max_completion_tokens", "far=sk-abc=def")
    lab, far = endpoints().values()
    assert (lab.url, lab.models, lab.local, lab.key) == ("http://gpu1:8000/v1", ("llama", "qwen"), True, "")
    assert (far.models, far.local, far.tokens, far.key) == ((), False, "max_completion_tokens", "sk-abc=def")


def test_neither_key_nor_address_is_in_what_an_endpoint_is_shown_as(named):
    named("far=https://api.example.org/v1", "far=sk-abcdef")
    assert "sk-abc" not in repr(endpoint_named("far"))
    assert "example.org" not in repr(endpoint_named("far"))


def test_an_unknown_endpoint_or_model_is_a_sentence(named):
    named("")
    with pytest.raises(UserError, match="no endpoint of language models"):
        endpoint_named("lab")
    named(LAB)
    with pytest.raises(UserError, match="no endpoint 'lob'; it has lab"):
        endpoint_named("lob")
    with pytest.raises(UserError, match="no model 'gpt'; it has llama, qwen"):
        endpoint_named("lab").check_model("gpt")
    with pytest.raises(UserError, match="Name the model"):
        endpoint_named("lab").check_model(" ")


@pytest.mark.parametrize(
    "wrong",
    [
        "lab", "lab=", "=http://x", "lab=ftp://x/v1", "lab=http://", "lab=http://u:p@x/v1", "lab=http://x/?a=b",
        "lab=http://x:99999/", "lab=http://x speed=1", "lab=http://x local=yes", f"{LAB};{LAB}", "a b=http://x",
        "lab=file:///etc/passwd",
    ],
)  # fmt: skip
def test_settings_that_cannot_be_read_are_a_sentence(named, wrong):
    named(wrong)
    with pytest.raises(UserError) as caught:
        endpoints()
    assert "RESTYLE_LANGUAGE_MODELS" in caught.value.where


@pytest.mark.parametrize("keys", ["sk-secret", "far=sk-secret", "=sk-secret"])
def test_keys_that_cannot_be_read_are_not_shown(named, keys):
    named(LAB, keys)
    with pytest.raises(UserError) as caught:
        endpoints()
    assert "secret" not in str(caught.value)
