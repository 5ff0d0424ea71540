"""Every page mirrored, in Hebrew, at a desk and on a phone; and in German, which writes numbers with a comma.

Hebrew: nothing is wider than the screen. German: what programs read (values of inputs, `data-value`, coordinates) is
written with a point all the same. `test_every_page` mirrors the pages in English.
"""

import pytest
from support.axe import STICKS_OUT, WIDE
from support.demo_site import DemoSite
from support.every_page import MORE, PAGES, Visitors, address
from support.screenshots import PHONE, shoot

pytestmark = pytest.mark.soak

SCROLLS = ".tabs, .table-scroll, pre, .menu-list"
STICKS_OUT_LEFT = STICKS_OUT.replace(".right > width", f".left < 0 && !one.closest('{SCROLLS}')")
# Pictures that a script draws are its own matter.
UNREADABLE = """() => {
  const number = /^-?(\\d+(\\.\\d+)?|\\.\\d+)(e-?\\d+)?(%|px)?$/i;
  const numbers = ["x", "y", "x1", "x2", "y1", "y2", "cx", "cy", "r", "rx", "ry", "dx", "dy", "width", "height",
    "stroke-width", "opacity", "fill-opacity"];
  const faults = [];
  const ask = (one, name, reads) => {
    const value = one.getAttribute(name);
    if (value && !reads(value)) faults.push(`<${one.localName} ${name}="${value}">`);
  };
  const list = (value) => value.trim().split(/[\\s,]+/).every((one) => number.test(one));
  for (const one of document.querySelectorAll("[data-value]")) ask(one, "data-value", (value) => number.test(value));
  for (const one of document.querySelectorAll("input[type=number], input[type=range]"))
    for (const name of ["value", "min", "max", "step"])
      ask(one, name, (value) => value === "any" || number.test(value));
  for (const one of document.querySelectorAll("progress, meter"))
    for (const name of ["value", "min", "max"]) ask(one, name, (value) => number.test(value));
  for (const one of document.querySelectorAll("svg:not(.drawing svg), svg:not(.drawing svg) *")) {
    for (const name of numbers) ask(one, name, (value) => number.test(value) || value.endsWith("em"));
    ask(one, "viewBox", (value) => list(value) && value.trim().split(/\\s+/).length === 4);
    ask(one, "points", list);
    ask(one, "d", (value) => !/[\\d],[\\d]/.test(value));
    ask(one, "transform", (value) => !/\\d,\\d/.test(value));
  }
  for (const one of document.querySelectorAll("time[datetime]"))
    ask(one, "datetime", (value) => !isNaN(Date.parse(value)));
  return faults;
}"""


@pytest.fixture
def site(web_server, settings):
    settings.EMBEDDED = True  # the demo goes only into an embedded database, and this is one
    return DemoSite()


def mirrored_faults(page, path, name):
    page.set_viewport_size(PHONE)
    page.goto(path)
    if (said := page.evaluate("[document.documentElement.lang, document.dir]")) != ["he", "rtl"]:
        yield f"{path}: {said}"
    for size in (PHONE, WIDE):
        page.set_viewport_size(size)
        wide = page.evaluate("document.documentElement.scrollWidth")
        if wide > size["width"]:
            yield f"{path}: {wide} pixels wide on a screen of {size['width']}: {page.evaluate(STICKS_OUT_LEFT)}"
    shoot(page, f"he-{name}")


def german_faults(page, path):
    page.goto(path)
    if (lang := page.evaluate("document.documentElement.lang")) != "de":
        yield f"{path}: {lang}"
    for fault in page.evaluate(UNREADABLE):
        yield f"{path}: {fault}"


def test_every_page_mirrored_and_with_decimal_commas(new_page, site, web_server):
    """One visit for all of it: to make the site takes longer than to look at many of its pages."""
    visitors = Visitors(new_page, site, web_server.url)
    faults = []
    rows = [(name, who, {}) for name, who in PAGES.items()] + MORE
    for number, (name, who, values) in enumerate(rows):
        path = address(site, name, values)
        faults += mirrored_faults(visitors.speak(who, "he"), path, f"{number:03}-{name}")
        faults += german_faults(visitors.speak(who, "de"), path)
    assert not (found := faults + visitors.complaints), "\n".join(found)
