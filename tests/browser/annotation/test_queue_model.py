"""The queue of answers against a plain model: drawn sequences of acts and of networks, each in a world without chance.

The page's own modules and htmx run in frames of one page of a browser; time, storage, locks, the network and the server
around them are given to them (`queue_model/`). What that server shows are pages that this one rendered.
"""

import re
from pathlib import Path

import pytest
from django.template.loader import render_to_string
from django.test import Client
from django.urls import reverse
from support import campaigns as make

from annotation.actions.read_guideline import read_guideline

HERE = Path(__file__).parent / "queue_model"
SCRIPTS = Path(__file__).parents[3] / "platform" / "config" / "static" / "restyle" / "js"
PARTS = ("world", "server", "tab", "model")
MODULES = (
    "server",
    "annotation/timer",
    "annotation/draft",
    "annotation/again",
    "annotation/under_way",
    "annotation/look",
    "queue",
)
SOURCE = "gotta see number 1 , u know"
MADE, IN_A_SOAK, ALL = 20, 998, 10_000
# Two tabs whose answers to one item both wait; a tab on which nothing is left while another one sends; a tab that is
# loaded anew before it hears what became of its answer; an answer that is taken back while an older one of its item, or
# of the item before, is under way.
ONCE_LOST = (585, 4116, 9966, 603, 1566, 1890, 2295, 2465, 6157, 6285)
PAGE = re.compile(r"<script.*?</script>|<link[^>]*>", re.DOTALL)
HOLES = {
    "SLOT": r'name="slot"\s+value="([^"]*)"', "LEASE": r'name="lease"\s+value="([^"]*)"',
    "KEY": r'name="key"\s+value="([^"]*)"', "CSRF": r'name="csrfmiddlewaretoken"\s+value="([^"]*)"',
    "HANDLE": r"/answers/([^/\"?]+)/",
}  # fmt: skip


def with_holes(html: str) -> str:
    """A page as the server rendered it, with holes where it differs from item to item."""
    for name, pattern in HOLES.items():
        for found in set(re.findall(pattern, html)):
            html = html.replace(found, f"@@{name}@@")
    html = re.sub(r'(data-version|name="seen"\s+value|name="seen" value)="\d+"', r'\1="@@VERSION@@"', html)
    html = re.sub(r'name="revision" value="\d+"', 'name="revision" value="@@REVISION@@"', html)
    html = re.sub(r"(<textarea[^>]*name=\"text\"[^>]*>\n)[^<]*(</textarea>)", r"\1@@TEXT@@\2", html)
    html = re.sub(r'(data-say="[^"]*[Ii]tem )\d+', r"\1@@NUMBER@@", html)
    return re.sub(r"<div data-versions>\s*</div>", "<div data-versions>@@PANEL@@</div>", html)


@pytest.fixture
def shapes(db):
    """What the server shows of an item, by what was done."""
    study = make.study(items=3)
    campaign, who = make.campaign(study, prefetch=2), make.person(study=study)
    read_guideline(campaign=campaign, person=who, version=1)
    client = Client()
    client.force_login(who)
    base = reverse("campaign_work", args=[study.slug, campaign.slug])

    def post(act, **fields):
        return client.post(base + act + "/", fields, headers={"HX-Request": "true"}).content.decode()

    whole = PAGE.sub("", client.get(base).content.decode())
    begin, end = whole.index('<section id="work"'), whole.index("</section>", whole.index("report-form")) + 10
    item = whole[begin:end]
    form = {
        name.lower(): re.search(pattern, item)[1] for name, pattern in HOLES.items() if name in {"SLOT", "LEASE", "KEY"}
    }
    post("submit", **form, text="A first text")
    change = post("undo")
    handed_in = post("look", **form, text="A first text")
    for _ in range(2):
        shown = client.get(base).content.decode()
        form = {
            name.lower(): re.search(pattern, shown)[1]
            for name, pattern in HOLES.items()
            if name in {"SLOT", "LEASE", "KEY"}
        }
        done = post("submit", **form, text="Another text")
    page = re.sub(r'data-person="[^"]*"', 'data-person="P"', whole[:begin] + "@@WORK@@" + whole[end:])
    for before, name in (
        ('<div class="page wrap', "waiting"),
        ("</body>", "dialogs"),
    ):  # as a script of every page does
        page = page.replace(before, PAGE.sub("", render_to_string(f"parts/once/{name}.html")) + before)
    told = {
        "page": with_holes(page),
        "item": with_holes(item),
        "change": with_holes(change),
        "handed_in": with_holes(handed_in),
    }
    return {**told, "done": with_holes(done), "base": base, "answers": base.removesuffix("work/") + "answers/"}


@pytest.fixture
def world(page, shapes):
    """The page in which the sequences run, with all that they need."""
    page.route("**/*", lambda route: route.fulfill(content_type="text/html", body="<!doctype html><body></body>"))
    page.goto("/")
    page.add_script_tag(
        content="\n".join((HERE / f"{name}.js").read_text(encoding="utf-8") for name in PARTS)
        + "\nwindow.run = sequences;"
    )
    import django_htmx

    htmx = Path(django_htmx.__file__).parent / "static" / "django_htmx" / "htmx-2.min.js"
    sources = {str(path.relative_to(SCRIPTS)): path.read_text(encoding="utf-8") for path in SCRIPTS.rglob("*.js")}
    given = {
        "shapes": shapes, "sources": sources, "modules": [f"{name}.js" for name in MODULES],
        "htmx": htmx.read_text(encoding="utf-8"),
    }  # fmt: skip
    page.evaluate("(given) => { window.given = given; }", given)
    return page


def told(failures) -> str:
    return "\n\n".join(
        f"seed {one['seed']} ({one['tabs']} tabs): {one['why']}\n" + "\n".join(one["log"]) for one in failures
    )


@pytest.mark.parametrize(
    ("first", "count"),
    [
        (1, MADE),
        *(pytest.param(first, IN_A_SOAK, marks=pytest.mark.soak) for first in range(MADE + 1, ALL + 1, IN_A_SOAK)),
    ],
)
def test_what_was_entered_last_is_what_stands(world, first, count):
    failures = world.evaluate("([first, count]) => run(given, first, count)", [first, count])
    assert not failures, f"{len(failures)} of {count} sequences ended otherwise\n{told(failures[:2])}"


def test_what_was_lost_once_is_lost_no_more(world):
    failures = [one for seed in ONCE_LOST for one in world.evaluate("(seed) => run(given, seed, 1)", seed)]
    assert not failures, told(failures)
