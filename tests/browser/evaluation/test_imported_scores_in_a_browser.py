"""Scores of a metric that was computed elsewhere, from the file to the page that says which metric to trust."""

import random

from playwright.sync_api import expect
from support import campaigns, demo_site
from support.screenshots import shoot

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report

ITEMS = 40


def judged_study():
    """Two raters who agree on outputs whose quality follows the source, which so leaks."""
    made = campaigns.study(items=ITEMS, systems=3, references=1)
    keep_criteria(made, [{"name": "meaning", "scale": "likert_5", "aspect": "meaning", "beside": "nothing"}])
    drawn = random.Random(3)  # noqa: S311
    quality = {
        (n, k): min(5, max(1, 1 + n // 10 + drawn.choice((-1, 0, 1)))) for n in range(1, ITEMS + 1) for k in (1, 2, 3)
    }
    given = [
        Judgement(rater, f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", "meaning",
                  min(5, max(1, value + drawn.choice((0, 0, 1)))), None, n)
        for (n, k), value in quality.items() for rater in ("ann", "bob")
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}, "bleu": {}})
    rows = [
        f"{n},{campaigns.SYSTEMS[k - 1]},{value / 5 + drawn.gauss(0, 0.1):.3f}" for (n, k), value in quality.items()
    ]
    return made, "number,system,COMET\n" + "\n".join(rows) + "\n"


def test_from_the_file_to_the_ranking(new_page, web_server):
    study, table = judged_study()
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/report/metrics/")
    page.get_by_role("link", name="Import scores").click()
    page.locator("input[type=file]").first.set_input_files(
        {"name": "comet.csv", "mimeType": "text/csv", "buffer": table.encode()}
    )
    page.locator("main form button.primary").first.click()
    expect(page.get_by_text("Which scores of COMET are the better ones?")).to_be_visible()
    shoot(page, "scores-asked")
    page.get_by_label("Version of the metric").fill("2.2.2")
    page.get_by_label("Higher is better", exact=True).check()
    page.get_by_role("button", name="Import", exact=True).click()
    expect(page.get_by_role("cell", name="2.2.2")).to_be_visible()
    shoot(page, "scores-imported")
    make_report(study=study)
    page.goto(f"/studies/{study.slug}/report/trust/")
    expect(page.get_by_text("COMET (imported)").first).to_be_visible()
    expect(page.get_by_text("The test set leaks: the source alone")).to_be_visible()
    for fold in page.locator("details.details > summary").all()[:2]:
        fold.click()
    shoot(page, "trust-with-imported")
    page.get_by_role("link", name="By system").click()
    expect(page.get_by_text("The test set leaks")).to_have_count(0)
