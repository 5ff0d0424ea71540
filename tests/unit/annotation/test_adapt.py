"""Adapting an abstract: every sentence is decided, none is merged, and what does not fit is named by its sentence."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.patient_language import REASONS, RULES
from annotation.task_data import PreviousStage
from annotation.task_types import TASK_TYPES, DocumentMaterial, Text
from foundation.errors import UserError

ADAPT = TASK_TYPES["adapt"]
SETTINGS = ADAPT.check_settings({})
TEXTS = [
    "BACKGROUND: Myocardial infarction is common.",
    "Aspirin, which thins the blood, was given to 40 patients.",
    "Most people got well.",
    "P = 0.03.",
]
CONCEPT = {"start": 12, "end": 33, "term": "Myocardial infarction", "cui": "C0027051", "definition": "A heart attack."}
QUESTION = {"code": "1", "text": "What helps the heart?", "type": "C", "focus": "heart attack", "kind": "treatment"}


def material(**fields: Any) -> DocumentMaterial:
    sentences = [Text(10 + n, n, text) for n, text in enumerate(TEXTS, 1)]
    sentences[0] = sentences[0]._replace(concepts=[CONCEPT])
    return DocumentMaterial(7, "Aspirin", "12345", "hearts", sentences, QUESTION)._replace(**fields)


def content(settings: dict[str, Any] = SETTINGS) -> dict[str, Any]:
    return next(ADAPT.build([material()], settings, 1)).content


CONTENT = content()


def decision(number: int, operation: str, *targets: str, reason: str = "") -> dict[str, Any]:
    return {"number": number, "operation": operation, "targets": list(targets), "reason": reason}


def whole(**changed: Any) -> dict[str, Any]:
    """A whole answer; `s2=decision(...)` puts another decision in its place, and None takes it out."""
    rows = {
        "s1": decision(1, "rewritten", "Heart attacks are common."),
        "s2": decision(2, "split", "40 people took aspirin.", "It thins the blood."),
        "s3": decision(3, "kept", TEXTS[2]),
        "s4": decision(4, "dropped", reason="Only statistics"),
    }
    return {"sentences": [one for one in {**rows, **changed}.values() if one]}


def parse(answer: Any, settings: dict[str, Any] = SETTINGS) -> dict[str, Any]:
    return ADAPT.parse({"work": json.dumps(answer)}, CONTENT, settings)


def test_an_item_holds_the_abstract_with_its_question() -> None:
    (item,) = ADAPT.build([material()], SETTINGS, 1)
    assert (item.key, item.part, item.topic) == (7, 0, "hearts")
    assert item.content["question"] == QUESTION
    assert [one["text"] for one in item.content["sentences"]] == TEXTS
    assert item.content["sentences"][0]["concepts"] == [CONCEPT]
    plain = ADAPT.check_settings({"highlight_concepts": False})
    assert "concepts" not in content(plain)["sentences"][0]


def test_what_was_screened_out_and_what_is_empty_is_no_item() -> None:
    assert not list(ADAPT.build([material(chosen=False), material(sentences=[])], SETTINGS, 1))
    assert len(list(ADAPT.build([material(chosen=True), material(chosen=None)], SETTINGS, 1))) == 2


def test_a_whole_adaptation_is_stored_and_makes_its_product() -> None:
    answer = parse(whole())
    assert answer == whole()
    (product,) = ADAPT.products(answer, CONTENT, SETTINGS)
    assert (product["kind"], product["title"], product["code"]) == ("adaptation", "Aspirin", "12345")
    assert [one["text"] for one in product["sentences"]] == TEXTS
    assert product["sentences"][1]["targets"] == ["40 people took aspirin.", "It thins the blood."]
    assert ADAPT.texts(answer, CONTENT) == (
        " ".join(TEXTS),
        "Heart attacks are common. 40 people took aspirin. It thins the blood. Most people got well.",
    )


def test_the_answer_is_in_the_order_of_the_abstract_and_carries_over_the_source_itself() -> None:
    given = whole(s3=decision(3, "kept", "something else", reason="none"))
    given["sentences"].reverse()
    assert parse(given) == whole()


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"s2": None}, "Sentence 2: it is not decided yet"),
        ({"s2": decision(2, "")}, "Sentence 2: it is not decided yet"),
        ({"s2": decision(2, "merged", "x")}, "Sentence 2: expected one of kept, rewritten, split, dropped."),
        ({"s2": decision(2, "split", "One.")}, "Sentence 2: a split needs two"),
        ({"s2": decision(2, "split", "One.", " ")}, "Sentence 2: the rewrite is empty"),
        ({"s2": decision(2, "split", *["x"] * 21)}, "Sentence 2: expected a list of at most 20"),
        ({"s2": decision(2, "rewritten", "One.", "Two.")}, "Sentence 2: a rewrite is one sentence"),
        ({"s2": decision(2, "rewritten", TEXTS[1] + " ")}, "Sentence 2: the rewrite is the same"),
        ({"s2": decision(2, "rewritten", "One.\nTwo.")}, "Sentence 2: the rewrite must be one line"),
        ({"s2": decision(2, "rewritten", "x" * 1001)}, "Sentence 2: a target has 1001 characters"),
        ({"s2": {"number": 2, "operation": "rewritten", "targets": "x"}}, "Sentence 2: expected a list"),
        ({"s2": {"number": 2, "operation": "rewritten", "targets": [3]}}, "Sentence 2: expected text"),
        ({"s4": decision(4, "dropped")}, "Sentence 4: say why"),
        ({"s4": decision(4, "dropped", reason="No time")}, "Sentence 4: this reason is not"),
    ],
)
def test_what_is_missing_or_wrong_is_named_by_its_sentence(changed: dict[str, Any], said: str) -> None:
    with pytest.raises(UserError, match=said) as caught:
        parse(whole(**changed))
    assert caught.value.where == f"sentence-{said[9]}"


def test_the_first_undecided_sentence_is_the_one_that_is_named() -> None:
    with pytest.raises(UserError) as caught:
        parse(whole(s3=None, s2=None))
    assert caught.value.where == "sentence-2"


@pytest.mark.parametrize(
    "wrong",
    [
        None, 3, {"sentences": 3}, {"sentences": [3]}, {"sentences": [*whole()["sentences"], decision(2, "kept")]},
        {"sentences": [*whole()["sentences"], decision(9, "kept")]}, {"sentences": [{"number": "2"}]},
    ],
)  # fmt: skip
def test_an_answer_that_is_none_is_refused(wrong: Any) -> None:
    with pytest.raises(UserError):
        parse(wrong)
    with pytest.raises(UserError, match="reload the page"):
        ADAPT.parse({"work": "[[["}, CONTENT, SETTINGS)


def test_dropping_everything_is_no_adaptation() -> None:
    dropped = {f"s{n}": decision(n, "dropped", reason="Only statistics") for n in range(1, 5)}
    with pytest.raises(UserError, match="no text is left"):
        parse(whole(**dropped))


def test_the_reason_is_written_where_the_guideline_lists_none() -> None:
    free = ADAPT.check_settings({"reasons": []})
    given = whole(s4=decision(4, "dropped", reason=" Of no use. "))
    assert parse(given, free)["sentences"][3]["reason"] == "Of no use."
    with pytest.raises(UserError, match="the reason has 501"):
        parse(whole(s4=decision(4, "dropped", reason="x" * 501)), free)


def test_the_page_has_the_rules_with_their_examples_and_what_was_typed() -> None:
    draft = ADAPT.partial(
        {"work": json.dumps({"sentences": [decision(2, "split", "40 people", "")]})}, CONTENT, SETTINGS
    )
    page = ADAPT.present(CONTENT, SETTINGS, [], draft)
    assert len(page["rules"]) == len(RULES) == 9
    assert all(one["rule"] and one["example"] for one in page["rules"])
    assert json.loads(page["state"])["sentences"][1] == decision(2, "split", "40 people", "")
    assert json.loads(page["state"])["sentences"][0] == decision(1, "")
    assert page["reasons"] == list(REASONS)
    json.dumps(page)


KEYS = st.sampled_from(["sentences", "number", "operation", "targets", "reason"])
LEAVES = st.none() | st.booleans() | st.integers() | st.text(max_size=5)
ANYTHING = st.recursive(LEAVES, lambda one: st.lists(one, max_size=3) | st.dictionaries(KEYS, one, max_size=5))


@given(ANYTHING)
def test_a_draft_never_fails_and_shows_on_the_page(anything: Any) -> None:
    for written in (json.dumps(anything), json.dumps({"sentences": [anything]}), str(anything)):
        draft = ADAPT.partial({"work": written}, CONTENT, SETTINGS)
        assert "\\u0000" not in json.dumps(draft)
        assert len(json.loads(ADAPT.present(CONTENT, SETTINGS, [], draft)["state"])["sentences"]) == 4
        ADAPT.texts(draft, CONTENT)


def test_a_rejected_adaptation_is_done_again_with_the_earlier_beside_it() -> None:
    (product,) = ADAPT.products(parse(whole()), CONTENT, SETTINGS)
    before = PreviousStage(product, "adapt", CONTENT, SETTINGS, whole(), "rejected")
    again = ADAPT.follow(before, SETTINGS)
    assert again is not None
    assert again["sentences"] == CONTENT["sentences"]
    assert again["earlier"] == whole()["sentences"]
    page = ADAPT.present(again, SETTINGS, [])
    assert page["sentences"][1]["earlier"] == whole()["sentences"][1]
    assert json.loads(page["state"])["sentences"][1] == decision(2, "")
    assert ADAPT.check(whole(), again, SETTINGS) == whole()
    assert ADAPT.follow(before._replace(product={"kind": "pair"}), SETTINGS) is None
    plain = ADAPT.follow(before._replace(task="verify", content={"sentences": "other"}), SETTINGS)
    assert plain is not None
    assert "concepts" not in plain["sentences"][0]


def test_a_control_item_agrees_by_the_share_of_equal_operations() -> None:
    given = parse(whole(s1=decision(1, "kept"), s2=decision(2, "rewritten", "40 people took a blood thinner.")))
    assert ADAPT.agrees(given, whole(), CONTENT, SETTINGS) == 0.5
    assert ADAPT.agrees(whole(), whole(), CONTENT, SETTINGS) == 1


@pytest.mark.parametrize(
    ("wrong", "where"),
    [
        ({"rule": []}, "rule"),
        ({"rules": "one"}, "rules"),
        ({"rules": [3]}, "rules"),
        ({"rules": [" "]}, "rules"),
        ({"rules": ["x" * 1001]}, "rules"),
        ({"rules": ["x"] * 41}, "rules"),
        ({"reasons": [""]}, "reasons"),
        ({"max_length": 0}, "max_length"),
        ({"highlight_concepts": 1}, "highlight_concepts"),
    ],
)
def test_a_wrong_setting_is_named(wrong: dict[str, Any], where: str) -> None:
    with pytest.raises(UserError) as caught:
        ADAPT.check_settings(wrong)
    assert caught.value.where == where
