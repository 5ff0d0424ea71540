"""What a screen reader finds on the page of each kind of work: its accessibility tree, kept in trees/KIND.yaml.

The one visit of each page is axe-core's too, light on a wide screen and dark on a phone, and nothing is too wide. No
page moved under its reader while it came in.

A tree that was changed on purpose is written with WRITE_TREES=1 and then read: it is what somebody hears. The trees of
KIND_further.yaml are of what opens, or is said, only after something was chosen.
"""

import os
import re
from pathlib import Path

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, effort, layout_shift
from support import campaigns as make
from support.demo_site import sign_in
from support.items_to_measure import KINDS, SENTENCE
from support.processes import wait_until

from annotation.actions.read_guideline import read_guideline

TREES = Path(__file__).parent / "trees"
FURTHER = {
    "spans": ["ArrowRight", "2"],
    "rate": ["2", "4"] * 5,
    "verify": ["e"],
    "align": ["Space", "ArrowRight", "Space", "Enter"],
    "screen": ["y"],
    "adapt": ["c", "w"],
    "rephrase_simplify": ["Enter"],
}
# What describes each group and field of the item, as it is read.
DESCRIBED = """() => {
  const words = (ids) => (ids ?? "").split(" ").filter(Boolean)
    .map((id) => document.getElementById(id)?.textContent.replace(/\\s+/g, " ").trim() ?? `no #${id}`).join(" ");
  return [...document.querySelectorAll("#work [aria-describedby]")].filter((one) => one.checkVisibility())
    .map((one) => words(one.getAttribute("aria-describedby")));
}"""


@pytest.fixture
def work_page(new_profile, web_server):
    """The work page of a campaign at a desk, where its person has read the guideline."""
    page = new_profile(viewport=effort.DESK["viewport"])

    def open_page(campaign):
        who = make.person("expert_annotator", campaign.study)
        read_guideline(campaign=campaign, person=who, version=1)
        sign_in(page, who, web_server.url)
        axe.resize(page, effort.DESK["viewport"])
        page.goto(reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))
        return page

    return open_page


def heard(page):
    """The tree of the main part, without addresses, which name the study."""
    tree = re.sub(r":\n +- /url: .*", "", page.locator("main").aria_snapshot())
    return f"{tree}\n"


def compare(page, name):
    """The tree is the one of this file, or becomes it."""
    file = TREES / f"{name}.yaml"
    if os.environ.get("WRITE_TREES"):
        page.wait_for_load_state("networkidle")
        file.write_text(heard(page), encoding="utf-8")
    kept = file.read_text(encoding="utf-8")
    expect(page.locator("main")).to_match_aria_snapshot(kept)
    # The matcher lets more stand there than it names.
    wait_until(lambda: heard(page) == kept, lambda: f"The tree is not the one of {file.name}:\n{heard(page)}")


def test_the_tree_of_each_kind_of_work_is_as_it_was_listened_to(work_page):
    """One browser goes from kind to kind: a new one would cost as much as what is looked at."""
    for name, kind in KINDS.items():
        page = work_page(kind.campaign(1))
        compare(page, name)
        assert layout_shift.shift(page) <= layout_shift.MOST, name
        if name == "rank":
            the_sheet_of_keys_is_read_and_gives_the_focus_back(page)
        for key in FURTHER.get(name, ()):
            page.keyboard.press(key)
        if name in FURTHER:
            compare(page, f"{name}_further")
        described = page.evaluate(DESCRIBED)
        assert described, name
        assert not [words for words in described if not words or words.startswith("no #")], name
        if name == "rephrase_simplify":
            expect(page.get_by_role("textbox", name="Say it in plain words")).to_have_accessible_description(SENTENCE)
        assert axe.faults_in_two_states(page) == [], name
    each_group_is_described_by_its_text(work_page(KINDS["rate"].campaign(1)))


def each_group_is_described_by_its_text(page):
    for place in range(1, 6):
        text = page.get_by_role("article").filter(has=page.get_by_role("heading", name=f"Text {place}"))
        words = text.get_by_role("paragraph").first.inner_text()
        for criterion in ("Formality", "Fluency"):
            group = page.get_by_role("group", name=f"Text {place}: {criterion}", exact=True)
            expect(group).to_have_accessible_description(words)
    for key, said in (("2", "Text 1: Fluency"), ("4", "Text 2: Formality"), ("1", "Text 2: Fluency")):
        page.keyboard.press(key)
        expect(page.locator("#announcer")).to_have_text(said)
        expect(page.get_by_role("group", name=said, exact=True).get_by_role("radio").first).to_be_focused()


def the_sheet_of_keys_is_read_and_gives_the_focus_back(page):
    first = page.get_by_role("group", name="Place of text 1").get_by_role("radio", name="1")
    expect(first).to_be_focused()
    page.keyboard.press("?")
    sheet = page.get_by_role("dialog", name="Keys on this page")
    expect(sheet.get_by_role("heading", name="Keys on this page")).to_be_focused()
    expect(sheet.get_by_role("term").first).to_have_text("1 2 3 4")
    expect(sheet.get_by_role("definition").first).to_have_text("Place of each text")
    page.keyboard.press("Escape")
    expect(sheet).to_be_hidden()
    expect(first).to_be_focused()
