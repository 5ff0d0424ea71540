"""The pages and endpoints of documents: what they show, write and refuse; and the import job on real workers."""

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from support.campaigns import person
from support.clients import as_person, with_token
from support.documents import documents
from support.processes import wait_until

from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.background_jobs import import_upload
from corpora.models import DocumentSentence, Study, Upload, UploadPiece
from jobs.execution import run_job
from jobs.models import Job

pytestmark = pytest.mark.django_db
TEXTS = "/studies/msd/texts"


@pytest.fixture
def study():
    return Study.objects.create(slug="msd", title="MSD", styles=["expert", "lay"])


@pytest.fixture
def lead(study):
    return person(Role.RESEARCHER, study)


@pytest.fixture
def client(lead):
    return as_person(lead)


def lines(*entries):
    return "".join(json.dumps(entry) + "\n" for entry in entries).encode()


def upload(client, content, **fields):
    file = SimpleUploadedFile("a.jsonl", content)
    given = {"file": file, "format": "documents_jsonl", "style": "expert", "hold_flagged": "on", **fields}
    return client.post(f"{TEXTS}/documents/new/", given)


def test_an_upload_is_kept_in_pieces_until_its_job_is_done(client, study):
    content = lines(*({"code": n, "text": f"Sentence number {n}. " + "word " * 20_000} for n in range(15)))
    answer = upload(client, content, domain="lungs", question="q1", question_text="Why?")
    one = Upload.objects.get()
    assert answer["Location"] == f"/studies/msd/jobs/{one.job_id}/"
    assert b"".join(bytes(piece.data) for piece in one.pieces.all()) == content
    assert one.pieces.count() == 2
    run_job(one.job_id, import_upload)
    one.refresh_from_db()
    assert (one.job.state, one.document_count, one.sentence_count) == ("done", 15, 30)
    assert not UploadPiece.objects.exists()
    assert "15 documents with 30 sentences are in" in one.job.log
    assert set(study.documents.values_list("domain", "question__text")) == {("lungs", "Why?")}


def test_a_job_run_again_after_its_commit_brings_nothing_in_twice(client, study):
    upload(client, lines({"text": "One. Two."}))
    one = Upload.objects.get()
    run_job(one.job_id, import_upload)
    Job.objects.update(state="queued", holder=None)
    run_job(one.job_id, import_upload)
    one.job.refresh_from_db()
    assert one.job.state == "done"
    assert study.documents.count() == 1


def test_a_file_that_breaks_later_brings_nothing_in_and_leaves_no_bytes(client, study):
    upload(client, lines({"text": "One."}) + b"{broken\n")
    one = Upload.objects.get()
    run_job(one.job_id, import_upload)
    one.job.refresh_from_db()
    assert one.job.state == "failed"
    assert one.job.error.startswith("a.jsonl, line 2: this is not JSON")
    assert not study.documents.exists()
    assert not UploadPiece.objects.exists()
    Job.objects.update(state="queued", holder=None)
    run_job(one.job_id, import_upload)
    one.job.refresh_from_db()
    assert one.job.error == "a.jsonl: The file is no longer here; upload it again."


@pytest.mark.parametrize(
    ("content", "fields", "sentence"),
    [
        (b"", {}, "The file has no document."),
        (b"{broken", {}, "line 1: this is not JSON"),
        (lines({"text": "One."}), {"style": ""}, "choose one"),
        (lines({"text": "One.", "titel": "T"}), {}, "did you mean title?"),
    ],
)
def test_what_is_wrong_at_the_beginning_is_said_at_once(client, content, fields, sentence):
    page = upload(client, content, **fields)
    assert page.status_code == 422
    assert sentence in page.content.decode()
    assert not Job.objects.exists()


def test_workers_import_an_upload(celery_workers, transactional_db, study, lead):
    client = with_token(lead)
    file = SimpleUploadedFile("a.jsonl", lines({"code": 7, "text": "One. Two.", "style": "lay"}))
    answer = client.post("/api/studies/msd/documents/", {"file": file, "format": "documents_jsonl"})
    assert answer.status_code == 202
    wait_until(lambda: Job.objects.get(pk=answer.json()["job"]).is_over, "the import is over")
    rows = client.get("/api/studies/msd/documents/").json()["results"]
    assert [(row["code"], row["style"], row["sentences"]) for row in rows] == [("7", "lay", 2)]


def test_the_list_finds_by_words_code_and_flag(client, study):
    documents(study)
    for query, count in {"": 2, "q=effusion": 2, "q=e1": 1, "q=511.9": 2, "style=lay": 1, "flagged=1": 1,
                         "question=1": 1, "split=test": 0, "topic=lungs": 1}.items():  # fmt: skip
        page = client.get(f"{TEXTS}/documents/?{query}")
        assert page.context["page"].paginator.count == count, query


def test_a_held_sentence_is_shown_only_to_those_who_decide(study, client):
    one = documents(study)[0]
    reviewer = person(Role.REVIEWER, study)
    assert "<mark" in client.get(f"{TEXTS}/documents/{one.pk}/").content.decode()
    page = as_person(reviewer).get(f"{TEXTS}/documents/{one.pk}/").content.decode()
    assert "Karen" not in page
    assert "Held back" in page
    answer = with_token(reviewer).get(f"/api/studies/msd/documents/{one.pk}/").json()
    assert [row["text"] is None for row in answer["sentences"]] == [False, False, True, False]


