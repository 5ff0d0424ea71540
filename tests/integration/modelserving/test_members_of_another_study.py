"""Somebody who leads another study: fitting requests to pages and endpoints of models, each refused; nothing changes.

First at this study's own addresses, then at theirs, with this study's directions, checkpoints and questions in them.
"""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.urls import reverse
from support.campaigns import person
from support.checkpoints import checkpoint, packed, training
from support.clients import as_person, with_token
from support.document_studies import document_study
from support.training_studies import training_study

from accounts.models import AuditEntry
from accounts.permissions import Role
from corpora.models import ReferenceSet, System
from jobs.models import Job
from modelserving import typed_sentences
from modelserving.models import Checkpoint, ModelAnswer, TrainingRun, TransferRun

pytestmark = pytest.mark.django_db
WATCHED = (Job, TrainingRun, TransferRun, Checkpoint, ModelAnswer, System, ReferenceSet)


@pytest.fixture
def study():
    return training_study()


@pytest.fixture
def theirs():
    return training_study()


@pytest.fixture
def stranger(theirs):
    return person(Role.RESEARCHER, theirs)


def state() -> list[list[dict]]:
    """All rows that a request about models could change."""
    noted = AuditEntry.objects.exclude(kind=AuditEntry.Kind.TOKEN)  # that somebody used a token is noted
    return [list(rows.order_by("pk").values()) for rows in (*(kind.objects for kind in WATCHED), noted)]


def lines() -> SimpleUploadedFile:
    return SimpleUploadedFile("lines.txt", b"pt has sob\n")


def test_fitting_requests_to_the_endpoints_of_a_study_are_refused(study, stranger, tmp_path):
    run = training(study)
    kept = checkpoint(study, tmp_path, run)
    file = packed(tmp_path, "own.zip").read_bytes()
    api, before = with_token(stranger), state()
    way = study.directions.get().name
    as_json = {"trainings/": {"model": "seq2seq"}, "prompts/": {"model": "prompted"},
               "transfers/": {"checkpoint": kept.pk, "name": "Mine"}, "answers/": {"text": "wat", "direction": way},
               "links/references/": {"direction": way}, f"jobs/{run.job_id}/cancel/": {},
               f"jobs/{run.job_id}/retry/": {}}  # fmt: skip
    for place, body in as_json.items():
        answer = api.post(f"/api/studies/{study.slug}/{place}", json.dumps(body), "application/json")
        assert answer.status_code == 404, place
    for place, body in (
        ("transfers/file/", {"checkpoint": kept.pk, "direction": way, "file": lines()}),
        ("checkpoints/", {"file": SimpleUploadedFile("own.zip", file)}),
    ):
        assert api.post(f"/api/studies/{study.slug}/{place}", body).status_code == 404, place
    for place in (f"trainings/{run.pk}/", f"checkpoints/{kept.pk}/"):
        assert api.delete(f"/api/studies/{study.slug}/{place}").status_code == 404, place
    for place in ("trainings/", "transfers/", "checkpoints/", f"checkpoints/{kept.pk}/file/"):
        assert api.get(f"/api/studies/{study.slug}/{place}").status_code == 404, place
    assert state() == before


def test_fitting_forms_of_the_pages_of_a_study_are_refused(study, stranger, tmp_path):
    run = training(study)
    kept = checkpoint(study, tmp_path, run)
    client, before = as_person(stranger), state()
    way = study.directions.get().pk
    forms = {
        "training_new": {"model": "seq2seq", "seed": "1", "device": "cpu"},
        "training_prompt": {"model": "prompted", "seed": "1", "device": "cpu"},
        "transfer_new": {"model": f"checkpoint-{kept.pk}", "name": "Mine"},
        "transfer_file": {"model": f"checkpoint-{kept.pk}", "direction": way, "file": lines()},
        "try_it": {"text": "wat r u", "direction": way},
        "checkpoint_import": {"file": SimpleUploadedFile("own.zip", packed(tmp_path, "own.zip").read_bytes())},
        "linked_references": {"direction": way},
    }
    for name, body in forms.items():
        assert client.post(reverse(name, args=[study.slug]), body).status_code == 404, name
    for name in ("training_cancel", "training_resume", "training_remove"):
        assert client.post(reverse(name, args=[study.slug, run.pk])).status_code == 404, name
    assert client.post(reverse("checkpoint_remove", args=[study.slug, kept.pk])).status_code == 404
    assert state() == before


