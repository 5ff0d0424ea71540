"""Concepts in a corpus: QuickUMLS over a UMLS made here, the job, the page, the API and MSD's form."""

import gc
import json
import os
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from support.clients import with_token
from support.documents import documents
from support.processes import wait_until
from support.rrf import tiny_umls

from accounts.models import AuditEntry
from corpora.actions.decide_flags import decide_flags
from corpora.actions.link_concepts import link_concepts
from corpora.actions.select_sources import select_sources
from corpora.concepts import link_study, linked_of
from corpora.gold_records import concepts_of
from corpora.knowledge.concepts import about, linker
from corpora.knowledge.concepts.index import ConceptIndex
from corpora.models import DocumentSentence, Sentence
from corpora.source_selection import SelectionCriteria
from foundation.errors import UserError
from jobs.execution import run_job
from jobs.models import Job


@pytest.fixture(autouse=True)
def nothing_named(monkeypatch):
    monkeypatch.delenv("RESTYLE_CONCEPTS", raising=False)
    monkeypatch.delenv("RESTYLE_KNOWLEDGE", raising=False)


@pytest.fixture
def umls(tmp_path):
    return tiny_umls(tmp_path / "umls")


def build(umls, out, *options):
    said = StringIO()
    call_command("build_concepts", "--umls", str(umls), "--out", str(out), *options, stdout=said)
    return said.getvalue()


@pytest.fixture
def quickumls(umls, tmp_path):
    pytest.importorskip("quickumls")
    build(umls, tmp_path / "concepts")
    return linker(tmp_path / "concepts")


def test_quickumls_links_what_is_near_a_name_to_its_highest_ranked_concept(quickumls, tmp_path):
    text = "All had Tussis, pleuritic chest pains or commmon cold; no weather."
    found = quickumls.link(text)
    assert [(one.term, one.cui, one.name) for one in found] == [
        ("Tussis", "C0000001", "Cough"),  # two concepts are called so: the lower CUI
        ("pleuritic chest pains", "C0000003", "Pleuritic chest pain"),  # longer than chest pain
        ("commmon cold", "C0000004", "Common cold"),  # and weather is of a type that does not count
    ]
    assert [text[one.start : one.end] for one in found] == [one.term for one in found]
    assert found[0].similarity == 1.0
    assert 0.7 <= found[2].similarity < 1
    assert found[0].json()["definition"] == "A sudden push of air ."
    assert about(tmp_path / "concepts") == ("QuickUMLS", 6)
    assert quickumls.link("") == []


@pytest.mark.filterwarnings("error")
def test_an_index_that_is_let_go_leaves_no_file_open(umls, tmp_path):
    pytest.importorskip("quickumls")
    build(umls, tmp_path / "concepts")
    assert ConceptIndex(tmp_path / "concepts").concept(0).cui == "C0000001"
    gc.collect()


def test_the_settings_of_the_index_count_and_nothing_in_it_is_pickled(umls, tmp_path):
    pytest.importorskip("quickumls")
    build(umls, tmp_path / "strict", "--threshold", "1", "--types", "T184", "T070")
    strict = linker(tmp_path / "strict")
    assert [one.term for one in strict.link("chest pains, tussis, common cold, weather")] == ["tussis", "weather"]
    assert not any((tmp_path / "strict" / "cui-semtypes.db").iterdir()), "QuickUMLS's pickles are not used"


def test_building_again_leaves_what_is_there_and_says_what_is_wrong(umls, tmp_path):
    pytest.importorskip("quickumls")
    out = tmp_path / "concepts"
    assert "6 concepts with 7 terms" in build(umls, out)
    made = os.stat(out / "index.json").st_mtime_ns
    (tmp_path / "concepts.building").mkdir()  # a run that was cut short
    assert "It is there already" in build(umls, out)
    assert os.stat(out / "index.json").st_mtime_ns == made
    assert "1 concepts with 1 terms" in build(umls, out, "--language", "FRE")
    (umls / "MRSTY.RRF").unlink()
    with pytest.raises(CommandError, match=r"There is no MRSTY.RRF in the folder"):
        build(umls, out)
    with pytest.raises(CommandError, match="name a new folder"):
        build(tiny_umls(tmp_path / "other"), umls)
    with pytest.raises(CommandError, match="The language must be one of"):
        build(tmp_path / "other", tmp_path / "new", "--language", "XXX")


@pytest.fixture
def texts(study):
    """Two documents and three sources that have no concept."""
    return documents(study)


def run(study, **options):
    job = link_concepts(study=study, **options)
    run_job(job.pk, link_study)
    job.refresh_from_db()
    assert (job.state, job.error) == ("done", "")
    return job


