"""Rephrase and simplify: marked spans, plain words, and both said to the patient."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.task_data import PreviousStage
from annotation.task_types import TASK_TYPES, Material
from annotation.text_marks import segments_of, spans_of, written_out
from foundation.errors import UserError

KIND = TASK_TYPES["rephrase_simplify"]
SETTINGS = KIND.check_settings({})
ALONE = KIND.check_settings({"addressed": False})
SOURCE = "NSTEMI/CAD - history of 3V-CABG with only RCA graft still patent ."
CONTENT = {"source": SOURCE, "split": "test"}
TRAIN = {"source": SOURCE, "split": "train"}
SPANS = [
    {"start": 0, "end": 6, "full": "non-ST-elevation myocardial infarction"},
    {"start": 7, "end": 10, "full": "coronary artery disease"},
]
PLAIN = "heart attack/heart disease - history of heart bypass surgery with only right heart artery graft still patent ."
PATIENT = {"source": "Pt was on 2L NC in [**Hospital1 18**].", "split": "tune"}
CANNULA = {"start": 13, "end": 15, "full": "nasal cannula"}


def answer(**fields: object) -> dict[str, object]:
    return {"spans": SPANS, "simplified": PLAIN, **fields}


def refused(given: dict[str, object], said: str, where: str, content: dict[str, str] = CONTENT) -> None:
    with pytest.raises(UserError, match=said) as caught:
        KIND.check(given, content, SETTINGS)
    assert caught.value.where == where


def test_parts_of_a_token_are_marked_and_the_paper_s_bracket_form_comes_out() -> None:
    stored = KIND.parse({"work": json.dumps(answer())}, CONTENT, SETTINGS)
    (product,) = KIND.products(stored, CONTENT, SETTINGS)
    assert product["rephrased"][:3] == [
        {"text": "NSTEMI", "full": "non-ST-elevation myocardial infarction"},
        {"text": "/", "full": ""},
        {"text": "CAD", "full": "coronary artery disease"},
    ]
    assert product["rephrased_addressed"] == product["rephrased"]  # nothing names the patient: nothing to say
    assert (product["simplified"], product["simplified_addressed"]) == (PLAIN, PLAIN)
    assert KIND.check(stored, CONTENT, SETTINGS) == stored
    assert KIND.texts(stored, CONTENT) == (SOURCE, PLAIN)


@pytest.mark.parametrize(
    ("spans", "said"),
    [
        ([{"start": 0, "end": 6, "full": " "}], "is empty"),
        ([{"start": 0, "end": 6, "full": "NSTEMI"}], "the abbreviation itself"),
        ([{"start": 0, "end": 6, "full": "a\nb"}], "one line"),
        ([{"start": 0, "end": 6, "full": "[a]"}], "holds a bracket"),
        ([{"start": 0, "end": 6, "full": "x" * 201}], "more than 200"),
        ([{"start": 0, "end": 6, "full": "a"}, {"start": 5, "end": 8, "full": "b"}], "overlap"),
        ([{"start": 6, "end": 6, "full": "a"}], "within the sentence"),
        ([{"start": 60, "end": 90, "full": "a"}], "within the sentence"),
        ([{"start": -3, "end": 2, "full": "a"}], "within the sentence"),
        ([{"start": True, "end": 2, "full": "a"}], "within the sentence"),
        ([{"start": 10, "end": 11, "full": "a"}], "not with a space"),
        ([{"start": 0, "end": 6}, 3], "Expected a mark"),
        ("NSTEMI", "Expected a list"),
    ],
)
def test_a_wrong_mark_is_refused(spans: object, said: str) -> None:
    refused(answer(spans=spans), said, "spans")


def test_what_was_taken_out_of_the_text_is_no_abbreviation() -> None:
    start = PATIENT["source"].index("Hospital1")
    refused(answer(spans=[{"start": start, "end": start + 9, "full": "x"}]), "masked in the text", "spans", PATIENT)


@pytest.mark.parametrize(
    ("fields", "said", "where"),
    [
        ({"unchanged": True}, "but abbreviations are marked", "unchanged"),
        ({"unchanged": True, "spans": []}, "but there is another text", "simplified"),
        ({"unchanged": True, "final": True}, "choose one", "unchanged"),
        ({"final": True}, "but there is another text", "simplified"),
        ({"final": True, "spans": []}, "No abbreviation is written out", "final"),
        ({"simplified": ""}, "in plain words is empty", "simplified"),
        ({"simplified": SOURCE}, "say that it needs no change", "simplified"),
        ({"simplified": written_out(segments_of(SOURCE, SPANS))}, "cannot be simplified further", "simplified"),  # type: ignore[arg-type]
        ({"simplified": "x" * 2001}, "2001 characters", "simplified"),
        ({"simplified": 4}, "Expected text", "simplified"),
    ],
)
def test_what_contradicts_itself_is_refused(fields: dict[str, object], said: str, where: str) -> None:
    refused(answer(**fields), said, where)


def test_the_two_special_cases() -> None:
    unchanged = KIND.check({"unchanged": True}, CONTENT, SETTINGS)
    assert (unchanged["simplified"], unchanged["simplified_addressed"]) == (SOURCE, SOURCE)
    final = KIND.check({"spans": SPANS, "final": True}, CONTENT, SETTINGS)
    assert final["simplified"].startswith("non-ST-elevation myocardial infarction/coronary artery disease - history")


def test_a_training_sentence_has_the_last_form_alone() -> None:
    stored = KIND.check({"simplified": PLAIN}, TRAIN, SETTINGS)
    (product,) = KIND.products(stored, TRAIN, SETTINGS)
    assert (product["rephrased"], product["rephrased_addressed"], product["simplified"]) == ([], [], PLAIN)
    assert KIND.check({"unchanged": True}, TRAIN, SETTINGS)["simplified_addressed"] == SOURCE
    refused(answer(), "the last form only", "spans", TRAIN)


def test_what_is_said_to_the_patient_is_not_settled_by_silence() -> None:
    given: dict[str, object] = {"spans": [CANNULA], "simplified": "The patient was on oxygen."}
    refused(given, "say that it is right", "rephrased_addressed", PATIENT)
    offered = KIND.proposes({**given, "unchanged": False, "final": False}, PATIENT, SETTINGS)
    assert offered["simplified"] == "You were on oxygen."
    assert written_out(offered["rephrased"]) == "You were on 2L nasal cannula in [**Hospital1 18**]."
    given["rephrased_addressed"] = offered["rephrased"]
    refused(given, "say that it is right", "simplified_addressed", PATIENT)
    given["simplified_addressed"] = "You got oxygen."
    stored = KIND.check(given, PATIENT, SETTINGS)
    assert (stored["rephrased_addressed"], stored["simplified_addressed"]) == (offered["rephrased"], "You got oxygen.")
    refused({**given, "said": {"rephrased_addressed": True}}, "say that it is right", "simplified_addressed", PATIENT)
    assert KIND.check(given, PATIENT, ALONE)["rephrased_addressed"] == []


def test_the_pieces_said_to_the_patient_hold_only_what_was_marked() -> None:
    pieces = [{"text": "You had ", "full": ""}, {"text": "CT", "full": "a scan"}]
    given = {"spans": [CANNULA], "simplified": "The patient was on oxygen.", "rephrased_addressed": pieces}
    refused(given, "was not marked", "rephrased_addressed", PATIENT)


def test_build_keeps_the_split_and_no_dictionary_unless_it_may_be_seen() -> None:
    concept = {"start": 0, "end": 6, "term": "NSTEMI", "cui": "C1", "definition": "a heart attack", "names": []}
    material = [Material(4, SOURCE, concepts=[concept], split="train")]
    (item,) = KIND.build(material, SETTINGS, 1)
    assert (item.key, item.content) == (4, {"source": SOURCE, "split": "train"})
    seen = KIND.check_settings({"hidden_dictionary": False})
    (item,) = KIND.build(material, seen, 1)
    assert KIND.present(item.content, seen, [])["concepts"] == [concept]
    assert KIND.present(item.content, SETTINGS, [])["concepts"] == []


def test_a_rejected_one_is_made_again_beside_the_earlier_one() -> None:
    (product,) = KIND.products(KIND.check(answer(), CONTENT, SETTINGS), CONTENT, SETTINGS)
    said = {"verdict": "reject", "reason": "It is not in the other style", "note": ""}
    before = PreviousStage(product, "verify", {"content": CONTENT}, {}, said, "rejected")
    content = KIND.follow(before, SETTINGS)
    assert content == {**CONTENT, "earlier": product, "said": {"reason": "It is not in the other style"}}
    assert json.loads(KIND.present(content, SETTINGS, [])["state"])["simplified"] == ""
    filled = KIND.check_settings({"prefill_earlier": True})
    state = json.loads(KIND.present(content, filled, [])["state"])
    assert (state["spans"], state["simplified"], state["said"]) == (SPANS, PLAIN, {})
    assert KIND.follow(before._replace(takes="accepted"), SETTINGS) == CONTENT
    assert KIND.follow(before._replace(product={"kind": "pair"}), SETTINGS) is None


def test_a_control_item_compares_the_marks_and_the_special_case() -> None:
    stored = KIND.check(answer(), CONTENT, SETTINGS)
    assert KIND.agrees(stored, stored, CONTENT, SETTINGS) == 1
    assert KIND.agrees(stored, {"spans": SPANS[:1]}, CONTENT, SETTINGS) == pytest.approx((1 + 2 / 3) / 2)
    assert KIND.agrees(stored, {"unchanged": True}, CONTENT, SETTINGS) == 0


@pytest.mark.parametrize("wrong", [{"max_lenght": 3}, {"max_full": 0}, {"addressed": 1}, {"hidden_dictionary": "no"}])
def test_a_wrong_setting_is_named(wrong: dict[str, object]) -> None:
    with pytest.raises(UserError) as caught:
        KIND.check_settings(wrong)
    assert caught.value.where == next(iter(wrong))


@st.composite
def marked(draw: st.DrawFn) -> tuple[str, list[dict[str, object]]]:
    """A text of any letters, and marks in it that do not overlap."""
    source = draw(st.text(alphabet="aé𝒳/ .[*", min_size=1, max_size=30))
    cuts = sorted(draw(st.sets(st.integers(0, len(source)), max_size=8)))
    pairs = list(zip(cuts[::2], cuts[1::2], strict=False))
    return source, [{"start": start, "end": end, "full": "full form"} for start, end in pairs]


@given(marked())
def test_segments_join_to_the_source_and_give_the_marks_back(case: tuple[str, list[dict[str, object]]]) -> None:
    source, spans = case
    segments = segments_of(source, spans)  # type: ignore[arg-type]
    assert "".join(segment["text"] for segment in segments) == source
    assert spans_of(segments) == spans


json_values = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["start", "end", "full", "text"]), inner)
    ),
    max_leaves=8,
)
KEYS = ["spans", "simplified", "rephrased_addressed", "simplified_addressed", "unchanged", "final", "said"]


@given(st.dictionaries(st.sampled_from(KEYS), json_values))
def test_any_json_is_refused_with_a_sentence_and_a_draft_never_fails(state: dict[str, object]) -> None:
    form = {"work": json.dumps(state)}
    draft = KIND.partial(form, PATIENT, SETTINGS)
    json.dumps(draft).encode()
    KIND.proposes(draft, PATIENT, SETTINGS)
    assert KIND.partial({"work": json.dumps(draft)}, PATIENT, SETTINGS) == draft
    KIND.present(PATIENT, SETTINGS, [], draft)
    try:
        stored = KIND.parse(form, PATIENT, SETTINGS)
    except UserError:
        return
    assert KIND.check(stored, PATIENT, SETTINGS) == stored


@pytest.mark.parametrize("work", ["", "[", "[]", "3", "[" * 100_000])
def test_what_is_no_object_is_refused(work: str) -> None:
    with pytest.raises(UserError):
        KIND.parse({"work": work}, CONTENT, SETTINGS)
    assert KIND.partial({"work": work}, CONTENT, SETTINGS)["spans"] == []
