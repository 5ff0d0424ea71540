"""Writing out abbreviations and saying a sentence plainly in a real browser, by keyboard alone."""

import json

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support import stage_items

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer, Draft
from annotation.task_types import TASK_TYPES, PreviousStage

SOURCE = "Pt was admitted to [**Hospital1 18**] with NSTEMI/CAD and was placed on 2L NC for his SOB ."
SECOND = "He had a set of surveillance blood cultures drawn last week, which were negative."
SENTENCE = "[data-marking]"
SPANS = ".rephrase-span"
SAVED = "[data-saved]"


@pytest.fixture
def work_at(page, web_server):
    """Open the work page of such a campaign over two sentences as an annotator."""

    def open_page(task_type="rephrase_simplify", contents=None, split="test", **settings):
        study = make.study(items=1)
        given = contents or [{"source": text, "split": split} for text in (SOURCE, SECOND)]
        campaign = stage_items.campaign_of(study, task_type, given, **settings)
        who = make.person("expert_annotator", study)
        read_guideline(campaign=campaign, person=who, version=1)
        client = Client()
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
        return campaign

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def go_to(page, word):
    """Move the choice to a word with the arrow key."""
    press(page, "Home")
    for _ in range(40):
        if page.locator(f"{SENTENCE} [aria-selected='true']").all_inner_texts() == [word]:
            return
        press(page, "ArrowRight")
    raise AssertionError(f"{word} was not reached")


def write_out(page, word, full):
    go_to(page, word)
    press(page, "Enter")
    expect(page.get_by_label(f"Full form of {word}")).to_be_focused()
    page.keyboard.type(full)
    press(page, "Enter")
    expect(page.locator(SENTENCE)).to_be_focused()


def marks(page):
    return [[one.inner_text(), one.get_attribute("data-full")] for one in page.locator(SPANS).all()]


def state(page):
    return json.loads(page.locator("input[data-state]").input_value())


def saved(page):
    expect(page.locator(SAVED)).to_have_text("Saved")


def test_a_sentence_is_done_in_both_steps_by_keyboard_alone(page, work_at):
    work_at()
    expect(page.locator(SENTENCE)).to_be_focused()
    go_to(page, "NSTEMI")
    press(page, "Enter")
    page.keyboard.type("non-ST-elevation myocardial infarction, n f s p")  # keys, but not while one types
    for _ in ", n f s p":
        press(page, "Backspace")
    press(page, "Enter")
    write_out(page, "CAD", "coronary artery disease")
    write_out(page, "NC", "nasal cannula")
    assert marks(page) == [
        ["NSTEMI", "non-ST-elevation myocardial infarction"],
        ["CAD", "coronary artery disease"],
        ["NC", "nasal cannula"],
    ]
    press(page, "Alt+ArrowDown")
    plain = page.get_by_role("textbox", name="Say it in plain words")
    expect(plain).to_be_focused()
    expect(plain).to_have_value(
        "Pt was admitted to [**Hospital1 18**] with non-ST-elevation myocardial infarction/coronary artery disease "
        "and was placed on 2L nasal cannula for his SOB ."
    )
    press(page, "Control+a")
    page.keyboard.type("The patient had a heart attack and was given oxygen.")
    expect(page.locator("[data-diff-shown] ins").first).to_contain_text("The patient")
    written = page.get_by_label("Written out, to the patient")
    expect(written).to_have_value(
        "You were admitted to [**Hospital1 18**] with non-ST-elevation myocardial infarction/coronary artery disease "
        "and were placed on 2L nasal cannula for your SOB ."
    )
    said = page.get_by_label("In plain words, to the patient")
    expect(said).to_have_value("You had a heart attack and were given oxygen.")
    expect(page.locator("[data-readability]")).to_contain_text("→")
    press(page, "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("Check the text that addresses the patient")
    plain.focus()
    press(page, "Alt+Enter")
    expect(page.locator("[data-right]:checked")).to_have_count(2)
    press(page, "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    answer = Answer.objects.get().content
    assert [SOURCE[one["start"] : one["end"]] for one in answer["spans"]] == ["NSTEMI", "CAD", "NC"]
    assert answer["simplified_addressed"] == "You had a heart attack and were given oxygen."
    assert [one["text"] for one in answer["rephrased_addressed"] if one["full"]] == ["NSTEMI", "CAD", "NC"]
    expect(page.locator(SENTENCE)).to_be_focused()
    press(page, "n")
    same = page.get_by_label("Written out, to the patient")
    expect(same).to_have_value(SECOND.replace("He", "You", 1))
    press(page, "Alt+Enter", "Control+Enter")
    expect(page.locator("[data-reason]")).to_be_visible()
    unchanged = Answer.objects.latest("pk").content
    assert (unchanged["unchanged"], unchanged["simplified"]) == (True, SECOND)
    assert unchanged["simplified_addressed"] == SECOND.replace("He", "You", 1)


def test_marks_are_made_and_taken_back_by_keys_and_by_mouse(page, work_at):
    work_at()
    go_to(page, "2L")
    press(page, "Shift+ArrowRight")
    press(page, "Enter")
    expect(page.get_by_label("Full form of 2L NC")).to_be_focused()
    press(page, "Escape")  # nothing was written: no mark stays
    assert marks(page) == []
    go_to(page, "for")
    press(page, "ArrowLeft", "ArrowLeft", "Control+Shift+ArrowRight", "Enter")
    expect(page.get_by_label("Full form of L", exact=True)).to_be_focused()
    page.keyboard.type("litres")
    press(page, "Enter", "ArrowLeft", "Delete")
    expect(page.locator(SPANS)).to_have_count(0)
    the_mouse_marks_a_word_or_a_part_of_one(page)
    what_contradicts_itself_is_said_and_nothing_is_lost(page)


def the_mouse_marks_a_word_or_a_part_of_one(page):
    page.locator(f"{SENTENCE} [role=option]", has_text="SOB").click()
    expect(page.get_by_label("Full form of SOB")).to_be_focused()
    page.keyboard.type("shortness of breath")
    page.locator(f"{SENTENCE} [role=option]", has_text="Hospital1").first.click()
    expect(page.locator(SPANS)).to_have_count(1)
    box = page.locator(f"{SENTENCE} [role=option]", has_text="2L").bounding_box()
    middle = box["y"] + box["height"] / 2
    page.mouse.move(box["x"] + box["width"] * 0.55, middle)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] + 1, middle)
    page.mouse.up()
    expect(page.get_by_label("Full form of L", exact=True)).to_be_focused()
    page.get_by_role("button", name="Unmark L", exact=True).click()
    assert marks(page) == [["SOB", "shortness of breath"]]