def test_a_translation_goes_the_way_of_its_sentence_and_what_was_dropped_is_read_by_nobody_else(study, client):
    one, reviewer = documents(study)[0], person(Role.REVIEWER, study)
    held = DocumentSentence.objects.get(held=True)
    DocumentSentence.objects.filter(pk=held.pk).update(translation="Dr. Karen Smith sah einen.")
    dropped = one.sentences.get(number=1)
    DocumentSentence.objects.filter(pk=dropped.pk).update(dropped=True)
    answer = with_token(reviewer).get(f"/api/studies/msd/documents/{one.pk}/")
    assert "Karen" not in answer.content.decode()
    assert [row["text"] is None for row in answer.json()["sentences"]] == [True, False, True, False]
    assert dropped.text not in as_person(reviewer).get(f"{TEXTS}/documents/{one.pk}/").content.decode()
    assert dropped.text in client.get(f"{TEXTS}/documents/{one.pk}/").content.decode()
    client.post(f"{TEXTS}/flags/decide/", {"sentence": held.pk, "decision": "mask"})
    held.refresh_from_db()
    assert (held.held, held.translation) == (False, "")


def test_flags_are_decided_one_by_one_and_by_kind(study, client, lead):
    documents(study)
    held = DocumentSentence.objects.get(held=True)
    page = client.get(f"{TEXTS}/flags/?kind=date").content.decode()
    assert "Karen" in page
    client.post(f"{TEXTS}/flags/decide/", {"kind": "date", "decision": "mask"})
    held.refresh_from_db()
    assert held.held, "it has a flag of another kind too"
    client.post(f"{TEXTS}/flags/decide/", {"sentence": held.pk, "decision": "mask"})
    held.refresh_from_db()
    assert (held.held, "Karen" in held.text) == (False, False)
    for wrong in ({"sentence": "x", "decision": "mask"}, {"decision": "mask"}, {"sentence": held.pk, "decision": "no"}):
        assert client.post(f"{TEXTS}/flags/decide/", wrong).status_code == 302
    api = with_token(lead)
    assert api.post("/api/studies/msd/flags/", {"decision": "drop"}).status_code == 400
    assert api.post("/api/studies/msd/flags/", {"decision": "drop", "kind": "name"}).json() == {"decided": 0}


def test_the_mapping_is_saved_and_filled_in(study, client, lead):
    documents(study)
    row = {"style": ["expert"], "section": ["Treatment"], "element": ["Therapy"]}
    client.post(f"{TEXTS}/sections/", row)
    assert study.section_elements.get(style="expert", section="Treatment").element == "Therapy"
    client.post(f"{TEXTS}/sections/", {**row, "element": [""]})
    client.post(f"{TEXTS}/sections/", {"suggest": "1"})
    assert study.section_elements.get(style="expert", section="Treatment").element == "Treatment"
    body = {"sections": [{"style": "expert", "section": "Treatment", "element": "Cure"}]}
    answer = with_token(lead).put("/api/studies/msd/sections/", json.dumps(body), content_type="application/json")
    assert "Cure" in {one["element"] for one in answer.json()["sections"]}


def test_groups_are_made_and_drawn_from_the_page(study, client, lead):
    documents(study)
    assert client.post(f"{TEXTS}/groups/make/").status_code == 302
    assert client.post(f"{TEXTS}/groups/sample/", {"count": "5", "seed": "1"}).status_code == 422
    assert client.post(f"{TEXTS}/groups/sample/", {"count": "1", "seed": "1"}).status_code == 302
    assert client.post(f"{TEXTS}/groups/link/", {"source_style": "lay", "target_style": "lay"}).status_code == 422
    rows = with_token(lead).get("/api/studies/msd/groups/").json()["results"]
    assert [row["sampled"] for row in rows].count(True) == 1


def test_selecting_counts_first_and_writes_then(study, client, lead):
    documents(study)
    direction = add_direction(study=study, source_style="expert", target_style="lay")
    given = {"direction": "1", "rule": "gyafc", "seed": "1", "split": "test", "set_shortest": "5", "set_longest": "25"}
    page = client.post(f"{TEXTS}/select/", {**given, "set_side": "informal", "preview": "1"})
    assert page.context["choice"].left == {"held": 1, "too_short": 1}
    assert not direction.sentences.exists()
    wrong = client.post(f"{TEXTS}/select/", {**given, "set_shortest": "30", "set_side": "informal", "write": "1"})
    assert wrong.status_code == 422
    assert client.post(f"{TEXTS}/select/", {**given, "set_side": "informal", "write": "1"}).status_code == 302
    assert direction.sentences.count() == 2
    answer = with_token(lead).post("/api/studies/msd/selections/", {"direction": "expert-lay", "preview": True})
    assert answer.json() == {"selected": 1, "left_out": {"held": 1, "taken": 2}}


def test_splits_from_page_and_api(study, client, lead):
    documents(study)
    given = {"rule": "document", "train": "70", "tune": "20", "test": "15", "seed": "1"}
    assert client.post(f"{TEXTS}/splits/", given).status_code == 422
    assert client.post(f"{TEXTS}/splits/", {**given, "tune": "15"}).status_code == 302
    assert study.documents.filter(split="").count() == 0
    body = json.dumps({"rule": "document", "train": 0, "tune": 0, "test": 100})
    answer = with_token(lead).put("/api/studies/msd/splits/", body, content_type="application/json")
    assert answer.json()["documents"] == {"train": 0, "tune": 0, "test": 2, "none": 0}
