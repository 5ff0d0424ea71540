"""Every page of the seeded site: its person, its address, and a browser for each person who looks at them.

A new page needs a row here.
"""

from django.urls import reverse
from support.axe import AXE
from support.campaigns import PASSWORD
from support.demo_site import add_second_step, sign_in, sign_in_by_form

NOBODY, NEWLY, SECURED, HALF_WAY = "nobody", "newly signed in", "with a second step", "half signed in"

PAGES = {
    "home": "researcher",
    "palette": "researcher",
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
    "language": NOBODY,
    "join": NOBODY,
    "reset": NOBODY,
    "account_settings": "crowd_annotator",
    "notifications": "crowd_annotator",
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
    "all_jobs": "admin",
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
    "study_reviews": "reviewer",
    "study_scales": "researcher",
    "campaign_review": "reviewer",
    "campaign_work": "crowd_annotator",
    "campaign_answers": "crowd_annotator",
    "campaign_revise": "crowd_annotator",
    "study_answers": "researcher",
    "study_gold": "researcher",
    "gold_import_new": "researcher",
    "gold_import": "researcher",
    "release_new": "researcher",
    "study_publish": "researcher",
    "release": "researcher",
    "study_jobs": "researcher",
    "job": "researcher",
    "study_models": "researcher",
    "training_new": "researcher",
    "training": "researcher",
    "sweep_new": "researcher",
    "sweep": "researcher",
    "runs_compare": "researcher",
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
    "study_compare": "researcher",
    "study_raters": "researcher",
    "study_rater_pair": "researcher",
    "study_public_links": "researcher",
    "campaign_recruiting": "researcher",
    "recruitment": "researcher",
    "study_webhooks": "researcher",
    "study_webhook": "researcher",
    "site_webhooks": "admin",
    "site_webhook": "admin",
    "public_page": NOBODY,
    "metrics_choose": "researcher",
    "campaign_machines": "researcher",
    "study_judges": "researcher",
    "judge_run": "researcher",
    "study_ratings": "researcher",
    "study_human": "researcher",
    "human_new": "researcher",
    "human_edit": "researcher",
    "human_study": "researcher",
    "human_rater": "researcher",
}
# What a page is asked for, where it shows another page without it.
ASKED = {"study_rater_pair": "?criterion=formality&a=1&b=2"}
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


def address(site, name, values):
    """The address of a page of the seeded site."""
    wanted = {**site.values, **values}
    if name == "gold_import":
        wanted["number"] = site.values["gold import"]
    if name == "site_webhook":
        wanted["webhook"] = site.values["site webhook"]
    if name == "human_rater":
        wanted["human"] = "opened"  # of a draft there are no raters
    if name in ("join", "reset", "crowd_enter", "public_page"):
        wanted["secret"] = site.secret(name)
    return reverse(name, kwargs={key: wanted[key] for key in names_in(name)}) + ASKED.get(name, "")


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
            page.add_init_script(AXE)  # for less than sending it to each page
            page.on("console", lambda said: self._note(page, said.text) if said.type in ("error", "warning") else None)
            page.on("pageerror", lambda error: self._note(page, str(error)))
            self._let_in(page, who)
        return self._pages[who]

    def speak(self, who, language):
        """From now on the person's browser shows the pages in this language, unless the person chose another."""
        page = self.page_of(who)
        page.context.add_cookies([{"name": "language", "value": language, "url": self._url}])
        return page

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
