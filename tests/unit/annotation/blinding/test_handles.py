"""What a browser gets in place of keys."""

import pytest
from scipy.stats import kstest, spearmanr

from annotation.blinding import Kind, handle_of, key_of

KEYS = [1, 2, 255, 256, 10**6, 2**31, 2**63 - 1]


@pytest.mark.parametrize("kind", Kind)
@pytest.mark.parametrize("key", KEYS)
def test_a_handle_gives_its_key_back_to_its_own_person(kind, key):
    handle = handle_of(kind, key, 7)
    assert key_of(kind, handle, 7) == key
    assert handle == handle_of(kind, key, 7)


def test_a_handle_names_nothing_for_anybody_else_or_as_another_kind():
    handle = handle_of(Kind.ASSIGNMENT, 5, 7)
    assert {key_of(Kind.ASSIGNMENT, handle, other) for other in (1, 5, 8)} == {0}
    assert {key_of(kind, handle, 7) for kind in Kind if kind != Kind.ASSIGNMENT} == {0}


def test_a_handle_of_another_site_names_nothing(settings):
    handle = handle_of(Kind.ASSIGNMENT, 5, 7)
    settings.SECRET_KEY = "another secret of the right length, and quite unlike"
    assert key_of(Kind.ASSIGNMENT, handle, 7) == 0


def test_a_handle_with_any_one_digit_changed_names_nothing():
    handle = handle_of(Kind.ANSWER, 5, 7)
    spoilt = [f"{handle[:at]}{int(handle[at], 16) ^ 1:x}{handle[at + 1 :]}" for at in range(len(handle))]
    assert {key_of(Kind.ANSWER, one, 7) for one in spoilt} == {0}


@pytest.mark.parametrize("text", ["", "5", "0" * 32, "f" * 32, "F" * 32, "x" * 32, "0" * 33, "٣" * 32, "0" * 31 + "\n"])
def test_what_is_no_handle_names_nothing(text):
    assert key_of(Kind.ASSIGNMENT, text, 7) == 0


def test_handles_of_keys_in_a_row_tell_nothing_of_their_order(settings):
    """Each part of them is uniform, and none rises with the key; under one secret they are always the same."""
    settings.SECRET_KEY = "a secret of the tests, so that the handles are the same each time"
    handles = [handle_of(Kind.ASSIGNMENT, key, 7) for key in range(1, 2001)]
    assert len(set(handles)) == len(handles)
    assert {len(handle) for handle in handles} == {32}
    for at in range(0, 32, 8):
        parts = [int(handle[at : at + 8], 16) / 2**32 for handle in handles]
        assert kstest(parts, "uniform").pvalue > 0.001
        assert spearmanr(range(2000), parts).pvalue > 0.001
