"""The report in a real browser: axe-core finds nothing, choices swap parts, all of it works without scripts."""

from pathlib import Path

import pytest
from playwright.sync_api import expect
from support import campaigns

from accounts.permissions import Role
from corpora.formats import Judgement
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report

AXE = (Path(__file__).parents[1] / "vendor" / "axe.min.js").read_text(encoding="utf-8")


@pytest.fixture
def study(web_server):
    from annotation.criteria import keep_criteria

    made = campaigns.study(items=8, systems=3, references=1)
    for name in ("topic", "fluency"):
        keep_criteria(made, [{"name": name, "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    given = [
        Judgement("w1", f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", name,
                  1 + (n * k + len(name)) % 5, None, n)
        for n in range(1, 9) for k in (1, 2, 3) for name in ("topic", "fluency")
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}, "fkgl": {}})
    make_report(study=made)
    return made


def sign_in(page, study):
    person = campaigns.person(Role.RESEARCHER, study)
    page.goto("/accounts/login/")
    page.fill("[name=login]", person.email)
    page.fill("[name=password]", campaigns.PASSWORD)
    page.click("main button")
    page.wait_for_url(lambda url: "login" not in url)


def faults(page):
    page.evaluate(AXE)
    return [f"{one['id']}: {one['nodes'][0]['target']}" for one in page.evaluate("axe.run()")["violations"]]


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing(new_page, study, scheme):
    page = new_page(color_scheme=scheme)
    sign_in(page, study)
    for address in ("report/", "report/metrics/", "report/ratings/", "gold/"):
        page.goto(f"/studies/{study.slug}/{address}")
        assert faults(page) == []


def test_a_phone_shows_it_without_scrolling_sideways(new_page, study):
    page = new_page(viewport={"width": 360, "height": 740})
    sign_in(page, study)
    for address in ("report/", "report/metrics/", "report/ratings/", "gold/"):
        page.goto(f"/studies/{study.slug}/{address}")
        assert page.evaluate("document.documentElement.scrollWidth") <= 360


def test_choices_swap_their_part_alone(new_page, study):
    page = new_page()
    sign_in(page, study)
    page.goto(f"/studies/{study.slug}/report/")
    page.evaluate("window.kept = true")
    page.get_by_label("Metric", exact=True).select_option("FKGL")
    expect(page.locator("#plot .title").first).to_have_text("FKGL")
    page.get_by_role("link", name="By sentence").click()
    expect(page.locator("#correlations [aria-current]").first).to_have_text("By sentence")
    assert page.evaluate("window.kept"), "the page itself stayed"


def test_it_works_without_scripts(new_page, study):
    page = new_page(java_script_enabled=False)
    sign_in(page, study)
    page.goto(f"/studies/{study.slug}/report/")
    page.get_by_label("Criterion", exact=True).select_option("fluency")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#plot title")).to_contain_text("fluency")
    page.get_by_role("link", name="Kendall").click()
    expect(page.locator("#correlations caption")).to_contain_text("Kendall")
    with page.expect_download() as download:
        page.get_by_role("link", name="LaTeX").click()
    assert download.value.suggested_filename == f"{study.slug}-report.tex"
