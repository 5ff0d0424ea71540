"""A table is sorted and a number followed to its rows by keyboard; a figure is drawn under the policy, or by us."""

import pytest
from playwright.sync_api import expect
from support import campaigns, demo_site

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report


@pytest.fixture
def study(web_server):
    made = campaigns.study(items=8, systems=3, references=1)
    keep_criteria(made, [{"name": "fluency", "scale": "likert_5", "aspect": "", "beside": "nothing"}])
    given = [
        Judgement("w1", f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", "fluency",
                  1 + (n * k) % 5, None, n)
        for n in range(1, 9) for k in (1, 2, 3)
    ]  # fmt: skip
    import_ratings(study=made, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=made, metrics={"edit_distance": {}})
    make_report(study=made)
    return made


def sign_in(page, study, web_server):
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)


def column(page, name):
    return [float(text.split()[0].rstrip("*")) for text in page.locator(f"td[data-label='{name}']").all_inner_texts()]


def test_a_figure_is_drawn_and_a_table_sorted_and_followed_to_its_rows(page, study, web_server):
    sign_in(page, study, web_server)
    a_figure_is_drawn_under_the_policy_and_readable_in_the_dark(page, study)
    a_table_is_sorted_and_followed_to_its_rows_by_keyboard(page, study)


def a_table_is_sorted_and_followed_to_its_rows_by_keyboard(page, study):
    page.goto(f"/studies/{study.slug}/report/tables/leaderboard/")
    head = page.get_by_role("columnheader", name="Fluency")
    button = head.get_by_role("button")
    button.focus()
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "descending")
    assert column(page, "Fluency") == sorted(column(page, "Fluency"), reverse=True)
    page.keyboard.press("Enter")
    expect(head).to_have_attribute("aria-sort", "ascending")
    assert column(page, "Fluency") == sorted(column(page, "Fluency"))
    page.set_viewport_size({"width": 390, "height": 800})
    page.get_by_label("Sort by").select_option("Edits")
    assert column(page, "Edits") == sorted(column(page, "Edits"), reverse=True), "on a phone too"
    page.set_viewport_size({"width": 1280, "height": 800})
    lowest = page.locator("td[data-label='Fluency'] a").first
    lowest.focus()
    panel = page.locator("#rows-panel")
    expect(panel).to_be_visible()
    expect(panel).to_contain_text("This number is the mean of the judgements of 8 outputs.")
    expect(panel).to_contain_text("gotta see number")
    page.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator(".behind > li")).to_have_count(8)
    page.goto(f"/studies/{study.slug}/report/tables/leaderboard/")
    page.locator("td[data-label='Edits'] a").first.hover()
    panel.get_by_role("link").click()  # a pointer may go over to the rows
    expect(page.get_by_role("heading", level=1)).to_contain_text("Edits")


def a_figure_is_drawn_under_the_policy_and_readable_in_the_dark(page, study):
    complaints = []
    page.on("console", lambda said: complaints.append(said.text) if said.type in ("error", "warning") else None)
    page.on("pageerror", lambda error: complaints.append(str(error)))
    for scheme in ("light", "dark"):
        page.emulate_media(color_scheme=scheme)
        answer = page.goto(f"/studies/{study.slug}/report/tables/leaderboard_figure/")
        assert "unsafe" not in answer.headers["content-security-policy"]
        drawing = page.locator("[role=img][aria-label] [aria-hidden=true] svg")
        expect(drawing.locator("[aria-roledescription='point']")).to_have_count(3)
        label = drawing.locator("text", has_text="NeuralSecret").first
        red = label.evaluate("(one) => Number(getComputedStyle(one).fill.match(/[0-9]+/)[0])")
        assert (red > 128) == (scheme == "dark"), "its words are readable on the page"
    page.get_by_text("Data as a table").click()
    expect(page.get_by_role("cell", name="NeuralSecret")).to_be_visible()
    assert complaints == []


def test_without_scripts_the_table_is_plain_and_the_figure_the_servers(new_page, study, web_server):
    page = new_page(java_script_enabled=False)
    sign_in(page, study, web_server)
    page.goto(f"/studies/{study.slug}/report/tables/leaderboard_figure/")
    picture = page.locator("img.still")
    expect(picture).to_be_visible()
    assert picture.bounding_box()["width"] > 200
    page.goto(f"/studies/{study.slug}/report/tables/leaderboard/")
    expect(page.get_by_role("button", name="Fluency")).to_have_count(0)
    page.locator("td[data-label='Fluency'] a").first.click()
    expect(page.locator(".behind > li")).to_have_count(8)
