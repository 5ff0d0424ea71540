"""Texts for the templates' tests, all written for Restyle: nobody in them is real."""

import csv
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any


def written(path: Path, rows: Iterable[dict[str, Any]]) -> Path:
    """The rows as JSON lines."""
    path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def written_lines(path: Path, lines: Iterable[str]) -> Path:
    """A line each."""
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")
    return path


def _abstract(question: dict[str, str], code: str, title: str, topic: str, *sentences: str) -> dict[str, Any]:
    return {"code": code, "title": title, "topic": topic, "question": question, "sentences": list(sentences)}


BACK = {"code": "1", "text": "Does walking help against back pain?"}
COUGH = {"code": "2", "text": "Why do my neighbours cough at night?"}
ABSTRACTS = [
    _abstract(
        BACK, "90000001", "Walking for low back pain", "backs",
        "AIM: To evaluate ambulation as an intervention for chronic lumbago.",
        "Participants walked every day, which reduced the intensity of pain but caused sore feet.",
        "Most people felt better after six weeks.",
        "The mean difference was significant (95% CI 0.8 to 1.9; P = 0.004).",
    ),
    _abstract(
        BACK, "90000002", "Sitting and backs", "backs",
        "Prolonged sedentary behaviour was associated with lumbar discomfort.",
        "Correspondence to Dr. Jane Miller, telephone 555-123-4567.",
    ),
    _abstract(
        BACK, "90000003", "Shoes and backs", "backs",
        "Footwear modification did not ameliorate dorsalgia.",
    ),
    _abstract(
        BACK, "90000004", "Gait of rats", "backs",
        "The gait of rats was recorded on a treadmill.",
    ),
    _abstract(
        COUGH, "90000005", "Coughing at night", "lungs",
        "Nocturnal cough was recorded in apartment buildings.",
    ),
]  # fmt: skip


def _article(style: str, title: str, **sections: list[str]) -> dict[str, Any]:
    parts = [{"title": name.replace("_", " "), "sentences": texts} for name, texts in sections.items()]
    return {"style": style, "title": title, "topic": "lungs", "codes": ["511.9"], "sections": parts}


EXPERT = ["Pleural effusions often cause dyspnea and pleuritic chest pain.",
          "Percussion reveals dullness.",
          "Tactile fremitus is absent over the effusion."]  # fmt: skip
LAYMAN = ["Your chest may hurt when you breathe in deeply.",
          "Many people with fluid around the lung are short of breath.",
          "Doctors tap on the chest, and it sounds dull."]  # fmt: skip
MANUALS = [
    _article(
        "expert", "Pleural Effusion",
        Etiology=["Transudates result from altered hydrostatic pressure."],
        Symptoms_and_Signs=EXPERT,
        Treatment=["Thoracentesis relieves dyspnea."],
    ),
    _article(
        "layman", "Pleural effusion",
        How_it_feels=LAYMAN,
        Treatment=["A needle may be put in to draw the fluid off.", "Call 555-123-4567 for advice."],
    ),
    _article("layman", "Hiccups", Treatment=["Holding your breath may help."]),
]  # fmt: skip

NOTE_TEXT = """Admission Date: [**2150-3-1**]

History of Present Illness:
{present}

Brief Hospital Course:
{course}

Discharge Medications:
Aspirin
"""
CXR = "He was afebrile and his CXR was neg for PNA on arrival."
LASIX = "He was given Lasix for fluid overload and he was walking by the end."
BLOOD_PRESSURE = "She had a low BP in the morning and was given saline by her nurse."
HOSPITAL = "She was seen at [**Hospital1 18**] and then went home with antipyretics and a walker."
FLAGGED = "Seen by Dr. Peter Walsh for his chronic CHF and DM with the team."
PLAIN = "She slept well and she ate her breakfast with the family in the morning."
NOTES = [
    ("Discharge summary", NOTE_TEXT.format(present=f"{CXR} {FLAGGED}", course=LASIX)),
    ("Discharge summary", NOTE_TEXT.format(present=f"{PLAIN} {BLOOD_PRESSURE}", course=HOSPITAL)),
    ("Radiology", NOTE_TEXT.format(present="Nothing of this note is taken.", course="Stable.")),
]


def noteevents(path: Path) -> Path:
    """The notes as MIMIC-III's table of them."""
    columns = ["ROW_ID", "SUBJECT_ID", "HADM_ID", "CHARTDATE", "CATEGORY", "DESCRIPTION", "ISERROR", "TEXT"]
    with path.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(columns)
        for number, (category, text) in enumerate(NOTES, 1):
            table.writerow([number, 1, 1, "2150-03-01", category, "Report", "", text])
    return path


POSTS = [
    "gotta say this movie was sooo good",
    "they shld just play the old songs again",
    "i dunno why ppl hate on him so much",
    "that new singer is soooo overrated imho",
    "does any1 know the name of that song?",
    "go to www.example.org for all of it",
    "lol no",
]
