"""Saying which kinds of edit or error a text shows."""

import json

import pytest

from annotation.task_types import TASK_TYPES, Material, PreviousStage
from foundation.errors import UserError

LABEL = TASK_TYPES["label"]
SETTINGS = LABEL.check_settings({"labels": ["Paraphrase", "Punctuation", "Capitalization"]})
CONTENT = {"source": "gotta go", "text": "I have to go."}
MATERIAL = Material(5, "gotta go", ["I have to go.", "I must go.", "I have to go. "], ["Gotta go", "gotta go", ""])


def refused(**answer):
    with pytest.raises(UserError) as caught:
        LABEL.check(answer, CONTENT, SETTINGS)
    return caught.value.where


def texts(of, seed=1):
    return [one.content["text"] for one in LABEL.build([MATERIAL], LABEL.check_settings({"of": of}), seed)]


def test_the_papers_labels_are_the_defaults():
    assert LABEL.check_settings({})["labels"][0] == "Phrasal paraphrase"
    assert "Meaning is changed" in LABEL.check_settings({"of": "outputs"})["labels"]
    for wrong in ({"of": "people"}, {"labels": []}, {"labels": ["a", "a"]}):
        with pytest.raises(UserError) as caught:
            LABEL.check_settings(wrong)
        assert caught.value.where == next(iter(wrong))


def test_each_distinct_text_is_an_item():
    assert sorted(texts("references")) == ["I have to go.", "I must go."]
    assert sorted(texts("outputs")) == ["Gotta go", "gotta go"]  # case is an edit too
    assert texts("stage") == []
    parts = [(one.key, one.part) for one in LABEL.build([MATERIAL], SETTINGS, 1)]
    assert parts == [(5, 0), (5, 1)]


def test_the_seed_draws_the_order_and_equal_seeds_draw_it_equally():
    assert texts("references", 3) == texts("references", 3)
    assert len({tuple(texts("references", seed)) for seed in range(20)}) == 2


def test_it_follows_a_rewrite_alone():
    product = {"kind": "rewrite", "source": "gotta go", "text": "I have to go."}
    assert LABEL.follow(PreviousStage(product, "rewrite", {}, {}, {}), SETTINGS) == CONTENT
    assert LABEL.follow(PreviousStage({"kind": "pair"}, "align", {}, {}, {}), SETTINGS) is None


def test_none_of_these_is_said_and_not_left_out():
    assert refused() == "labels"
    assert refused(labels=["Paraphrase"], none=True) == "labels"
    assert refused(labels=["Spelling"]) == "labels"
    assert refused(labels="Paraphrase") == "labels"
    assert refused(none=True, note="x" * 2001) == "label-note"
    assert LABEL.check({"none": True}, CONTENT, SETTINGS) == {"labels": [], "none": True, "note": ""}


def test_labels_stand_in_the_order_of_the_list():
    form = {"work": json.dumps({"labels": ["Punctuation", "Paraphrase"], "none": False}), "label-note": " both "}
    answer = {"labels": ["Paraphrase", "Punctuation"], "none": False, "note": "both"}
    assert LABEL.parse(form, CONTENT, SETTINGS) == answer
    assert LABEL.check(answer, CONTENT, SETTINGS) == answer
    assert next(LABEL.products(answer, CONTENT, SETTINGS)) == {**CONTENT, "kind": "labels", "labels": answer["labels"]}


def test_a_draft_keeps_what_fits_and_fills_the_page():
    form = {"work": '{"labels": ["Punctuation", "Spelling"], "none": true}', "label-note": "as yet "}
    draft = LABEL.partial(form, CONTENT, SETTINGS)
    assert draft == {"labels": ["Punctuation"], "none": False, "note": "as yet "}
    shown = LABEL.present(CONTENT, SETTINGS, [], draft)
    assert json.loads(shown["state"]) == {"labels": ["Punctuation"], "none": False}
    assert shown["note"] == "as yet "
    assert LABEL.partial({"work": "{"}, CONTENT, SETTINGS) == {"labels": [], "none": False, "note": ""}


def test_agreement_is_f1_over_labels():
    def agrees(*labels):
        return LABEL.agrees({"labels": list(labels)}, {"labels": ["Paraphrase", "Punctuation"]}, CONTENT, SETTINGS)

    assert agrees("Paraphrase", "Punctuation") == 1.0
    assert agrees("Paraphrase") == pytest.approx(2 / 3)
    assert agrees() == 0.0
    assert LABEL.agrees({"labels": []}, {"labels": []}, CONTENT, SETTINGS) == 1.0
