"""Terms that readers do not know, each with what is done with it and what replaces it."""

import json

import pytest

from annotation.task_types import TASK_TYPES, Material
from annotation.task_types.terms import replaced
from foundation.errors import UserError

TERMS = TASK_TYPES["terms"]
SETTINGS = TERMS.check_settings({})
SOURCE = "Acute dyspnea and edema were treated with furosemide i.v."
CONTENT = {"source": SOURCE}


def mark(term, kind, words=""):
    start = SOURCE.index(term)
    return {"side": "source", "start": start, "end": start + len(term), "kind": kind, "severity": "", "reason": words}


MARKS = [mark("dyspnea", "Substitute", "shortness of breath"), mark("edema", "Explain", "swelling"),
         mark("furosemide", "Generalize", "a water pill"), mark(" i.v", "Omit")]  # fmt: skip
TEXT = "Acute shortness of breath and edema (swelling) were treated with a water pill."


def test_a_sentence_is_written_with_its_replacements():
    answer = TERMS.check({"marks": MARKS}, CONTENT, SETTINGS)
    assert answer == {"marks": MARKS, "none": False, "text": TEXT}
    assert TERMS.parse({"work": json.dumps({"marks": MARKS, "none": False})}, CONTENT, SETTINGS) == answer
    (product,) = TERMS.products(answer, CONTENT, SETTINGS)
    assert (product["kind"], product["text"], len(product["terms"])) == ("rewrite", TEXT, 4)
    assert TERMS.check(answer, CONTENT, SETTINGS) == answer
    assert not TERMS.judges()


def test_a_sentence_without_hard_terms_stays():
    answer = TERMS.check({"marks": [], "none": True}, CONTENT, SETTINGS)
    assert answer["text"] == SOURCE
    with pytest.raises(UserError, match="nothing to mark"):
        TERMS.check({"marks": []}, CONTENT, SETTINGS)


@pytest.mark.parametrize(("marks", "said"), [
    ([mark("dyspnea", "Substitute")], "Write what replaces “dyspnea”"),
    ([mark("dyspnea", "Omit", "x")], "“dyspnea” is omitted"),
    ([mark("dyspnea", "", "x")], "Choose what kind"), ([mark("dyspnea", "Other", "x")], "Choose what kind"),
    ([mark("dyspnea and edema", "Explain", "x"), mark("edema", "Explain", "y")], "“edema” overlaps"),
    ([{**mark("dyspnea", "Explain", "x"), "side": "output"}], "does not lie within its text"),
])  # fmt: skip
def test_what_is_no_replacement_is_refused(marks, said):
    with pytest.raises(UserError, match=said) as refused:
        TERMS.check({"marks": marks}, CONTENT, SETTINGS)
    assert refused.value.where == "marks"


def test_a_draft_keeps_open_terms_and_the_page_has_the_source_alone():
    draft = TERMS.partial({"work": json.dumps({"marks": [mark("edema", "")]})}, CONTENT, SETTINGS)
    assert draft == {"marks": [mark("edema", "")], "none": False}
    shown = TERMS.present(CONTENT, SETTINGS, [], draft)
    assert [one["side"] for one in shown["sides"]] == ["source"]
    assert json.loads(shown["state"])["marks"] == draft["marks"]
    assert TERMS.texts(draft, CONTENT) == (SOURCE, SOURCE)
    assert [one.content for one in TERMS.build([Material(1, SOURCE, [], [])], SETTINGS, 1)] == [CONTENT]


def test_terms_agree_by_their_characters():
    one, other = ({"marks": [mark("dyspnea", kind, "x")]} for kind in ("Explain", "Substitute"))
    assert TERMS.agrees(one, other, CONTENT, SETTINGS) == 1
    assert TERMS.agrees(one, {"marks": []}, CONTENT, SETTINGS) == 0
    assert list(TERMS.decisions(one, CONTENT, SETTINGS).values()).count("yes") == 1


def test_marks_that_overlap_in_a_draft_are_written_once():
    assert replaced("a b c", [mark("Acute", "Substitute", "x") | {"start": 0, "end": 3},
                              mark("Acute", "Substitute", "y") | {"start": 2, "end": 5}]) == "x c"  # fmt: skip
