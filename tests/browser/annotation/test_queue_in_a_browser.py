"""The queue of answers in a real browser against the real server, on a network that loses what a seed says.

`test_queue_model.py` draws thousands of sequences without either; here the browser's own storage and locks take part.
"""

import random

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support.demo_site import sign_in
from support.items_ahead import ANSWERS, open_with_items_ahead
from support.processes import wait_until

from annotation.models import Answer

ITEMS = 8
READY = """() => document.querySelector("#work:not([inert])") &&
  document.querySelector("form[data-ahead], #work [data-reason], #work[data-nothing-left], form[data-place^=change]")"""

# In one step, so that what is read is what is acted on: the page goes on by itself from an item that was answered
# meanwhile. Each says of which item the page was, or null where nothing can be pressed there now.
TYPE = """(text) => {
  const work = document.querySelector("#work:not([inert])"), field = work?.querySelector("textarea[name=text]");
  if (!field) return null;
  field.focus();
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  return work.dataset.say;
}"""
UNDO = """() => {
  const work = document.querySelector("#work:not([inert])");
  const button = work?.querySelector("[formaction$='undo/']:enabled");
  button?.click();
  return button ? work.dataset.say : null;
}"""
GOES_ON = READY.replace(", #work[data-nothing-left]", "")  # a page that has lost an answer asks again by itself


class Sequence:
    """What somebody does, by a seed, and what they entered last of each item."""

    def __init__(self, page, seed):
        self.page, self.random = page, random.Random(seed)  # noqa: S311 (a drawn sequence)
        self.entered, self.texts = {}, 0
        self.is_bad = False
        page.route("**/work/**", self.pass_on)

    def pass_on(self, route):
        drawn = self.random.random() if self.is_bad else 1
        if drawn < 0.25:
            route.abort()
        elif drawn < 0.5:
            route.fetch()  # the server took it, and its answer is lost
            route.abort()
        else:
            route.fallback()

    def ready(self):
        self.page.wait_for_function(READY)
        return self.page.locator("form[data-ahead]").count() == 1

    def answer(self):
        self.texts += 1
        text = f"Text {self.texts}"
        if (said := self.page.evaluate(TYPE, text)) is None:
            return
        self.page.keyboard.press("Control+Enter")
        self.entered[said] = text
        expect(self.page.locator("#work")).not_to_have_attribute("data-say", said)

    def undo(self):
        if (said := self.page.evaluate(UNDO)) is None:
            return
        expect(self.page.locator("#work")).not_to_have_attribute("data-say", said)
        self.page.wait_for_function(READY)
        if self.page.locator("form[data-place^=change]").count():
            self.page.get_by_role("link", name="Next item").click()
            expect(self.page.locator("form[data-place^=change]")).to_have_count(0)

    def act(self):
        drawn = self.random.random()
        has_item = self.ready()
        if drawn < 0.25:
            self.is_bad = self.random.random() < 0.7
        elif drawn < 0.4 and self.entered and not self.is_bad:
            self.undo()
        elif has_item:
            self.answer()

    def end(self):
        self.is_bad = False
        for _ in range(10 * ITEMS):
            self.page.wait_for_function(GOES_ON)
            if self.page.locator("[data-reason]").count():  # also while the last answer is on its way
                wait_until(lambda: self.page.evaluate(ANSWERS) == 0, "all answers to be sent")
                return
            if self.ready():
                self.answer()
        raise AssertionError("the work did not end")


@pytest.mark.parametrize("seed", [1, *(pytest.param(seed, marks=pytest.mark.soak) for seed in range(2, 37))])
def test_what_was_entered_last_stands_on_a_network_that_loses_half(page, web_server, seed):
    study = make.study(items=ITEMS)
    campaign, who = make.campaign(study, prefetch=3), make.person(study=study)
    sign_in(page, who, web_server.url)
    open_with_items_ahead(page, reverse("campaign_work", args=[study.slug, campaign.slug]))
    sequence = Sequence(page, seed)
    for _ in range(12):
        sequence.act()
    sequence.end()
    newest = {}
    for number, text in Answer.objects.order_by("revision").values_list("item__number", "content__text"):
        newest[f"Item {number}"] = text
    assert newest == sequence.entered
    expect(page.locator("#waiting section")).to_have_count(0)
