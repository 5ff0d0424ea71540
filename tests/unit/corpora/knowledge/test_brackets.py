import time

import pytest

from corpora.gold_records import segments
from corpora.knowledge.brackets import bracketed, without_abbreviations


@pytest.mark.parametrize(
    ("text", "plain", "forms"),
    [
        ("pt[patient] was given asa[acetylsalicylic acid] .", "patient was given acetylsalicylic acid .",
         ["patient", "acetylsalicylic acid"]),
        ("[myocardial infarction]/[coronary artery disease] - history", "myocardial infarction/coronary artery disease"
         " - history", ["myocardial infarction", "coronary artery disease"]),
        ("(pt[patient]) s/p[status post] b.i.d.[twice a day]", "(patient) status post twice a day",
         ["patient", "status post", "twice a day"]),
        ("the aml[leukemia] is aml[leukemia]", "the leukemia is leukemia", ["leukemia", "leukemia"]),
        ("w/[with]known bp[blood pressure]181/74, two mi[heart attack]s", "with known blood pressure 181/74, two heart"
         " attacks", ["with", "blood pressure", "heart attack"]),
        ("w/[with]nash[liver disease]", "with liver disease", ["with", "liver disease"]),
        ("with [ chest x-ray ]", "with chest x-ray", ["chest x-ray"]),
        ("on [**2150-3-1**] by dr.[**Name**] [] [ ]", "on [**2150-3-1**] by dr.[**Name**] [] [ ]", []),
        ("a]b[c", "a]b[c", []),
        ("no brackets", "no brackets", []),
        ("", "", []),
    ],
)  # fmt: skip
def test_brackets_are_taken_off(text, plain, forms):
    assert bracketed(text) == (plain, forms)
    assert bracketed(without_abbreviations(text)) == (plain, forms)


@pytest.mark.parametrize(("text", "alone"), [
    ("pt[patient] was given asa[aspirin].", "[patient] was given [aspirin]."),
    ("(pt[patient]) s/p[status post] with [chest x-ray]", "([patient]) [status post] with [chest x-ray]"),
    ("w/[with]nash[liver disease]", "[with] [liver disease]"),
    ("bp[blood pressure]181/74", "[blood pressure] 181/74"),
    ("on [**2150-3-1**] by hand", "on [**2150-3-1**] by hand"),
])  # fmt: skip
def test_brackets_stay_where_abbreviations_alone_are_left_out(text, alone):
    assert without_abbreviations(text) == alone


def test_it_finds_the_forms_that_the_format_reads():
    text = "was waken up after 10 minutes of pea[pulseless electrical activity] arrest , ct[computed tomography] chest"
    assert bracketed(text)[1] == [segment["full"] for segment in segments(text) if segment["full"]]
    assert bracketed(text)[0] == "".join(segment["full"] or segment["text"] for segment in segments(text))


@pytest.mark.parametrize("text", ["x" * 300_000, "[" * 300_000, "[ " * 99_000, "[" + " " * 99_000, "[" + "x " * 99_000])
def test_no_text_takes_long(text):
    began = time.process_time()
    assert bracketed(text) == (text, [])
    assert time.process_time() - began < 5
