"""Every page, for the person it is made for: one visit for all that is asked of it.

axe-core finds nothing (WCAG 2.2 AA), no console error, nothing wider than a phone, mirrored or not, one h1 and a title
of its own. axe-core sees one page dark on a phone and the next light on a wide screen; at length, it sees each page in
both states, and those of a study without anything in it. A new page needs a row in `support/every_page.py`.
"""

import itertools

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from support.axe import PHONE, STATES, faults_in_states, resize, too_wide
from support.demo_site import DemoSite
from support.every_page import MORE, NOBODY, PAGES, Visitors, address, names_in

from accounts.permissions.routes import ROUTES

REFUSED = {("/no/such/page/", "researcher"): 404, ("/people/", "crowd_annotator"): 403, ("/join/no/", NOBODY): 410,
           ("/accounts/3rdparty/login/error/", NOBODY): 401}  # fmt: skip

# Files, and the two addresses that belong to a provider, which an installation may lack.
NO_PAGES = {
    "api_schema", "study_file_schema", "llms", "human_heds",
    "campaign_ledger_file", "campaign_agreement_file", "gold_file", "study_answers_file", "study_export",
    "campaign_answers_file", "release_file", "report_file", "trail_file", "study_trail_file",
    "table_file", "training_curves", "runs_curves", "campaign_forms", "checkpoint_file", "transfer_result",
    "try_answers",
    "health_live", "health_ready", "health_status", "metrics",
    "sources_new", "references_new", "system_new",  # they lead on to table_new
    "mfa_download_recovery_codes", "openid_connect_login", "openid_connect_callback",
}  # fmt: skip

# The home, a page for anybody, and those that show an annotator's work.
NO_WAY = {"home", "account_logout", "campaign_preview", "crowd_enter"}


@pytest.fixture
def site(web_server, settings):
    settings.EMBEDDED = True  # the demo goes only into an embedded database, and this is one
    return DemoSite()


def faults_of(page, path, status, states, has_a_way=False):
    """What is wrong with the page at `path`, all of it unfolded; axe-core sees it in these states."""
    resize(page, PHONE)  # before the page comes: else it would be laid out twice
    if (got := page.goto(path)).status != status or not got.url.endswith(path):
        yield f"{path}: {got.status} at {got.url}"
    for fault in [*_plain_faults(page, has_a_way), *(fault for state in states for fault in _faults_in(page, state))]:
        yield f"{path}: {fault}"


# An open menu that lies over what can be pressed stays closed; which one does differs from screen to screen.
MENUS = """() => {
  const all = (found) => [...document.querySelectorAll(found)];
  for (const menu of all("main details[data-menu]")) {
    menu.open = true;
    const over = menu.querySelector("ul").getBoundingClientRect();
    menu.open = !all("main a, main button").some((other) => {
      const under = other.getBoundingClientRect();
      return !menu.contains(other) && under.width > 0 && under.left < over.right && under.right > over.left
        && under.top < over.bottom && under.bottom > over.top;
    });
  }
}"""


def _faults_in(page, state):
    """What axe-core finds in this state."""
    resize(page, state[1])
    page.evaluate(MENUS)
    return faults_in_states(page, [state])


PLAIN = """() => {
  const all = (found) => [...document.querySelectorAll(found)];
  const way = all(".crumbs a").map((one) => one.getAttribute("href"));
  const [here] = all("header nav a[aria-current=page]").map((one) => one.getAttribute("href"));
  const last = document.querySelector("nav[aria-label] > .crumbs > li:last-child > [aria-current=page]:not(a)");
  all("main details").forEach((one) => { one.open = true; });
  const wide = {};
  for (const direction of ["rtl", "ltr"]) {
    document.dir = direction;
    wide[direction] = document.documentElement.scrollWidth;
  }
  return {
    wide,
    title: document.title,
    headings: all("h1").length,
    way, here: last ? last.innerText.trim() : "",
    elsewhere: Boolean(way.length && here && here !== location.pathname && !way.includes(here)),
    language: document.documentElement.lang,
    unsaid: all(".text:not([lang])").length,
  };
}"""


