"""A researcher trains a small model in a real browser, watches it, stops and resumes another, and tries them."""

import re

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support.demo_site import sign_in
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from modelserving.models import TrainingRun

TINY = {"Hidden": "16", "Embedding": "16", "Batch": "16", "Dropout": "0", "Rate": "0.01", "Patience": "0"}


@pytest.fixture
def study(web_server):
    return training_study(40)


@pytest.fixture
def lead(page, study, web_server):
    """The page, with somebody who leads the study signed in."""
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


def train(page, study, name, epochs):
    """Ask for a training in the browser, and wait for its page."""
    page.goto(f"/studies/{study.slug}/models/")
    page.get_by_role("link", name="Train", exact=True).click()
    page.get_by_label("Seq2Seq", exact=True).check()
    page.locator("#options input[value=seq2seq]").wait_for(state="attached")  # its options, brought by htmx
    for label, value in {**TINY, "Epochs": str(epochs)}.items():
        page.get_by_label(label, exact=True).fill(value)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_url("**/trainings/*/")


def state(page):
    return page.locator("#training-live .badge").first


def test_a_model_that_is_chosen_before_the_page_listens_has_its_options(lead, study):
    """And one that the browser puts back after Back."""
    held = []
    lead.route(re.compile(r"/htmx[^/]*\.js"), lambda route: held.append(route))
    lead.goto(f"/studies/{study.slug}/models/train/", wait_until="commit")
    lead.get_by_label("Auto-encoder", exact=True).dispatch_event("click")
    options = lead.locator("#options input[value=auto_encoder]")
    expect(options).to_have_count(0)
    assert len(held) == 1
    held.pop().continue_()
    options.wait_for(state="attached")
    lead.unroute_all()
    lead.goto("/studies/")
    lead.go_back()
    expect(lead.get_by_label("Auto-encoder", exact=True)).to_be_checked()
    options.wait_for(state="attached")


def test_a_model_is_found_by_what_it_needs_and_a_refusal_is_in_sight(lead, study):
    lead.goto(f"/studies/{study.slug}/models/train/")
    assert lead.evaluate("document.documentElement.scrollHeight") < 2600, "it was 6,300 pixels high"
    lead.get_by_label("Find a model").fill("no such model")
    rows = lead.locator("#kinds [data-filter-item]:visible")
    expect(rows).to_have_count(0)
    lead.get_by_label("Find a model").fill("bahdanau")  # of what is said of it, not of its row
    expect(rows.filter(has_text="Seq2Seq").first).to_be_visible()
    lead.get_by_label("Seq2Seq", exact=True).check()
    expect(lead.locator("#lengths dt").first).to_have_text("Reads")
    lead.get_by_label("Seed").fill("-1")
    lead.get_by_label("Epochs").fill("0")
    lead.get_by_role("button", name="Train", exact=True).click()
    expect(lead.get_by_label("Seed")).to_have_attribute("aria-invalid", "true")
    wrong = lead.get_by_label("Epochs")
    expect(wrong).to_be_focused()
    expect(wrong).to_be_in_viewport()
    expect(wrong).to_have_attribute("aria-describedby", re.compile("id_option-epochs_error"))


def test_a_model_is_trained_watched_stopped_resumed_and_tried(serve_worker, lead, study):
    train(lead, study, "Small", epochs=3)
    expect(lead.locator(".drawing svg [aria-roledescription='line mark container'] path").first).to_be_attached()
    expect(lead.locator("#samples > ol > li")).to_have_count(TUNE)
    expect(state(lead)).to_have_text("Done")
    expect(lead.locator(".tiles").get_by_text("BLEU")).to_be_visible()
    grow_the_chart(lead)
    lead.get_by_text("The numbers as a table").click()
    expect(lead.locator("#curve-table tbody tr")).to_have_count(3)
    assert lead.locator("#training-live[hx-get]").count() == 0, "it asks no more"
    stop_and_resume(lead, study)
    try_a_sentence(lead, study)


INSIDE = """() => {
  const svg = document.querySelector(".drawing svg"), room = svg.getBoundingClientRect();
  const words = [...svg.querySelectorAll("text")].map((word) => word.getBoundingClientRect());
  const inside = (word) => word.left >= room.left - 1 && word.right <= room.right + 1 && word.bottom <= room.bottom + 1;
  return words.every(inside);
}"""


def grow_the_chart(page):
    """Its numbers become long while it is looked at: their labels find room."""
    place = page.locator("[data-figure]")

    def longer(route):
        figure = route.fetch().json()
        for row in figure["data"]["values"]:
            row["value"] *= 1_000_000
        route.fulfill(json=figure)

    page.route(f"**{place.get_attribute('data-figure')}", longer)
    page.wait_for_function(INSIDE)
    place.dispatch_event("restyle:renew")
    expect(place.locator("svg text").filter(has_text=re.compile(r"\d,\d{3},\d{3}$")).first).to_be_attached()
    page.wait_for_function(INSIDE)


def stop_and_resume(lead, study):
    """One that would run for long is stopped, goes on, and is stopped again."""
    train(lead, study, "Long", epochs=10_000)
    lead.locator("#checkpoint-last").wait_for()
    cancel(lead)
    done = TrainingRun.objects.get(study=study, name="Long").job.done
    lead.get_by_role("button", name="Resume").click()
    lead.get_by_text("it continues from its last checkpoint").wait_for()
    expect(state(lead)).to_have_text("Running")
    lead.wait_for_function(
        "(done) => Number(document.querySelector('#training-progress progress')?.value ?? 0) > done", arg=done
    )
    cancel(lead)


# Not while it asks for itself: what then comes would find its place gone.
RENEWED = """() => {
  const live = document.getElementById("training-live");
  if (live.classList.contains("htmx-request")) return false;
  live.outerHTML = live.outerHTML;
  return true;
}"""


def cancel(page):
    page.locator("#training-cancel").click()
    page.wait_for_function(RENEWED)  # as it is every few seconds; what is asked meanwhile holds all the same
    page.get_by_role("button", name="Stop the training").click()
    page.get_by_text("The training was asked to stop.").wait_for()
    expect(state(page)).to_have_text("Cancelled")


def try_a_sentence(page, study):
    page.goto(f"/studies/{study.slug}/models/try/")
    page.get_by_label("Sentence").fill("wat u r")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".answer[data-state=done]")).to_have_count(3)  # the rules, and a checkpoint of each training
    rules = page.locator(".answer", has_text="Rule-based formality")
    expect(rules.locator("del").first).to_be_visible()
    expect(rules.locator("ins").first).to_be_visible()