@pytest.mark.django_db
def test_the_job_links_every_sentence_once_and_only_new_ones_later(study, texts, direction):
    job = run(study)
    assert (job.done, job.total) == (9, 9)
    assert "By lexicon." in job.log
    one = DocumentSentence.objects.get(text__startswith="Many cause")
    assert [(c["term"], c["cui"], one.text[c["start"] : c["end"]]) for c in one.concepts] == [
        ("dyspnea", "C0013404", "dyspnea"), ("pleuritic chest pain", "C0008033", "pleuritic chest pain"),
    ]  # fmt: skip
    assert one.concepts[0]["definition"] == "The feeling of not getting enough air."
    assert Sentence.objects.get(text="hi").concepts == []
    with pytest.raises(UserError, match="The concepts of all sentences are already linked"):
        link_concepts(study=study)
    Sentence.objects.filter(text="hi").update(concepts=None)
    assert run(study).total == 1
    DocumentSentence.objects.filter(pk=one.pk).update(concepts=[])
    assert run(study, again=True).total == 9
    one.refresh_from_db()
    assert len(one.concepts) == 2
    entry = AuditEntry.objects.filter(action="link_concepts").latest("pk")
    assert (entry.study_slug, entry.details["again"]) == (study.slug, True)


@pytest.mark.django_db
def test_a_second_job_waits_for_the_first(study, texts):
    link_concepts(study=study)
    with pytest.raises(UserError, match="already running"):
        link_concepts(study=study)


@pytest.mark.django_db
def test_a_job_run_again_goes_on_and_a_masked_text_is_linked_anew(study, texts):
    job = run(study)
    Job.objects.filter(pk=job.pk).update(state="queued", holder=None)
    run_job(job.pk, link_study)
    assert Job.objects.get(pk=job.pk).state == "done"
    held = DocumentSentence.objects.get(held=True)
    assert held.concepts == []
    decide_flags(study=study, sentences=[held], decision="mask")
    held.refresh_from_db()
    assert held.concepts is None
    run(study)
    held.refresh_from_db()
    assert held.concepts == []


@pytest.mark.django_db
def test_selected_sources_take_their_concepts_along_and_count_once(study, texts, direction):
    run(study)
    before = linked_of(study)
    select_sources(direction=direction, wish=SelectionCriteria())
    selected = Sentence.objects.get(text__startswith="Many cause")
    assert [concept["term"] for concept in selected.concepts] == ["dyspnea", "pleuritic chest pain"]
    after = linked_of(study)
    assert (after.mentions, after.concepts, after.frequent) == (before.mentions, before.concepts, before.frequent)
    assert after.linked == after.sentences > before.sentences


@pytest.mark.django_db
def test_page_and_api_say_what_is_linked(study, texts, browser, api):
    pages = f"/studies/{study.slug}/texts/concepts/"
    page = browser.get(pages).content.decode()
    assert "The lexicon links them; it has 499 concepts." in page
    answer = browser.post(f"{pages}link/")
    job = Job.objects.get(task="corpora.tasks.link_concepts")
    assert answer["Location"] == f"/studies/{study.slug}/jobs/{job.pk}/"
    refused = browser.post(f"{pages}link/", {"again": "on"})
    assert refused.status_code == 422
    assert "Concept linking is already running." in refused.content.decode()
    run_job(job.pk, link_study)
    told = api.get(f"/api/studies/{study.slug}/concepts/").json()
    assert (told["linker"], told["sentences"], told["linked"]) == ("lexicon", 9, 9)
    assert told["concepts"] == len(told["frequent"])
    assert told["mentions"] >= told["concepts"]
    assert {"cui": "C0013404", "name": "dyspnea", "mentions": 2} in told["frequent"]
    again = api.post(
        f"/api/studies/{study.slug}/concepts/", json.dumps({"again": True}), content_type="application/json"
    )
    assert (again.status_code, again.json()["state"]) == (202, "queued")


@pytest.mark.django_db
def test_a_broken_setting_is_said_on_the_page(study, texts, browser, monkeypatch, tmp_path):
    monkeypatch.setenv("RESTYLE_CONCEPTS", str(tmp_path / "nowhere"))
    page = browser.get(f"/studies/{study.slug}/texts/concepts/").content.decode()
    assert "This folder does not exist; RESTYLE_CONCEPTS names the folder that build_concepts made." in page
    answer = browser.post(f"/studies/{study.slug}/texts/concepts/link/")
    assert answer.status_code == 422


def test_workers_link_concepts(celery_workers, transactional_db, study, texts, researcher):
    client = with_token(researcher)
    answer = client.post(f"/api/studies/{study.slug}/concepts/")
    wait_until(lambda: Job.objects.get(pk=answer.json()["id"]).is_over, "the linking is over")
    assert not DocumentSentence.objects.filter(concepts=None).exists()


def test_ranges_of_words_in_msds_form():
    text = "Being short of breath, is one sign: heart attacks (MI)."
    assert concepts_of(text, linker().link(text)) == [
        {"range": [1, 3], "term": "short of breath", "cui": ["C0013404"]},
        {"range": [7, 8], "term": "heart attacks", "cui": ["R0000075"]},
        {"range": [9, 9], "term": "MI", "cui": ["R0000075"]},
    ]
