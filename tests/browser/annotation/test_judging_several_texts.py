"""Judging several texts in a real browser: beside one another on a wide screen, one by one on a phone, folded."""

import pytest
from django.test import Client
from django.urls import reverse
from playwright.sync_api import expect
from support import axe, effort, stage_items
from support import campaigns as make

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer

SOURCE = "gotta see the show again , u know"
TEXTS = [
    "I must see the show again.",
    "I got to see the show.",
    "You know, I have to see it again.",
    "To see it is due.",
]
ARABIC = ["يجب أن أرى العرض مرة أخرى.", "لا بد لي من رؤية العرض."]
KINDS = ("rate", "rank", "best_worst")
SAME = " ".join(f"Sentence {n} of the report stands in each of the texts in the same words." for n in range(30))


@pytest.fixture
def open_at(new_page):
    """The work page of a campaign of these texts, for an annotator who is signed in: of a screen, or an open page's."""

    def open_page(task_type, texts=TEXTS, screen=effort.DESK, source=SOURCE, page=None, **settings):
        study = make.study(items=1)
        contents = [{"source": source, "references": [], "candidates": list(texts)}] * 2
        campaign = stage_items.campaign_of(study, task_type, contents, **settings)
        who, client, page = make.person("expert_annotator", study), Client(), page or new_page(**screen)
        read_guideline(campaign=campaign, person=who, version=1)
        client.force_login(who)
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "domain": "127.0.0.1", "path": "/"}
        page.context.add_cookies([cookie])
        page.goto(reverse("campaign_work", args=[study.slug, campaign.slug]))
        return page

    return open_page


def press(page, *keys):
    for key in keys:
        page.keyboard.press(key)


def card(page, place):
    return page.locator(f"[data-text='{place}']:visible")


def next_item(page):
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 2")


def stand_beside_one_another_on_a_wide_screen(page):
    boxes = [card(page, place).bounding_box() for place in (1, 2)]
    source = page.locator(".sheet.source").bounding_box()
    assert boxes[0]["y"] == boxes[1]["y"]
    assert source["x"] + source["width"] <= boxes[0]["x"]


def places(page):
    """The place of each text, as presented; None where it has none."""
    return page.evaluate("[0, 1, 2, 3].map((n) => document.querySelector(`[name='rank-${n}']:checked`)?.value ?? null)")


def test_texts_get_their_places_by_clicks_and_keys_and_the_last_gets_the_one_that_is_left(open_at):
    page = open_at("rank")
    stand_beside_one_another_on_a_wide_screen(page)
    for place in (3, 1, 1, 2, 4, 1):  # the second click on text 1 takes its place back
        card(page, place).locator(".text").click()
    assert places(page) == ["4", "2", "1", "3"]
    press(page, "Control+Enter")
    next_item(page)
    press(page, "2", "1", "4")
    assert places(page) == ["2", "1", "4", "3"]
    expect(page.locator("[name='rank-3'][value='3']")).to_be_focused()
    page.locator("[name='rank-2'][value='3']").check()  # what is proposed follows
    assert places(page) == ["2", "1", "3", "4"]
    page.locator("[name='rank-2'][value='1']").check()  # two texts share a place: the last may do so too
    assert places(page) == ["2", "1", "1", None]
    page.locator("[name='rank-2'][value='4']").check()
    card(page, 1).locator(".text").click()  # a place is given back
    assert places(page) == [None, "1", "4", None]
    card(page, 1).locator(".text").click()
    assert places(page) == ["3", "1", "4", "2"]
    card(page, 4).locator(".text").click()  # it is right
    assert places(page) == ["3", "1", "4", "2"]
    card(page, 4).locator(".text").click()  # and now it is not
    assert places(page) == ["3", "1", "4", None]
    page.locator("[name='rank-2'][value='2']").check()
    assert places(page) == ["3", "1", "2", "4"]
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", name="All items are done")).to_be_visible()
    given = [[answer.content["ranks"][number] for number in answer.order] for answer in Answer.objects.order_by("pk")]
    assert given == [[4, 2, 1, 3], [3, 1, 2, 4]]


def test_a_phone_shows_all_texts_of_a_ranking_and_opens_the_places_of_one(open_at):
    page = open_at("rank", screen=effort.PHONE)
    expect(page.locator(".places:visible")).to_have_count(0)
    bottom = card(page, 4).bounding_box()
    assert bottom["y"] + bottom["height"] <= page.locator(".workbar").bounding_box()["y"]
    card(page, 3).locator(".text").tap()
    button = page.get_by_role("button", name="Place of text 2 –")
    button.tap()
    expect(page.locator(".places:visible")).to_have_count(1)
    assert axe.faults(page) == []
    page.locator("[name='rank-1'][value='1']").tap()
    expect(page.locator(".places:visible")).to_have_count(0)
    expect(page.get_by_role("button", name="Place of text 2 1")).to_have_attribute("aria-expanded", "false")
    for place in (4, 1):
        card(page, place).locator(".text").tap()
    assert places(page) == ["4", "1", "1", "3"]
    page.get_by_role("button", name="Submit").tap()
    next_item(page)
    assert sorted(Answer.objects.get().content["ranks"]) == [1, 1, 3, 4]


def test_only_the_best_are_placed_by_keys_and_no_place_is_proposed(open_at):
    page = open_at("rank", only_best=3)
    press(page, "1", "3", "2")
    assert places(page) == ["1", "3", "2", None]
    press(page, "Control+Enter")
    next_item(page)
    open_at("rank", only_best=2, page=page)
    expect(page.get_by_text("Give the best 2 texts a place")).to_be_visible()
    press(page, "2", "Control+Enter")
    expect(page.locator(".form-errors, [role=alert]").first).to_contain_text("Give the best 2 texts a place")
    page.locator("[name='rank-1']").first.focus()
    press(page, "0", "1", "Control+Enter")
    next_item(page)
    answer = Answer.objects.latest("pk")
    assert [answer.content["ranks"][number] for number in answer.order] == [2, 3, 1, 3]


