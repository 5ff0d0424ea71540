"""The endpoints of campaigns, with tokens."""

import json
from uuid import uuid4

import pytest
from support import campaigns as make
from support.items_to_measure import KINDS

from accounts.actions.make_token import make_token
from accounts.permissions import Role
from annotation.models import Answer, Campaign
from annotation.task_types import TASK_TYPES

pytestmark = pytest.mark.django_db
NOBODYS = {"lease": str(uuid4()), "key": str(uuid4())}


class Api:
    def __init__(self, client, who, study, *scopes):
        _, secret = make_token(person=who, name="test", scopes=scopes or ["read", "write", "annotate"], days=1)
        self.client, self.headers = client, {"Authorization": f"Token {secret}"}
        self.base = f"/api/studies/{study.slug}/campaigns/"

    def get(self, path=""):
        return self.client.get(self.base + path, headers=self.headers)

    def post(self, path="", body=None):
        body = body if isinstance(body, bytes) else json.dumps(body or {})
        return self.client.post(self.base + path, body, content_type="application/json", headers=self.headers)


@pytest.fixture
def study():
    return make.study(items=3, systems=2)


@pytest.fixture
def researcher(study, client):
    return Api(client, make.person(Role.RESEARCHER, study), study)


@pytest.fixture
def annotator(study, client):
    return Api(client, make.person(study=study), study, "annotate")


def test_a_campaign_from_its_making_to_the_last_answer(study, researcher, annotator):
    given = {"name": "Rate", "task_type": "rate", "direction": "informal-formal", "systems": [make.SYSTEMS[0]]}
    made = researcher.post(body={**given, "settings": {"criteria": {"fluency": {"scale": "fluency_5"}}}})
    assert made.status_code == 201, made.content
    assert (made.json()["size"], made.json()["state"], made.json()["direction"]) == (3, "draft", "informal-formal")
    assert researcher.post("rate/state/", {"state": "open"}).json()["state"] == "open"
    assert researcher.get().json()["count"] == 1
    assert researcher.get("rate/").json()["settings"]["criteria"][0]["name"] == "fluency"

    claim = annotator.post("rate/next/").json()
    bodies = [json.dumps(claim)]
    while work := claim["work"]:
        held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4())}
        make.time_passes(3)
        said = annotator.post("rate/answers/", {**held, "content": {"ratings": [{"fluency": 4}]}, "seconds": 2.5})
        assert said.status_code == 200, said.content
        bodies.append(said.content.decode())
        claim = said.json()["next"]
    assert (claim["reason"], claim["done"]) == ("finished", 3)
    assert Answer.objects.filter(seconds=2.5).count() == 3
    assert not any(name in body for name in make.SYSTEMS for body in bodies)


def test_an_item_of_each_kind_of_work_comes_through_the_api(client):
    seen = set()
    for kind in KINDS.values():
        campaign = kind.campaign(1)
        work = (
            Api(client, make.person(study=campaign.study), campaign.study).post(f"{campaign.slug}/next/").json()["work"]
        )
        assert work["item"]
        seen.add(work["task_type"])
    assert set(TASK_TYPES.names()) - seen == {"terms"}, "which presents what spans do"


def test_drafts_skips_reports_and_reviews(study, researcher, annotator):
    make.campaign(study)
    work = annotator.post("rewrite/next/").json()["work"]
    held = {"slot": work["slot"], "lease": work["lease"]}
    assert annotator.post("rewrite/drafts/", {**held, "version": 2, "form": {"text": "ab"}}).json() == {"version": 2}
    older = annotator.post("rewrite/drafts/", {**held, "version": 1, "form": {"text": "a"}})
    assert (older.status_code, older.json()["content"]) == (409, {"text": "ab"})
    work = annotator.post("rewrite/skip/", {**held, "key": str(uuid4())}).json()["work"]
    held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4())}
    assert annotator.post("rewrite/report/", {**held, "kind": "boring"}).status_code == 400
    assert annotator.post("rewrite/report/", {**held, "kind": "unreadable"}).json()["work"]["number"] == 3
    waiting = researcher.get("rewrite/reviews/").json()["results"]
    assert [one["outcome"] for one in waiting] == ["skipped", "reported"]
    decided = researcher.post("rewrite/reviews/", {"answer": waiting[0]["id"], "verdict": "dropped"})
    assert decided.json()["verdict"] == "dropped"
    assert researcher.get("rewrite/reviews/").json()["count"] == 1


def test_rewrites_are_adopted_and_a_guideline_is_revised(study, researcher, annotator):
    make.campaign(study)
    work = annotator.post("rewrite/next/").json()["work"]
    held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4())}
    annotator.post("rewrite/answers/", {**held, "content": {"text": "I must see it."}})
    adopted = researcher.post("rewrite/adopt/").json()
    none = {"sources": 0, "stay": 0, "taken_back": 0, "references_taken_back": 0, "left_out": {}}
    assert adopted == {"reference_sets": 1, "references": 1, **none}
    assert researcher.post("rewrite/guideline/", {"text": "New."}).json()["version"] == 2


