"""A study with a metric beside people and any looks: planned, worked at to its decision, and the same decision read
in the report, the API and LaTeX."""

import numpy as np
from playwright.sync_api import expect
from support import campaigns
from support.demo_site import sign_in

from accounts.permissions import Role
from corpora.models import Sentence
from evaluation.actions.make_report import make_report
from evaluation.models import ImportedMetric, MetricScore


def with_metric(study):
    """A metric from elsewhere that scored every output, finer where people will."""
    ImportedMetric.objects.create(study=study, number=1, name="COMET", higher_is_better=True, file_name="comet.csv")
    keys = list(Sentence.objects.filter(direction__study=study).order_by("number").values_list("pk", flat=True))
    for place, system in enumerate(study.systems.order_by("number")):
        packed = np.ones((len(keys), 2))
        packed[:, 0] = [0.4 + 0.2 * place * (n % 3 == 0) for n in range(len(keys))]
        MetricScore.objects.create(
            system=system, metric="imported/COMET", key=f"k{place}", signature="COMET", corpus=packed[:, 0].mean(),
            sentence_ids=keys, sentences=packed[:, 0].tolist(), width=2, packed=packed.tobytes(),
        )  # fmt: skip


def rate(campaign, person, most):
    for _ in range(most):
        work = campaigns.claim(campaign, person).work
        texts = [work.content["candidates"][place] for place in work.order]
        worse = int(texts[0].split(" in manner")[0].split()[-1]) % 3 == 0
        values = [2 if "manner 2" in text else int(worse) for text in texts]
        content = {"ratings": [{"similarity": value} for value in values]}
        campaigns.hand_in(campaign, person, work, content=content, seconds=9.0)


def test_a_study_is_decided_and_says_the_same_everywhere(new_page, web_server):
    study = campaigns.study(items=60, systems=2)
    with_metric(study)
    lead, rater = campaigns.person(Role.RESEARCHER, study), campaigns.person(study=study)
    page = new_page()
    sign_in(page, lead, web_server.url)
    page.goto(f"/studies/{study.slug}/human/new/?preset=fu")
    page.get_by_label("Name").fill("Which is closer?")
    page.locator("summary", has_text="Sentences").click()
    page.get_by_label("Sample size").fill("45")
    page.get_by_label("People per output").fill("1")
    page.locator("summary", has_text="Main comparison").click()
    page.get_by_label("Baseline").select_option(campaigns.SYSTEMS[0])
    page.locator('[name="criterion"]').fill("similarity")
    page.get_by_label("When it is decided").select_option("any")
    page.get_by_label("Metric beside people").select_option("imported/COMET")
    page.get_by_role("button", name="Save the plan").click()
    page.get_by_role("button", name="Open it").click()
    page.get_by_role("dialog").get_by_role("button", name="Open").click()
    expect(page.locator("#decision")).to_have_text("Not decided after 0 of 45 answers.")

    human = study.human_studies.get()
    rate(human.campaigns.get(), rater, 30)
    page.reload()
    expect(page.locator("#decision")).to_contain_text("Decided after")
    decided = page.locator("#decision strong").inner_text().rstrip(":")
    expect(page.get_by_role("heading", name="Main comparison")).to_have_count(0)
    page.get_by_role("button", name="Close the study").click()
    page.get_by_role("dialog").get_by_role("button", name="Close").click()
    expect(page.get_by_role("heading", name="Main comparison")).to_be_visible()
    expect(page.locator("#compared-h ~ p")).to_contain_text(decided)

    make_report(study=study)
    page.goto(f"/studies/{study.slug}/report/")
    expect(page.locator(".human-study")).to_contain_text(decided)
    address = f"{web_server.url}/api/studies/{study.slug}/human-studies/{human.slug}/"
    summary = page.request.get(address).json()["summary"]
    assert f"Decided after {summary['decision']['after']} of {summary['decision']['planned']} answers" == decided
    latex = page.request.get(f"{web_server.url}/studies/{study.slug}/report/tables/main_comparisons/latex/").text()
    assert decided[0].lower() + decided[1:] in " ".join(latex.split())
    assert "People and metric" in latex
