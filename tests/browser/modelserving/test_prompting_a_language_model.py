"""A researcher prompts a language model in a real browser: looks at the prompt, trains, sees the cost, runs it."""

import re

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support.axe import faults_in_two_states
from support.demo_site import sign_in
from support.language_model_server import shared
from support.screenshots import shoot
from support.training_studies import TUNE, training_study

from accounts.permissions import Role
from corpora.models import Study
from modelserving.models import TransferRun


@pytest.fixture
def server():
    with shared() as one:
        yield one


@pytest.fixture
def study(web_server):
    return training_study(16 + 2 * TUNE)


@pytest.fixture
def lead(page, study, web_server):
    """The page, with somebody who leads the study signed in."""
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


def form_of(page, study, endpoint="far"):
    page.goto(f"/studies/{study.slug}/models/train/")
    page.get_by_label("Prompted language model", exact=True).check()
    page.locator("#options input[value=prompted]").wait_for(state="attached")
    page.locator("[name=option-endpoint]").select_option(endpoint)
    page.locator("[name=option-choice]").select_option("retrieved")
    for name, value in {"model": "tiny", "shots": "2", "price_input": "1000", "price_output": "2000"}.items():
        page.locator(f"[name=option-{name}]").fill(value)


@pytest.mark.soak
def test_a_model_is_prompted_looked_at_trained_run_and_tried(server, serve_worker, lead, study):
    form_of(lead, study)
    lead.get_by_role("button", name="Show the prompt").click()
    prompt = lead.locator("#prompt pre").last
    first = study.directions.get().sentences.order_by("number").first()
    expect(prompt).to_contain_text(f"Text (informal): {first.text}")
    assert prompt.inner_text().count("Rewritten (formal): ") == 2
    assert server.requests == []
    shoot(lead, "prompted-train")
    assert faults_in_two_states(lead) == []
    lead.get_by_label("Name").fill("Asked")
    lead.get_by_role("button", name="Train", exact=True).click()
    lead.wait_for_url("**/trainings/*/")
    expect(lead.locator("#training-live .badge").first).to_have_text("Done")
    expect(lead.locator("#samples > ol > li")).to_have_count(TUNE)
    shoot(lead, "prompted-training")
    run(lead, study)
    lead.goto(f"/studies/{study.slug}/models/try/")
    lead.get_by_label("Sentence").fill("wat u r")
    lead.keyboard.press("Control+Enter")
    prompted = re.compile("WAT U R")  # in its own case: the rules answer "Wat u r"
    expect(lead.locator(".answer[data-state=done]").filter(has_text=prompted)).to_have_count(1)


def run(page, study):
    """Its estimated cost stands on the form, what it cost on the job's page."""
    page.goto(f"/studies/{study.slug}/models/")
    page.locator("table.models tr", has_text="Asked").get_by_role("link", name="Run").click()
    rows = page.locator("#estimate tbody tr")
    expect(rows).to_have_count(4)
    expect(rows.last.locator("td").first).to_have_text(str(TUNE))
    shoot(page, "prompted-run")
    found = faults_in_two_states(page)
    assert found == [], found
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/jobs/*/")
    page.get_by_role("link", name="See the outputs").wait_for()
    expect(page.locator("#job-told")).to_contain_text(f"{TUNE} calls, ")
    shoot(page, "prompted-job")
    assert TransferRun.objects.get(study=study).usage["cost"] > 0


def test_the_prompt_is_shown_and_a_restricted_study_is_told_so_at_the_form(server, lead, study):
    form_of(lead, study)
    lead.get_by_role("button", name="Show the prompt").click()
    expect(lead.locator("#prompt pre").last).to_contain_text("Text (informal): ")
    Study.objects.filter(pk=study.pk).update(restricted=True)
    form_of(lead, study)
    lead.get_by_role("button", name="Train", exact=True).click()
    expect(lead.locator("main")).to_contain_text("The texts of this study are restricted, so they may not go to far")
    shoot(lead, "prompted-restricted")
    assert server.requests == []
