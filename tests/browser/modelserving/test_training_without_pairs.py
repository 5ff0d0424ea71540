"""Captions of two styles that are not parallel: by page five models are trained on them, run, and ranked."""

import csv
import re

import pytest
from playwright.sync_api import expect
from support.campaigns import PASSWORD
from support.demo_site import sign_in_by_form
from support.screenshots import shoot

from accounts.models import Person
from modelserving.models import TrainingRun

BEGINS = {
    "humorous": ["a dog like a clown", "two silly men", "a boy who forgot his pants", "a cat with a plan"],
    "romantic": ["a girl in love", "a couple dreaming", "a man longing for his wife", "two hearts as one"],
}
ENDS = [f"{does} {where}" for does in ("run", "sit", "jump", "play", "swim", "rest")
        for where in ("on the beach", "in the snow", "by the lake")]  # fmt: skip
SPLITS = ["train"] * 14 + ["tune"] * 2 + ["test"] * 2  # of the ends, each with four beginnings
SMALL = {"batch": "16", "epochs": "2", "least": "1"}
RECURRENT = {"batch": "8", "epochs": "8", "least": "1", "hidden": "32", "embedding": "32"}
MODELS = {
    "Auto-encoder": ("auto_encoder", RECURRENT),
    "Style-embedding": ("style_embedding", {**RECURRENT, "style": "8"}),
    "Multi-decoder": ("multi_decoder", RECURRENT),
    "DeleteAndRetrieve": ("delete_and_retrieve", {**RECURRENT, "threshold": "3", "least_content": "2"}),
    "Style Transformer": (
        "style_transformer",
        {**SMALL, "hidden": "16", "layers": "1", "heads": "2", "feedforward": "16", "pretrain": "4",
         "discriminator_updates": "2", "generator_updates": "2"},
    ),
}  # fmt: skip
METRICS = ("Transfer strength transfer_strength", "Content content_preservation")
pytestmark = pytest.mark.soak


@pytest.fixture
def lead(page, web_server, celery_workers):
    """The page, with an admin signed in."""
    Person.objects.create_user("ada@example.org", PASSWORD, name="Ada", role="admin")
    sign_in_by_form(page, "ada@example.org")
    return page


def test_five_models_are_trained_on_captions_run_and_ranked(lead, tmp_path):
    make_the_study(lead, tmp_path)
    home = lead.url.partition("/studies/")[0] + "/studies/captions/"
    for label, (model, options) in MODELS.items():
        train(lead, home, label, model, options)
    for label in MODELS:
        run(lead, home, label)
    report(lead, home)


def click(page, *names):
    for name in names:
        button = page.get_by_role("button", name=name, exact=True)
        page.get_by_role("link", name=name, exact=True).or_(button).first.click()


def make_the_study(page, folder):
    """Captions of each style, as sources of the direction into the other; no references."""
    click(page, "New study")
    page.get_by_label("Title").fill("Captions")
    page.get_by_label("Styles").fill("humorous, romantic")
    click(page, "Create study", "Add texts")
    for source, target in (("humorous", "romantic"), ("romantic", "humorous")):
        page.goto("/studies/captions/texts/")
        click(page, "Add a direction")
        page.get_by_label("From").select_option(source)
        page.get_by_label("To", exact=True).select_option(target)
        click(page, "Add the direction")
        page.get_by_label("File").set_input_files(written(folder / f"{source}.csv", source))
        click(page, "Check the file")
        shoot(page, "captions-file")
        for column, meaning in (("text", "source"), ("split", "split")):
            expect(page.get_by_label(column, exact=True)).to_have_value(meaning)
        click(page, "Import")
        expect(page.locator("#messages")).to_contain_text("72 new sources")


def written(path, style):
    with path.open("w", encoding="utf-8", newline="") as file:
        rows = csv.writer(file)
        rows.writerow(["text", "split"])
        for end, split in zip(ENDS, SPLITS, strict=True):
            rows.writerows([f"{begin} {end}", split] for begin in BEGINS[style])
    return path


def train(page, home, label, model, options):
    page.goto(f"{home}models/train/")
    page.get_by_label(label, exact=True).check()
    page.locator(f"#options input[value={model}]").wait_for(state="attached")  # its options, brought by htmx
    page.get_by_text("More options").click()
    for name, value in options.items():
        page.locator(f"#id_option-{name}").fill(value)
    page.get_by_label("Name").fill(label)
    page.get_by_role("button", name="Train", exact=True).click()
    page.wait_for_url("**/trainings/*/")
    expect(page.locator("#training-live .badge").first).to_have_text(re.compile("Done|Failed"))
    assert TrainingRun.objects.get(name=label).job.error == ""
    shoot(page, f"captions-{model}")


def run(page, home, label):
    page.goto(f"{home}models/")
    row = page.locator("table.models tr").filter(has=page.get_by_text(label, exact=True))
    row.get_by_role("link", name="Run").first.click()
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/jobs/*/")
    expect(page.locator("#job-state .badge")).to_have_text("Done")


def report(page, home):
    page.goto(f"{home}report/")
    click(page, "Choose metrics")
    for label in METRICS:
        page.get_by_label(label, exact=True).check()
    shoot(page, "captions-metrics")
    click(page, "Save and update the report")
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_visible()
    shoot(page, "captions-report")
    rows = page.locator("#table-or-figure-leaderboard tbody tr")
    names, clusters = (rows.locator(cell).all_inner_texts() for cell in ("th", "td[data-label='Cluster']"))
    assert {name.strip() for name in names} == set(MODELS)
    ranks = [int(cluster.split()[0]) for cluster in clusters]
    assert ranks == sorted(ranks)
    for metric in ("Transfer strength", "Content"):
        assert all(0 <= value <= 1 for value in numbers(rows, metric))
    assert numbers(rows, "Content") == sorted(numbers(rows, "Content"), reverse=True), "the order of the leaderboard"


def numbers(rows, metric):
    """The score of each system, all of which have one."""
    return [float(text) for text in rows.locator(f"td[data-label='{metric}'] i").all_inner_texts()]
