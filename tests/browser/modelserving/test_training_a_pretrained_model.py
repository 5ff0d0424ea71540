"""A researcher trains a pretrained model in a real browser: chosen, watched, stopped, tried, run, reported."""

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support import tiny_transformers
from support.axe import faults_in_two_states
from support.demo_site import sign_in
from support.generated_texts import generated, outputs_of
from support.screenshots import shoot
from support.training_studies import TUNE, pairs, training_study

from accounts.permissions import Role
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.make_report import make_report
from modelserving.artifacts import local_copy
from modelserving.models import TrainingRun

TEXTS = tuple(text for pair in pairs(40) for text in pair)
TINY = {"folder": "ours", "rate": "0.01", "batch": "16"}
SIDES = {"read": "64", "write": "12"}
ADAPTER = {"prompt": "Formal: {text}", "r": "4", "accumulate": "1", "longest": "64"}
MODELS = [  # the last number: who answers a typed sentence, the rules, two checkpoints, and two that take a T5 untuned
    ("t5", "T5", "t5", SIDES, 5),
    ("bart", "BART-Base", "bart_base", SIDES, 3),
    ("pegasus", "PEGASUS", "pegasus", SIDES, 3),
    ("bert", "BERT-MT", "bert_mt", {"longest": "64"}, 3),
    ("causal", "LoRA", "lora", ADAPTER, 3),
]
SCORED = {"bert_mt": "BLEU"}
CONVERTED = ("t5", "bart_base", "pegasus")  # by CTranslate2


@pytest.fixture
def study(web_server):
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


def train(page, name, fields, epochs):
    for name_of, value in {**TINY, **fields, "epochs": str(epochs)}.items():
        option(page, name_of).fill(value)
    page.get_by_label("Name").fill(name)
    shoot(page, "train")
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_url("**/trainings/*/")


def state(page):
    return page.locator("#training-live .badge").first


@pytest.mark.soak
@pytest.mark.parametrize(("form", "label", "model", "fields", "answers"), MODELS)
def test_one_is_chosen_trained_watched_stopped_resumed_tried_run_and_reported(
    form, label, model, fields, answers, serve_worker, lead, study, models_folder
):
    tiny_transformers.make(form, models_folder / "ours", TEXTS)
    choose(lead, study, label, model)
    train(lead, "Small", fields, epochs=12)
    watch(lead, SCORED.get(model, "Validation loss"))
    choose(lead, study, label, model)
    train(lead, "Long", fields, epochs=10_000)
    stop_and_resume(lead, study)
    try_a_sentence(lead, study, answers)
    run_and_report(lead, study, converted=model in CONVERTED)


def watch(page, score):
    """Curve, samples, score and log of a training that ends, and how it was asked for."""
    expect(page.locator(".drawing svg [aria-roledescription='line mark container'] path").first).to_be_attached()
    expect(page.locator("#samples > ol > li")).to_have_count(TUNE)
    expect(state(page)).to_have_text("Done")
    expect(page.locator(".tiles").get_by_text(score)).to_be_visible()
    expect(page.locator("#training-log")).to_contain_text("ours: ")
    expect(page.locator("dl.facts")).to_contain_text("ours")
    shoot(page, "training")
    assert faults_in_two_states(page) == []


def stop_and_resume(page, study):
    """One that would run for long is stopped, goes on, and is stopped again."""
    page.locator("#checkpoint-last").wait_for()
    cancel(page)
    done = TrainingRun.objects.get(study=study, name="Long").job.done
    page.get_by_role("button", name="Resume").click()
    page.get_by_text("it continues from its last checkpoint").wait_for()
    page.wait_for_function(
        "(done) => Number(document.querySelector('#training-progress progress')?.value ?? 0) > done", arg=done
    )
    cancel(page)


def cancel(page):
    page.locator("#training-cancel").click()
    page.get_by_role("button", name="Stop the training").click()
    page.get_by_text("The training was asked to stop.").wait_for()
    expect(state(page)).to_have_text("Cancelled")


