"""Signatures as Standard Webhooks has them, and secrets that only the site's key opens."""

import base64

import pytest

from foundation.errors import UserError
from integrations.sealed import seal, unseal
from integrations.webhooks.signing import new_webhook_secret, signature, signed_headers


def test_the_signature_is_that_of_the_specifications_libraries():
    """The example of https://github.com/standard-webhooks/standard-webhooks, libraries/python/tests."""
    secret, body = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", b'{"test": 2432232314}'
    headers = signed_headers(secret, "msg_p5jXN8AQM9LWM0D4loKWxJek", 1614265330, body)
    assert headers == {
        "webhook-id": "msg_p5jXN8AQM9LWM0D4loKWxJek", "webhook-timestamp": "1614265330",
        "webhook-signature": "v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=",
    }  # fmt: skip


@pytest.mark.parametrize("other", [("m2", 5, b"{}"), ("m", 6, b"{}"), ("m", 5, b"{ }")])
def test_each_part_is_signed(other):
    secret = new_webhook_secret()
    assert len(base64.b64decode(secret.removeprefix("whsec_"))) == 32
    assert signature(secret, "m", 5, b"{}") != signature(secret, *other)


def test_a_secret_is_read_with_the_sites_key_or_a_former_one_and_with_no_other(settings):
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "one", []
    sealed = seal("whsec_x")
    assert "whsec_x" not in sealed
    assert unseal(sealed) == "whsec_x"
    settings.SECRET_KEY, settings.SECRET_KEY_FALLBACKS = "two", ["one"]
    assert unseal(sealed) == "whsec_x"
    settings.SECRET_KEY_FALLBACKS = []
    with pytest.raises(UserError, match="enter it again"):
        unseal(sealed)
