"""Assistive translations of documents: a real small model on this machine, through the job."""

import pytest
from django.urls import reverse
from support import campaigns as make
from support import tiny_translator

from annotation.actions.start_translation import start_translation
from annotation.actions.translate_sentences import translate_sentences
from annotation.assist import TRANSLATORS
from annotation.models import TranslationRun
from annotation.tasks import translate
from corpora.models import Document, DocumentSentence
from foundation.errors import UserError
from jobs.models import Job

SOURCES = [source for source, _ in tiny_translator.PAIRS]
TARGETS = [target for _, target in tiny_translator.PAIRS]


@pytest.fixture(scope="module")
def models(tmp_path_factory):
    return tiny_translator.make(tmp_path_factory.mktemp("models"))


@pytest.fixture
def translator(settings, models):
    settings.TRANSLATOR, settings.TRANSLATOR_FOLDER = "local_marian", str(models)


@pytest.fixture
def study(db):
    made = make.study(items=1)
    for number, style in enumerate(("formal", "informal"), 1):
        document = Document.objects.create(study=made, number=number, style=style)
        DocumentSentence.objects.bulk_create(
            DocumentSentence(document=document, number=n, text=text) for n, text in enumerate(SOURCES, 1)
        )
    return made


def start(study, style="formal", languages=("en", "de")):
    return start_translation(
        study=study, style=style, source_language=languages[0], target_language=languages[1], by=None
    )


def translations(study, style="formal"):
    found = DocumentSentence.objects.filter(document__study=study, document__style=style)
    return list(found.order_by("number").values_list("translation", flat=True))


def test_the_model_translates_each_text_in_its_place(models):
    translate = TRANSLATORS["local_marian"].translate
    assert translate(SOURCES, "en", "de", str(models)) == TARGETS
    assert translate(SOURCES[::-1], "en", "de", str(models)) == TARGETS[::-1]
    assert translate([], "en", "de", str(models)) == []
    for languages in (("en", "zh"), ("en", "../en-de"), ("", "de")):
        with pytest.raises(UserError):
            translate(SOURCES, *languages, str(models))
    with pytest.raises(UserError, match="no model"):
        translate(SOURCES, "en", "de")


def test_a_job_fills_the_sentences_of_one_style(study, translator):
    document = study.documents.get(style="formal")
    document.sentences.filter(number=1).update(translation="von Hand")
    document.sentences.filter(number=2).update(held=True)
    run = start(study)
    translate(run.job_id)
    assert Job.objects.get(pk=run.job_id).state == Job.State.DONE
    assert translations(study) == ["von Hand", "", *TARGETS[2:]]
    assert set(translations(study, "informal")) == {""}
    assert translate_sentences(run=run, step=lambda done, total: None) == 0


def test_restricted_texts_and_a_site_without_a_translator_are_refused(study, translator, settings):
    run = start(study)
    with pytest.raises(UserError, match="already running"):
        start(study)
    study.restricted = True
    study.save()
    with pytest.raises(UserError, match="restricted"):
        start(study)
    translate(run.job_id)  # it was queued before
    assert "restricted" in Job.objects.get(pk=run.job_id).error
    assert set(translations(study)) == {""}
    study.restricted = False
    study.save()
    with pytest.raises(UserError, match="not among the study's styles"):
        start(study, style="legal")
    settings.TRANSLATOR = ""
    with pytest.raises(UserError, match="no translator"):
        start(study)
    assert TranslationRun.objects.count() == 1


def test_a_program_starts_one_and_reads_how_it_stands(study, translator, client):
    client.force_login(make.person("researcher", study))
    address = reverse("api:translation-list", args=[study.slug])
    asked = {"style": "formal", "source_language": "en", "target_language": "de"}
    made = client.post(address, asked, content_type="application/json")
    assert (made.status_code, made.json()["state"]) == (201, "queued")
    again = client.post(address, asked, content_type="application/json")
    assert (again.status_code, again.json()) == (400, {"detail": "A translation is already running."})
    assert [one["id"] for one in client.get(address).json()["results"]] == [made.json()["id"]]


def test_a_text_that_is_masked_while_it_is_translated_gets_no_translation_of_its_names(study, translator, monkeypatch):
    run, first = start(study), study.documents.get(style="formal").sentences.get(number=1)
    kind = type(TRANSLATORS["local_marian"])
    real = kind.translate

    def meanwhile(self, texts, *languages):
        DocumentSentence.objects.filter(pk=first.pk).update(text="[**Name**]")
        return real(self, texts, *languages)

    monkeypatch.setattr(kind, "translate", meanwhile)
    translate(run.job_id)
    assert translations(study) == ["", *TARGETS[1:]]
