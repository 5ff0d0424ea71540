"""MedLane's template, from a table of notes to the released files: translated, checked by two, translated again."""

import re

import pytest
from playwright.sync_api import expect
from support.template_crew import Crew, ended, hand_in, press
from support.template_texts import BLOOD_PRESSURE, CXR, HOSPITAL, LASIX, noteevents

from annotation.patient_language import addressed_text
from corpora.formats import FORMATS, TextFile

SOURCES = (CXR, LASIX, BLOOD_PRESSURE, HOSPITAL)
SPELLED = {
    CXR: {"CXR": "chest X-ray", "neg": "negative", "PNA": "pneumonia"},
    LASIX: {"Lasix": "furosemide"},
    BLOOD_PRESSURE: {"BP": "blood pressure"},
}
PLAIN = {
    CXR: "He had no fever, and the X-ray of his chest showed no infection of the lungs.",
    LASIX: "He had too much water in his body and was given a drug against it; at the end he could walk.",
    BLOOD_PRESSURE: "Her blood pressure was low in the morning, and her nurse gave her fluids through the arm.",
}  # that of the hospital needs no change
AGAIN = "He was not hot, and the X-ray of his chest showed healthy lungs."
TRAIN, TO_TEST = {CXR, LASIX}, {BLOOD_PRESSURE, HOSPITAL}  # as the seed draws them
pytestmark = pytest.mark.soak


def say_plainly(page, text):
    page.get_by_role("textbox", name="Say it in plain words").fill(text)
    said = page.get_by_label("In plain words, to the patient")
    expect(said).to_have_value(addressed_text(text))
    page.get_by_role("textbox", name="Say it in plain words").press("Alt+Enter")
    hand_in(page)


def translate(crew, page, stage, wanted):
    """The sentences of a stage: for training the plain form alone, else each abbreviation too."""
    crew.sit_down(page, stage, "write the abbreviations out")
    seen = set()
    for _ in wanted:
        source = next(one for one in SOURCES if page.get_by_text(one, exact=True).first.is_visible())
        seen.add(source)
        if source == HOSPITAL:
            press(page, "n")
            expect(page.get_by_label("In plain words, to the patient")).to_have_value(re.compile("^You were seen"))
            press(page, "Alt+Enter")
            hand_in(page)
            continue
        if stage == "translate-tune-test":
            for word, full in SPELLED[source].items():
                page.locator("[data-marking] [role=option]", has_text=word).first.click()
                page.keyboard.type(full)
                press(page, "Enter")
        say_plainly(page, PLAIN[source])
    ended(page)
    assert seen == wanted


def check(crew, page, stage, *verdicts):
    crew.sit_down(page, stage, "You see a sentence of a clinical note and what somebody made of it")
    assert "Tia Translator" not in page.content()
    for verdict in verdicts:
        press(page, verdict) if isinstance(verdict, str) else verdict(page)
        hand_in(page)
    ended(page)


def reject(page, note):
    press(page, "r", "2")
    page.get_by_label("Note").fill(note)


def translate_again(crew, page):
    crew.sit_down(page, "again-train", "one of two physicians rejected it")
    expect(page.locator(".said")).to_contain_text("afebrile is right")
    expect(page.locator(".rephrase-earlier")).to_contain_text(PLAIN[CXR])
    say_plainly(page, AGAIN)
    ended(page)


def test_medlane(new_page, web_server, celery_workers, tmp_path):
    crew = Crew(new_page, web_server.url, "medlane", "Plain notes", credentials=("mimic-iii",))
    crew.import_documents(noteevents(tmp_path / "NOTEEVENTS.csv"), "noteevents", "2 documents with 6", "clinical")
    crew.decide_flags("d")
    crew.select("medlane", "clinical-plain", "test")
    crew.expect_next("Split the texts")
    crew.split("random", 50, 25, 25, seed=3)
    cleared, md = {"credentials": ("mimic-iii",)}, {"credentials": ("mimic-iii", "md")}
    translator, outsider = crew.join("Tia Translator", **cleared), crew.join("Olaf Outside", credentials=("md",))
    physicians = [crew.join(name, **md) for name in ("Paula Physician", "Pavel Physician")]
    senior = crew.join("Selma Senior", **md)
    for page in (translator, *physicians, senior):
        crew.accept_terms(page)
    crew.expect_next("Translate the training sentences")
    crew.open("translate-train", "check-train", "again-train", "translate-tune-test", "check-tune-test")
    crew.refused(outsider, "translate-train", "mimic-iii")
    crew.refused(translator, "check-train", "md")
    translate(crew, translator, "translate-train", TRAIN)
    translate(crew, translator, "translate-tune-test", TO_TEST)
    check(crew, physicians[0], "check-train", "a", "a")
    check(crew, physicians[1], "check-train", lambda page: reject(page, "afebrile is right"), "a")
    for page in physicians:
        check(crew, page, "check-tune-test", "a", "a")
    translate_again(crew, senior)

    files = crew.release("medlane", "jsonl")
    trained = blocks(files["medlane-train.txt"])
    assert trained == [[CXR, AGAIN, addressed_text(AGAIN)], [LASIX, PLAIN[LASIX], addressed_text(PLAIN[LASIX])]]
    told = blocks(files["medlane-tune.txt"]) + blocks(files["medlane-test.txt"])
    by_source = {block[0]: block[1:] for block in told}
    assert by_source.keys() == TO_TEST
    first, second, third, fourth = by_source[BLOOD_PRESSURE]
    assert first == "1 " + BLOOD_PRESSURE.replace("BP", "BP[blood pressure]")
    assert second == f"2 {PLAIN[BLOOD_PRESSURE]}"
    assert third == "3 You had a low BP[blood pressure] in the morning and were given saline by your nurse."
    assert fourth == f"4 {addressed_text(PLAIN[BLOOD_PRESSURE])}"
    same, again, *_ = by_source[HOSPITAL]
    assert (same, again) == (f"1 {HOSPITAL}", f"1 {HOSPITAL}")
    for name in ("medlane-train.txt", "medlane-tune.txt", "medlane-test.txt"):
        rows = list(FORMATS["medlane"].read(TextFile(files[name], name)))
        assert b"".join(FORMATS["medlane"].write(rows)) == files[name]


def blocks(data):
    return [block.splitlines() for block in data.decode().strip().split("\n\n")]
