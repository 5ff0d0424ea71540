"""A researcher runs a pretrained model that nobody trained, in a real browser: by PyTorch, then by CTranslate2."""

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support import tiny_transformers
from support.demo_site import sign_in
from support.generated_texts import generated, outputs_of
from support.training_studies import pairs, training_study

from accounts.permissions import Role

TEXTS = tuple(text for pair in pairs(24) for text in pair)
FAR_APART = {"initializer_factor": 5.0}  # outputs differ from text to text, and the best hypotheses are no tie
UNTUNED = "T5, not fine-tuned"


@pytest.fixture
def study(celery_workers):
    return training_study(24)


@pytest.fixture
def lead(page, study, web_server):
    """The page, with somebody who leads the study signed in."""
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


@pytest.mark.soak
def test_it_is_chosen_and_writes_what_generate_writes_by_either_engine(lead, study, models_folder):
    folder = tiny_transformers.make("t5", models_folder / "our-t5", TEXTS, **FAR_APART)
    sources = list(study.directions.get().sentences.filter(split="test").values_list("text", flat=True))
    expected = generated(folder, sources, "summarize: ")
    assert len(set(expected.values())) > 2
    choose(lead, study, "By PyTorch")
    run(lead)
    choose(lead, study, "By CTranslate2")
    lead.get_by_label("Engine").select_option("ctranslate2")
    lead.get_by_label("Quantization").select_option("float32")
    run(lead)
    for name in ("By PyTorch", "By CTranslate2"):
        assert outputs_of(study.systems.get(name=name)) == expected, name


def choose(page, study, name):
    page.goto(f"/studies/{study.slug}/models/")
    page.get_by_role("link", name="Run a model on this study").click()
    page.get_by_text("How it rewrites").click()
    page.get_by_label("Model", exact=True).select_option(label=UNTUNED)
    expect(page.locator("#id_decoding-folder")).to_have_value("our-t5")  # brought by htmx; the paper's is not here
    expect(page.locator("#id_decoding-prefix")).to_have_value("summarize: ")
    page.get_by_label("Sources").select_option("test")
    page.get_by_label("Name of the system").fill(name)
    page.get_by_label("Beam").fill("2")
    page.get_by_label("Longest").fill("12")
    page.get_by_text("More options").click()
    page.get_by_label("Early stopping").check()


def run(page):
    page.get_by_role("button", name="Run", exact=True).click()
    page.wait_for_url("**/jobs/*/")
    page.get_by_role("link", name="See the outputs").click()
    page.wait_for_url("**/systems/*/")
