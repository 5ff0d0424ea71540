"""Numbers within bounds: what is taken, and the sentence for the rest."""

import math

import pytest

from foundation.bounds import number, whole_number
from foundation.errors import UserError


@pytest.mark.parametrize("value", [0, 10_081, True, 3.0, "3", None])
def test_what_is_no_whole_number_within_them_is_refused(value):
    with pytest.raises(UserError) as caught:
        whole_number(value, 1, 10_080, "minutes")
    assert str(caught.value) == f"minutes: Expected a whole number from 1 to 10080, found {value!r}."


@pytest.mark.parametrize("value", [-0.1, 1.01, math.nan, False, "0.5"])
def test_what_is_no_number_within_them_is_refused(value):
    with pytest.raises(UserError) as caught:
        number(value, 0.0, 1.0, "part")
    assert str(caught.value) == f"part: Expected a number from 0 to 1, found {value!r}."


def test_both_ends_are_within():
    assert [whole_number(value, 1, 3, "n") for value in (1, 3)] == [1, 3]
    assert [number(value, 0.0, 1.0, "n") for value in (0, 1.0)] == [0.0, 1.0]
