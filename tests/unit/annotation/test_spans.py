"""Marking spans of a text by a taxonomy."""

import json

import pytest

from annotation.span_taxonomies import TAXONOMIES
from annotation.task_types import TASK_TYPES, Material
from annotation.text_marks import overlap_f1, snapped, words_of
from foundation.errors import UserError

SPANS = TASK_TYPES["spans"]
CONTENT = {"source": "The pt has HTN.", "references": [], "candidates": ["The 🫀 patient has pressure."], "turn": 0}
PATIENT = {"side": "output", "start": 6, "end": 13}
HTN = {"side": "source", "start": 11, "end": 14}


def settings_of(**given):
    return SPANS.check_settings(given)


def refused(answer, **settings):
    with pytest.raises(UserError) as caught:
        SPANS.check(answer, CONTENT, settings_of(**settings))
    return caught.value.where


def made(mark, severity="", kind=""):
    return {**mark, "kind": kind, "severity": severity, "reason": ""}


def test_marks_are_gold_and_no_text_that_somebody_wrote():
    answer = {"marks": [made(PATIENT, "Minor")], "none": False, "ratings": [{"score": 70}]}
    (product,) = SPANS.products(answer, CONTENT, settings_of())
    texts = CONTENT["source"], CONTENT["candidates"][0]
    assert (product["kind"], product["source"], product["text"], product["marks"]) == ("marks", *texts, answer["marks"])
    assert list(SPANS.wrote(answer, CONTENT, settings_of())) == []
    assert (SPANS.judges(), SPANS.writes()) == (True, False)


def test_each_text_of_a_source_is_an_item():
    material = Material(5, "gotta go", ["I have to go."], ["Gotta go", "I must go.", "Gotta go"], [])
    contents = [one.content["candidates"] for one in SPANS.build([material], settings_of(), 1)]
    assert sorted(contents) == [["Gotta go"], ["I must go."]]


def test_settings_are_checked_once_and_again_and_hold_the_score_as_a_criterion():
    settings = settings_of()
    assert settings_of(**settings) == settings
    assert [one["name"] for one in settings["criteria"]] == ["score"]
    asked = settings_of(criteria={"fluency": {"scale": "fluency_5"}, "meaning": {"scale": "meaning_6"}})
    assert SPANS.asked(asked) == ["fluency", "meaning", "mqm", "mark"]
    assert settings_of(score=False)["criteria"] == []
    for wrong in ({"taxonomy": "none"}, {"score": "meaning_6"}, {"kinds": ["a", "a"]}, {"criteria_": 1}):
        with pytest.raises(UserError) as caught:
            settings_of(**wrong)
        assert caught.value.where == next(iter(wrong))


def test_an_answer_of_esa_has_marks_with_severities_and_a_score():
    settings = settings_of()
    answer = SPANS.check(
        {"marks": [{**PATIENT, "severity": "Major"}, {**HTN, "severity": "Minor"}], "ratings": [{"score": 70}]},
        CONTENT, settings,
    )  # fmt: skip
    assert answer["marks"] == [made(HTN, "Minor"), made(PATIENT, "Major")]
    assert SPANS.values(answer, CONTENT, settings) == [{"score": 70, "mqm": -6}]
    form = {"work": json.dumps({"marks": answer["marks"]}), "rating-0-score": "70"}
    assert SPANS.parse(form, CONTENT, settings) == answer
    shown = SPANS.present(CONTENT, settings, [0], answer)
    assert json.loads(shown["state"])["marks"] == answer["marks"]
    assert shown["rows"][0]["fields"][0]["value"] == 70
    assert [one.text or one.source for one in SPANS.said(answer, CONTENT, settings)][2:] == ["HTN", "patient"]


MINOR = {**PATIENT, "severity": "Minor"}


@pytest.mark.parametrize("wrong", [
    {"marks": [{**PATIENT, "severity": "Bad"}]}, {"marks": [PATIENT]}, {"marks": "all"}, {"none": 1}, {"marks": [7]},
    {"marks": [{**MINOR, "end": 99}]}, {"marks": [{**MINOR, "start": -1}]}, {"marks": [{**MINOR, "start": True}]},
    {"marks": [{**MINOR, "side": "x"}]}, {"marks": [{**MINOR, "end": 6}]}, {"marks": [MINOR] * 2},
    {"marks": [MINOR], "none": True}, {"marks": [MINOR] * 1001}, {"marks": [{**MINOR, "severity": ["Minor"]}]},
    {"marks": [{**MINOR, "kind": []}]},
])  # fmt: skip
def test_what_is_no_mark_is_refused_at_the_marks(wrong):
    assert refused({"ratings": [{"score": 1}], **wrong}) == "marks"


def test_without_a_score_that_nothing_is_wrong_is_said():
    settings = settings_of(score=False)
    assert refused({"marks": []}, score=False) == "marks"
    answer = SPANS.check({"marks": [], "none": True}, CONTENT, settings)
    assert answer == {"marks": [], "none": True, "ratings": [{}]}
    assert SPANS.check(answer, CONTENT, settings) == answer
    assert SPANS.parse({"work": '{"none": true}'}, CONTENT, settings) == answer
    assert SPANS.present(CONTENT, settings, [0], answer)["rows"] == []
    assert refused({"marks": [], "ratings": [{}]}) == "rating-0-score"


