"""A researcher trains a pretrained model in a real browser: chosen, watched, stopped, tried, run, reported."""

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support import tiny_transformers
from support.demo_site import sign_in
from support.training_studies import TUNE, pairs, training_study

from accounts.permissions import Role
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from modelserving.models import TrainingRun

TEXTS = tuple(text for pair in pairs(40) for text in pair)
TINY = {"rate": "0.01", "batch": "16", "read": "64", "write": "12"}


@pytest.fixture
def study(serve_worker):
    return training_study(40)


@pytest.fixture
def lead(page, study, web_server):
    """The page, with somebody who leads the study signed in."""
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


def choose(page, study, label, model):
    page.goto(f"/studies/{study.slug}/models/train/")
    page.get_by_label(label, exact=True).check()
    page.locator(f"#options input[value={model}]").wait_for(state="attached")  # its options, brought by htmx


def option(page, name):
    return page.locator(f"#id_option-{name}")


def train(page, name, **fields):
    for name_of, value in {**TINY, **fields}.items():
        option(page, name_of).fill(value)
    page.get_by_label("Name").fill(name)
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_url("**/trainings/*/")


def state(page):
    return page.locator("#training-live .badge").first


def test_a_t5_is_chosen_trained_watched_stopped_resumed_tried_run_and_reported(lead, study, models_folder):
    tiny_transformers.make("t5", models_folder / "our-t5", TEXTS)
    choose(lead, study, "T5", "t5")
    the_folders_are_suggested_and_presets_fill_the_form(lead)
    a_wrong_folder_is_refused(lead, study)
    train(lead, "Small", folder="our-t5", epochs="3")
    expect(lead.locator(".drawing svg [aria-roledescription='line mark container'] path").first).to_be_attached()
    expect(lead.locator("#samples > ol > li")).to_have_count(TUNE)
    expect(state(lead)).to_have_text("Done")
    expect(lead.locator(".tiles").get_by_text("Validation loss")).to_be_visible()
    expect(lead.locator("#training-log")).to_contain_text("our-t5: t5, ")
    stop_and_resume(lead, study)
    try_a_sentence(lead, study)
    run_and_report(lead, study)


def the_folders_are_suggested_and_presets_fill_the_form(page):
    expect(option(page, "folder")).to_have_value("t5-base")
    suggested = page.locator("#id_option-folder-suggestions option")
    expect(suggested).to_have_count(1)
    expect(suggested).to_have_attribute("value", "our-t5")
    option(page, "folder").fill("our-t5")
    page.get_by_label("Name").fill("Typed before")
    page.get_by_role("button", name="MedLane").click()
    expect(option(page, "batch")).to_have_value("30")
    expect(option(page, "tune_by")).to_have_value("bleu")
    expect(option(page, "prefix")).to_have_value("")
    expect(option(page, "folder")).to_have_value("our-t5")
    page.get_by_role("button", name="Defaults").click()
    expect(option(page, "batch")).to_have_value("8")
    expect(option(page, "prefix")).to_have_value("summarize: ")
    expect(option(page, "folder")).to_have_value("our-t5")
    expect(page.get_by_label("Name")).to_have_value("Typed before")
    option(page, "folder").fill("t5-base")


def a_wrong_folder_is_refused(page, study):
    option(page, "folder").press("Enter")  # trains, and chooses no preset
    page.get_by_text("There is no pretrained model 't5-base' below RESTYLE_MODELS; put it there.").wait_for()
    assert not TrainingRun.objects.filter(study=study).exists()


def stop_and_resume(page, study):
    choose(page, study, "T5", "t5")
    train(page, "Long", folder="our-t5", epochs="10000")
    page.locator("#checkpoint-last").wait_for()
    cancel(page)
    done = TrainingRun.objects.get(study=study, name="Long").job.done
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("it goes on from its last checkpoint").wait_for()
    page.wait_for_function(
        "(done) => Number(document.querySelector('#training-progress progress')?.value ?? 0) > done", arg=done
    )
    cancel(page)


def cancel(page):
    page.locator("#training-cancel").click()
    page.get_by_role("button", name="Stop it").click()
    page.get_by_text("The training was asked to stop.").wait_for()
    expect(state(page)).to_have_text("Cancelled")


def try_a_sentence(page, study):
    page.goto(f"/studies/{study.slug}/models/try/")
    page.get_by_label("Sentence").fill("wat u r")
    page.keyboard.press("Control+Enter")
    # the rules, T5 and T0++ as they are in the only folder, and a checkpoint of each training; a tiny one may be empty
    expect(page.locator(".answer[data-state=done]")).to_have_count(5)


def run_and_report(page, study):
    """The tuned one and the untuned become systems, which the report has a row for."""
    page.goto(f"/studies/{study.slug}/models/")
    page.locator("table.models tr", has_text="Small").get_by_role("link", name="Run").click()
    run(page, "Small")
    choose_metrics(study=study, metrics={"bleu": {}})
    make_report(study=study)
    page.goto(f"/studies/{study.slug}/report/")
    expect(page.locator("#table-or-figure-leaderboard tbody th", has_text="Small")).to_be_visible()


def run(page, name):
    expect(page.get_by_label("Name of the system")).to_have_value(name)
    page.get_by_text("How it rewrites").click()
    page.get_by_label("Beam").fill("2")
    page.get_by_label("Longest").fill("12")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/jobs/*/")
    page.get_by_role("link", name="See the outputs").click()
    page.wait_for_url("**/systems/*/")
    expect(page.locator("tbody tr").first).to_be_visible()  # a tiny model may write nothing for some of the test split
    assert 0 < page.locator("tbody tr").count() <= TUNE


@pytest.mark.parametrize(
    ("kind", "label", "model"), [("bart", "BART-Base", "bart_base"), ("pegasus", "PEGASUS", "pegasus")]
)
def test_a_bart_and_a_pegasus_are_trained_and_say_how_they_were_asked_for(
    kind, label, model, lead, study, models_folder
):
    tiny_transformers.make(kind, models_folder / "ours", TEXTS)
    choose(lead, study, label, model)
    train(lead, "Small", folder="ours", epochs="2")
    expect(state(lead)).to_have_text("Done")
    expect(lead.locator("#samples > ol > li")).to_have_count(TUNE)
    expect(lead.locator("dl.facts")).to_contain_text("ours")
