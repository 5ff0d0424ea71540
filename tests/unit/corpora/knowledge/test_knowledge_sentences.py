"""Sentences: a table of cases, mostly of clinical notes, and what holds for every text."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.knowledge.sentences import split

# `|` stands where a sentence ends; the sentences are ours.
CASES = [
    "Her potassium was 3.4 and rose to 4.1.|She felt better.",
    "Compare drug A vs. placebo, e.g. aspirin, i.e. the old one.|It was cheap.",
    "Dr. Ruiz and Mrs. Chen came at 3 p.m. on the ward.|They left.",
    "He took metoprolol 12.5 mg b.i.d. and furosemide q.d. for edema.|He slept.",
    "Started on T.I.D. dosing.|The pt. denied pain.",
    "Pt. was seen in clinic.|Pts. were asked to wait.",
    "Aspirin was given p.o.|The patient tolerated it.",
    "It is 3 p.m.|The man left at 5 a.m. on Monday.",
    "J. R. Okafor wrote the note.|Nobody read it.",
    "He lives in the U.S. with his wife.|She works.",
    "S/p CABG x3.|EF 30%.|Cr. 1.4 (baseline 1.1).|No c/c/e.",
    "See Fig. 3 for approx. 5 cm.|No. 7 was seen.",
    "He was given 5 mg.|Patient slept.",
    "He was 65.|She was 70.",
    "Abd. soft, nontender.|Lungs clear.",
    "Mr. [**Known lastname 12**] is a 65 y.o. man.|He came to [**Hospital 1.2 St. Name**].|He is well.",
    "Seen on [**2101-10-2**].|Her WBC was 12.3.",
    'She said "I am fine."|Then she left.',
    "Infection with hepatitis C.|Higher doses were used.",
    "He quit on 1. Aspirin 81 mg.|2. Furosemide 20 mg.|3. Warfarin.",
    "Is it cancer?|No!|It is not.",
    "Reported by Moreau et al. in 2004.|The rest is known.",
    "The temperature was 98.6, the pH 7.2, the ratio 1.5:1.|All was well.",
    "A. fib with RVR.|E. coli grew.",
    "...and then he slept.|Good.",
]


@pytest.mark.parametrize("case", CASES)
def test_sentences_of_a_line(case):
    sentences = case.split("|")
    assert split(" ".join(sentences)) == sentences


@pytest.mark.parametrize("case", CASES)
def test_a_line_break_within_a_paragraph_does_not_matter(case):
    text = case.replace("|", " ")
    broken = text.replace(" ", "\n", 3) if not text[:1].isdigit() and "1. Asp" not in text else text
    assert split(broken) == split(text)


@pytest.mark.parametrize(
    ("text", "sentences"),
    [
        ("1. Aspirin 81 mg daily.\n2. Lisinopril 10 mg p.o. q.d.\n3. Warfarin", 3),
        ("Medications:\n1. Aspirin 81 mg daily\n2. Warfarin 5 mg", 3),
        ("- fever\n- cough\n- no rash", 3),
        ("# CHF: worse today.\n# CAD: stable.", 2),
        ("no full stop here\n\nnor here", 2),
        ("a line that is\r\nwrapped by Windows.\r\n\r\nAnother.", 2),
        ("His creatinine was\n1.4 on the day", 1),
        ("", 0),
        (" \n\n ", 0),
    ],
)
def test_lists_and_blank_lines(text, sentences):
    assert len(split(text)) == sentences


def test_the_number_of_an_item_stays_with_it():
    assert split("1. Aspirin 81 mg daily.\n2. Warfarin.") == ["1. Aspirin 81 mg daily.", "2. Warfarin."]


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_comparison_opens_no_bracket(language):
    assert split("p < 0.05 here. The others (n = 3) > 2. End.", language) == [
        "p < 0.05 here.", "The others (n = 3) > 2.", "End.",
    ]  # fmt: skip


def test_other_languages_have_their_own_rules():
    assert split("Er kam z. B. um 3 Uhr. Dann ging er.", "de") == ["Er kam z. B. um 3 Uhr.", "Dann ging er."]
    assert split("Los orales (ACOD), p. ej. apixabán, van bien. Otro.", "es") == [
        "Los orales (ACOD), p. ej. apixabán, van bien.", "Otro.",
    ]  # fmt: skip
    assert split("Acidosis láctica. MÉTODOS: Se vio.", "es-MX") == ["Acidosis láctica.", "MÉTODOS: Se vio."]
    assert split("Vino a las 5 p. m. y vio la pág. 4 y aprox. 3 mg. Salió.", "es") == [
        "Vino a las 5 p. m. y vio la pág. 4 y aprox. 3 mg.", "Salió.",
    ]  # fmt: skip
    assert split("Dio 5 mg. ¿Y bien? Va bien. Otro.", "es") == ["Dio 5 mg.", "¿Y bien?", "Va bien.", "Otro."]
    assert split("Wie Abb. 3 zeigt. Gut.", "de") == ["Wie Abb. 3 zeigt.", "Gut."]
    assert split("他没有服药。3月12日去看医生。", "zh") == ["他没有服药。", "3月12日去看医生。"]
    assert split("薬を飲まない！12日です。", "ja") == ["薬を飲まない！", "12日です。"]


@given(st.one_of(st.text(max_size=80), st.lists(st.sampled_from(CASES), max_size=3).map("\n".join)))
def test_nothing_but_white_space_is_lost(text):
    assert "".join("".join(split(text)).split()) == "".join(text.split())


WELL_FORMED = [sentence for case in CASES for sentence in case.split("|") if sentence[0].isalpha()]


@given(st.lists(st.sampled_from(WELL_FORMED), max_size=4))
def test_a_sentence_is_its_own_only_sentence_and_paragraphs_stand_apart(sentences):
    assert split("\n\n".join(sentences)) == sentences
