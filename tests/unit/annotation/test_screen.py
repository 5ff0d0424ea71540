"""Screening questions and their abstracts: each is decided explicitly."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.task_types import TASK_TYPES, DocumentMaterial, QuestionMaterial, Text
from foundation.errors import UserError

SCREEN = TASK_TYPES["screen"]
SETTINGS = SCREEN.check_settings({})
FOUND = [DocumentMaterial(n, f"Abstract {n}", f"31{n}", "", [Text(n, 1, "Aspirin helps.")]) for n in (5, 6)]
MATERIAL = QuestionMaterial(3, "q3", "What helps the heart?", "hearts", FOUND)
CONTENT = next(SCREEN.build([MATERIAL], SETTINGS, 1)).content
WHOLE = {
    "chosen": True, "focus": "heart attack", "kind": "treatment", "type": "C", "documents": {"5": True, "6": False},
}  # fmt: skip


def parse(answer: Any, settings: dict[str, Any] = SETTINGS) -> dict[str, Any]:
    return SCREEN.parse({"work": json.dumps(answer)}, CONTENT, settings)


def test_an_item_is_a_question_with_the_abstracts_found_for_it() -> None:
    (item,) = SCREEN.build([MATERIAL], SETTINGS, 1)
    assert (item.key, item.topic) == (3, "hearts")
    assert [one["id"] for one in item.content["documents"]] == [5, 6]
    assert item.content["documents"][0]["sentences"] == [{"number": 1, "text": "Aspirin helps."}]


def test_a_chosen_question_is_coded_and_makes_its_product() -> None:
    answer = parse({**WHOLE, "focus": " heart attack "})
    assert answer == WHOLE
    assert list(SCREEN.products(answer, CONTENT, SETTINGS)) == [
        {
            "kind": "screening", "chosen": True, "focus": "heart attack", "question_kind": "treatment", "type": "C",
            "documents": {"5": True, "6": False},
        }
    ]  # fmt: skip


def test_a_question_that_is_left_out_needs_nothing_more() -> None:
    left = {"chosen": False, "focus": "", "kind": "", "type": "", "documents": {}}
    assert parse({**WHOLE, "chosen": False}) == left
    assert parse(left) == left


@pytest.mark.parametrize(
    ("changed", "where"),
    [
        ({"chosen": None}, "chosen"),
        ({"chosen": "yes"}, "chosen"),
        ({"focus": " "}, "focus"),
        ({"focus": "a\nb"}, "focus"),
        ({"focus": "x" * 201}, "focus"),
        ({"focus": 3}, "focus"),
        ({"kind": ""}, "kind"),
        ({"kind": "price"}, "kind"),
        ({"type": "X"}, "type"),
        ({"type": ["C"]}, "type"),
        ({"documents": {"6": True}}, "document-5"),
        ({"documents": {"5": True, "6": None}}, "document-6"),
        ({"documents": {"5": 1, "6": 0}}, "document-5"),
        ({"documents": None}, "document-5"),
        ({"documents": {"5": True, "6": True, "7": True}}, "documents"),
    ],
)
def test_what_is_undecided_is_named_by_its_place(changed: dict[str, Any], where: str) -> None:
    with pytest.raises(UserError) as caught:
        parse({**WHOLE, **changed})
    assert caught.value.where == where


def test_the_kind_is_written_where_the_settings_list_none() -> None:
    free = SCREEN.check_settings({"kinds": []})
    assert parse({**WHOLE, "kind": "price"}, free)["kind"] == "price"
    with pytest.raises(UserError, match="at most 100"):
        parse({**WHOLE, "kind": "x" * 101}, free)


def test_the_page_has_the_target_and_keys_that_nothing_else_has() -> None:
    settings = SCREEN.check_settings({"types": {"C": "clinical", "S": "social"}, "target": 7})
    page = SCREEN.present(CONTENT, settings, [], {"chosen": True, "documents": {"5": True}})
    assert (page["target"], [one["key"] for one in page["types"]]) == (7, ["c", ""])
    assert json.loads(page["state"]) == {
        "chosen": True, "focus": "", "kind": "", "type": "", "documents": {"5": True},
    }  # fmt: skip
    json.dumps(page)


KEYS = st.sampled_from(["chosen", "focus", "kind", "type", "documents", "5"])
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
ANYTHING = st.recursive(LEAVES, lambda one: st.lists(one, max_size=3) | st.dictionaries(KEYS, one, max_size=5))


@given(ANYTHING)
def test_a_draft_never_fails_and_shows_on_the_page(anything: Any) -> None:
    for written in (json.dumps(anything), str(anything)):
        draft = SCREEN.partial({"work": written}, CONTENT, SETTINGS)
        json.dumps(draft).encode()
        assert set(json.loads(SCREEN.present(CONTENT, SETTINGS, [], draft)["state"])["documents"]) <= {"5", "6"}


def test_a_control_item_agrees_by_the_share_of_equal_decisions() -> None:
    assert SCREEN.agrees(WHOLE, WHOLE, CONTENT, SETTINGS) == 1
    other = {**WHOLE, "kind": "cause", "documents": {"5": True, "6": True}}
    assert SCREEN.agrees(other, WHOLE, CONTENT, SETTINGS) == 0.6
    out = parse({"chosen": False})
    assert SCREEN.agrees(out, WHOLE, CONTENT, SETTINGS) == 0
    assert SCREEN.agrees(out, out, CONTENT, SETTINGS) == 1


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"kind": []}, "kind"),
        ({"kinds": "one"}, "kinds"),
        ({"kinds": ["x" * 101]}, "kinds"),
        ({"types": {}}, "types"),
        ({"types": {"CC": "clinical"}}, "types"),
        ({"types": {"C": ""}}, "types"),
        ({"types": ["C"]}, "types"),
        ({"target": -1}, "target"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(UserError) as caught:
        SCREEN.check_settings(wrong)
    assert caught.value.where == where
