"""Checking what another person made."""

import pytest

from annotation.task_types import TASK_TYPES, PreviousStage
from foundation.errors import UserError

VERIFY = TASK_TYPES["verify"]
REWRITE = TASK_TYPES["rewrite"]
SETTINGS = VERIFY.check_settings({"reasons": ["Wrong meaning", "Not fluent"]})
PRODUCT = {"kind": "rewrite", "source": "gotta go", "text": "I have to go."}
BEFORE = PreviousStage(
    PRODUCT, "rewrite", {"source": "gotta go"}, REWRITE.check_settings({}), {"text": "I have to go."}
)


@pytest.fixture
def content():
    return VERIFY.follow(BEFORE, SETTINGS)


def checked(content, **answer):
    return VERIFY.check(answer, content, SETTINGS)


def refused(content, settings=SETTINGS, **answer):
    with pytest.raises(UserError) as caught:
        VERIFY.check(answer, content, settings)
    return caught.value.where


def test_it_shows_the_product_and_the_work_filled_in(content):
    shown = VERIFY.present(content, SETTINGS, [])
    assert shown["shown"] == "annotation/work/products/rewrite.html"
    assert shown["product"] == PRODUCT
    assert shown["editor"]["template"] == "annotation/work/rewrite.html"
    assert shown["editor"]["item"]["text"] == "I have to go."
    assert shown["said"] is None
    assert VERIFY.present(content, {**SETTINGS, "redo": False}, [])["editor"] is None


def test_a_draft_fills_in_the_verdict_and_the_work(content):
    form = {"verify-verdict": "redo", "verify-note": "a bit\x07 long", "text": "I must go"}
    draft = VERIFY.partial(form, content, SETTINGS)
    assert draft == {"verdict": "redo", "note": "a bit long", "answer": {"text": "I must go"}}
    shown = VERIFY.present(content, SETTINGS, [], draft)
    assert (shown["verdict"], shown["note"], shown["editor"]["item"]["text"]) == ("redo", "a bit long", "I must go")
    assert VERIFY.partial({}, content, {**SETTINGS, "redo": False}) == {}


def test_a_rejection_needs_a_reason_of_the_list(content):
    assert refused(content, verdict="reject") == "verify-reason"
    assert refused(content, verdict="reject", reason="Ugly") == "verify-reason"
    answer = checked(content, verdict="reject", reason="Not fluent", note=" see line 1 ")
    assert answer == {"verdict": "reject", "reason": "Not fluent", "note": "see line 1"}
    free = VERIFY.check({"verdict": "reject"}, content, VERIFY.check_settings({"reasons": []}))
    assert free == {"verdict": "reject", "reason": "", "note": ""}


def test_silence_is_no_verdict(content):
    assert refused(content) == "verify-verdict"
    assert refused(content, verdict="perhaps") == "verify-verdict"
    assert refused(content, verdict="accept", note="x" * 2001) == "verify-note"
    assert refused(content, verdict="redo") == "answer"
    assert refused(content, {**SETTINGS, "redo": False}, verdict="redo", answer={"text": "x"}) == "verify-verdict"


def test_a_redo_is_checked_by_the_kind_that_made_it(content):
    assert refused(content, verdict="redo", answer={"text": " "}) == "text"
    answer = checked(content, verdict="redo", answer={"text": " I must go. "})
    assert answer["answer"] == {"text": "I must go."}
    form = {"verify-verdict": "redo", "verify-reason": "Not fluent", "text": "I must go."}
    assert VERIFY.parse(form, content, SETTINGS) == answer
    again = {**PRODUCT, "text": "I must go."}
    assert list(VERIFY.products(answer, content, SETTINGS)) == [again]
    assert VERIFY.texts(answer, content) == ("gotta go", "I must go.")
    assert VERIFY.texts({"verdict": "accept"}, content) is None


def test_one_rejection_rejects_and_the_last_redo_stands(content):
    accept, reject = checked(content, verdict="accept"), checked(content, verdict="reject", reason="Not fluent")
    redo = [checked(content, verdict="redo", answer={"text": text}) for text in ("One.", "Two.")]
    assert VERIFY.settle([accept, accept], content, SETTINGS) == ("accepted", [PRODUCT])
    assert VERIFY.settle([redo[0], reject], content, SETTINGS) == ("rejected", [PRODUCT])
    assert VERIFY.settle([*redo, accept], content, SETTINGS) == ("accepted", [{**PRODUCT, "text": "Two."}])
    assert VERIFY.agrees(accept, {"verdict": "accept"}, content, SETTINGS) == 1.0
    assert VERIFY.agrees(reject, accept, content, SETTINGS) == 0.0


def test_a_check_of_a_check_is_about_the_work_itself(content):
    rejected = checked(content, verdict="reject", reason="Wrong meaning", note="who?")
    after = VERIFY.follow(PreviousStage(PRODUCT, "verify", content, SETTINGS, rejected, "rejected"), SETTINGS)
    assert after == {**content, "said": {"reason": "Wrong meaning", "note": "who?"}}
    redone = checked(content, verdict="redo", answer={"text": "I must go."})
    made = next(VERIFY.products(redone, content, SETTINGS))
    after = VERIFY.follow(PreviousStage(made, "verify", content, SETTINGS, redone), SETTINGS)
    assert (after["task"], after["answer"], after["product"]) == ("rewrite", {"text": "I must go."}, made)
    assert "said" not in after


def test_reasons_are_different_short_texts():
    for wrong in ("no list", [""], ["twice", "twice "], ["x" * 201], [3]):
        with pytest.raises(UserError) as caught:
            VERIFY.check_settings({"reasons": wrong})
        assert caught.value.where == "reasons"


def test_scripts_of_the_editors_come_along_only_where_it_may_be_redone():
    assert VERIFY.scripts({**SETTINGS, "redo": False}) == ["verify.js"]
    others = {script for name in TASK_TYPES.names() if name != "verify" for script in _scripts(TASK_TYPES[name])}
    assert set(VERIFY.scripts(SETTINGS)) == {"verify.js", *others}


def _scripts(kind):
    return kind.scripts(kind.check_settings({}))
