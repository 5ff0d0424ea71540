"""Two systems compared in a real browser: from a number of the head-to-head to its sentences, and back."""

import re

import pytest
from playwright.sync_api import expect
from support import campaigns, demo_site
from support.screenshots import shoot

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from corpora.models import Output
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report

ARABIC = "يجب أن ترى الرقم الثالث بهذه الطريقة."
LONG = "You should see number four." + " Moreover, consider it with all of the care that it deserves." * 12


@pytest.fixture
def study(web_server):
    made = campaigns.study(items=26, systems=3, references=2)
    Output.objects.filter(system__name="NeuralSecret", sentence__number=3).update(text=ARABIC)
    Output.objects.filter(system__name="NeuralSecret", sentence__number=4).update(text=LONG)
    texts = dict(Output.objects.filter(system__name="NeuralSecret").values_list("sentence__number", "text"))
    keep_criteria(made, [
        {"name": "fluency", "scale": "likert_5", "aspect": "", "beside": "nothing"},
        {"name": "formality", "scale": "formality_7", "aspect": "style", "beside": "nothing"},
    ])  # fmt: skip
    given = [
        Judgement(rater, f"gotta see number {n} , u know",
                  texts[n] if k == 2 else f"You should see {n} in manner {k}.", "formal", name,
                  1 + (n * k + at) % 3, None, n)
        for n in range(1, 27) for k in (1, 2) for name in ("fluency", "formality")
        for at, rater in enumerate(("w1", "w2"))
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}, "fkgl": {}, "bleu": {}})
    make_report(study=made)
    return made


def test_from_a_number_to_its_sentences_and_back(new_page, study, web_server):
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/report/")
    page.get_by_role("link", name="Compare systems").click()
    expect(page.locator(".pair")).to_have_count(10)
    expect(page.locator(".pair").first.locator("ins")).not_to_have_count(0)
    shoot(page, "compare")
    page.locator(".pair").nth(2).get_by_text("Scores", exact=True).click()
    expect(page.locator(".pair").nth(2).locator(".pair-scores")).to_contain_text("Fluency")
    page.get_by_role("link", name="Head to head").click()
    shoot(page, "compare-numbers")
    won = page.get_by_role("link", name="Fluency: ").first
    count = int(won.inner_text())
    won.click()
    expect(page.locator("#pairs-h")).to_contain_text("Won by RuleBasedSecret, by Fluency")
    expect(page.locator(".pair")).to_have_count(min(count, 10))
    page.get_by_role("link", name="Show all sentences").click()
    page.get_by_label("Search").fill("Moreover")
    page.get_by_label("Mark differences").select_option("from the source")
    page.get_by_role("button", name="Show", exact=True).click()
    expect(page.locator(".pair")).to_have_count(1)
    expect(page.locator(".pair").get_by_text("Little in common with the source: not marked.")).to_have_count(2)
    expect(page).to_have_url(re.compile("search=Moreover"))
    page.go_back()
    expect(page.locator(".pair")).to_have_count(10)
    page.get_by_text("2 references").first.click()
    expect(page.get_by_text("Reference 0 of sentence 1.")).to_be_visible()
    page.set_viewport_size({"width": 390, "height": 844})
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), "nothing stands beside a phone's screen"


def test_keys_step_through_the_sentences_and_on_to_the_next_page(new_page, study, web_server):
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/report/compare/?first=RuleBasedSecret&second=NeuralSecret")
    pairs = page.locator(".pair")
    page.keyboard.press("j")
    expect(pairs.nth(0)).to_be_focused()
    page.keyboard.press("j")
    expect(pairs.nth(1)).to_be_focused()
    heads = page.locator(".pair-heads").bounding_box()
    assert pairs.nth(1).bounding_box()["y"] >= heads["y"] + heads["height"] - 1, "the heads that stay cover no sentence"
    page.keyboard.press("k")
    expect(pairs.nth(0)).to_be_focused()
    fourth = pairs.nth(3)
    assert fourth.locator(".gap").count() > 0
    fourth.locator(".gap summary").first.click()
    expect(fourth.locator(".gap[open]")).to_have_count(fourth.locator(".gap").count())
    page.keyboard.press("w")
    expect(page.locator(".gap:not([open])")).to_have_count(0)
    page.keyboard.press("w")
    expect(page.locator(".gap[open]")).to_have_count(0)
    pairs.last.focus()
    page.keyboard.press("j")
    expect(page.get_by_role("heading", name="Sentence 11", exact=True)).to_be_visible()
