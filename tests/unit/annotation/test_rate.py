"""Rate: all required criteria of every candidate, off-scale refused, and nothing told that raters must not know."""

import json
from typing import Any

import pytest

from annotation.task_types import TASK_TYPES, Material
from foundation.errors import UserError

RATE = TASK_TYPES["rate"]
SETTINGS = RATE.check_settings({"rate_reference": True})
CONTENT = {"source": "i dunno", "references": ["I do not know."], "candidates": ["I dunno .", "I do n't know ."]}
FORM = {
    "rating-0-formality": "-3",
    "rating-0-fluency": "1",
    "rating-0-meaning": "6",
    "rating-1-formality": "0",
    "rating-1-fluency": "5",
    "rating-1-meaning": "5",
}
RATINGS = [{"formality": -3, "fluency": 1, "meaning": 6}, {"formality": 0, "fluency": 5, "meaning": 5}]


def with_criteria(**criteria: dict[str, Any]) -> dict[str, Any]:
    return RATE.check_settings({"criteria": criteria})


def test_the_form_becomes_ratings_by_canonical_candidate() -> None:
    answer = RATE.parse(FORM, CONTENT, SETTINGS)
    assert answer == {"ratings": RATINGS}
    assert RATE.check(answer, CONTENT, SETTINGS) == answer
    assert list(RATE.judgements(answer, CONTENT, SETTINGS))[3:5] == [
        ("I do n't know .", "formality", 0),
        ("I do n't know .", "fluency", 5),
    ]


@pytest.mark.parametrize("field", sorted(FORM))
def test_a_rating_that_is_missing_or_off_the_scale_is_named(field: str) -> None:
    for broken in ({**FORM, field: "77"}, {**FORM, field: ""}, {key: FORM[key] for key in FORM if key != field}):
        with pytest.raises(UserError) as caught:
            RATE.parse(broken, CONTENT, SETTINGS)
        assert caught.value.where == field


@pytest.mark.parametrize(
    "ratings",
    [
        None,
        [],
        "xx",
        {},
        RATINGS[:1],
        [*RATINGS, {}],
        [RATINGS[0], None],
        [RATINGS[0], {**RATINGS[1], "fluency": True}],
    ],
)
def test_ratings_of_another_shape_are_refused(ratings: object) -> None:
    with pytest.raises(UserError):
        RATE.check({"ratings": ratings}, CONTENT, SETTINGS)


def test_an_unknown_criterion_is_refused() -> None:
    with pytest.raises(UserError, match="no such criterion") as caught:
        RATE.check({"ratings": [RATINGS[0], {**RATINGS[1], "humour": 3}]}, CONTENT, SETTINGS)
    assert caught.value.where == "rating-1-humour"


def test_an_optional_criterion_may_be_left_out() -> None:
    settings = with_criteria(fluency={"scale": "fluency_5"}, meaning={"scale": "meaning_6", "optional": True})
    content = {**CONTENT, "candidates": ["x"]}
    assert RATE.parse({"rating-0-fluency": "2"}, content, settings) == {"ratings": [{"fluency": 2}]}
    assert RATE.check({"ratings": [{"fluency": 2, "meaning": None}]}, content, settings) == {
        "ratings": [{"fluency": 2}]
    }


def test_a_draft_keeps_what_fits_and_fills_the_page_again() -> None:
    draft = RATE.partial({"rating-1-fluency": "4", "rating-0-meaning": "x", "other": "1"}, CONTENT, SETTINGS)
    assert draft == {"ratings": [{}, {"fluency": 4}]}
    stored = RATE.restored(draft, [1, 0])
    assert stored == {"ratings": [{"fluency": 4}, {}]}
    assert RATE.arranged(stored, [1, 0]) == draft
    page = RATE.present(CONTENT, SETTINGS, [1, 0], stored)
    values = {
        field["name"]: field["value"] for group in page["groups"] for row in group["rows"] for field in row["fields"]
    }
    assert values == dict.fromkeys(FORM) | {"rating-1-fluency": 4}


def test_the_page_groups_by_what_stands_beside_and_keeps_the_presented_order() -> None:
    settings = with_criteria(
        content={"scale": "likert_5"}, meaning={"scale": "meaning_6"}, formality={"scale": "formality_7"}
    )
    page = RATE.present(CONTENT, settings, [1, 0])
    assert [group["beside"] for group in page["groups"]] == ["nothing", "source", "source_and_reference"]
    assert [[one["name"] for one in group["criteria"]] for group in page["groups"]] == [
        ["formality"],
        ["meaning"],
        ["content"],
    ]
    assert [(row["place"], row["text"]) for row in page["groups"][0]["rows"]] == [
        (1, "I do n't know ."),
        (2, "I dunno ."),
    ]
    assert page["groups"][0]["criteria"][0]["levels"][0] == {"value": -3, "label": "Very Informal", "key": "-3"}
    assert page["references"] == CONTENT["references"]
    json.dumps(page)