def try_a_sentence(page, study, answers):
    page.goto(f"/studies/{study.slug}/models/try/")
    page.get_by_label("Sentence").fill("wat u r")
    page.keyboard.press("Control+Enter")
    expect(page.locator(".answer[data-state=done]")).to_have_count(answers)  # what a tiny one writes may be empty
    shoot(page, "try")


def run_and_report(page, study, *, converted):
    """It becomes a system with a row in the report; `converted`: of what transformers' `generate` writes."""
    page.goto(f"/studies/{study.slug}/models/")
    shoot(page, "models")
    page.locator("table.models tr", has_text="Small").get_by_role("link", name="Run").click()
    expect(page.get_by_label("Name of the system")).to_have_value("Small")
    page.get_by_text("How it rewrites").click()
    page.get_by_label("Beam").fill("2")
    if not converted and not page.get_by_label("Longest").is_visible():
        page.get_by_text("More options").click()
    page.get_by_label("Longest").fill("12")
    if converted:
        choose_ctranslate2(page)
    shoot(page, "run")
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/jobs/*/")
    page.get_by_role("link", name="See the outputs").click()
    page.wait_for_url("**/systems/*/")
    expect(page.locator("tbody tr").first).to_be_visible()  # a tiny model may write nothing for some of the test split
    assert 0 < page.locator("tbody tr").count() <= TUNE
    shoot(page, "system")
    if converted:
        assert outputs_of(study.systems.get(name="Small")) == expected_outputs(study)
    choose_metrics(study=study, metrics={"bleu": {}})
    make_report(study=study)
    page.goto(f"/studies/{study.slug}/report/")
    expect(page.locator("#table-or-figure-leaderboard tbody th", has_text="Small")).to_be_visible()
    shoot(page, "report")


def choose_ctranslate2(page):
    page.get_by_text("More options").click()
    page.get_by_label("Early stopping").check()
    page.get_by_label("Engine").select_option("ctranslate2")
    page.get_by_label("Quantization").select_option("float32")


def expected_outputs(study):
    training = TrainingRun.objects.get(study=study, name="Small")
    sources = study.directions.get().sentences.filter(split="test").values_list("text", flat=True)
    best = local_copy(training.checkpoints.get(kind="best"))
    return generated(best, list(sources), training.options["prefix"])


def test_folders_are_suggested_presets_fill_the_form_and_a_wrong_folder_is_refused(lead, study, models_folder):
    (models_folder / "ours").mkdir()
    (models_folder / "ours" / "config.json").write_text('{"model_type": "t5"}')  # what makes a folder a model's
    choose(lead, study, "T5", "t5")
    expect(option(lead, "folder")).to_have_value("t5-base")
    suggested = lead.locator("#id_option-folder-suggestions option")
    expect(suggested).to_have_count(1)
    expect(suggested).to_have_attribute("value", "ours")
    option(lead, "folder").fill("ours")
    lead.get_by_label("Name").fill("Typed before")
    lead.get_by_role("button", name="MedLane").click()
    expect(option(lead, "batch")).to_have_value("30")
    expect(option(lead, "tune_by")).to_have_value("bleu")
    expect(option(lead, "prefix")).to_have_value("")
    expect(option(lead, "folder")).to_have_value("ours")
    lead.get_by_role("button", name="Defaults").click()
    expect(option(lead, "batch")).to_have_value("8")
    expect(option(lead, "prefix")).to_have_value("summarize: ")
    expect(option(lead, "folder")).to_have_value("ours")
    expect(lead.get_by_label("Name")).to_have_value("Typed before")
    option(lead, "folder").fill("t5-base")
    option(lead, "folder").press("Enter")  # trains, and chooses no preset
    lead.get_by_text("There is no pretrained model 't5-base' below RESTYLE_MODELS; put it there.").wait_for()
    assert not TrainingRun.objects.filter(study=study).exists()
