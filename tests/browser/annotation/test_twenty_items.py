"""Twenty items of each kind of work: on a phone, in Arabic, by the accessibility tree alone, and without a network."""

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support import effort
from support import twenty_items as twenty
from support.demo_site import sign_in
from support.items_ahead import open_with_items_ahead
from support.items_to_measure import KINDS

from annotation.actions.read_guideline import read_guideline
from annotation.models import Answer

COUNT = twenty.COUNT
DONE = "All items are done"
ALL_WAITING = f"{COUNT} answers wait for the network"
# How far the page is wider than the screen, and how far it was moved.
SIDEWAYS = "document.documentElement.scrollWidth - document.documentElement.clientWidth + Math.abs(scrollX)"
# The texts of the study on the page, as [language, direction]; what stands in a field counts, an empty one does not.
TEXTS = """[...document.querySelectorAll("#work .text")]
  .filter((one) => one.checkVisibility() && (one.value ?? one.textContent).trim())
  .map((one) => [one.lang, getComputedStyle(one).direction])"""
# Everything that a live region said, in order: what stands in one is heard although the next thing replaces it.
LISTEN = """() => {
  window.heard = [];
  const regions = document.querySelectorAll("[aria-live], [role=status], [role=alert]");
  const hear = ({ target }) => window.heard.push(target.textContent.trim());
  const listen = new MutationObserver((changes) => changes.forEach(hear));
  regions.forEach((region) => listen.observe(region, { childList: true, characterData: true }));
}"""
HEARD = "(words) => window.heard.includes(words)"

pytestmark = pytest.mark.soak


@pytest.fixture
def open_at(new_page, web_server):
    """The work page of a campaign, where its person has read the guideline; with the items ahead, if there are any."""

    def open_page(campaign, screen=effort.DESK, *, ahead=False):
        page, who = new_page(**screen), make.person("expert_annotator", campaign.study)
        read_guideline(campaign=campaign, person=who, version=1)
        sign_in(page, who, web_server.url)
        address = reverse("campaign_work", args=[campaign.study.slug, campaign.slug])
        if ahead:
            open_with_items_ahead(page, address)
        else:
            page.goto(address)
        return page

    return open_page


def all_are_stored_once():
    items = Answer.objects.filter(late=False).values_list("item__number", flat=True)
    return sorted(items) == list(range(1, COUNT + 1)) and Answer.objects.count() == COUNT


def nothing_is_left(page):
    expect(page.get_by_role("heading", name=DONE)).to_be_focused()


@pytest.mark.parametrize("name", KINDS)
def test_on_a_phone_by_taps(open_at, name):
    page = open_at(twenty.campaign_of(name), effort.PHONE)
    hand = twenty.QuickHand(page)
    for number in range(1, COUNT + 1):
        KINDS[name].by_taps(hand)
        if number < COUNT:
            hand.finish(number + 1)
        assert page.evaluate(SIDEWAYS) == 0
    nothing_is_left(page)
    assert all_are_stored_once()


@pytest.mark.parametrize("name", KINDS)
def test_in_arabic_by_keys(open_at, name):
    page = open_at(twenty.campaign_of(name, twenty.ARABIC))
    hand, do = twenty.QuickHand(page), twenty.by_keys(name, twenty.ARABIC)
    for number in range(1, COUNT + 1):
        shown = page.evaluate(TEXTS)
        assert shown
        assert {tuple(one) for one in shown} == {("ar", "rtl")}
        do(hand)
        if number < COUNT:
            hand.finish(number + 1)
    nothing_is_left(page)
    assert all_are_stored_once()


@pytest.mark.parametrize("name", KINDS)
def test_by_the_accessibility_tree_alone(open_at, name):
    page = open_at(twenty.campaign_of(name, twenty.FEW))
    page.evaluate(LISTEN)
    for number in range(1, COUNT + 1):
        twenty.BY_TREE[name](page)
        page.get_by_role("button", name="Submit", exact=True).press("Enter")
        page.wait_for_function(HEARD, arg=f"Item {number + 1}" if number < COUNT else DONE)
    nothing_is_left(page)
    assert all_are_stored_once()


@pytest.mark.parametrize("name", KINDS)
def test_without_a_network(open_at, name):
    page = open_at(twenty.campaign_of(name, prefetch=COUNT - 1), ahead=True)
    hand, do = twenty.QuickHand(page), twenty.by_keys(name)
    page.context.set_offline(True)
    for number in range(1, COUNT + 1):
        do(hand)
        if number < COUNT:
            hand.finish(number + 1)
    expect(page.get_by_text(ALL_WAITING)).to_be_visible()
    assert not Answer.objects.exists()
    page.context.set_offline(False)
    nothing_is_left(page)
    expect(page.locator("#waiting section")).to_have_count(0)  # nothing was refused
    assert all_are_stored_once()