def test_what_no_criterion_shows_does_not_reach_the_browser() -> None:
    blind = RATE.present(CONTENT, with_criteria(fluency={"scale": "fluency_5"}), [0, 1])
    assert (blind["source"], blind["references"]) == ("", [])
    page = RATE.present({**CONTENT, "expected": {"ratings": []}, "systems": ["NMT"]}, SETTINGS, [0, 1])
    assert page["references"] == []
    assert "expected" not in json.dumps(page)
    assert "NMT" not in json.dumps(page)


def test_items_hold_all_candidates_or_are_split() -> None:
    material = [Material(3, "src", ("ref",), ("a", " a ", "b", "c"))]
    whole = list(RATE.build(material, SETTINGS, seed=1))
    assert len(whole) == 1
    assert sorted(whole[0].content["candidates"]) == ["a", "b", "c", "ref"]
    single = list(RATE.build(material, {**SETTINGS, "outputs_per_item": 1}, seed=1))
    assert [item.part for item in single] == [0, 1, 2, 3]
    assert single == list(RATE.build(material, {**SETTINGS, "outputs_per_item": 1}, seed=1))


def test_over_items_and_slots_each_candidate_comes_first_equally_often() -> None:
    content = {**CONTENT, "candidates": list("abcd")}
    first = [RATE.order(content, item, assignment)[0] for item in range(8) for assignment in range(3)]
    assert [first.count(index) for index in range(4)] == [6, 6, 6, 6]
    assert sorted(RATE.order(content, 5, 2)) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"criteria": {}}, "criteria"),
        ({"criteria": 3}, "criteria"),
        ({"criteria": {"a b": {"scale": "likert_5"}}}, "criteria.0"),
        ({"criteria": {"x" * 61: {"scale": "likert_5"}}}, "criteria.0"),
        ({"criteria": {"x": "likert_5"}}, "criteria.x"),
        ({"criteria": {"x": {}}}, "criteria.x.scale"),
        ({"criteria": {"x": {"scale": "likert_9"}}}, "criteria.x.scale"),
        ({"criteria": {"x": {"scale": "likert_5", "besides": "source"}}}, "criteria.x.besides"),
        ({"criteria": {"x": {"scale": "likert_5", "beside": "all"}}}, "criteria.x.beside"),
        ({"criteria": {"x": {"scale": "likert_5", "beside": ["source"]}}}, "criteria.x.beside"),
        ({"criteria": [{"name": "x", "scale": "likert_5"}, {"name": "x", "scale": "likert_5"}]}, "criteria.x"),
        ({"outputs_per_item": -1}, "outputs_per_item"),
        ({"per_item": 2}, "per_item"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(UserError) as caught:
        RATE.check_settings(wrong)
    assert caught.value.where == where


def test_settings_are_stable_and_take_their_defaults_from_the_aspect() -> None:
    settings = with_criteria(
        grammaticality={"scale": "likert_5"},
        sentiment={"scale": "likert_5", "aspect": "style"},
        topic={"scale": "likert_5", "aspect": "meaning"},
    )
    assert RATE.check_settings(settings) == settings
    assert RATE.check_settings(json.loads(json.dumps(settings))) == settings
    assert {one["name"]: (one["beside"], one["label"]) for one in settings["criteria"]} == {
        "grammaticality": ("nothing", "Grammaticality"),
        "sentiment": ("nothing", "Sentiment"),
        "topic": ("source", "Topic"),
    }


def test_the_source_is_rated_alone_on_what_shows_no_source() -> None:
    """GYAFC's source has formality and fluency; its meaning would be rated against itself."""
    settings = RATE.check_settings({"rate_source": True})
    material = [
        Material(1, "i dunno", ["I do not know."], ["I dunno .", "No idea ."]),
        Material(2, "same", [], ["same", "other"]),
    ]
    items = list(RATE.build(material, settings, 1))
    assert [(item.key, item.part, sorted(item.content["candidates"])) for item in items] == [
        (1, 0, ["I dunno .", "No idea ."]),
        (1, 1, ["i dunno"]),
        (2, 0, ["other", "same"]),  # a copy is rated as the output that it is
    ]
    source = items[1].content
    (group,) = RATE.present(source, settings, [0])["groups"]
    assert [criterion["name"] for criterion in group["criteria"]] == ["formality", "fluency"]
    assert RATE.present(source, settings, [0])["source"] == ""
    answer = {"ratings": [{"formality": -3, "fluency": 1}]}
    assert RATE.check(answer, source, settings) == answer
    assert RATE.parse({"rating-0-formality": "-3", "rating-0-fluency": "1"}, source, settings) == answer
    with pytest.raises(UserError, match="no such criterion") as caught:
        RATE.check({"ratings": [{"formality": -3, "fluency": 1, "meaning": 6}]}, source, settings)
    assert caught.value.where == "rating-0-meaning"


def test_the_source_stands_among_the_outputs_where_no_criterion_shows_it() -> None:
    settings = RATE.check_settings({"criteria": {"formality": {"scale": "formality_7"}}, "rate_source": True})
    (item,) = RATE.build([Material(1, "i dunno", [], ["I dunno ."])], settings, 1)
    assert sorted(item.content["candidates"]) == ["I dunno .", "i dunno"]
    assert "criteria" not in item.content
