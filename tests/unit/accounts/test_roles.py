import pytest

from accounts.authentication import digest_of, new_secret
from accounts.permissions import Role, role_rank


def test_every_role_stands_below_the_one_before():
    assert [role_rank(role) for role in Role] == [4, 3, 2, 1, 0]
    assert role_rank("admin") > role_rank("researcher")


def test_an_unknown_role_stands_nowhere():
    with pytest.raises(ValueError, match="king"):
        role_rank("king")


def test_a_digest_is_the_sha_256():
    assert digest_of("abc") == "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"


def test_a_secret_fits_into_an_address_and_is_never_the_same():
    secrets = {new_secret() for _ in range(100)}
    assert len(secrets) == 100
    assert all(len(secret) == 43 and secret.replace("-", "").replace("_", "").isalnum() for secret in secrets)