def what_contradicts_itself_is_said_and_nothing_is_lost(page):
    page.locator(SENTENCE).focus()
    press(page, "n", "Control+Enter")
    expect(page.get_by_role("alert")).to_contain_text("but abbreviations are marked")
    assert marks(page) == [["SOB", "shortness of breath"]]


def test_undo_and_redo_and_a_draft_that_is_there_again(page, work_at):
    work_at()
    write_out(page, "NSTEMI", "heart attack")
    write_out(page, "CAD", "coronary artery disease")
    press(page, "Control+z")
    expect(page.locator(f"{SPANS}[data-full='coronary artery disease']")).to_have_count(0)
    press(page, "Control+z")
    expect(page.locator(SPANS)).to_have_count(1)
    press(page, "Control+y", "Control+y")
    saved(page)
    page.reload()
    assert marks(page) == [["NSTEMI", "heart attack"], ["CAD", "coronary artery disease"]]
    expect(page.get_by_label("Full form of CAD")).to_have_value("coronary artery disease")
    kept = Draft.objects.get().content
    assert [one["full"] for one in kept["spans"]] == ["heart attack", "coronary artery disease"]


def test_own_words_to_the_patient_stay_and_are_looked_at_again(page, work_at):
    work_at()
    write_out(page, "SOB", "shortness of breath")
    line = page.get_by_label("Written out, to the patient")
    expect(line).to_have_value(SOURCE.replace("Pt was", "You were").replace("and was", "and were").replace(
        "his SOB", "your shortness of breath"
    ))  # fmt: skip
    line.focus()
    press(page, "Control+Home")
    page.keyboard.type("Dear, ")
    right = page.locator("[data-line=rephrased_addressed] [data-right]")
    expect(right).to_be_checked()
    segments = state(page)["rephrased_addressed"]
    assert segments[0]["text"].startswith("Dear, You were")
    assert {"text": "SOB", "full": "shortness of breath"} in segments
    page.locator(SENTENCE).focus()
    write_out(page, "CAD", "coronary artery disease")
    expect(right).not_to_be_checked()
    assert page.locator("#rephrased_addressed").input_value().startswith("Dear, You were")
    page.get_by_role("button", name="Use the proposal").first.press("Enter")
    expect(line).to_have_value(SOURCE.replace("Pt was", "You were").replace("and was", "and were").replace(
        "his SOB", "your shortness of breath").replace("CAD", "coronary artery disease"))  # fmt: skip


