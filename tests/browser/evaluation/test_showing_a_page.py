"""A page to show in a real browser: its link is made, read by somebody without an account, and revoked."""

import pytest
from playwright.sync_api import expect
from support import axe, campaigns, demo_site
from support.screenshots import shoot

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_public_link import make_public_link
from evaluation.actions.make_report import make_report


@pytest.fixture
def study(web_server):
    made = campaigns.study(items=12, systems=3, references=1)
    keep_criteria(made, [{"name": "fluency", "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    given = [
        Judgement(rater, f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", "fluency",
                  1 + (n * k + at) % 5, None, n)
        for n in range(1, 13) for k in (1, 2, 3) for at, rater in enumerate(("w1", "w2"))
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}, "fkgl": {}, "bleu": {}})
    make_report(study=made)
    return made


def test_a_link_is_made_read_and_revoked(new_page, study, web_server):
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/report/")
    page.get_by_role("link", name="Public pages").click()
    page.get_by_label("Days until it expires").fill("30")
    page.get_by_role("button", name="Make the link").click()
    address = page.locator("#link-address").inner_text()
    shoot(page, "public-links")

    reader = new_page()
    reader.goto(address)
    expect(reader.get_by_role("heading", name="Leaderboard").first).to_be_visible()
    expect(reader.get_by_role("rowheader", name="NeuralSecret").first).to_be_visible()
    assert reader.locator("a[href^='/']").count() == 0, "no way into the site"
    for name in ("leaderboard_figure", "trust_figure", "foils_figure"):
        expect(reader.locator(f"#chart-{name} .drawing svg")).to_be_visible()
    shoot(reader, "public-leaderboard")
    reader.goto(web_server.url + "/shown/" + make_public_link(study=study, page="trust", by=None)[1] + "/")
    shoot(reader, "public-trust")
    assert axe.faults(reader) == []

    page.reload()
    page.get_by_role("button", name="Revoke").last.click()
    page.get_by_role("dialog").get_by_role("button", name="Revoke").click()
    expect(page.get_by_text("The link no longer works.")).to_be_visible()
    assert reader.goto(address).status == 410
    expect(reader.get_by_role("heading", name="This link was revoked")).to_be_visible()
    shoot(reader, "public-revoked")