def test_own_answers_are_listed_and_changed(study, client, researcher, annotator):
    make.campaign(study, guideline="Be kind.")
    assert annotator.get("rewrite/guideline/").status_code == 403  # the token's scope; its owner may read it
    assert researcher.get("rewrite/guideline/").json()["text"] == "Be kind."
    work = annotator.post("rewrite/next/").json()["work"]
    held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4())}
    made = annotator.post("rewrite/answers/", {**held, "content": {"text": "I must see it."}}).json()
    change = {"key": str(uuid4()), "content": {"text": "I have to see it."}}
    revised = annotator.post(f"rewrite/answers/{made['answer']}/", change)
    assert (revised.status_code, revised.json()["revision"]) == (200, 2)
    assert [one["content"] for one in annotator.get("rewrite/answers/").json()["results"]] == [change["content"]]
    other = Api(client, make.person(study=study), study)
    assert other.get("rewrite/guideline/").json()["version"] == 1
    assert other.get("rewrite/answers/").json()["count"] == 0
    assert other.post(f"rewrite/answers/{made['answer']}/", change).status_code == 404
    assert researcher.get("rewrite/").json()["progress"]["done"] == 1


@pytest.mark.parametrize(
    "body",
    [
        b"not json", b"[]", b"{}", b'{"slot": 1}', b'{"slot": 1e400, "lease": "x"}',
        json.dumps({**NOBODYS, "slot": "0" * 32, "content": {"text": "a\x00"}}).encode(),
        json.dumps({**NOBODYS, "slot": "0" * 32, "content": {"text": "\ud800"}}).encode(),
        json.dumps({**NOBODYS, "slot": "f" * 32, "content": {"text": 5}}).encode(),
    ],
)  # fmt: skip
@pytest.mark.parametrize("path", ["answers/", "skip/", "report/", "drafts/"])
def test_what_does_not_fit_is_a_plain_error(study, annotator, path, body):
    make.campaign(study)
    answer = annotator.post("rewrite/" + path, body)
    assert answer.status_code == 400
    assert answer.json()


@pytest.mark.parametrize("text", ["a\x00", "\ud800", "\x07"])
def test_text_that_cannot_be_stored_is_refused(study, annotator, text):
    make.campaign(study)
    work = annotator.post("rewrite/next/").json()["work"]
    held = {"slot": work["slot"], "lease": work["lease"], "key": str(uuid4())}
    assert annotator.post("rewrite/answers/", {**held, "content": {"text": text}}).status_code == 400
    assert annotator.post("rewrite/drafts/", {**held, "version": 1, "form": {"text": text}}).status_code in {200, 400}
    skipped = annotator.post("rewrite/skip/", {**held, "comment": text})
    assert skipped.status_code in {200, 400}
    assert not Answer.objects.filter(outcome="answered").exists()


@pytest.mark.parametrize(
    "given",
    [{"question": "a\x00b"}, {"question": "\ud800"}, {"questoin": "x"}, {"beside": 5}, {"rate_reference": "yes"}],
)
def test_settings_that_do_not_fit_are_refused_and_nothing_is_stored(study, researcher, given):
    answer = researcher.post(body={"name": "Rank", "task_type": "rank", "settings": given})
    assert answer.status_code == 400
    assert not Campaign.objects.exists()


def test_unknown_systems_directions_and_campaigns_are_named(study, researcher):
    wrong = researcher.post(body={"name": "x", "task_type": "rank", "systems": ["Nobody"]})
    assert (wrong.status_code, wrong.json()) == (400, {"detail": "systems: The study has no system 'Nobody'."})
    wrong = researcher.post(body={"name": "x", "task_type": "rewrite", "direction": "a-b"})
    assert wrong.json()["detail"].startswith("direction: There is no direction 'a-b'; there are ")
    for path in ("nothing/", "nothing/reviews/"):
        assert researcher.get(path).status_code == 404
    for path, body in (("nothing/next/", None), ("nothing/state/", {"state": "open"})):
        assert researcher.post(path, body).status_code == 404


def test_annotators_make_no_campaigns_and_a_token_needs_its_scope(study, client, annotator):
    assert annotator.post(body={"name": "x", "task_type": "rewrite"}).status_code == 403
    make.campaign(study)
    reader = Api(client, make.person(study=study), study, "read")
    assert reader.post("rewrite/next/").status_code == 403
    reviewer = Api(client, make.person(Role.REVIEWER, study), study)
    assert reviewer.get().status_code == 200
    assert reviewer.post(body={"name": "x", "task_type": "rewrite"}).status_code == 403


def test_a_key_of_the_version_before_is_read_and_the_new_one_written(study, researcher):
    given = {"name": "Old", "task_type": "rewrite", "crew": {"quota": 3}}
    assert researcher.post(body=given).json()["eligibility"] == {"quota": 3}
    changed = researcher.client.patch(
        f"{researcher.base}old/", json.dumps({"crew": {"per_day": 2}}), content_type="application/json",
        headers=researcher.headers,
    )  # fmt: skip
    assert changed.json()["eligibility"] == changed.json()["crew"] == {"per_day": 2}
    both = researcher.post(body={**given, "name": "Both", "eligibility": {}})
    assert "There is no such field" in json.dumps(both.json()), "under both names"
