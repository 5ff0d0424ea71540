"""The report in a real browser: choices swap parts, a baseline brings stars, and all of it works without scripts."""

import pytest
from playwright.sync_api import expect
from support import campaigns, demo_site

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report
from evaluation.models import MetricRun
from evaluation.tasks import score


@pytest.fixture
def study(web_server):
    """The second system is judged better than the others."""
    made = campaigns.study(items=12, systems=3, references=1)
    for name in ("topic", "fluency"):
        keep_criteria(made, [{"name": name, "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    given = [
        Judgement("w1", f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", name,
                  1 + (n + len(name)) % 2 + 3 * (k == 2), None, n)
        for n in range(1, 13) for k in (1, 2, 3) for name in ("topic", "fluency")
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}, "fkgl": {}})
    make_report(study=made)
    return made


def test_a_report_is_read_compared_and_looked_through(page, study, web_server):
    """One study for all of it: to make one, with its report, takes as long as to read it."""
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    a_chart_is_copied_as_a_picture(page, study)
    a_baseline_is_chosen_and_stars_say_what_differs_from_it(page, study)
    the_page_of_trust_swaps_its_parts_alone_and_a_metric_is_found_by_name_and_paper(page, study)
    the_harms_that_metrics_see_open_on_the_page_of_trust(page, study)


def a_chart_is_copied_as_a_picture(page, study):
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.goto(f"/studies/{study.slug}/report/")
    page.evaluate("""() => {
        const write = navigator.clipboard.write.bind(navigator.clipboard);
        navigator.clipboard.write = async (items) => {
            window.copied = [...new Uint8Array(await (await items[0].getType("image/png")).arrayBuffer())].slice(1, 4);
            return write(items);
        };
    }""")
    page.get_by_role("button", name="Copy as a picture").first.click()
    expect(page.locator("#toast", has_text="The picture is copied: paste it.")).to_be_visible()
    assert bytes(page.evaluate("window.copied")) == b"PNG"


def a_baseline_is_chosen_and_stars_say_what_differs_from_it(page, study):
    page.goto(f"/studies/{study.slug}/report/")
    page.get_by_text("Comparison settings").click()
    page.get_by_label("Baseline").select_option("HumanSecret")
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.get_by_text("Changed since this report was computed: how systems are compared.")).to_be_visible()
    page.get_by_role("button", name="Update the report").click()
    expect(page.locator("#metrics-progress")).to_be_visible()
    score(MetricRun.objects.get().job_id)  # as a worker does; the page asks by itself
    expect(page.get_by_text("Stars: significantly different from HumanSecret")).to_be_visible()
    starred = page.locator("#table-or-figure-leaderboard tbody tr", has=page.locator("sup"))
    expect(starred.locator("th")).to_have_text(["NeuralSecret"])


def the_page_of_trust_swaps_its_parts_alone_and_a_metric_is_found_by_name_and_paper(page, study):
    page.goto(f"/studies/{study.slug}/report/")
    page.get_by_role("link", name="Which metric to trust", exact=True).click()
    expect(page.locator("#claim-1")).to_contain_text("on 36 judgements of 36 outputs by 1 person.")
    matrix = page.locator(".trust-matrix")
    expect(matrix.locator("thead .sort")).to_have_text(["Metric", "topic", "fluency", "Fooled by"])
    expect(matrix.locator("tbody th")).to_have_count(2)
    assert page.evaluate("document.documentElement.scrollHeight") < 3000, "it was 7,800 pixels high"
    page.evaluate("window.kept = true")
    page.get_by_role("combobox", name="Metric", exact=True).select_option("FKGL")
    expect(page.locator("#plot .title").first).to_have_text("FKGL")
    page.get_by_text("Pearson, Spearman, Kendall and more").click()
    page.get_by_role("link", name="Kendall").click()
    expect(page.locator("#correlations caption")).to_contain_text("Kendall")
    assert page.evaluate("window.kept"), "the page itself stayed"
    page.get_by_role("link", name="By system").click()
    expect(page.locator("#claim-1")).to_contain_text("by system")
    page.goto(f"/studies/{study.slug}/report/metrics/")
    page.get_by_label("Find a metric").fill("lin rouge-l")
    expect(page.locator("[data-filter-item]:visible label bdi")).to_have_text(["ROUGE-L"])
    expect(page.locator("#filter-count")).to_contain_text("1 of ")
    page.get_by_label("ROUGE-L").check()
    page.get_by_role("button", name="Save", exact=True).click()
    page.wait_for_url("**/report/")
    assert set(study.metric_choices.values_list("metric", flat=True)) == {"edit_distance", "fkgl", "rouge_l"}


def the_harms_that_metrics_see_open_on_the_page_of_trust(page, study):
    make_report(study=study)
    page.goto(f"/studies/{study.slug}/report/trust/")
    expect(page.get_by_role("heading", name="Harms that each metric sees")).to_be_visible()
    fold = page.get_by_text("The four ways, and the metrics that see them")
    expect(page.locator("#table-or-figure-contrast")).to_be_hidden()
    fold.focus()
    page.keyboard.press("Enter")
    expect(page.locator("#table-or-figure-contrast tbody tr", has_text="ROUGE-L")).to_be_visible()
    expect(page.locator("dl.baselines dt:visible").first).to_be_visible()


def test_it_works_without_scripts(new_page, study):
    page = new_page(java_script_enabled=False)
    demo_site.sign_in_by_form(page, campaigns.person(Role.RESEARCHER, study).email)
    page.goto(f"/studies/{study.slug}/report/trust/")
    page.get_by_label("Criterion", exact=True).select_option("fluency")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("#plot title")).to_contain_text("fluency")
    page.get_by_text("Pearson, Spearman, Kendall and more").click()
    page.get_by_role("link", name="Kendall").click()
    expect(page.locator("#correlations caption")).to_contain_text("Kendall")
    page.goto(f"/studies/{study.slug}/report/metrics/")
    expect(page.get_by_label("Find a metric")).to_be_hidden()
    page.goto(f"/studies/{study.slug}/report/")
    with page.expect_download() as download:
        page.locator("#files-h + div").get_by_role("link", name="LaTeX").click()
    assert download.value.suggested_filename == f"{study.slug}-report.tex"
