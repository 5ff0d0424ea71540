"""MSD's template, from two versions of an article to the released files: linked, paired by a doctor, verified."""

import json

import pytest
from playwright.sync_api import expect
from support.template_crew import Crew, ended, hand_in, press
from support.template_texts import EXPERT, LAYMAN, MANUALS, written

from corpora.formats import FORMATS, TextFile

pytestmark = pytest.mark.soak


def pairs(page):
    return page.locator("[data-pair]")


def align(crew, page):
    crew.sit_down(page, "align", "Pair sentences that say the same")
    expect(page.locator("#align-source-0")).to_be_focused()
    press(page, "Space", "ArrowRight", "Space", "ArrowDown", "Space", "Enter")  # one sentence, two for laymen
    expect(pairs(page)).to_have_count(1)
    expect(page.locator("#align-source-1")).to_be_focused()  # where the next pair begins
    press(page, "Space", "ArrowRight", "Home", "ArrowDown", "ArrowDown", "Space", "Enter")
    expect(pairs(page)).to_have_count(2)
    hand_in(page)
    expect(page.locator("#align-source-0")).to_be_focused()
    press(page, "Space", "ArrowRight", "Space", "Enter")
    expect(pairs(page)).to_have_count(1)
    hand_in(page)
    ended(page)


def verify(crew, page):
    crew.sit_down(page, "verify", "Another doctor says")
    assert "Dora Doctor" not in page.content()
    expect(page.locator(".product")).to_contain_text(EXPERT[0])
    press(page, "a")
    hand_in(page)
    press(page, "e")  # a sentence is missing: pair it again
    expect(pairs(page)).to_have_count(1)
    pairs(page).get_by_role("button", name="Remove pair A").click()
    expect(pairs(page)).to_have_count(0)
    for place in ("source-1", "source-2", "target-2"):
        page.locator(f"#align-{place}").set_checked(True)
    press(page, "Enter")
    expect(pairs(page)).to_have_count(1)
    hand_in(page)
    press(page, "r", "1")
    hand_in(page)
    ended(page)


def test_msd(new_page, web_server, celery_workers, tmp_path):
    crew = Crew(new_page, web_server.url, "msd", "Two versions")
    file = written(tmp_path / "manuals.jsonl", MANUALS)
    crew.import_documents(file, "documents_jsonl", "3 documents with 11 sentences are in")
    crew.decide_flags("d")
    crew.expect_next("Link the versions and sample groups")
    crew.link_and_draw({"How it feels, layman": "Symptoms"}, 2)
    doctor = crew.join("Dora Doctor", credentials=("md",))
    second = crew.join("Vera Verifier", credentials=("md",), languages=["en-GB"])
    nurse = crew.join("Nils Nurse", languages=["en"])
    crew.expect_next("Pair the sentences")
    crew.open("align", "verify")
    crew.refused(nurse, "align", "md")
    crew.refused(doctor, "verify", "languages")
    align(crew, doctor)
    verify(crew, second)
    crew.expect_next("Release the gold")

    files = crew.release("msd", "jsonl", alone=True)
    lines = [json.loads(line) for line in files["msd-test.txt"].splitlines()]
    assert [(line["text"], line["label"]) for line in lines] == [
        (EXPERT[0], 0), (f"{LAYMAN[0]} {LAYMAN[1]}", 1), (f"{EXPERT[1]} {EXPERT[2]}", 0), (LAYMAN[2], 1)
    ]  # fmt: skip
    named = [[concept["term"] for concept in line["concepts"]] for line in lines]
    assert "dyspnea" in named[0]
    assert "short of breath" in named[1]
    alone = [json.loads(line)["text"] for line in files["msd-train.txt"].splitlines()]
    assert alone == [MANUALS[0]["sections"][0]["sentences"][0], MANUALS[2]["sections"][0]["sentences"][0]]
    read = list(FORMATS["msd"].read(TextFile(files["msd-test.txt"], "msd-test.txt")))
    assert [row.product["source"] for row in read] == [[EXPERT[0]], [f"{EXPERT[1]} {EXPERT[2]}"]]
    made = FORMATS["gold"].read(TextFile(files["gold.jsonl"], "gold.jsonl"))
    assert [row.product["source"] for row in made if row.kind == "pair"] == [[EXPERT[0]], EXPERT[1:]]