def _plain_faults(page, has_a_way):
    """What the page itself says of it on a phone, and what is wider, also where it goes from right to left; all of it
    is unfolded then."""
    seen = page.evaluate(PLAIN)
    if has_a_way and not (seen["here"] and seen["way"][:1] == [reverse("home")]):
        yield f"no breadcrumbs from the studies to the page: {seen['way']}, {seen['here']!r}"
    name, _, site = seen["title"].rpartition(" · ")
    if seen["headings"] != 1:
        yield f"{seen['headings']} headings of level 1"
    if not name or site != "Restyle":
        yield "no title of its own"
    if seen["elsewhere"]:
        yield "the breadcrumbs pass by the page that the navigation marks"
    if not seen["language"]:
        yield "no language"
    if seen["unsaid"]:
        yield f"{seen['unsaid']} texts that say no language, nor that it is unknown"
    for direction in [one for one, wide in seen["wide"].items() if wide > PHONE["width"]]:
        page.evaluate("(direction) => { document.dir = direction; }", direction)
        yield from ((direction, *fault) for fault in too_wide(page, PHONE["width"]))


def without_a_row(site):
    """Whatever is no file and answers an admin's GET is a page; by name, the status of those that no row names."""
    client = Client()
    client.force_login(site.people["admin"])
    rest = [name for name in ROUTES if not name.startswith("api:") and name not in PAGES and name not in NO_PAGES]
    rest.remove("look")  # the gallery, for developers alone
    values = {**site.values, "references": 1, "token": 1, "link": 1, "member": 1, "number": 1, "invitation": 1,
              "review": 1, "scale": 1, "delivery": 1, "order": 1, "machine": 1,
              "handle": "x"}  # fmt: skip
    acts = {**values, "act": "submit"}
    pages = {}
    for name in rest:
        answer = client.get(_any_address(name, acts))
        if answer.status_code != 405:
            pages[name] = answer.status_code
    return pages


KEYS = dict.fromkeys(("answer", "entrant", "review"), 1)
HANDLES = dict.fromkeys(KEYS, "0" * 32)


def _any_address(name, values):
    """An address of the route: some take the key of a thing where others take a person's handle of it."""
    for more in ({}, KEYS, HANDLES):
        try:
            return reverse(name, kwargs={key: (values | more)[key] for key in names_in(name)})
        except NoReverseMatch:
            continue
    raise AssertionError(f"No address fits {name}.")


def walk(new_page, site, web_server, rows, states):
    """The faults of all these pages; the states of axe-core change from page to page. Those of one state come together:
    to change the colours of a page takes as long as to look at it."""
    visitors = Visitors(new_page, site, web_server.url)
    faults = []
    wanted = {(address(site, name, values), who): 200 for name, who, values in rows} | REFUSED
    below_home = {(address(site, name, values), who) for name, who, values in rows
                  if who in ("researcher", "reviewer", "admin") and name not in NO_WAY}  # fmt: skip
    seen_in = zip(wanted.items(), itertools.cycle(enumerate(states)))
    for ((path, who), status), (_, seen) in sorted(seen_in, key=lambda one: one[1][0]):
        faults += faults_of(visitors.page_of(who), path, status, seen, (path, who) in below_home)
    return faults + visitors.complaints


ROWS = [(name, who, {}) for name, who in PAGES.items()]


def test_every_page(new_page, site, web_server):
    """To make the site takes longer than to look at twenty of its pages."""
    assert (found := without_a_row(site)) == {}, f"These pages have no row: {found}"
    found = walk(new_page, site, web_server, ROWS, [STATES[:1], STATES[1:]])
    assert not found, "\n".join(found)


@pytest.mark.soak
def test_every_page_in_both_states_and_without_anything_on_it(new_page, site, web_server):
    found = walk(new_page, site, web_server, ROWS + MORE, [STATES])
    assert not found, "\n".join(found)
