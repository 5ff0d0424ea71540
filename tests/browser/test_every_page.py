"""Every page, for the person it is made for, dark on a phone and light on a wide screen.

axe-core finds nothing (WCAG 2.2 AA), no console error, nothing wider than the screen, one h1 and a title of its own.
A new page needs a row here.
"""

import pytest
from django.test import Client
from django.urls import NoReverseMatch, reverse
from support.axe import faults_in_two_states
from support.campaigns import PASSWORD
from support.demo_site import DemoSite, add_second_step, sign_in, sign_in_by_form

from accounts.permissions.routes import ROUTES

NOBODY, NEWLY, SECURED, HALF_WAY = "nobody", "newly signed in", "with a second step", "half signed in"

PAGES = {
    "home": "researcher",
    "api_page": "researcher",
    "account_login": NOBODY,
    "account_logout": "researcher",
    "account_inactive": NOBODY,
    "account_reset_password": NOBODY,
    "account_reset_password_done": NOBODY,
    "account_reset_password_from_key": NOBODY,
    "account_reset_password_from_key_done": NOBODY,
    "account_reauthenticate": SECURED,
    "account_change_password": "researcher",
    "account_set_password": "without a password",
    "mfa_authenticate": HALF_WAY,
    "mfa_reauthenticate": SECURED,
    "mfa_index": SECURED,
    "mfa_activate_totp": NEWLY,
    "mfa_deactivate_totp": SECURED,
    "mfa_view_recovery_codes": SECURED,
    "mfa_generate_recovery_codes": SECURED,
    "socialaccount_login_cancelled": NOBODY,
    "socialaccount_login_error": NOBODY,
    "join": NOBODY,
    "reset": NOBODY,
    "account_settings": "crowd_annotator",
    "tokens": "researcher",
    "people": "admin",
    "people_invite": "admin",
    "person": "admin",
    "my_work": "crowd_annotator",
    "study_new": "researcher",
    "study_apply": "researcher",
    "study_begin": "researcher",
    "study": "researcher",
    "study_edit": "researcher",
    "study_removed": "researcher",
    "study_delete": "researcher",
    "study_duplicate": "researcher",
    "removed_studies": "researcher",
    "study_texts": "researcher",
    "direction_new": "researcher",
    "table_new": "researcher",
    "table": "researcher",
    "study_documents": "researcher",
    "documents_new": "researcher",
    "document": "researcher",
    "study_questions": "researcher",
    "study_flags": "researcher",
    "study_sections": "researcher",
    "study_groups": "researcher",
    "study_concepts": "researcher",
    "sources_select": "researcher",
    "study_splits": "researcher",
    "study_systems": "researcher",
    "system": "reviewer",
    "study_members": "researcher",
    "study_trail": "researcher",
    "study_terms": "crowd_annotator",
    "trail": "admin",
    "health": "admin",
    "study_campaigns": "researcher",
    "campaign_new": "researcher",
    "campaign": "researcher",
    "campaign_edit": "researcher",
    "campaign_expected": "researcher",
    "crowd_enter": "researcher",
    "crowd": "from a crowd site",
    "campaign_entrances": "researcher",
    "campaign_ledger": "researcher",
    "campaign_preview": "researcher",
    "campaign_worker": "researcher",
    "campaign_agreement": "researcher",
    "campaign_review": "reviewer",
    "campaign_work": "crowd_annotator",
    "campaign_answers": "crowd_annotator",
    "campaign_revise": "crowd_annotator",
    "study_answers": "researcher",
    "study_gold": "researcher",
    "gold_import_new": "researcher",
    "gold_import": "researcher",
    "release_new": "researcher",
    "release": "researcher",
    "study_jobs": "researcher",
    "job": "researcher",
    "study_models": "researcher",
    "training_new": "researcher",
    "training": "researcher",
    "checkpoint": "researcher",
    "checkpoint_import": "researcher",
    "try_it": "reviewer",
    "transfer_new": "researcher",
    "transfer_file": "researcher",
    "study_report": "researcher",
    "study_trust": "researcher",
    "study_tables": "researcher",
    "study_table": "researcher",
    "study_rows": "researcher",
    "metrics_choose": "researcher",
    "study_ratings": "researcher",
    "study_human": "researcher",
    "human_new": "researcher",
    "human_edit": "researcher",
    "human_study": "researcher",
    "human_rater": "researcher",
}
# The same pages in other states: the name, the person, and what differs in the address.
MORE = [
    ("study", "crowd_annotator", {}),
    ("home", "without a password", {}),
    ("my_work", "without a password", {}),
    ("campaign_work", "crowd_annotator", {"campaign": "rate-the-systems"}),
    ("campaign_work", "crowd_annotator", {"campaign": "rank-the-systems"}),
    ("campaign", "researcher", {"campaign": "rate-the-systems"}),
    ("campaign_answers", "expert_annotator", {}),
    ("human_study", "researcher", {"human": "opened"}),
    ("human_study", "researcher", {"human": "which-is-best"}),
    ("campaign_agreement", "researcher", {"campaign": "which-is-best-rate"}),
    *[("study_table", "researcher", {"name": name}) for name in ("by_length", "gyafc_table_7", "gyafc_table_6")],
    *[(name, "researcher", {"study": "empty"}) for name in (
        "study", "study_texts", "study_systems", "study_campaigns", "study_answers", "study_jobs", "study_report",
        "study_gold",
        "study_trust", "study_tables", "campaign_new", "study_members", "study_models", "training_new", "try_it",
    )],
    ("study", "crowd_annotator", {"study": "empty"}),
]  # fmt: skip
REFUSED = {("/no/such/page/", "researcher"): 404, ("/people/", "crowd_annotator"): 403, ("/join/no/", NOBODY): 410,
           ("/accounts/3rdparty/login/error/", NOBODY): 401}  # fmt: skip

