"""What an item of each kind of work costs: keys at a desk, taps and scrolled pixels on a phone.

The table of docs/look.md (Effort an item) says how much, as a campaign comes and where it submits at once; an item that
costs more, or less, fails here.
"""

import re
from pathlib import Path

import pytest
from django.test import Client
from django.urls import reverse
from support import campaigns as make
from support import effort
from support.items_to_measure import KINDS, SEVERAL

from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.read_guideline import read_guideline
from annotation.task_types import TASK_TYPES

TABLE = (Path(__file__).parents[3] / "docs" / "look.md").read_text(encoding="utf-8")
ROW = re.compile(r"^\| `(\w+)`((?:, several)?) \|[^|]*((?:\| (?:\d+|–) ){9})\|$", re.MULTILINE)
FIGURES = (
    "keys",
    "keys at once",
    "taps",
    "taps at once",
    "pixels",
    "pixels, long",
    "Prodigy",
    "Label Studio",
    "Potato",
)
LONG = 5  # times as long as the texts of an item
MEASURED = KINDS | SEVERAL
ALWAYS = ("rewrite", "rate", "rank")  # one of each kind of hand: typing, choosing, ordering
AT_LENGTH = [pytest.param(name, marks=pytest.mark.soak) for name in MEASURED if name not in ALWAYS]


def _number(cell):
    return None if cell == "–" else int(cell)


STATED = {
    name + more: dict(zip(FIGURES, map(_number, re.findall(r"\d+|–", cells)), strict=True))
    for name, more, cells in ROW.findall(TABLE)
}
AT_ONCE = [name for name in KINDS if TASK_TYPES[name].quick]


@pytest.fixture
def hand_at(new_page):
    """Somebody at the work page of a campaign, who is signed in and has read the guideline."""

    def open_page(campaign, screen):
        page, client = new_page(**screen), Client()
        who = make.person("expert_annotator", campaign.study)
        read_guideline(campaign=campaign, person=who, version=1)
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))
        return effort.Hand(page)

    return open_page


def at_once(hand, campaign):
    """The same person at the next item, once the campaign submits with the last answer; counted from nothing."""
    edit_campaign(campaign=campaign, submits_at_once=True, by=None)
    hand.page.reload()
    return effort.Hand(hand.page, at_once=True)


def test_every_kind_of_work_is_measured():
    assert STATED.keys() == MEASURED.keys()
    assert [name for name, row in STATED.items() if row["keys at once"] and row["taps at once"]] == AT_ONCE


def test_no_kind_of_work_costs_more_than_elsewhere():
    """By keys, where the campaign submits at once if it can; the others' figures are the least that each describes."""
    for name, row in STATED.items():
        others = [row[tool] for tool in ("Prodigy", "Label Studio", "Potato") if row[tool]]
        assert all((row["keys at once"] or row["keys"]) <= other for other in others), name


def answer_of(campaign, number=1):
    """What was submitted for an item; texts in an order of their own are named by their places on the page."""
    answer = campaign.answers.get(item__number=number)
    shown = answer.content
    if "ranks" in shown:
        return {"ranks": [shown["ranks"][text] for text in answer.order]}
    if "best" in shown:
        return {which: answer.order.index(shown[which] - 1) + 1 for which in ("best", "worst")}
    if "documents" in shown:
        return {**shown, "documents": list(shown["documents"].values())}
    return shown


@pytest.mark.parametrize(
    "name", [name if name in ALWAYS else pytest.param(name, marks=pytest.mark.soak) for name in MEASURED]
)
def test_an_item_costs_what_the_table_says(hand_at, name):
    """An item at a desk and one on a phone, and its answer; where it can be submitted at once, the next one is."""
    row, kind = STATED[name], MEASURED[name]
    campaign = kind.campaign(1)
    desk = hand_at(campaign, effort.DESK)
    kind.by_keys(desk)
    desk.finish()
    assert answer_of(campaign) == kind.answer(1)
    assert (desk.keys, desk.taps) == (row["keys"], 0)
    if name in AT_ONCE:
        quick = at_once(desk, campaign)
        kind.by_keys(quick)
        quick.finish_all()
        assert answer_of(campaign, 2) == kind.answer(1)
        assert (quick.keys, quick.taps) == (row["keys at once"], 0)
    campaign = kind.campaign(1)
    phone = hand_at(campaign, effort.PHONE)
    effort.shoot(phone.page, f"effort-{name}")
    kind.by_taps(phone)
    phone.finish()
    assert answer_of(campaign) == kind.answer(1)
    assert phone.taps == row["taps"]
    assert phone.scrolled <= row["pixels"]
    if name in AT_ONCE:
        quick = at_once(phone, campaign)
        kind.by_taps(quick)
        quick.finish_all()
        assert answer_of(campaign, 2) == kind.answer(1)
        assert quick.taps == row["taps at once"]
        assert quick.scrolled <= row["pixels"]


@pytest.mark.soak
@pytest.mark.parametrize("name", MEASURED)
def test_an_item_of_long_texts_costs_no_further_tap(hand_at, name):
    campaign = MEASURED[name].campaign(LONG)
    phone = hand_at(campaign, effort.PHONE)
    effort.shoot(phone.page, f"effort-long-{name}")
    MEASURED[name].by_taps(phone)
    phone.finish()
    assert answer_of(campaign) == MEASURED[name].answer(LONG)
    assert phone.taps == STATED[name]["taps"]
    assert phone.scrolled <= STATED[name]["pixels, long"]
