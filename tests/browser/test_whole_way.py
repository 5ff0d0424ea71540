"""The whole way of a study with three people in three browsers, a real web server and real workers.

An admin makes the study and its campaigns, two annotators join by link, rewrite and rate by keyboard; a model runs, the
metrics run, the report shows and the gold is exported.
"""

import io
import json
import re
import zipfile

import pytest
from playwright.sync_api import expect
from support.campaigns import PASSWORD
from support.demo_site import sign_in_by_form

from accounts.models import Person

SOURCES = ["idk what ur talking about", "that movie was sooo bad"]
BASELINE = ["I do not know what you talk.", "That movie was bad so."]
REWRITES = {
    "anna": ["I do not know what you mean.", "The film was very poor."],
    "ben": ["I am not certain what you are referring to.", "That movie was terrible."],
}
SECRETS = ("Baseline", "Rulebook", "baseline-outputs", "rule_based")


@pytest.fixture
def admin(web_server, new_page):
    """The admin at work in a browser."""
    Person.objects.create_user("ada@example.org", PASSWORD, name="Ada", role="admin")
    page = new_page()
    sign_in_by_form(page, "ada@example.org")
    return page


def click(page, *names):
    """Press the links or buttons of these names, one after another."""
    for name in names:
        button = page.get_by_role("button", name=name, exact=True)
        page.get_by_role("link", name=name, exact=True).or_(button).first.click()  # the tab, before the crumb


def make_the_study(page, tmp_path):
    click(page, "New study")
    page.get_by_label("Title").fill("Short messages")
    page.get_by_label("Styles").fill("informal, formal")
    click(page, "Create study", "Add texts", "Add a direction", "Add the direction")
    page.get_by_label("File").set_input_files(written(tmp_path / "informal.txt", SOURCES))
    click(page, "Check the file", "Import")
    expect(page.locator("#messages")).to_contain_text("2 new sources")
    click(page, "Models", "Systems", "Import a table")
    page.get_by_label("File").set_input_files(written(tmp_path / "baseline-outputs.txt", BASELINE))
    click(page, "Check the file")
    page.get_by_label("Column 1", exact=True).select_option("Output of a system")
    page.get_by_label("Name of Column 1").fill("Baseline")
    click(page, "Import")
    expect(page.locator("#messages")).to_contain_text("2 outputs of Baseline")


def written(path, lines):
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def invite(page, new_page, name):
    """The admin makes a link; the annotator opens it elsewhere, joins, and has no work yet. The annotator's page."""
    click(page, "Settings", "Members")
    page.get_by_label("E-mail address").fill(f"{name}@example.org")
    click(page, "Invite")
    link = page.locator("#handed-url").inner_text()
    guest = new_page()
    guest.goto(link)
    guest.get_by_label("Your name").fill(name.title())
    guest.get_by_label("Password").fill(PASSWORD)
    click(guest, "Join")
    expect(guest.get_by_role("heading", name="No work now")).to_be_visible()
    expect(guest.locator(".whom-to-ask")).to_have_text("Ada")
    return guest


def open_campaign(page, name, kind, guideline):
    click(page, "People's work", "New campaign")
    page.get_by_label("Name").fill(name)
    page.get_by_label(kind).check()
    page.get_by_label("People per item").fill("2")
    page.get_by_label("Guideline").fill(guideline)
    click(page, "Create campaign", "Open")
    expect(page.locator("h1 + p .badge")).to_have_text("Open")


def begin(page, campaign):
    """An annotator goes to the campaign's first item."""
    page.goto("/")
    click(page, campaign)
    page.wait_for_url(re.compile("/work/$"))  # and until it is loaded: from then on it hears the keys
    click(page, "I have read the guideline")
    expect(page.locator("#work")).to_have_attribute("data-say", "Item 1")
    assert_blind(page.content())


def hand_in(page, number):
    """Ctrl+Enter; the next item, or the end, comes in the same answer, and names no system."""
    with page.expect_response(re.compile("/work/submit/")) as answered:
        page.keyboard.press("Control+Enter")
    assert_blind(answered.value.text())
    if number < len(SOURCES):
        expect(page.locator("#work")).to_have_attribute("data-say", f"Item {number + 1}")
    else:
        expect(page.locator("[data-reason] h2")).to_be_focused()


def assert_blind(html):
    assert [secret for secret in SECRETS if secret.lower() in html.lower()] == []


def rewrite_everything(page, texts):
    begin(page, "Rewrite")
    for number, (source, text) in enumerate(zip(SOURCES, texts, strict=True), 1):
        expect(page.locator("[data-diff-source]")).to_have_text(source)
        expect(page.locator("textarea")).to_be_focused()
        page.keyboard.type(text)
        hand_in(page, number)


