"""Rewrite: one visible line of text, kept in NFC; the same as the source only where that is meant."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.task_types import TASK_TYPES, Material, PreviousStage
from foundation.errors import UserError

REWRITE = TASK_TYPES["rewrite"]
SETTINGS = REWRITE.check_settings({})
CONTENT = {"source": "i dunno lol"}


def test_an_item_is_a_source() -> None:
    items = list(REWRITE.build([Material(4, "hey"), Material(9, "you")], SETTINGS, seed=1))
    assert [(item.key, item.content, item.part) for item in items] == [
        (4, {"source": "hey"}, 0),
        (9, {"source": "you"}, 0),
    ]
    assert REWRITE.order(CONTENT, 3, 1) == []


def test_the_text_is_kept_in_nfc_without_outer_space() -> None:
    answer = REWRITE.parse({"text": " I do not know, cafe\u0301.\r\n"}, CONTENT, SETTINGS)
    assert answer == {"text": "I do not know, caf\u00e9."}
    assert list(REWRITE.judgements(answer, CONTENT, SETTINGS)) == []


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "is empty"),
        (" \t ", "is empty"),
        ("\u200b", "is empty"),
        ("one\ntwo", "one line"),
        ("one\u2028two", "one line"),
        ("one\x00two", "control character"),
        ("one\x1b[31m", "control character"),
        ("one\ud800", "control character"),
        ("x" * 2001, "2001 characters"),
        ("i dunno lol", "same as the source"),
    ],
)
def test_what_is_not_one_line_of_text_is_refused(text: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        REWRITE.parse({"text": text}, CONTENT, SETTINGS)
    assert caught.value.where == "text"


@pytest.mark.parametrize("wrong", [None, 3, ["x"], {"a": 1}, True])
def test_an_answer_from_the_api_may_be_anything_and_is_refused(wrong: object) -> None:
    with pytest.raises(UserError, match="Expected text"):
        REWRITE.check({"text": wrong}, CONTENT, SETTINGS)


def test_unchanged_text_must_be_meant_and_allowed() -> None:
    form = {"text": "i dunno lol ", "unchanged": "on"}
    assert REWRITE.parse(form, CONTENT, SETTINGS) == {"text": "i dunno lol", "unchanged": True}
    with pytest.raises(UserError, match="change it"):
        REWRITE.parse(form, CONTENT, REWRITE.check_settings({"allow_unchanged": False}))
    assert REWRITE.parse({"text": "I dunno lol", "unchanged": "on"}, CONTENT, SETTINGS) == {"text": "I dunno lol"}


def test_emoji_with_joiners_and_other_scripts_are_text() -> None:
    for text in ("👩\u200d👩\u200d👧 ok", "नमस्ते", "مرحبا", "日本語\u3000です"):
        assert REWRITE.parse({"text": text}, CONTENT, SETTINGS) == {"text": text}


def test_a_draft_that_is_too_long_is_kept_whole() -> None:
    assert REWRITE.partial({"text": "x" * 9000}, CONTENT, SETTINGS) == {"text": "x" * 9000}


@given(st.text(alphabet=st.characters(), max_size=40))
def test_an_accepted_answer_is_accepted_again_and_a_draft_never_fails(text: str) -> None:
    draft = REWRITE.partial({"text": text}, CONTENT, SETTINGS)
    json.dumps(draft).encode()
    assert "\x00" not in draft["text"]
    try:
        answer = REWRITE.parse({"text": text}, CONTENT, SETTINGS)
    except UserError:
        return
    assert REWRITE.check(answer, CONTENT, SETTINGS) == answer
    answer["text"].encode()
    assert len(answer["text"].splitlines()) == 1


def test_the_page_shows_the_draft() -> None:
    page = REWRITE.present(CONTENT, SETTINGS, [], {"text": "I do", "unchanged": False})
    assert (page["source"], page["text"], page["max_length"]) == ("i dunno lol", "I do", 2000)
    assert REWRITE.present(CONTENT, SETTINGS, [])["text"] == ""


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"max_lenght": 3}, "max_lenght"),
        ({"max_length": 0}, "max_length"),
        ({"max_length": True}, "max_length"),
        ({"allow_unchanged": 1}, "allow_unchanged"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, object], where: str) -> None:
    with pytest.raises(UserError) as caught:
        REWRITE.check_settings(wrong)
    assert caught.value.where == where


def test_concepts_are_in_the_item_only_where_they_are_highlighted() -> None:
    concept = {"start": 0, "end": 7, "term": "Dyspnea", "cui": "C1", "definition": "", "names": ["SOB"]}
    material = [Material(4, "Dyspnea, dyspnea.", concepts=[concept, {**concept, "start": 9, "end": 16}])]
    assert next(REWRITE.build(material, SETTINGS, 1)).content == {"source": "Dyspnea, dyspnea."}
    assert REWRITE.scripts(SETTINGS) == []
    shown = REWRITE.check_settings({"highlight_concepts": True})
    content = next(REWRITE.build(material, shown, 1)).content
    assert len(content["concepts"]) == 2
    watched = json.loads(REWRITE.present(content, shown, [])["watched"])
    assert watched == [{"term": "Dyspnea", "names": ["SOB", "Dyspnea"]}]  # each concept once
    before = PreviousStage(
        {"kind": "rewrite", "source": "Dyspnea, dyspnea.", "text": "no"}, "rewrite", content, shown, {}
    )
    again = REWRITE.follow(before._replace(takes="rejected"), shown)
    assert again == {**content, "earlier": "no"}
    assert REWRITE.present(again, shown, [])["earlier"] == "no"
