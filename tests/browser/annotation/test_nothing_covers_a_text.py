"""No fixed or sticky part covers any of a text that is to be judged, in any kind of work, wherever a page is scrolled.

A scale, a row of buttons or a source that stays in sight is no help where it hides what is judged. Nor does a page move
under its reader while it comes in.
"""

from functools import partial

import pytest
from django.urls import reverse
from playwright.sync_api import expect
from support import campaigns as make
from support import layout_shift, stage_items
from support.demo_site import sign_in
from support.items_to_measure import KINDS

from annotation.actions.read_guideline import read_guideline

SENTENCE = "Patient {n} was placed on nasal cannula last week, which was tolerated well until the evening of that day. "
LONG = [" ".join(SENTENCE.format(n=10 * place + n) for n in range(14)).strip() for place in range(4)]
JUDGED = {"source": LONG[0], "references": [], "candidates": LONG[1:]}
FIFTEEN = "likeness | ordinal | " + " | ".join(map(str, range(1, 16)))
SIZES = [(360, 640), (320, 568), (390, 844), (1280, 800)]
LANGUAGES = ["en", "ar", "de", "es", "fr", "he", "zh-hans"]
# Of each line of each text, at each half screen: what stands over its middle.
COVERED = """async () => {
  const stuck = (element) => {
    for (let one = element; one; one = one.parentElement)
      if (["fixed", "sticky"].includes(getComputedStyle(one).position)) return one;
    return null;
  };
  const texts = [...document.querySelectorAll("#work .text:not(textarea, [aria-hidden=true])")]
    .filter((one) => one.checkVisibility());
  const found = new Map();
  const last = document.documentElement.scrollHeight - innerHeight;
  for (let at = 0; ; at += Math.floor(innerHeight / 2)) {
    scrollTo({ top: at, behavior: "instant" });
    for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame);
    for (const text of texts) {
      const range = document.createRange();
      range.selectNodeContents(text);
      for (const line of range.getClientRects()) {
        const [x, y] = [line.x + line.width / 2, line.y + line.height / 2];
        const hit = y > 0 && y < innerHeight ? document.elementFromPoint(x, y) : null;
        const over = hit && !text.contains(hit) && !hit.contains(text) ? stuck(hit) : null;
        if (over && !over.contains(text)) found.set(`${over.className} over "${text.textContent.slice(0, 40)}"`, at);
      }
    }
    if (at >= last) break;
  }
  return { texts: texts.length, found: [...found] };
}"""


def long_of(task_type, content, **settings):
    return lambda: stage_items.campaign_of(make.study(items=1), task_type, [content, content], **settings)


ITEMS = {name: partial(kind.campaign, 1) for name, kind in KINDS.items()} | {
    "rewrite, long": long_of("rewrite", {"source": LONG[0]}),
    "rate, long": long_of("rate", JUDGED),
    "rate, fifteen steps": long_of("rate", JUDGED, criteria={"likeness": {"scale": FIFTEEN, "beside": "source"}}),
    "rank, long": long_of("rank", JUDGED),
    "best_worst, long": long_of("best_worst", JUDGED),
    "label, long": long_of("label", {"source": LONG[0], "text": LONG[1]}, labels=["Paraphrase", "Spelling"]),
    "rephrase_simplify, long": long_of("rephrase_simplify", {"source": LONG[0][:900], "split": "test"}),
}


def screen(new_page, size, language):
    """A page of a browser with a screen of this size, in this language."""
    is_phone = size[0] < 600
    return new_page(
        viewport={"width": size[0], "height": size[1]}, locale=language, has_touch=is_phone, is_mobile=is_phone
    )


def open_work(page, campaign, url):
    """The work page of an annotator who is signed in."""
    who = make.person("expert_annotator", campaign.study)
    read_guideline(campaign=campaign, person=who, version=1)
    sign_in(page, who, url)
    page.goto(reverse("campaign_work", args=[campaign.study.slug, campaign.slug]))
    return page


def states(page):
    """The page as it comes; and where texts are judged one at a time, or all together, the other way too."""
    yield "as it comes"
    if page.locator("[data-one-text]:visible").count():
        page.locator("[data-one-text]").click()
        yield "the other way"


@pytest.mark.parametrize(
    ("size", "language"),
    [
        pytest.param(size, language, marks=[] if (size, language) == (SIZES[0], "en") else pytest.mark.soak)
        for size in SIZES
        for language in LANGUAGES
    ],
)
def test_nothing_that_stays_in_sight_covers_a_text(new_profile, web_server, size, language):
    faults, page = [], screen(new_profile, size, language)
    for name, campaign in ITEMS.items():
        open_work(page, campaign(), web_server.url)
        if (moved := layout_shift.shift(page)) > layout_shift.MOST_ON_A_PHONE:
            faults.append(f"{name}: moved by {moved} while it came in")
        for state in states(page):
            told = page.evaluate(COVERED)
            assert told["texts"], name
            faults += [f"{name}, {state}, at {at} px: {what}" for what, at in told["found"]]
        page.evaluate("localStorage.clear()")  # it remembers which way was chosen
    assert faults == []
    page.reload()
    layout_shift.push(page)
    assert layout_shift.shift(page) > layout_shift.MOST_ON_A_PHONE, "the measure sees no shift"


@pytest.mark.parametrize("width", [1280, pytest.param(1920, marks=pytest.mark.soak)])
def test_fifteen_steps_beside_the_guideline_stand_in_their_boxes(new_page, web_server, width):
    campaign = ITEMS["rate, fifteen steps"]()
    campaign.guidelines.update(text="Rate **each** text.")
    page = open_work(screen(new_page, (width, 900), "en"), campaign, web_server.url)
    steps = page.locator(".scale-steps").first.locator("label")
    expect(steps).to_have_count(15)
    boxes = steps.evaluate_all(
        "(all) => all.map((one) => [one.scrollWidth <= one.clientWidth, one.getBoundingClientRect().width])"
    )
    assert all(fits and size >= 24 for fits, size in boxes), boxes
    assert [one.split()[0] for one in steps.all_inner_texts()] == [str(n) for n in range(1, 16)]


def test_source_and_field_of_a_long_rewrite_are_seen_together(new_page, web_server):
    page = open_work(screen(new_page, (1280, 800), "en"), ITEMS["rewrite, long"](), web_server.url)
    field, source = page.locator("#text"), page.locator("#source-text")
    expect(field).to_be_focused()
    assert page.evaluate("scrollY") == 0
    for box in (field.bounding_box(), source.bounding_box()):
        assert 0 <= box["y"] < 800
    assert source.bounding_box()["x"] + source.bounding_box()["width"] <= field.bounding_box()["x"]
    phone = open_work(screen(new_page, (360, 640), "en"), ITEMS["rewrite, long"](), web_server.url)
    expect(phone.locator("#text")).to_be_focused()
    assert phone.evaluate("scrollY") == 0  # the source is read first


def test_what_shares_few_words_is_no_struck_text(new_page, web_server):
    other = " ".join(f"Quite another wording stands here, number {n}, without what was said before." for n in range(20))
    campaign = long_of("label", {"source": LONG[0], "text": other}, labels=["Paraphrase"])()
    page = open_work(screen(new_page, (1280, 800), "en"), campaign, web_server.url)
    expect(page.locator(".product-diff")).to_contain_text("Nearly all of it")
    expect(page.locator(".product-diff :is(ins, del)")).to_have_count(0)