def test_a_training_sentence_asks_for_the_last_form_alone(page, work_at):
    work_at(split="train")
    expect(page.get_by_role("textbox", name="Say it in plain words")).to_be_focused()
    expect(page.locator(SENTENCE)).to_have_count(0)
    page.keyboard.type("The patient had a heart attack.")
    expect(page.get_by_label("In plain words, to the patient")).to_have_value("You had a heart attack.")
    press(page, "Alt+Enter", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    answer = Answer.objects.get().content
    assert (answer["spans"], answer["simplified_addressed"]) == ([], "You had a heart attack.")
    what_is_said_to_be_right_within_a_moment_of_typing_is_what_was_typed(page)


def what_is_said_to_be_right_within_a_moment_of_typing_is_what_was_typed(page):
    expect(page.get_by_role("textbox", name="Say it in plain words")).to_be_focused()
    page.keyboard.type("The patient had a heart attack.")
    expect(page.get_by_label("In plain words, to the patient")).to_have_value("You had a heart attack.")
    press(page, "End")
    page.keyboard.type(" The patient is well.")
    press(page, "Alt+Enter", "Control+Enter")  # before the server has proposed anything for that
    expect(page.locator("[data-reason]")).to_be_visible()
    said = Answer.objects.latest("pk").content
    assert said["simplified_addressed"] == "You had a heart attack. You are well."


def test_a_concept_that_vanished_is_a_quiet_word(page, work_at):
    source = "Effusions may cause dyspnea and chest pain."
    concept = {"start": 20, "end": 27, "term": "dyspnea", "cui": "C0013404", "names": ["Shortness of breath", "SOB"]}
    concept["definition"] = "Not getting enough air."
    content = {"source": source, "concepts": [concept], "earlier": "Fluid in the chest."}
    work_at("rewrite", [content, content], highlight_concepts=True)
    expect(page.get_by_text("Fluid in the chest.")).to_be_visible()
    page.keyboard.type("Fluid makes your chest hurt")
    expect(page.locator("[data-vanished]")).to_have_text("Not in your text: dyspnea")
    page.keyboard.type(" and brings shortness of breath.")
    expect(page.locator("[data-vanished]")).to_be_empty()
    expect(page.locator("[data-readability]")).to_contain_text("→")
    assert page.locator("[data-diff-source]").text_content() == source
    press(page, "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")


@pytest.mark.soak
def test_a_checker_does_it_again_with_the_same_editor(page, work_at):
    kind, content = TASK_TYPES["rephrase_simplify"], {"source": SOURCE, "split": "test"}
    settings = kind.check_settings({})
    start = SOURCE.index("SOB")
    spans = [{"start": start, "end": start + 3, "full": "shortness of breath"}]
    stored = kind.check(
        {"spans": spans, "simplified": "He got oxygen.", "simplified_addressed": "You got oxygen.",
         "rephrased_addressed": kind.proposes({"spans": spans, "simplified": "", "unchanged": False, "final": False},
                                              content, settings)["rephrased"]},
        content, settings,
    )  # fmt: skip
    product = next(kind.products(stored, content, settings))
    verify = TASK_TYPES["verify"]
    given = verify.follow(
        PreviousStage(product, "rephrase_simplify", content, settings, stored), verify.check_settings({})
    )
    work_at("verify", [given, given])
    press(page, "e")
    expect(page.locator(SENTENCE)).to_be_focused()
    write_out(page, "NC", "nasal cannula")
    line = page.locator("#rephrased_addressed")
    expect(line).to_have_value(SOURCE.replace("Pt was", "You were").replace("and was", "and were").replace(
        "his SOB", "your shortness of breath").replace("NC", "nasal cannula"))  # fmt: skip
    press(page, "Alt+Enter", "Control+Enter")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")
    answer = Answer.objects.get().content
    assert (answer["verdict"], len(answer["answer"]["spans"])) == ("redo", 2)
    assert answer["answer"]["simplified_addressed"] == "You got oxygen."