def test_one_text_at_a_time_is_remembered_and_worked_by_keys(open_at):
    page = open_at("rate")
    press(page, "o")
    expect(page.locator("[data-text]:visible")).to_have_count(1)
    press(page, "3", "4")
    expect(card(page, 2)).to_be_visible()
    expect(page.locator("#announcer")).to_have_text("Text 2: Formality")
    page.reload()
    expect(page.locator("[data-one-text]")).to_have_attribute("aria-pressed", "true")
    press(page, *["2", "5"] * 3)
    expect(page.locator(".source")).to_be_visible()  # the next stage is open, and shows the source
    press(page, "1", "2", "3", "4", "Control+Enter")
    next_item(page)
    ratings = Answer.objects.get()
    assert sorted(row["meaning"] for row in ratings.content["ratings"]) == [1, 2, 3, 4]


def test_a_phone_goes_from_text_to_text_and_back_in_one_tap(open_at):
    page = open_at("rate", screen=effort.PHONE)
    expect(page.locator("[data-text]:visible")).to_have_count(1)
    expect(page.locator("#work kbd:visible")).to_have_count(0)
    for _ in range(3):
        page.locator(".scale-steps:visible label").nth(2).tap()
    expect(page.get_by_role("button", name="Text 2")).to_have_attribute("aria-current", "step")
    page.get_by_role("button", name="Text 1").tap()
    expect(page.locator("[name='rating-0-formality'][value='-1']")).to_be_checked()
    page.locator("[name='rating-0-formality'][value='3']").tap()
    expect(page.locator("[name='rating-1-fluency']").first).to_be_visible()  # on to what is still open
    expect(page.locator("[name='rating-0-formality']:checked")).to_have_value("3")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert axe.faults(page) == []


def test_arabic_texts_fit_a_phone(open_at):
    page = None
    for task_type in KINDS:
        page = open_at(task_type, texts=ARABIC, screen=effort.PHONE, page=page)
        page.evaluate("document.documentElement.dir = 'rtl'")
        effort.shoot(page, f"rtl-{task_type}")
        first = page.locator(".judging-list .text:visible").first
        assert first.evaluate("(one) => getComputedStyle(one).direction") == "rtl", task_type
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), task_type


def test_long_texts_fold_to_what_differs_and_open_by_click_and_key(open_at):
    texts = [f"{SAME} This one ends in {end}." for end in ("a lake", "the sea", "a river")]
    page = open_at("rank", texts=texts)
    expect(page.locator(".fold-gap")).to_have_count(3)
    for one in page.locator(".judging-list .text").all():
        # The sentence before the difference stays whole, and no word of it is cut.
        assert one.inner_text().strip().startswith("…")
        assert "Sentence 29 of the report stands in each" in one.inner_text()
        assert len(one.inner_text()) < 200
    effort.shoot(page, "folded")
    assert axe.faults(page) == []
    page.locator(".fold-gap").first.click()
    expect(page.locator(".fold-gap")).to_have_count(2)
    assert page.locator(".places :checked").count() == 0  # opening a text places none
    expect(page.locator("[data-saved]")).to_have_text("Saved")
    page.reload()
    expect(page.locator(".fold-gap")).to_have_count(2)  # what was opened stays so
    press(page, "1", "2", "3", "Control+Enter")
    next_item(page)
    answer = Answer.objects.get()
    assert answer.content["unfolded"] == [answer.order[0] + 1]
    press(page, "x")
    expect(page.locator(".fold-gap")).to_have_count(0)
    shown = sorted(one.inner_text() for one in page.locator(".judging-list .text").all())
    assert shown == sorted(texts)
    press(page, "x")
    expect(page.locator(".fold-gap")).to_have_count(3)


def test_sentences_are_folded_as_their_language_has_them(open_at):
    same = "".join(f"第{n}句话在每个文本中都是一样的，用的是同样的词，没有任何差别，也没有空格。" for n in range(30))
    page = open_at("best_worst", texts=[f"{same}这一个{end}。" for end in ("短", "很长", "不长")])
    expect(page.locator(".fold-gap")).to_have_count(3)
    expect(card(page, 1).locator(".text")).to_contain_text(
        "第29句话在每个文本中都是一样的，用的是同样的词，没有任何差别，也没有空格。这一个"
    )
    press(page, "1", "2", "Control+Enter")
    next_item(page)
    assert Answer.objects.get().content["unfolded"] == []
    a_text_that_is_judged_alone_is_never_folded(open_at, page)


def a_text_that_is_judged_alone_is_never_folded(open_at, page):
    texts = [f"{SAME} This one ends in {end}." for end in ("a lake", "the sea", "a river")]
    open_at("rate", texts=texts, source=SAME, page=page)
    expect(page.locator("[data-text]:visible")).to_have_count(3)
    expect(page.locator(".fold-gap")).to_have_count(0)
    assert sorted(one.inner_text() for one in page.locator(".stage[open] .text, section.stage .text").all()) == sorted(
        texts
    )
    expect(page.locator("[data-whole-texts]")).to_be_hidden()


def test_without_scripts_the_page_is_whole(open_at):
    page = None
    for task_type in KINDS:
        page = open_at(task_type, screen={**effort.DESK, "java_script_enabled": False}, page=page)
        expect(page.locator("[data-text] .text").first, task_type).to_be_visible()
        expect(page.locator("[data-judging-bar]"), task_type).to_be_hidden()
        assert page.locator("section.stage [data-text], .judging-main [data-text]").count() == 4, task_type
