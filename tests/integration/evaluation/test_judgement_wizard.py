"""Judgements through the way in of every table: the page, step by step, and its endpoint."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from support import campaigns

from accounts.permissions import Role
from corpora.models import Upload
from evaluation.models import Judgement

pytestmark = pytest.mark.django_db
BATCH = (
    "HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.source,Input.output1,Input.output2,"
    "Answer.fluency1,Answer.fluency2\n"
    'H1,W1,Approved,30,"gotta see number 1 , u know",You should see 1 in manner 1.,You should see 1 in manner 2.,5,3\n'
    'H1,W2,Rejected,2,"gotta see number 1 , u know",You should see 1 in manner 1.,You should see 1 in manner 2.,1,1\n'
)
WANTED = [("W1", "You should see 1 in manner 1.", 5.0, 15.0), ("W1", "You should see 1 in manner 2.", 3.0, 15.0)]


@pytest.fixture
def study():
    return campaigns.study(items=2, systems=2)


@pytest.fixture
def browser(client, study):
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    return client


def judged():
    return list(Judgement.objects.order_by("pk").values_list("worker", "text_key", "value", "seconds"))


def fields(page):
    told = page.context
    found = {"target": told["upload"].target, **told["reading"]}
    for one in told["columns"]:
        found |= {f"meaning-{one['place']}": one["meaning"], f"name-{one['place']}": one["name"]}
    for one in told["settings"]:
        found[f"set-{one['setting'].name}"] = one["value"]
    return found


def test_a_batch_in_the_wizard(browser, study):
    page = browser.get(reverse("study_ratings", args=[study.slug]))
    assert f"{reverse('table_new', args=[study.slug])}?target=judgements" in page.content.decode()
    file = SimpleUploadedFile("batch.csv", BATCH.encode())
    browser.post(reverse("table_new", args=[study.slug]), {"target": "judgements", "file": file})
    address = reverse("table", args=[study.slug, Upload.objects.get().pk])
    page = browser.get(address)
    meanings = {one["column"]: (one["meaning"], one["name"]) for one in page.context["columns"]}
    assert meanings["WorkerId"] == ("rater", "")  # one alone needs no place
    assert meanings["Input.output2"] == ("output", "#2")
    assert meanings["Answer.fluency1"] == ("rating", "fluency #1")
    assert {one.name for one in page.context["plan"].open} == {"rejected", "scale-fluency"}
    refused = browser.post(address, {**fields(page), "act": "bring"})
    assert refused.status_code == 422
    assert judged() == []
    answers = {"answer-rejected": "leave_out", "answer-scale-fluency": "fluency_5"}
    done = browser.post(address, {**fields(page), **answers, "act": "bring"})
    assert done["Location"] == reverse("study_ratings", args=[study.slug])
    assert judged() == WANTED
    page = browser.get(done["Location"])
    assert "batch.csv" in page.content.decode()


def test_a_long_export_of_label_studio_shows_what_needs_a_meaning(browser, study):
    about = {"to_name": "t", "type": "rating", "value": {"rating": 4}, "origin": "manual"}
    result = [{"from_name": name, "id": name, **about} for name in ("fluency", "meaning", "formality")]
    tasks = [
        {"id": n, "data": {"source": f"gotta see number {n} , u know", "text": f"You should see {n} in manner 1."},
         "annotations": [{"id": 10 * n + who, "completed_by": who, "was_cancelled": False, "lead_time": 6.0,
                          "result": result, "created_at": "2026-01-01T00:00:00Z"} for who in (1, 2, 3)]}
        for n in (1, 2)
    ]  # fmt: skip
    file = SimpleUploadedFile("project.json", json.dumps(tasks).encode())
    browser.post(reverse("table_new", args=[study.slug]), {"target": "judgements", "file": file})
    address = reverse("table", args=[study.slug, Upload.objects.get().pk])
    page = browser.get(address)
    assert [one["column"] for one in page.context["columns"]] == ["id", "data.source", "data.text"]
    assert page.context["read"] == 3 * (5 + 3 * 6)
    (first, *_) = (cells for _, cells in page.context["first_rows"])  # under the columns that are named above them
    assert first == ["gotta see number 1 , u know", "You should see 1 in manner 1."]
    assert page.context["made_by"] == "Label Studio"
    answers = {f"answer-scale-{name}": "likert_5" for name in ("fluency", "meaning")}
    answers["answer-scale-formality"] = "likert_5"
    done = browser.post(address, {**fields(page), **answers, "act": "bring"})
    assert done.status_code == 302
    assert Judgement.objects.count() == 2 * 3 * 3
    assert set(Judgement.objects.values_list("worker", "value", "seconds")) == {(n, 4.0, 6.0) for n in "123"}


def test_a_batch_in_one_request(browser, study):
    address = reverse("api:table-import", args=[study.slug])

    def ask(**given):
        given = {"target": "judgements", "file": SimpleUploadedFile("batch.csv", BATCH.encode()), **given}
        return browser.post(address, given)

    dry = ask(dry_run="true").json()
    assert dry["numbers"]["Judgements in the rows"] == 2
    assert {one["name"] for one in dry["questions"] if not one["answer"]} == {"rejected", "scale-fluency"}
    mapping = json.dumps(dry["mapping"])
    assert ask(mapping=mapping).status_code == 400
    answers = json.dumps({"rejected": "leave_out", "scale-fluency": "fluency_5"})
    made = ask(mapping=mapping, answers=answers)
    assert made.status_code == 201
    assert made.json()["brought"] == "2 judgements are imported."
    assert judged() == WANTED


def test_prolifics_list_is_refused_with_its_name(browser, study):
    text = "Submission id,Participant id,Status,Started at,Completion code\ns1,p1,APPROVED,2026-01-01,C1\n"
    file = SimpleUploadedFile("prolific_export.csv", text.encode())
    asked = {"target": "judgements", "file": file, "dry_run": "true"}
    answer = browser.post(reverse("api:table-import", args=[study.slug]), asked)
    assert answer.status_code == 400
    assert "Prolific's own list of submissions" in answer.json()["detail"]