def rate_everything(page, rater):
    """What was given: {(text, criterion): value}."""
    given = {}
    begin(page, "Rate")
    for number in range(1, len(SOURCES) + 1):
        texts = page.locator("section[data-stage] .candidate > .text").all_inner_texts()
        assert len(texts) == 2
        for text in texts:
            given[text, "formality"] = press(page, text, rater, 7, lowest=-3)
            given[text, "fluency"] = press(page, text, rater + 1, 5)
        for text in page.locator("details[data-stage] .candidate > .text").all_inner_texts():
            given[text, "meaning"] = press(page, text, rater + 2, 6)
        hand_in(page, number)
    return given


def press(page, text, rater, levels, lowest=1):
    """Type the number of a level, which depends on the text and a little on the rater: a negative one with its sign."""
    level = lowest + (len(text) + rater * (len(text) % 3)) % levels
    for key in str(level):
        page.keyboard.press(key)
    return level


def run_the_model(page):
    click(page, "Models", "Systems", "Run a model")
    page.get_by_label("Name of the system").fill("Rulebook")
    click(page, "Run")
    expect(page.locator("#job-state .badge")).to_have_text("Done")
    expect(page.locator("#job-told")).to_have_text("2 of 2 sources have an output.")
    click(page, "See the outputs")
    expect(page.get_by_role("heading", level=1)).to_have_text("Rulebook")
    expect(page.locator("tbody tr")).to_have_count(len(SOURCES))


def run_the_metrics(page):
    click(page, "Report", "Choose metrics")
    for metric in ("BLEU bleu", "PINC pinc"):
        page.get_by_label(metric, exact=True).check()
    click(page, "Save and update the report")
    expect(page.get_by_role("heading", name="Leaderboard")).to_be_visible()


def figure(page, table, row, column):
    """The number in a cell of a table of the report."""
    rows = page.get_by_role("region", name=table, exact=True).get_by_role("row")
    text = rows.filter(has=page.get_by_role("rowheader", name=row)).locator(f"td[data-label='{column}' i]").inner_text()
    return float(re.search(r"[-−]?\d+\.\d+", text)[0].replace("−", "-"))


def check_the_report(page, ratings):
    values = [given[text, "formality"] for given in ratings for text in BASELINE]
    mean = pytest.approx(sum(values) / len(values), abs=0.005)
    assert figure(page, "Leaderboard", "Baseline", "formality") == mean
    assert 0 < figure(page, "Leaderboard", "Baseline", "BLEU") < 100
    assert 0 < figure(page, "Leaderboard", "Rulebook", "BLEU") < 100
    agreement = page.locator("dl.tiles .tile", has_text="formality").locator("dd").inner_text()
    assert -1 <= float(agreement.split()[0].replace("−", "-")) <= 1
    page.get_by_role("link", name="Which metric to trust", exact=True).click()
    page.get_by_role("link", name="By sentence").click()
    page.get_by_text("Pearson, Spearman, Kendall and more").click()
    expect(page.locator("#correlations caption")).to_contain_text("A point is one output")
    assert -1 <= figure(page, "Table of correlations", "BLEU", "formality") <= 1
    assert sorted(page.locator("#plot .name").all_text_contents()) == ["Baseline", "Rulebook"]


def download(page, name):
    with page.expect_download() as started:
        click(page, name)
    with open(started.value.path(), "rb") as file:
        return file.read()


def check_the_gold(page):
    click(page, "Gold")
    jsonl = download(page, "JSON lines")
    assert b"@" not in jsonl
    assert b"Anna" not in jsonl
    rows = [json.loads(line) for line in jsonl.splitlines()]
    assert {(row["source"], row["text"]) for row in rows} == {
        pair for texts in REWRITES.values() for pair in zip(SOURCES, texts, strict=True)
    }
    assert len({row["annotator"] for row in rows}) == 2
    archive = zipfile.ZipFile(io.BytesIO(download(page, "GYAFC layout")))
    files = {name.split("test/")[-1]: archive.read(name).decode().splitlines() for name in archive.namelist()}
    assert files["informal"] == SOURCES
    pairs = zip(files["formal.ref0"], files["formal.ref1"], strict=True)
    assert [set(pair) for pair in pairs] == [set(pair) for pair in zip(*REWRITES.values(), strict=True)]


def test_the_whole_way(admin, new_page, celery_workers, tmp_path):
    make_the_study(admin, tmp_path)
    annotators = {name: invite(admin, new_page, name) for name in REWRITES}
    open_campaign(admin, "Rewrite", "Rewrite:", "Write it as in a letter.")
    for name, page in annotators.items():
        rewrite_everything(page, REWRITES[name])
    click(admin, "People's work", "Rewrite")
    admin.get_by_text("Use the results as texts of this study").click()
    click(admin, "Create sources and references")
    expect(admin.locator("#messages")).to_contain_text("References: 4 in 2 sets")
    run_the_model(admin)
    open_campaign(admin, "Rate", "Rate:", "Be consistent.")
    ratings = [rate_everything(page, rater) for rater, page in enumerate(annotators.values())]
    run_the_metrics(admin)
    check_the_report(admin, ratings)
    check_the_gold(admin)
