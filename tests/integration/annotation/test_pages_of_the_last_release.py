"""Pages that were open over an upgrade: what browsers sent from pages of d34b7ea (0.1.0) is stored by this version as
that one stored it.

`tests/golden/pages/d34b7ea.jsonl` holds the requests that its pages sent in a real browser, one of each kind of work
and more, each with the item, and what that release stored. Rows, leases and
keys are those of the test.
"""

import json
from uuid import uuid4

import pytest
from django.db import connection
from django.urls import reverse
from support import campaigns as make
from support.clients import as_person, with_token
from support.stage_items import campaign_of

from annotation.blinding import UPGRADE
from annotation.models import Answer, Assignment, Campaign, Draft
from annotation.views.held_item import SHAPE
from foundation.project import ROOT

pytestmark = pytest.mark.django_db
RECORDED = [json.loads(line) for line in (ROOT / "tests/golden/pages/d34b7ea.jsonl").read_text().splitlines()]
DRAFTS = [one for one in RECORDED if one["path"] == "/work/draft/"]
SENT = [one for one in RECORDED if one["path"].startswith("/work/") and one not in DRAFTS]
CHANGED = [one for one in RECORDED if one["path"].startswith("/answers/")]
KINDS = {
    "adapt", "align", "best_worst", "label", "rank", "rate", "rephrase_simplify", "rewrite", "screen", "verify",
}  # fmt: skip


@pytest.fixture
def upgraded():
    """The pages were opened, and then the site was upgraded."""

    def upgrade(seconds=3600):
        with connection.cursor() as cursor:
            cursor.execute(
                "UPDATE django_migrations SET applied = now() + make_interval(secs => %s)"
                " WHERE app = 'annotation' AND name = %s",
                [seconds, UPGRADE],
            )
            assert cursor.rowcount == 1

    return upgrade


class Page:
    """An item of the release before in somebody's hands, as their browser has it."""

    def __init__(self, recorded):
        self.recorded, study = recorded, make.study(items=1)
        self.campaign = campaign_of(study, recorded["kind"], [recorded["content"]])
        Campaign.objects.filter(pk=self.campaign.pk).update(settings=recorded["settings"])
        Assignment.objects.filter(campaign=self.campaign).update(order=recorded["order"])
        self.campaign.refresh_from_db()
        self.who = make.person(study=study)
        self.work, self.browser = make.held(self.campaign, self.who), as_person(self.who)

    @property
    def form(self):
        """As it was sent, with the key, the lease and the row of this test."""
        own = {"slot": str(self.work.assignment), "lease": str(self.work.lease), "key": str(uuid4())}
        sent = {}
        for name, value in self.recorded["form"]:
            sent.setdefault(name, []).append(own.get(name, value))
        return sent

    def send(self, act=None, form=None):
        address = reverse("campaign_work", args=[self.campaign.study.slug, self.campaign.slug])
        act = act or self.recorded["path"].removeprefix("/work/")
        return self.browser.post(address + act, form or self.form, headers={"HX-Request": "true"})


def test_every_kind_of_work_was_recorded_with_what_else_a_page_does():
    assert {one["kind"] for one in RECORDED} == KINDS
    assert {one["path"] for one in RECORDED} == {
        "/work/submit/", "/work/skip/", "/work/report/", "/work/draft/", "/answers/{answer}/",
    }  # fmt: skip


@pytest.mark.parametrize("recorded", SENT, ids=lambda one: f"{one['kind']}{one['path'].replace('/', ' ')}")
def test_what_was_typed_before_the_upgrade_is_stored_as_it_was(recorded, upgraded):
    page = Page(recorded)
    upgraded()
    answer = page.send()
    assert answer.status_code == 200, answer.content.decode()
    stored = Answer.objects.get(campaign=page.campaign)
    assert (stored.outcome, stored.late) == (recorded["outcome"], False)
    assert {**stored.content, "comment": stored.content.get("comment", "")} == {
        **recorded["stored"], "comment": recorded["stored"].get("comment", ""),
    }  # fmt: skip
    assert answer.headers.get("HX-Refresh") == "true", "the page stays as it was, with scripts of the release before"


@pytest.mark.parametrize("recorded", DRAFTS, ids=lambda one: one["kind"])
def test_what_was_saved_as_it_was_typed_is_the_draft_that_it_was(recorded, upgraded):
    page = Page(recorded)
    upgraded()
    saved = page.send()
    assert (saved.status_code, saved.json()["version"]) == (200, 1), saved.content.decode()
    assert Draft.objects.get().content == recorded["stored"]


@pytest.mark.parametrize("recorded", [one for one in SENT if one["kind"] == "rewrite"][:1], ids=["rewrite"])
def test_a_draft_and_a_refusal_keep_what_was_typed(recorded, upgraded):
    page = Page(recorded)
    upgraded()
    draft = page.send("draft/", {**page.form, "version": ["1"]})
    assert (draft.status_code, draft.json()["version"]) == (200, 1)
    assert Draft.objects.get().content["text"] == recorded["stored"]["text"]
    refused = page.send("submit/", {**page.form, "text": [recorded["content"]["source"]]})
    assert (refused.status_code, "HX-Refresh" in refused.headers) == (422, False)
    assert recorded["content"]["source"] in refused.content.decode()


@pytest.mark.parametrize("recorded", CHANGED, ids=["change"])
def test_a_change_of_an_answer_too(recorded, upgraded):
    page = Page(recorded)
    first = make.hand_in(page.campaign, page.who, page.work, content={"text": "I have to see it first."})
    upgraded()
    address = reverse("campaign_answers", args=[page.campaign.study.slug, page.campaign.slug])
    assert page.browser.post(f"{address}{first.answer}/", page.form).status_code == 302
    newest = Answer.objects.filter(campaign=page.campaign).latest("revision")
    assert (newest.revision, newest.content) == (2, recorded["stored"])


def test_a_script_of_the_release_before_names_its_work_by_a_number(upgraded):
    page = Page(next(one for one in SENT if one["kind"] == "rewrite"))
    upgraded()
    body = {"slot": page.work.assignment, "lease": str(page.work.lease), "key": str(uuid4())}
    url = f"/api/studies/{page.campaign.study.slug}/campaigns/{page.campaign.slug}/answers/"
    answer = with_token(page.who).post(url, {**body, "content": {"text": "I must see it."}}, "application/json")
    assert answer.status_code == 200, answer.content
    assert Answer.objects.get().content == {"text": "I must see it."}


def test_numbers_name_nothing_that_is_younger_than_the_upgrade_nor_anybody_elses(upgraded):
    page = Page(next(one for one in SENT if one["kind"] == "rewrite"))
    upgraded(-3600)
    assert page.send().status_code == 422
    upgraded()
    other = make.person(study=page.campaign.study)
    page.browser = as_person(other)
    assert page.send().status_code == 422
    assert not Answer.objects.exists()


def test_a_page_of_a_release_that_is_not_understood_is_told_and_keeps_its_text():
    page = Page(next(one for one in SENT if one["kind"] == "rewrite"))
    refused = page.send(form={**page.form, "shape": ["99"]})
    assert (refused.status_code, "out of date" in refused.content.decode()) == (422, True)


def test_pages_of_this_version_say_the_shape_that_is_read():
    page = Page(next(one for one in SENT if one["kind"] == "rewrite"))
    address = reverse("campaign_work", args=[page.campaign.study.slug, page.campaign.slug])
    shown = page.browser.get(address, headers={"HX-Request": "true"}).content.decode()
    assert f'<input type="hidden" name="shape" value="{SHAPE}">' in shown
