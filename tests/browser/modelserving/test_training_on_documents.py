"""Documents in the browser: counted on the Train page as its options change, trained on, and rewritten."""

import re

import pytest
from playwright.sync_api import expect
from support import campaigns as made
from support.demo_site import sign_in
from support.document_studies import document_study

from accounts.permissions import Role
from corpora.models import Reference, Sentence

TINY = {"Hidden": "16", "Embedding": "16", "Batch": "16", "Dropout": "0", "Rate": "0.01", "Epochs": "2"}
ARABIC = "يقلل الأسبرين من تجلط الدم لدى المرضى."


@pytest.fixture
def study(web_server):
    """Twenty documents to train on, one of them of 5,000 words, one in Arabic and one of a single sentence."""
    made = document_study([1, *[3] * 23], ["train"] * 20 + ["tune"] * 2 + ["test"] * 2)
    long = Sentence.objects.get(origin__document__code="d1", origin__number=1)
    Sentence.objects.filter(pk=long.pk).update(text="word " * 5000)
    Sentence.objects.filter(origin__document__code="d2").update(text=ARABIC)
    Reference.objects.filter(sentence__origin__document__code="d2").update(text=f"{ARABIC} {ARABIC}")
    return made


@pytest.fixture
def lead(page, study, web_server):
    sign_in(page, made.person(Role.RESEARCHER, study), web_server.url)
    return page


def test_documents_are_counted_as_the_options_change(lead, study):
    lead.goto(f"/studies/{study.slug}/models/train/?model=seq2seq")
    expect(lead.locator("#lengths dd").first).to_have_text("20 pairs, at most 30 times: 30 updates at most")
    expect(lead.locator("#lengths p")).to_have_text("1 of 20 pairs is longer than 100 words and would be left out.")
    lead.locator("#options summary").click()
    lead.get_by_label("Longest", exact=True).fill("10")
    lead.get_by_label("Longest", exact=True).press("Tab")
    expect(lead.locator("#lengths p")).to_have_text("19 of 20 pairs are longer than 10 words and would be left out.")
    lead.get_by_label("Longest", exact=True).fill("3")
    lead.get_by_role("button", name="Train", exact=True).click()
    expect(lead.get_by_text("No pair is short enough to train on: each of 20 is longer than 3 words")).to_be_visible()
    expect(lead.get_by_label("Longest", exact=True)).to_be_visible()


@pytest.mark.soak
def test_documents_are_trained_on_and_rewritten(celery_workers, lead, study):
    lead.goto(f"/studies/{study.slug}/models/train/?model=seq2seq")
    lead.locator("#options summary").click()
    for label, value in {**TINY, "Longest": "100"}.items():
        lead.get_by_label(label, exact=True).fill(value)
    lead.get_by_label("Name").fill("Small")
    lead.get_by_role("button", name="Train", exact=True).click()
    lead.wait_for_url("**/trainings/*/")
    expect(lead.locator("#training-live .badge").first).to_have_text("Done")
    expect(lead.locator("#samples > ol > li")).to_have_count(2)
    lead.goto(f"/studies/{study.slug}/models/")
    lead.locator("table.models tr", has_text="Small").get_by_role("link", name="Run").click()
    lead.get_by_role("button", name="Run", exact=True).click()
    lead.wait_for_url("**/jobs/*/")
    expect(lead.locator("#job-told")).to_have_text(re.compile("of 2 documents (has|have) an output"))
