"""What is said about a patient, said to the patient: rules that propose."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from annotation.patient_language import addressed, addressed_text, base, edits, joined


@pytest.mark.parametrize(
    ("about", "to"),
    [
        ("The patient was admitted and was given his usual medications.",
         "You were admitted and were given your usual medications."),
        ("She also had subjective shortness of breath.", "You also had subjective shortness of breath."),
        ("Pt denies fevers.", "You deny fevers."),
        ("he reports that his wife took him to the ED", "you report that your wife took you to the ED"),
        ("Her family said that she has a cough and is tired.", "Your family said that you have a cough and are tired."),
        ("We gave her the drug.", "We gave you the drug."),
        ("discussed with the patient and her family", "discussed with you and your family"),
        ("The patient's CXR was negative.", "Your CXR was negative."),
        ("Mr. [**Known lastname 12**] was intubated; he initially was on NC.",
         "You were intubated; you initially were on NC."),
        ("Ms. [**Known lastname 12**]'s labs were fine", "Your labs were fine"),
        ("She reaches out, hers is the bag, he hurt himself", "You reach out, yours is the bag, you hurt yourself"),
        ("The mother of the patient was called", "The mother of you was called"),
        ("he doesn’t smoke", "you don't smoke"),
        ("HE WAS WELL", "YOU WERE WELL"),
    ],
)  # fmt: skip
def test_the_patient_becomes_you_and_the_verb_agrees(about: str, to: str) -> None:
    assert addressed_text(about) == to


@pytest.mark.parametrize(
    "text",
    ["", "CXR was negative.", "PT was consulted and patient care improved.", "They were there."],
)
def test_what_names_no_patient_stays(text: str) -> None:
    assert addressed_text(text) == text


@pytest.mark.parametrize(
    ("verb", "plain"),
    [("denies", "deny"), ("uses", "use"), ("passes", "pass"), ("reaches", "reach"), ("aches", "ache"), ("goes", "go"),
     ("complains", "complain"), ("status", None), ("was", None), ("less", None), ("walked", None)],
)  # fmt: skip
def test_the_plain_form_of_a_verb(verb: str, plain: str | None) -> None:
    assert base(verb) == plain


def test_the_marks_stay_where_they_are_and_a_marked_patient_is_none_any_more() -> None:
    segments = [
        {"text": "The ", "full": ""}, {"text": "pt", "full": "patient"}, {"text": " was on ", "full": ""},
        {"text": "NC", "full": "nasal cannula"}, {"text": " for his ", "full": ""}, {"text": "SOB", "full": "his air"},
    ]  # fmt: skip
    assert addressed(segments) == [
        {"text": "You were on ", "full": ""}, {"text": "NC", "full": "nasal cannula"},
        {"text": " for your ", "full": ""}, {"text": "SOB", "full": "your air"},
    ]  # fmt: skip
    assert segments[0] == {"text": "The ", "full": ""}


words = st.sampled_from(["he", "She", "the patient", "pt", "her", "was", "has", "and", "denies", ".", "[**x**]", "É"])


@given(st.lists(words, max_size=12).map(" ".join))
def test_edits_never_overlap_and_segments_say_what_the_text_says(text: str) -> None:
    made = edits(text)
    assert all(one.end <= following.start for one, following in itertools.pairwise(made))
    middle = len(text) // 2
    pieces = joined([{"text": text[:middle], "full": ""}, {"text": text[middle:], "full": ""}])
    assert "".join(one["text"] for one in addressed(pieces)) == addressed_text(text)
