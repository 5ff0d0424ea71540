"""Best and worst: one of each, never the same, in tuples that share the texts out; +1, -1 and 0."""

import json

import pytest

from annotation.task_types import TASK_TYPES, Material
from foundation.errors import UserError

KIND = TASK_TYPES["best_worst"]
SETTINGS = KIND.check_settings({})
CONTENT = {"source": "src", "references": ["ref"], "candidates": ["a", "b", "c", "d"], "turn": 5}
ORDER = [2, 0, 3, 1]


def test_places_become_candidates_and_come_back() -> None:
    by_place = KIND.parse({"best": "1", "worst": " 4 "}, CONTENT, SETTINGS)
    assert by_place == {"best": 1, "worst": 4}
    stored = KIND.restored(by_place, ORDER)
    assert stored == {"best": 3, "worst": 2}
    assert KIND.arranged(stored, ORDER) == by_place
    assert list(KIND.judgements(stored, CONTENT, SETTINGS)) == [
        ("a", "best_worst", 0),
        ("b", "best_worst", -1),
        ("c", "best_worst", 1),
        ("d", "best_worst", 0),
    ]


@pytest.mark.parametrize(
    ("best", "worst", "where"),
    [
        (None, 1, "best"),
        (1, None, "worst"),
        (1, 1, "worst"),
        (0, 1, "best"),
        (5, 1, "best"),
        (True, 2, "best"),
        (1, 2.0, "worst"),
        ("1", 2, "best"),
        ([1], 2, "best"),
    ],
)
def test_what_is_missing_doubled_or_no_place_is_named(best: object, worst: object, where: str) -> None:
    with pytest.raises(UserError) as caught:
        KIND.check({"best": best, "worst": worst}, CONTENT, SETTINGS)
    assert caught.value.where == where


@pytest.mark.parametrize("wrong", ["", "x", "²", "0", "5", "1.0", "999999999"])
def test_a_field_that_holds_no_place_is_named(wrong: str) -> None:
    with pytest.raises(UserError) as caught:
        KIND.parse({"best": "1", "worst": wrong}, CONTENT, SETTINGS)
    assert caught.value.where == "worst"
    assert KIND.partial({"best": "1", "worst": wrong}, CONTENT, SETTINGS) == {"best": 1, "worst": None}


def test_the_page_shows_the_presented_order_and_the_draft_and_nothing_else() -> None:
    draft = KIND.restored(KIND.partial({"worst": "3"}, CONTENT, SETTINGS), ORDER)
    assert draft == {"best": None, "worst": 4}
    page = KIND.present(CONTENT, SETTINGS, ORDER, draft)
    rows = [(row["place"], row["text"], row["best"], row["worst"]) for row in page["rows"]]
    assert rows == [(1, "c", False, False), (2, "a", False, False), (3, "d", False, True), (4, "b", False, False)]
    assert (page["source"], page["references"]) == ("src", [])
    bare = KIND.present(CONTENT, KIND.check_settings({"beside": "nothing"}), ORDER)
    assert (bare["source"], "turn" in bare) == ("", False)
    json.dumps(page)


def test_tuples_hold_each_text_once_and_never_one_alone() -> None:
    for count in range(2, 14):
        texts = [f"text {number}" for number in range(count)]
        for size in (0, 2, 3, 4):
            settings = KIND.check_settings({"outputs_per_item": size})
            items = list(KIND.build([Material(1, "s", (), texts)], settings, seed=3))
            pages = [item.content["candidates"] for item in items]
            assert sorted(text for page in pages for text in page) == sorted(texts)
            assert min(map(len, pages)) >= 2
            assert [item.part for item in items] == list(range(len(items)))
    assert list(KIND.build([Material(1, "s", (), ["same", "same "])], SETTINGS, seed=3)) == []


def test_by_default_four_stand_together_and_the_seed_draws_them() -> None:
    material = [Material(key, "s", (), list("abcdefgh")) for key in range(20)]
    drawn = list(KIND.build(material, SETTINGS, seed=1))
    assert {len(item.content["candidates"]) for item in drawn} == {4}
    assert drawn == list(KIND.build(material, SETTINGS, seed=1))
    assert drawn != list(KIND.build(material, SETTINGS, seed=2))


def test_a_control_item_is_half_right_with_one_of_the_two() -> None:
    expected = {"best": 1, "worst": 4}
    said = [{"best": 1, "worst": 4}, {"best": 1, "worst": 2}, {"best": 4, "worst": 1}]
    assert [KIND.agrees(one, expected, CONTENT, SETTINGS) for one in said] == [1.0, 0.5, 0.0]
    assert KIND.span("best_worst", CONTENT, SETTINGS) == 2.0


@pytest.mark.parametrize(
    ("wrong", "where"),
    [({"outputs_per_item": 1}, "outputs_per_item"), ({"beside": "all"}, "beside"), ({"size": 3}, "size")],
)
def test_a_wrong_setting_is_named(wrong: dict[str, object], where: str) -> None:
    with pytest.raises(UserError) as caught:
        KIND.check_settings(wrong)
    assert caught.value.where == where
    assert KIND.check_settings(SETTINGS) == SETTINGS
