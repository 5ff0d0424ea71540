"""Pairing the sentences of a linked group."""

import json

import pytest

from annotation.task_types import TASK_TYPES, GroupMaterial, PreviousStage, Text
from foundation.errors import UserError

ALIGN = TASK_TYPES["align"]
SETTINGS = ALIGN.check_settings({})
DYSPNEA = {"start": 11, "end": 18, "term": "dyspnea", "cui": "C0013404", "definition": "Short of breath.", "names": []}
SOURCE = [
    Text(11, 1, "Many cause dyspnea.", "Symptoms", "很多会引起呼吸困难。", [DYSPNEA]),
    Text(12, 2, "Some cause chest pain.", "Symptoms"),
    Text(13, 3, "Percussion is dull.", "Signs"),
]
TARGET = [Text(21, 1, "Your chest may hurt.", "Symptoms"), Text(22, 2, "You may be short of breath.", "Symptoms")]
GROUP = GroupMaterial(7, "Pleural Effusion", "Symptoms", SOURCE, TARGET, "expert", "layman", "Lungs")
CROSSED = {"pairs": [{"source": [0], "target": [1]}, {"source": [1], "target": [0]}], "none": False}


@pytest.fixture
def content():
    return next(ALIGN.build([GROUP], SETTINGS, 1)).content


def refused(content, answer, settings=SETTINGS):
    with pytest.raises(UserError) as caught:
        ALIGN.check(answer, content, settings)
    return caught.value.sentence


def test_a_group_is_an_item_and_one_with_an_empty_side_is_none():
    items = list(ALIGN.build([GROUP, GROUP._replace(target=[])], SETTINGS, 1))
    assert [(item.key, item.part, item.topic) for item in items] == [(7, 0, "Lungs")]
    json.dumps(items[0].content)


def test_the_page_gets_both_columns_with_headings_and_translations(content):
    shown = ALIGN.present(content, SETTINGS, [])
    assert [column["style"] for column in shown["columns"]] == ["expert", "layman"]
    assert [one["heading"] for one in shown["columns"][0]["sentences"]] == ["Symptoms", "", "Signs"]
    assert shown["columns"][0]["sentences"][0]["translation"] == "很多会引起呼吸困难。"
    assert shown["translated"]
    assert "id" not in shown["columns"][0]["sentences"][0]
    assert shown["columns"][0]["sentences"][0]["concepts"] == []
    marked = ALIGN.present(content, {**SETTINGS, "highlight_concepts": True}, [])
    assert marked["columns"][0]["sentences"][0]["concepts"] == [DYSPNEA]
    assert json.loads(shown["state"]) == {"pairs": [], "none": False, "chosen": {"source": [], "target": []}}
    assert not ALIGN.present(content, {**SETTINGS, "show_translations": False}, [])["translated"]


def test_pairs_may_cross_and_hold_several_sentences(content):
    assert ALIGN.check(CROSSED, content, SETTINGS) == CROSSED
    many = {"pairs": [{"source": [1, 0, 1], "target": [1, 0]}]}
    assert ALIGN.check(many, content, SETTINGS) == {"pairs": [{"source": [0, 1], "target": [0, 1]}], "none": False}
    assert ALIGN.parse({"work": json.dumps(CROSSED)}, content, SETTINGS) == CROSSED


def test_nothing_is_decided_by_silence(content):
    for silent in ({}, {"work": ""}, {"work": "{}"}):
        with pytest.raises(UserError, match="nothing here is parallel"):
            ALIGN.parse(silent, content, SETTINGS)
    for broken in ({"work": "[1]"}, {"work": "{"}):
        with pytest.raises(UserError, match="could not be read"):
            ALIGN.parse(broken, content, SETTINGS)
    assert ALIGN.check({"none": True}, content, SETTINGS) == {"pairs": [], "none": True}
    assert "remove them" in refused(content, {**CROSSED, "none": True})
    half = {**CROSSED, "chosen": {"source": [2], "target": []}}
    assert "not paired" in refused(content, half)


def test_a_pair_has_sentences_that_are_there_on_both_sides(content):
    for pair in ({}, {"source": [0], "target": []}, {"source": [3], "target": [0]}, {"source": [True], "target": [0]}):
        assert "at least one sentence" in refused(content, {"pairs": [pair]})
    assert "list of pairs" in refused(content, {"pairs": "all"})


def test_a_sentence_stands_in_one_pair_unless_reuse_is_on(content):
    twice = {"pairs": [{"source": [0], "target": [0]}, {"source": [0], "target": [1]}], "none": False}
    assert "two pairs" in refused(content, twice)
    assert ALIGN.check(twice, content, {**SETTINGS, "reuse": True}) == twice
    same = {"pairs": [{"source": [0], "target": [0]}] * 2}
    assert "occurs twice" in refused(content, same, {**SETTINGS, "reuse": True})


def test_a_draft_keeps_what_fits(content):
    state = {**CROSSED, "none": True, "chosen": {"source": [2, 9], "target": [1, 0]}}
    state["pairs"] = [*state["pairs"], {"source": [0], "target": [0]}, "no pair"]
    draft = ALIGN.partial({"work": json.dumps(state)}, content, SETTINGS)
    assert draft == {**CROSSED, "chosen": {"source": [], "target": [0, 1]}}
    assert json.loads(ALIGN.present(content, SETTINGS, [], draft)["state"]) == draft
    nothing = {"pairs": [], "none": False, "chosen": {"source": [], "target": []}}
    for broken in ("", "3", '{"pairs": 3, "chosen": 3}'):
        assert ALIGN.partial({"work": broken}, content, SETTINGS) == nothing


def test_each_pair_is_a_product(content):
    made = list(ALIGN.products(CROSSED, content, SETTINGS))
    assert made[0] == {
        "kind": "pair", "title": "Pleural Effusion", "element": "Symptoms", "source": ["Many cause dyspnea."],
        "target": ["You may be short of breath."], "source_ids": [11], "target_ids": [22],
    }  # fmt: skip
    assert made[1]["source_ids"] == [12]
    assert list(ALIGN.products({"pairs": [], "none": True}, content, SETTINGS)) == []


def test_a_verification_opens_the_one_pair(content):
    verify = TASK_TYPES["verify"]
    second = list(ALIGN.products(CROSSED, content, SETTINGS))[1]
    follows = verify.follow(PreviousStage(second, "align", content, SETTINGS, CROSSED), verify.check_settings({}))
    assert follows["answer"] == {"pairs": [CROSSED["pairs"][1]], "none": False}
    again = {"verdict": "redo", "answer": {"pairs": [{"source": [1, 2], "target": [0]}]}}
    checked = verify.check(again, follows, verify.check_settings({}))
    assert [product["source_ids"] for product in verify.products(checked, follows, {})] == [[12, 13]]


def test_agreement_is_f1_over_links(content):
    def agrees(answer, expected=CROSSED):
        return ALIGN.agrees(answer, expected, content, SETTINGS)

    nothing = {"pairs": [], "none": True}
    assert agrees(CROSSED) == 1.0
    assert agrees(nothing) == 0.0
    assert agrees(nothing, nothing) == 1.0
    # Links found: (0,1), (2,1); wanted: (0,1), (1,0). One of two and one of two: F1 is 1/2.
    assert agrees({"pairs": [{"source": [0, 2], "target": [1]}], "none": False}) == 0.5
