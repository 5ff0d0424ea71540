"""PLABA's template, from abstracts to the released file: screened, adapted by who knows the topic, checked."""

import json

import pytest
from playwright.sync_api import expect
from support.template_crew import Crew, ended, hand_in, press
from support.template_texts import ABSTRACTS, written

from corpora.formats import FORMATS, TextFile

pytestmark = pytest.mark.soak


def screen(crew, page):
    crew.sit_down(page, "screen", "You see a question")
    press(page, "y")
    page.keyboard.type("back pain")
    press(page, "Tab")
    page.keyboard.type("treat")
    press(page, "Escape", "c", "i", "i", "i", "o")
    expect(page.locator("[data-chosen]")).to_have_text("3 of 10 chosen")
    hand_in(page)
    press(page, "n")
    hand_in(page)
    ended(page)


def retyped(page, number, text):
    expect(page.get_by_label(f"Sentence {number}, target 1")).to_be_focused()
    press(page, "Control+a")
    page.keyboard.type(text)


def adapt(crew, page):
    crew.sit_down(page, "adapt", "sentence by sentence")
    press(page, "w")
    retyped(page, 1, "We wanted to know if walking helps against back pain.")
    press(page, "Alt+ArrowDown", "t")
    retyped(page, 2, "People walked every day.")
    page.get_by_label("Sentence 2, target 2").fill("They had less pain. Their feet were sore.")
    press(page, "Escape", "j", "c", "d", "2")
    expect(page.locator("[data-decided]")).to_have_text("4 of 4 decided")
    hand_in(page)
    press(page, "w")
    retyped(page, 1, "Backs hurt if one sits for long.")
    hand_in(page)
    press(page, "w")
    retyped(page, 1, "Other shoes are a must.")
    hand_in(page)
    ended(page)


def check(crew, page):
    crew.sit_down(page, "check", "Read the plain text alone first")
    expect(page.locator(".product")).to_contain_text("We wanted to know")
    assert "Ann Adapter" not in page.content()
    press(page, "a")
    hand_in(page)
    press(page, "e")
    target = page.get_by_label("Sentence 1, target 1")
    expect(target).to_have_value("Backs hurt if one sits for long.")
    target.fill("Sitting for long can make your back hurt.")
    hand_in(page)
    press(page, "r", "2")
    page.get_by_label("Note").fill("The shoes did not help.")
    page.get_by_label("Note").press("Escape")
    hand_in(page)
    ended(page)


def test_plaba(new_page, web_server, celery_workers, tmp_path):
    crew = Crew(new_page, web_server.url, "plaba", "Plain abstracts")
    file = written(tmp_path / "abstracts.jsonl", ABSTRACTS)
    crew.import_documents(file, "documents_jsonl", "5 documents with 9 sentences are in", "technical")
    crew.expect_next("Decide on likely identifiers")
    crew.decide_flags("d")
    crew.split("question", 70, 15, 15)
    expert, adapter = crew.join("Sam Screener"), crew.join("Ann Adapter", topics=["Backs"])
    lungs, checker = crew.join("Lu Lungs", topics=["lungs"]), crew.join("Cleo Checker", topics=["backs", "lungs"])
    crew.expect_next("Choose questions and abstracts")
    crew.open("screen")
    screen(crew, expert)
    crew.expect_next("Adopt the screening")
    crew.press_on_campaign("screen", "Adopt the screening", "Adopt the screening")
    crew.expect_next("Adapt the abstracts")
    crew.open("adapt", "check")
    crew.refused(expert, "adapt", "name the topics that you know well")
    crew.refused(lungs, "adapt", "You have done all items that you can do here")
    adapt(crew, adapter)
    crew.refused(adapter, "check", "You have done all items that you can do here")
    check(crew, checker)
    crew.expect_next("Release the gold")

    files = crew.release("plaba", "jsonl")
    (name,) = [one for one in files if one.startswith("plaba")]
    told = json.loads(files[name])
    assert list(told) == ["1"]
    question = told["1"]
    assert (question["question"], question["question_type"]) == (ABSTRACTS[0]["question"]["text"], "C")
    assert question["90000001"]["abstract"] == {str(n): text for n, text in enumerate(ABSTRACTS[0]["sentences"], 1)}
    assert question["90000001"]["adaptations"] == {"adaptation1": {
        "1": "We wanted to know if walking helps against back pain.",
        "2": "People walked every day. They had less pain. Their feet were sore.",
        "3": "Most people felt better after six weeks.",
        "4": "",
    }}  # fmt: skip
    assert question["90000002"]["adaptations"] == {
        "adaptation1": {"1": "Sitting for long can make your back hurt."}
    }  # fmt: skip
    assert set(question) == {"question", "question_type", "90000001", "90000002"}
    read = list(FORMATS["plaba"].read(TextFile(files[name], name)))
    assert [row.product["code"] for row in read] == ["90000001", "90000002"]
    rows = [json.loads(line) for line in files["gold.jsonl"].splitlines()]
    made = [row for row in rows if row["kind"] == "adaptation"]
    assert [len(row["annotators"]) for row in made] == [2, 2]
    assert len({person for row in rows for person in row["annotators"]}) == 3
    assert b"Read the plain text alone first" in files["GUIDELINES.md"]