# Files, and the two addresses that belong to a provider, which an installation may lack.
NO_PAGES = {
    "api_schema", "campaign_ledger_file", "campaign_agreement_file", "gold_file", "study_answers_file",
    "campaign_answers_file", "release_file", "report_file", "trail_file", "study_trail_file",
    "table_file", "training_curves", "checkpoint_file", "transfer_result", "try_answers",
    "health_live", "health_ready", "metrics",
    "sources_new", "references_new", "system_new",  # they lead on to table_new
    "mfa_download_recovery_codes", "openid_connect_login", "openid_connect_callback",
}  # fmt: skip


@pytest.fixture
def site(web_server, settings):
    settings.EMBEDDED = True  # the demo goes only into an embedded database, and this is one
    return DemoSite()


def address(site, name, values):
    """The address of a page of the seeded site."""
    wanted = {**site.values, **values}
    if name == "gold_import":
        wanted["number"] = site.values["gold import"]
    if name == "human_rater":
        wanted["human"] = "opened"  # of a draft there are no raters
    if name in ("join", "reset", "crowd_enter"):
        wanted["secret"] = site.secret(name)
    return reverse(name, kwargs={key: wanted[key] for key in names_in(name)})


def names_in(name):
    """The names in the address of a route."""
    from django.urls import get_resolver

    return get_resolver().reverse_dict.getlist(name)[0][0][0][1]


class Visitors:
    """A page for each person, which notes what the browser complains about."""

    def __init__(self, new_page, site, url):
        self._new_page, self._site, self._url = new_page, site, url
        self._pages, self.complaints = {}, []

    def page_of(self, who):
        if who not in self._pages:
            self._pages[who] = page = self._new_page(reduced_motion="reduce")
            page.on("console", lambda said: self._note(page, said.text) if said.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: self._note(page, str(error)))
            self._let_in(page, who)
        return self._pages[who]

    def _note(self, page, text):
        if "the server responded with a status of 4" not in text:  # some of the pages say just that
            self.complaints.append(f"{page.url}: {text}")

    def _let_in(self, page, who):
        if who == HALF_WAY:
            self.page_of(SECURED)  # who sets up the second step
            sign_in_by_form(page, self._site.people[SECURED].email)
        if who in (NEWLY, SECURED):
            sign_in_by_form(page, self._site.people[who].email)
            page.goto(reverse("account_reauthenticate") + "?next=/account/")
            page.get_by_label("Password").fill(PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_url(lambda url: "reauthenticate" not in url)
        if who == SECURED:
            add_second_step(self._site.people[who])
        if who in self._site.people and who not in (NEWLY, SECURED):
            sign_in(page, self._site.people[who], self._url)


def faults_of(page, path, status):
    """What is wrong with the page at `path`, all of it unfolded."""
    if (got := page.goto(path)).status != status or not got.url.endswith(path):
        yield f"{path}: {got.status} at {got.url}"
    for fault in _plain_faults(page):
        yield f"{path}: {fault}"
    page.evaluate("document.querySelectorAll('main details').forEach((one) => { one.open = true })")
    for fault in faults_in_two_states(page):
        yield f"{path}: {fault}"


def _plain_faults(page):
    if (count := page.locator("h1").count()) != 1:
        yield f"{count} headings of level 1"
    name, _, site = page.title().rpartition(" · ")
    if not name or site != "Restyle":
        yield "no title of its own"
    if page.locator("html[lang]").count() != 1:
        yield "no language"


def without_a_row(site):
    """Whatever is no file and answers an admin's GET is a page; by name, the status of those that no row names."""
    client = Client()
    client.force_login(site.people["admin"])
    rest = [name for name in ROUTES if not name.startswith("api:") and name not in PAGES and name not in NO_PAGES]
    rest.remove("look")  # the gallery, for developers alone
    values = {**site.values, "references": 1, "token": 1, "link": 1, "member": 1, "number": 1, "invitation": 1,
              "review": 1}  # fmt: skip
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


def test_every_page(new_page, site, web_server):
    """One visit for all of it: to make the site takes longer than to look at twenty of its pages."""
    assert (found := without_a_row(site)) == {}, f"These pages have no row: {found}"
    visitors = Visitors(new_page, site, web_server.url)
    faults = []
    rows = [(name, who, {}) for name, who in PAGES.items()] + MORE
    wanted = {(address(site, name, values), who): 200 for name, who, values in rows} | REFUSED
    for (path, who), status in wanted.items():
        faults += faults_of(visitors.page_of(who), path, status)
    assert not (found := faults + visitors.complaints), "\n".join(found)
