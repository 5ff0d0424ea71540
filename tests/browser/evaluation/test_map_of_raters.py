"""The map of raters in a real browser: from the report to the map, and from a number to the texts behind it."""

import random

from playwright.sync_api import expect
from support import campaigns, demo_site
from support.screenshots import shoot

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report


def judged_study():
    """Twelve raters in two groups, the one in the order of a hidden quality, the other nearly at random."""
    made = campaigns.study(items=30, systems=1)
    for name in ("fluency", "meaning"):
        keep_criteria(made, [{"name": name, "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    drawn = random.Random(3)  # noqa: S311
    hidden = {n: drawn.randint(1, 5) for n in range(1, 31)}
    given = [
        Judgement(f"w{w}", f"gotta see number {n} , u know", f"You should see {n} in manner 1.", "formal", name,
                  min(5, max(1, (hidden[n] if w % 2 else 6 - hidden[n]) + drawn.choice((-1, 0, 0, 1)))), None, n)
        for w in range(1, 13) for n in range(1, 31) for name in ("fluency", "meaning") if (n + w) % 4
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    make_report(study=made)
    return made


def test_from_the_report_to_the_texts_behind_a_number(new_page, web_server):
    study = judged_study()
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/report/")
    page.get_by_role("link", name="Each two raters").click()
    expect(page.locator(".rater-map tbody tr")).to_have_count(12)
    shoot(page, "rater-map")
    page.get_by_role("link", name="meaning", exact=True).click()
    page.locator(".rater-map td[data-shade='0'] a").first.click()
    expect(page.locator(".rater-pair tbody tr").first).to_be_visible()
    shoot(page, "rater-pair")
    page.go_back()
    expect(page.locator(".rater-map")).to_be_visible()
