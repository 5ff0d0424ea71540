"""Rank: every candidate has a place, ties share the best one."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.task_types import TASK_TYPES, Material
from foundation.errors import UserError

RANK = TASK_TYPES["rank"]
SETTINGS = RANK.check_settings({})
CONTENT = {"source": "src", "references": ["ref"], "candidates": ["a", "b", "c"]}


@pytest.mark.parametrize(
    ("given_ranks", "stored"),
    [
        ([1, 2, 3], [1, 2, 3]),
        ([1, 1, 2], [1, 1, 3]),
        ([2, 3, 3], [1, 2, 2]),
        ([3, 3, 3], [1, 1, 1]),
        ([3, 1, 3], [2, 1, 2]),
    ],
)
def test_ties_share_the_best_place(given_ranks: list[int], stored: list[int]) -> None:
    form = {f"rank-{index}": str(rank) for index, rank in enumerate(given_ranks)}
    assert RANK.parse(form, CONTENT, SETTINGS) == {"ranks": stored}


@given(st.lists(st.integers(1, 6), min_size=6, max_size=6))
def test_the_stored_form_keeps_the_order_and_is_its_own_stored_form(ranks: list[int]) -> None:
    content = {**CONTENT, "candidates": list("abcdef")}
    stored = RANK.check({"ranks": ranks}, content, SETTINGS)["ranks"]
    assert RANK.check({"ranks": stored}, content, SETTINGS)["ranks"] == stored
    for one in range(6):
        assert stored[one] == 1 + sum(other < ranks[one] for other in ranks)


@pytest.mark.parametrize("wrong", ["", "0", "4", "x", "1.5", "²", "99999999"])
def test_a_rank_that_is_missing_or_none_is_named(wrong: str) -> None:
    with pytest.raises(UserError) as caught:
        RANK.parse({"rank-0": "1", "rank-1": wrong, "rank-2": "2"}, CONTENT, SETTINGS)
    assert caught.value.where == "rank-1"


@pytest.mark.parametrize("wrong", [None, {}, "123", [1, 2], [1, 2, True], [1, 2, 3.0], [1, 2, "3"]])
def test_ranks_of_another_shape_are_refused(wrong: object) -> None:
    with pytest.raises(UserError):
        RANK.check({"ranks": wrong}, CONTENT, SETTINGS)


def test_items_with_nothing_to_order_are_not_made() -> None:
    material = [Material(1, "s", (), ("same", "same ")), Material(2, "s", (), ("x", "y"))]
    assert [item.key for item in RANK.build(material, SETTINGS, seed=2)] == [2]


def test_the_page_shows_the_presented_order_and_the_draft() -> None:
    draft = RANK.partial({"rank-2": "1", "rank-0": "9", "rank-1": "x"}, CONTENT, SETTINGS)
    assert draft == {"ranks": [None, None, 1]}
    assert RANK.restored(draft, [2, 0, 1]) == {"ranks": [None, 1, None]}
    page = RANK.present(CONTENT, SETTINGS, [2, 0, 1], RANK.restored(draft, [2, 0, 1]))
    assert [(row["place"], row["text"], row["name"], row["value"]) for row in page["rows"]] == [
        (1, "c", "rank-0", None),
        (2, "a", "rank-1", None),
        (3, "b", "rank-2", 1),
    ]
    assert page["source"] == "src"
    assert page["references"] == []
    assert RANK.present(CONTENT, RANK.check_settings({"beside": "nothing"}), [0, 1, 2])["source"] == ""
    json.dumps(page)


def test_a_rank_is_a_judgement_of_each_text() -> None:
    assert list(RANK.judgements({"ranks": [1, 1, 3]}, CONTENT, SETTINGS)) == [
        ("a", "rank", 1),
        ("b", "rank", 1),
        ("c", "rank", 3),
    ]


def test_a_wrong_setting_is_named() -> None:
    with pytest.raises(UserError) as caught:
        RANK.check_settings({"beside": "reference"})
    assert caught.value.where == "beside"
    assert RANK.check_settings(SETTINGS) == SETTINGS


BEST = RANK.check_settings({"only_best": 2})
FIVE = {**CONTENT, "candidates": list("abcde")}


@pytest.mark.parametrize(
    ("given_ranks", "stored"),
    [
        (["2", "", "1", "", ""], [2, 3, 1, 3, 3]),
        (["1", "1", "", "", ""], [1, 1, 3, 3, 3]),
        (["1", "2", "2", "", ""], [1, 2, 2, 4, 4]),
    ],
)
def test_texts_without_a_place_share_the_one_after_the_best(given_ranks: list[str], stored: list[int]) -> None:
    answer = RANK.parse({f"rank-{index}": rank for index, rank in enumerate(given_ranks)}, FIVE, BEST)
    assert answer == {"ranks": stored}
    assert RANK.check(answer, FIVE, BEST) == answer


def test_fewer_than_the_best_that_are_asked_for_are_named() -> None:
    with pytest.raises(UserError, match="Give the best 2 texts a place; 1 of them have one") as error:
        RANK.parse({"rank-0": "2"}, FIVE, BEST)
    assert error.value.where == "rank-1"


def test_the_page_gives_as_many_places_as_are_asked_for() -> None:
    shown = RANK.present(FIVE, BEST, [0, 1, 2, 3, 4], {"ranks": [2, 3, 1, 3, 3]})
    assert (shown["ranks"], shown["only_best"]) == ([1, 2], 2)
    assert [row["value"] for row in shown["rows"]] == [2, None, 1, None, None]
    assert RANK.present(CONTENT, RANK.check_settings({"only_best": 9}), [0, 1, 2])["only_best"] == 0
