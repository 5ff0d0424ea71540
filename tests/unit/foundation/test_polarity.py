"""Which end of a scale is the better one."""

import pytest

from foundation.errors import UserError
from foundation.polarity import OPPOSITES, better_end, check_poles, ends_of_styles, said_ends, undeclared

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


@pytest.mark.parametrize(
    ("styles", "ends"),
    [
        (("technical", "plain"), {"simple": "plain", "complex": "technical"}),
        (("expert", "Lay"), {"simple": "Lay", "complex": "expert"}),
        (("simple", "complex"), {}), (("casual", "formal"), {"informal": "casual"}),
        (("informal", "formal"), {}), (("toxic", "neutral"), {}), (("toxic", "civil"), {"neutral": "civil"}),
        (("technical", "plain", "lay"), {}), (("chat", "letter"), {}), (("plain", "formal"), {}), (("plain", "x"), {}),
    ],
)  # fmt: skip
def test_ends_are_taken_from_the_pair_of_styles_where_both_names_say_them(styles, ends):
    """Two styles at one end, or one name that says nothing, leave it to somebody to say."""
    assert ends_of_styles(styles) == ends


def test_the_ends_of_a_labs_own_scale_are_said_by_other_names_of_the_same():
    assert said_ends(("plain", "technical"), ["lay", "expert"]) == {"plain": "lay", "technical": "expert"}
    assert said_ends(("Technical", "plain"), ["lay", "expert"]) == {"technical": "expert", "plain": "lay"}
    assert said_ends(("informal", "formal"), ["lay", "expert"]) == {}


@pytest.mark.parametrize(
    ("styles", "ends"),
    [
        (["Fachsprache", "Leichte Sprache"], {"simple": "Leichte Sprache", "complex": "Fachsprache"}),
        (["tóxico", "no-tóxico"], {"toxic": "tóxico", "neutral": "no-tóxico"}),
        (["familier", "soutenu"], {"informal": "familier", "formal": "soutenu"}),
        (["professionnel", "grand_public"], {"simple": "grand_public", "complex": "professionnel"}),
        (["מומחה", "הדיוט"], {"simple": "הדיוט", "complex": "מומחה"}),
        (["غير رسمي", "رسمي"], {"informal": "غير رسمي", "formal": "رسمي"}),
        (["专业", "通俗"], {"simple": "通俗", "complex": "专业"}),
        (["负面", "正面"], {"negative": "负面", "positive": "正面"}),
        (["gris", "azul"], {}),
    ],
)
def test_names_of_styles_say_it_in_the_languages_of_the_pages(styles, ends):
    assert ends_of_styles(styles) == ends


def test_no_name_stands_at_both_ends_of_one_thing():
    for low, high in OPPOSITES:
        assert not set(low) & set(high)
        assert [name for name in (*low, *high) if name != name.casefold() or "-" in name or "_" in name] == []


def test_the_ends_of_a_scale_keep_their_own_name():
    assert said_ends(("non-toxic", "toxic"), ["detoxified", "hateful"]) == {
        "non-toxic": "detoxified",
        "toxic": "hateful",
    }


def test_what_poles_mean_is_a_style_of_the_study():
    assert check_poles({" Formal ": "LETTER"}, ["chat", "letter"]) == {"formal": "letter"}
    with pytest.raises(UserError, match="has no style 'post'; it has chat, letter"):
        check_poles({"formal": "post"}, ["chat", "letter"])
    with pytest.raises(UserError, match="A pole has a name"):
        check_poles({"": "chat"}, ["chat", "letter"])
