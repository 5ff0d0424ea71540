"""Sections of a clinical note; the note is made up."""

import pytest

from corpora.knowledge.notes import Section, sections

NOTE = """Admission Date:  [**2101-10-2**]

Service: MEDICINE

HISTORY OF PRESENT ILLNESS:  This is a 65 y.o. man with chest pain.
In the ED: BP 120/80 and HR 72.
Vitals: stable.

PAST MEDICAL HISTORY:
1. Hypertension.

Brief Hospital Course:
# CHF: he was given furosemide
and felt better.

Neuro: he was well.

Renal:
Creatinine fell.

Discharge Medications:
1. Aspirin 81 mg daily.
"""


def test_each_section_ends_at_the_next_heading():
    found = {section.title: section.text for section in sections(NOTE)}
    assert found["HISTORY OF PRESENT ILLNESS"].endswith("Vitals: stable.")
    assert found["PAST MEDICAL HISTORY"] == "1. Hypertension."
    assert found["Brief Hospital Course"] == (
        "# CHF: he was given furosemide\nand felt better.\n\nNeuro: he was well.\n\nRenal:\nCreatinine fell."
    )
    assert found["Discharge Medications"] == "1. Aspirin 81 mg daily."


def test_the_three_sections_of_medlane():
    assert [section.name for section in sections(NOTE) if section.name] == [
        "history of present illness",
        "brief hospital course",
    ]


@pytest.mark.parametrize(
    ("heading", "name"),
    [
        ("History of Present Illness:", "history of present illness"),
        ("history of present illness:", "history of present illness"),
        ("HPI:", "history of present illness"),
        ("HISTORY OF THE PRESENT ILLNESS", "history of present illness"),
        ("Brief Summary of Hospital Course:", "brief summary of hospital course"),
        ("BRIEF SUMMARY OF THE HOSPITAL COURSE :", "brief summary of hospital course"),
        ("Brief Hospital Course (by system):", "brief hospital course"),
        ("Hospital Diet:", ""),
    ],
)
def test_usual_ways_to_write_a_heading(heading, name):
    found = list(sections(f"Something first.\n\n{heading}\nHe came in.\n\nPlan:\nGo home."))
    assert [section.name for section in found] == ["", name, ""]
    assert found[1].text == "He came in."


def test_a_note_without_headings_is_one_section():
    assert list(sections("He came in. He left.")) == [Section("", "He came in. He left.")]
    assert list(sections("  ")) == []
