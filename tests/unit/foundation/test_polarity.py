"""Which end of a scale is the better one."""

import pytest

from foundation.errors import UserError
from foundation.polarity import better_end, check_poles, undeclared

FORMALITY = ("informal", "formal")
CHAT = {"informal": "chat", "formal": "letter"}


@pytest.mark.parametrize(
    ("target", "meant", "better"),
    [
        ("formal", {}, True), ("informal", {}, False), (" Formal ", {}, True), ("formal-language", {}, None),
        ("letter", {}, None), ("letter", CHAT, True), ("chat", CHAT, False), ("formal", CHAT, None),
    ],
)  # fmt: skip
def test_the_better_end_is_the_style_that_the_direction_goes_to(target, meant, better):
    assert better_end(FORMALITY, target, meant) is better


def test_without_poles_it_is_the_same_in_every_direction():
    assert better_end(None, "informal", usual=True) is True
    assert better_end(None, "informal", usual=False) is False
    assert better_end(None, "informal", usual=None) is None


def test_poles_that_are_no_style_of_the_study_are_named():
    assert undeclared(FORMALITY, ["chat", "letter"]) == ["informal", "formal"]
    assert undeclared(FORMALITY, ["chat", "letter"], CHAT) == []
    assert undeclared(FORMALITY, ["Informal", "formal"]) == []
    assert undeclared(None, ["chat"]) == []


def test_what_poles_mean_is_a_style_of_the_study():
    assert check_poles({" Formal ": "LETTER"}, ["chat", "letter"]) == {"formal": "letter"}
    with pytest.raises(UserError, match="has no style 'post'; it has chat, letter"):
        check_poles({"formal": "post"}, ["chat", "letter"])
    with pytest.raises(UserError, match="A pole has a name"):
        check_poles({"": "chat"}, ["chat", "letter"])