def test_their_own_forms_take_nothing_of_another_study(study, theirs, stranger, tmp_path):
    run = training(study)
    kept = checkpoint(study, tmp_path, run)
    own = checkpoint(theirs, tmp_path, name="own.zip")
    client, before = as_person(stranger), state()
    foreign, way = study.directions.get().pk, theirs.directions.get().pk
    key, mine = f"checkpoint-{kept.pk}", f"checkpoint-{own.pk}"
    for name, body, field in (
        ("training_new", {"model": "seq2seq", "seed": "1", "device": "cpu", "direction": foreign}, "direction"),
        ("transfer_new", {"model": key, "name": "Mine"}, "model"),
        ("transfer_new", {"model": mine, "name": "Mine", "direction": foreign}, "direction"),
        ("transfer_file", {"model": key, "direction": way, "file": lines()}, "model"),
        ("transfer_file", {"model": mine, "direction": foreign, "file": lines()}, "direction"),
        ("try_it", {"text": "wat r u", "direction": foreign}, "direction"),
    ):
        answer = client.post(reverse(name, args=[theirs.slug]), body)
        assert answer.status_code == 422, (name, field)
        assert answer.context["form"].errors.keys() == {field}, name
    for name in ("training_cancel", "training_resume", "training_remove"):
        assert client.post(reverse(name, args=[theirs.slug, run.pk])).status_code == 404, name
    assert client.post(reverse("checkpoint_remove", args=[theirs.slug, kept.pk])).status_code == 404
    assert client.get(reverse("checkpoint_file", args=[theirs.slug, kept.pk])).status_code == 404
    assert state() == before


def test_their_own_endpoints_take_nothing_of_another_study(study, theirs, stranger, tmp_path):
    kept = checkpoint(study, tmp_path)
    api, before = with_token(stranger), state()
    way, named = theirs.directions.get().name, study.checkpoints.get().name
    none = "checkpoint: The study has no such checkpoint."
    for place, body, said in (
        ("transfers/", {"checkpoint": kept.pk, "name": "Mine"}, none),
        ("answers/", {"text": "wat", "direction": way, "models": [f"checkpoint-{kept.pk}"]},
         f"models: There is no model 'checkpoint-{kept.pk}' for this direction."),
        ("trainings/", {"model": "seq2seq", "options": {"start_from": named}},
         "start_from: The study has no checkpoint 'Dictionary', and there is no such file below RESTYLE_MODELS."),
    ):  # fmt: skip
        answer = api.post(f"/api/studies/{theirs.slug}/{place}", json.dumps(body), "application/json")
        assert (answer.status_code, answer.json()["detail"]) == (400, said), place
    body = {"checkpoint": kept.pk, "direction": way, "file": lines()}
    answer = api.post(f"/api/studies/{theirs.slug}/transfers/file/", body)
    assert (answer.status_code, answer.json()["detail"]) == (400, none)
    assert state() == before


def test_a_question_is_neither_read_nor_given_up_by_another(study, theirs, stranger, tmp_path):
    lead, way = person(Role.RESEARCHER, study), study.directions.get()
    asked = typed_sentences.ask(study=study, person=lead, text="wat r u", direction=way)
    own = {"text": "wat", "direction": theirs.directions.get().pk, "instead": asked.key}
    client = as_person(stranger)
    assert client.post(reverse("try_it", args=[theirs.slug]), own).status_code == 200
    assert typed_sentences.question_of(asked.key) == asked, "still asked"
    for place in (study.slug, theirs.slug):
        answer = client.get(reverse("try_answers", args=[place, asked.key]), headers={"HX-Request": "true"})
        assert "wat r u" not in answer.content.decode()
        api = with_token(stranger).get(f"/api/studies/{place}/answers/{asked.key}/")
        assert api.status_code == 404


def test_linked_documents_become_references_of_their_own_study_alone(stranger):
    documents, client = document_study(), as_person(stranger)
    before = state()
    own = document_study()
    own.memberships.create(person=stranger, role=Role.RESEARCHER)
    before = state()
    foreign = documents.directions.get()
    answer = client.post(reverse("linked_references", args=[own.slug]), {"direction": foreign.pk})
    assert answer.status_code == 422
    assert answer.context["references_form"].errors.keys() == {"direction"}
    assert state() == before