def test_a_kind_belongs_to_its_text_and_a_reason_is_kept_where_it_is_asked():
    omission = {**HTN, "severity": "Major", "kind": "Accuracy/Omission", "reason": " It is\tgone. "}
    assert refused({"marks": [{**omission, "kind": "Accuracy/Addition"}]}, taxonomy="mqm", score=False) == "marks"
    assert refused({"marks": [{**omission, "kind": ""}]}, taxonomy="mqm", score=False) == "marks"
    for reasons, kept in ((True, "It is gone."), (False, "")):
        settings = settings_of(taxonomy="mqm", score=False, ask_reasons=reasons)
        assert SPANS.check({"marks": [omission]}, CONTENT, settings)["marks"][0]["reason"] == kept
    own = settings_of(taxonomy="med_easi", kinds=["Register"], score=False)
    assert SPANS.check({"marks": [{**HTN, "kind": "Register"}]}, CONTENT, own)["marks"] == [made(HTN, kind="Register")]
    assert "mqm" not in SPANS.asked(own)


def test_a_draft_keeps_what_fits():
    settings = settings_of(taxonomy="mqm", ask_reasons=True)
    state = {"marks": [{**PATIENT, "severity": "Bad", "kind": "Other", "reason": "so\x00"}, {**HTN, "end": 99}, None]}
    draft = SPANS.partial({"work": json.dumps(state), "rating-0-score": "x"}, CONTENT, settings)
    assert draft == {
        "marks": [{**PATIENT, "kind": "Other", "severity": "", "reason": "so"}], "none": False, "ratings": [{}],
    }  # fmt: skip
    assert SPANS.present(CONTENT, settings, [0], draft)
    assert SPANS.partial({"work": "{"}, CONTENT, settings)["marks"] == []


# Costs by `score_mqm.py` of mt-metrics-eval (2024) with its own weights, one mark a row; the last two as in scores of
# WMT 2023. With these costs the published marks give all 5,980 published segment scores of English to German.
MQM = [
    ("Major", "Accuracy/Mistranslation", 5), ("Minor", "Fluency/Grammar", 1), ("Minor", "Fluency/Punctuation", 0.1),
    ("Major", "Fluency/Punctuation", 5), ("Major", "Non-translation!", 25), ("Minor", "Non-translation!", 1),
    ("Neutral", "Style/Unnatural or awkward", 0), ("Major", "Source issue", 0),
    ("Minor", "Accuracy/Creative reinterpretation", 0),
]  # fmt: skip


@pytest.mark.parametrize(("severity", "kind", "cost"), MQM)
def test_a_mark_costs_what_mqm_says(severity, kind, cost):
    assert TAXONOMIES["mqm"].cost({"severity": severity, "kind": kind}) == cost


def test_the_score_of_a_text_is_minus_the_sum_and_zero_without_a_mark():
    marks = [{"severity": severity, "kind": kind} for severity, kind, _ in MQM]
    assert TAXONOMIES["mqm"].score(marks) == pytest.approx(-37.1)
    assert str(TAXONOMIES["mqm"].score([])) == "0.0"


@pytest.mark.parametrize("name", TAXONOMIES)
def test_each_taxonomy_has_kinds_once_and_weights_of_what_it_knows(name):
    taxonomy = TAXONOMIES[name]
    names = [kind.name for kind in taxonomy.kinds]
    steps = [severity.name for severity in taxonomy.severities]
    assert len(set(names)) == len(names)
    assert names or steps
    for key in taxonomy.weights:
        step, _, kind = key.partition("/")
        assert step in steps
        assert not kind or kind in names


@pytest.mark.parametrize(("text", "words"), [
    ("हिन्दी में लिखा", ["हिन्दी", "में", "लिखा"]), ("שָׁלוֹם לך.", ["שָׁלוֹם", "לך", "."]), ("كَتَبَ", ["كَتَبَ"]),
    ("cafe\u0301 it's", ["cafe\u0301", "it's"]),
    ("snake_case", ["snake", "_", "case"]), ("by [**Dr. X**] now", ["by", "[**Dr. X**]", "now"]),
])  # fmt: skip
def test_words_are_those_that_the_page_marks_whatever_signs_their_letters_bear(text, words):
    assert [text[start:end] for start, end in words_of(text)] == words


def test_a_stretch_takes_whole_words_as_a_dragged_one_does():
    assert snapped("He walked home.", 5, 12) == (3, 14)
    assert snapped("He walked home.", 3, 7) == (3, 7)
    assert snapped("He walked home.", 2, 10) == (3, 9)


def test_words_and_marks_agree_by_characters():
    assert [CONTENT["candidates"][0][start:end] for start, end in words_of(CONTENT["candidates"][0])] == [
        "The", "🫀", "patient", "has", "pressure", ".",
    ]  # fmt: skip
    assert overlap_f1({"a": [(0, 4), (2, 6)]}, {"a": [(4, 8)]}) == pytest.approx(2 * 2 / (6 + 4))
    assert overlap_f1({"a": []}, {}) == 1
    assert overlap_f1({"a": [(0, 2)]}, {"b": [(0, 2)]}) == 0
    settings = settings_of()
    answer = {"marks": [made(PATIENT, "Major")], "none": False, "ratings": [{"score": 1}]}
    choices = SPANS.decisions(answer, CONTENT, settings)
    assert {place for place, choice in choices.items() if choice == "yes"} == {"output 3"}
    assert SPANS.agrees(answer, answer, CONTENT, settings) == 1


@pytest.mark.parametrize("name", ["mqm", "mark", "Mark", "output"])
def test_a_criterion_is_not_called_as_a_column_of_the_marks(name: str) -> None:
    with pytest.raises(UserError, match="have a column of this name already") as refused:
        settings_of(criteria={name: {"scale": "fluency_5"}})
    assert refused.value.where == f"criteria.{name}"
    assert settings_of(criteria={f"{name}_2": {"scale": "fluency_5"}})["criteria"][0]["name"] == f"{name}_2"
