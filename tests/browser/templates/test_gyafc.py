"""GYAFC's template, from posts to the released folders: rewritten, reviewed, referenced by experts, and back again."""

import io
import zipfile

import pytest
from playwright.sync_api import expect
from support.template_crew import Crew, ended, hand_in, press
from support.template_texts import POSTS, written_lines

from annotation.models import CampaignMembership
from corpora.formats import FORMATS, TextFile

FORMAL = {
    POSTS[0]: "This film was very good.",
    POSTS[1]: "They should simply perform the old songs again.",
    POSTS[2]: "I do not know why people hate him so much.",
    POSTS[3]: "In my opinion, that new singer is overrated.",
}
EXPERTS = ("Eva One", "Eli Two", "Edda Three", "Emil Four")
OTHERS = ("Odo Five", "Ona Six", "Otto Seven")
FAR = "It is my considered and honest opinion that: "
pytestmark = pytest.mark.soak


def formal_of(source, number):
    """The rewrite of the expert of that number; the last one's is the farthest from its source."""
    return FORMAL[source] if number == 0 else f"{FAR if number == 3 else 'Indeed: ' * number}{FORMAL[source]}"


def source_on(page):
    return page.locator("[data-diff-source]").inner_text()


def rewrite(page, texts):
    """Rewrite item after item as `texts` says for its source; the sources in their order."""
    seen = []
    while page.locator("#text").is_visible():
        source = source_on(page)
        page.locator("#text").fill(texts(source))
        hand_in(page)
        seen.append(source)
    ended(page)
    return seen


def review(crew, page):
    """Accept what is good, fix a small slip, reject with a reason."""
    page.goto(f"{crew.home}campaigns/formal-train/review/")
    press(page, "o")
    expect(page.locator(".review-one")).to_contain_text("wrong")
    press(page, "r", "2")
    page.get_by_label("Comment").fill("Say how good it was.")
    press(page, "Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Decided")
    expect(page.locator(".review-one")).to_contain_text("typoo")
    press(page, "f")
    expect(page.locator("#text")).to_be_focused()
    page.locator("#text").fill("The rewrite of the reviewer.")
    press(page, "Control+Enter")
    expect(page.get_by_role("heading", name="All answers are decided")).to_be_visible()


def change(crew, page, text):
    """Read why it was rejected, and write it again."""
    page.goto(f"{crew.home}campaigns/formal-train/answers/?show=rejected")
    expect(page.locator(".own-answers")).to_contain_text("Something was left out")
    expect(page.locator(".own-answers")).to_contain_text("Say how good it was.")
    page.get_by_role("link", name="Change").click()
    page.locator("#text").fill(text)
    press(page, "Control+Enter")
    expect(page.locator("#messages")).to_contain_text("Your change is saved.")


def proved(crew, name):
    """Somebody of whose training rewrites 120 were accepted and none rejected, before this test began."""
    page = crew.join(name, "crowd_annotator")
    train = crew.study.campaigns.get(slug="formal-train")
    CampaignMembership.objects.create(campaign=train, person=crew.people[-1], done=120, accepted=120)
    return page


def test_gyafc(new_page, web_server, celery_workers, tmp_path):
    crew = Crew(new_page, web_server.url, "gyafc", "Posts")
    file = written_lines(tmp_path / "posts.txt", POSTS)
    crew.import_documents(file, "sentence_lines", "1 documents with 7", "informal", domain="Music & Films")
    crew.decide_flags("c")  # a web address is no name
    crew.select("gyafc", "informal-formal", "train", 2)
    crew.select("gyafc", "informal-formal", "tune", 1)
    crew.select("gyafc", "informal-formal", "test")
    crew.expect_next("Invite the people")
    writer, reviewer = crew.join("Wanda Writer", "crowd_annotator"), crew.join("Rita Reviewer", "reviewer")
    crew.expect_next("Formal rewrites to train on")
    crew.open("formal-train")
    crew.sit_down(writer, "formal-train", "as you would in a letter")
    slips = iter(["This is wrong.", "There is a typoo."])
    trained = rewrite(writer, lambda source: next(slips))
    review(crew, reviewer)
    change(crew, writer, FORMAL[trained[0]])
    reviewer.goto(f"{crew.home}campaigns/formal-train/review/")
    reviewer.get_by_role("button", name="Accept").click()
    expect(reviewer.locator("#messages")).to_contain_text("Decided")
    crew.expect_next("Formal references to tune and test with")
    crew.open("formal-references", "informal-references")
    crew.refused(writer, "formal-references", "101 accepted answers")

    experts = [proved(crew, name) for name in EXPERTS]
    for number, page in enumerate(experts):
        crew.sit_down(page, "formal-references", "Three others write the same sentence")
        measured = rewrite(page, lambda source, number=number: formal_of(source, number))
        assert len(measured) == 2
    crew.refused(experts[0], "informal-references", "You have done all items that you can do here")
    for number, name in enumerate(OTHERS):
        page = proved(crew, name)
        crew.sit_down(page, "informal-references", "as you would to a friend")
        back = rewrite(page, lambda source, number=number: f"lol {number} {source.lower()}")
        assert back == [formal_of(source, 3) for source in measured]
        assert "Emil Four" not in page.content()
    crew.expect_next("Release the gold")

    files = crew.release("gyafc", "jsonl")
    archive = zipfile.ZipFile(io.BytesIO(files["gyafc.zip"]))
    told = {name: archive.read(name).decode().splitlines() for name in archive.namelist()}
    home = "Music_Films"
    assert told[f"{home}/train/informal"] == trained
    assert told[f"{home}/train/formal"] == [FORMAL[trained[0]], "The rewrite of the reviewer."]
    for split, source in zip(("tune", "test"), measured, strict=True):
        assert told[f"{home}/{split}/informal"] == [source]
        formal = [told[f"{home}/{split}/formal.ref{k}"][0] for k in range(4)]
        assert sorted(formal) == sorted(formal_of(source, number) for number in range(4))
        farthest = formal_of(source, 3)
        assert told[f"{home}/{split}/formal"] == [farthest]
        informal = [told[f"{home}/{split}/informal.ref{k}"][0] for k in range(4)]
        assert sorted(informal[:3]) == [f"lol {number} {farthest.lower()}" for number in range(3)]
        assert informal[3] == source
    rows = list(FORMATS["gyafc"].read(TextFile(files["gyafc.zip"], "gyafc.zip")))
    assert len(rows) == 2 + 2 * 4 + 2 * 4
