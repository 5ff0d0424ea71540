"""The leaderboard in a browser: its columns are chosen, pinned, widened, grouped and sorted; all of it is kept."""

import re

import pytest
from playwright.sync_api import expect
from support import campaigns, demo_site, screenshots
from support.axe import faults

from accounts.permissions import Role
from annotation.campaigns.criteria import keep_criteria
from corpora.formats import Judgement
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.make_report import make_report

FLUENCY = "Flüssigkeit"
MORE_IN_ARABIC = re.compile(r"^(عمود آخر|عمودان آخران|([3-9]|10) أعمدة أخرى|1[1-9] عمودًا آخر)$")
METRICS = (
    "bleu",
    "bleu_1",
    "chrf",
    "ter",
    "sari",
    "rouge_l",
    "rouge_1",
    "pinc",
    "edit_distance",
    "fkgl",
    "gunning_fog",
)


@pytest.fixture
def board(new_page, web_server):
    """The page of a leaderboard of twelve numbers a system."""
    study = campaigns.study(items=8, systems=3, references=1)
    keep_criteria(study, [{"name": "fluency", "scale": "likert_5", "aspect": "fluency", "beside": "nothing"}])
    given = [
        Judgement("w1", f"gotta see number {n} , u know", f"You should see {n} in manner {k}.", "formal", "fluency",
                  1 + (n * k) % 5, None, n)
        for n in range(1, 9) for k in (1, 2, 3)
    ]  # fmt: skip
    import_ratings(study=study, format="mturk", file_name="ratings.csv", judgements=given)
    choose_metrics(study=study, metrics={name: {} for name in METRICS})
    make_report(study=study)
    page = new_page()
    demo_site.sign_in(page, campaigns.person(Role.RESEARCHER, study), web_server.url)
    page.goto(f"/studies/{study.slug}/report/tables/leaderboard/")
    return page


def heads(page):
    return [text.rstrip(" ↑↓") for text in page.locator("thead tr:last-child th:visible .sort").all_inner_texts()]


def test_columns_are_chosen_pinned_counted_and_kept(board):
    columns_are_chosen_by_keys_and_a_link_shows_the_same(board)
    a_pinned_column_stays_what_is_out_of_sight_is_counted_and_rows_are_close_on_a_phone(board)


def columns_are_chosen_by_keys_and_a_link_shows_the_same(board):
    whole = heads(board)
    assert len(whole) == 14, "the system, its cluster, and twelve numbers"
    board.keyboard.press("c")
    panel = board.get_by_role("group", name="Choose columns")
    expect(panel).to_be_visible()
    panel.get_by_label("Metrics of simplicity").focus()
    board.keyboard.press("Space")
    panel.get_by_role("button", name="Pin: SARI").click()
    board.keyboard.press("Escape")
    expect(panel).to_be_hidden()
    expect(board.get_by_role("button", name="Columns 11/13")).to_be_visible()
    board.get_by_role("button", name="TER", exact=True).focus()
    board.keyboard.press("h")
    board.get_by_role("button", name="BLEU", exact=True).focus()
    board.keyboard.press("Enter")
    now = heads(board)
    assert now[:2] == ["System", "SARI"]
    assert not {"TER", "FKGL", "Gunning fog"} & set(now)
    board.reload()
    assert heads(board) == now, "the address keeps it"
    expect(board.locator("thead th[aria-sort=descending]")).to_contain_text("BLEU")
    width = r'document.querySelector("[data-tools]").tHead.querySelector(".sized")?.getBoundingClientRect().width'
    board.get_by_role("button", name="BLEU", exact=True).focus()
    for key in "+++-":
        board.keyboard.press(key)
    wide = board.evaluate(width)
    with board.expect_response(lambda told: "/me/tables/leaderboard/" in told.url and told.ok):
        board.keyboard.press("+")
    assert board.evaluate(width) == wide + 16
    link = board.url
    board.goto(link.partition("?")[0])
    assert heads(board) == now, "the server keeps it for the person"
    assert board.evaluate(width) == wide + 16
    board.set_extra_http_headers({"Accept-Language": "de"})
    board.goto(link)
    said = heads(board)
    assert said[:4] == ["System", "SARI", "Cluster", FLUENCY], "a link is the same in every language"
    assert len(said) == len(now)
    expect(board.locator("thead th[aria-sort=descending]")).to_contain_text("BLEU")
    board.goto(link.partition("?")[0] + f"?leaderboard.hide={FLUENCY}")
    assert FLUENCY not in heads(board), "an old link, by what a head said"
    board.set_extra_http_headers({})
    board.goto(link)
    board.evaluate("document.documentElement.dir = 'rtl'")
    grip = board.locator("thead .sized .grip").bounding_box()
    at = grip["x"] + grip["width"] / 2, grip["y"] + grip["height"] / 2
    board.mouse.move(*at)
    board.mouse.down()
    board.mouse.move(at[0] - 40, at[1])
    board.mouse.up()
    assert board.evaluate(width) == pytest.approx(wide + 56, abs=2), "the other way where the page is mirrored"
    board.evaluate("document.documentElement.dir = 'ltr'")
    with board.expect_response(lambda told: "/me/tables/leaderboard/" in told.url and told.ok):
        board.get_by_role("button", name="Reset").click()
    assert heads(board) == whole
    assert board.evaluate(width) is None
    expect(board).not_to_have_url(re.compile("leaderboard[.]"))


def a_pinned_column_stays_what_is_out_of_sight_is_counted_and_rows_are_close_on_a_phone(board):
    whole, address = heads(board), board.url
    board.get_by_role("button", name="SARI", exact=True).focus()
    board.keyboard.press("p")
    pinned = board.get_by_role("columnheader", name="SARI")
    before = pinned.bounding_box()["x"]
    more = board.get_by_role("button", name="more columns")
    expect(more).to_be_visible()
    expect(board.locator(".table-scroll")).to_have_attribute("data-more", "end")
    board.set_extra_http_headers({"Accept-Language": "ar"})
    board.reload()
    expect(board.locator("[data-aside]")).to_have_text(MORE_IN_ARABIC)
    board.set_extra_http_headers({})
    board.reload()
    more.click()
    expect(board.locator(".table-scroll")).to_have_attribute("data-more", "start end")
    assert pinned.bounding_box()["x"] == pytest.approx(before, abs=1)
    expect(board.locator("thead .groups th")).to_have_text(
        ["Judgements", "Metrics of the whole", "Metrics of simplicity"], use_inner_text=True
    )
    board.goto(address + "?leaderboard.hide=no+such&leaderboard.sort=-nothing&leaderboard.pin=System")
    assert heads(board) == whole, "a wrong address changes nothing"
    board.get_by_role("button", name="Compact").click()
    expect(board.locator("td .ci:visible")).to_have_count(0)
    screenshots.shoot(board, "wide-table")
    assert faults(board) == []
    board.set_viewport_size(screenshots.PHONE)
    board.get_by_label("Sort by").select_option("SARI")
    expect(board).to_have_url(re.compile("leaderboard.sort=-SARI"))
