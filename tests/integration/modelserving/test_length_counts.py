"""Texts that are too long for a model are counted before its training is queued; where all are, it is refused."""

import pytest
from django.core.management import CommandError, call_command
from support.campaigns import person
from support.clients import as_person, with_token
from support.document_studies import document_study
from support.tiny_transformers import make
from support.training_studies import training_study

from corpora.models import Reference, Sentence
from foundation.errors import UserError
from jobs.models import Job
from modelserving.actions.start_training import start_training
from modelserving.models import TrainingRun
from modelserving.presenters.model_kinds import length_sentences
from modelserving.training_runs import requirements
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.django_db


def counted(study, model="seq2seq", **options) -> list[str]:
    kind = TRANSFERS[model]
    return length_sentences(kind, kind.Options(**options), study, study.directions.get())


def lengthened(study, *numbers) -> None:
    """These sources have some thirty words more."""
    for one in Sentence.objects.filter(direction__study=study, number__in=numbers):
        Sentence.objects.filter(pk=one.pk).update(text=f"{one.text} {'word, ' * 15}")


def test_what_is_too_long_is_said_in_a_sentence():
    study = training_study(24, references=2)
    lengthened(study, 1, 2, 17)
    assert counted(study) == ["None of 32 pairs is longer than 100 words."]
    assert counted(study, longest=20) == ["4 of 32 pairs are longer than 20 words and would be left out."]
    Sentence.objects.filter(direction__study=study, number=2).update(text="short")
    Reference.objects.filter(sentence__number=1, set__number=1).delete()
    assert counted(study, longest=20) == ["1 of 31 pairs is longer than 20 words and would be left out."]
    assert counted(study, "rule_based_formality") == []


def test_words_are_those_of_the_model():
    """'word,' is one word between white space and two of the model's."""
    study = training_study(24)
    lengthened(study, 3)
    words = 3 + (3 - 1) % 4 + 1
    assert counted(study, longest=words + 29)[0].startswith("1 of 16")
    assert counted(study, longest=words + 30)[0].startswith("None of 16")


def test_subwords_are_not_there_yet_and_counted_as_words():
    study = training_study(24)
    lengthened(study, 1)
    assert counted(study, "transformer", longest=12) == [
        "At least 1 of 16 pairs is longer than 12 subwords (counted in words) and would be left out."
    ]


def test_documents_are_measured_whole():
    study = document_study((3, 1, 4, 2, 3))
    assert counted(study, longest=15) == ["2 of 3 pairs are longer than 15 words and would be left out."]


def test_tokens_of_a_pretrained_folder_are_cut_off(monkeypatch, tmp_path):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    make("t5", tmp_path / "tiny-t5")
    study = training_study(24)
    lengthened(study, 1, 2)
    said = counted(study, "t5", folder="tiny-t5", read=40, write=40)
    assert said == ["2 of 16 pairs are longer than 40 tokens and would be cut off there."]
    [said] = counted(study, "t5", folder="tiny-t5", read=8, write=512)
    assert said.endswith("longer than 8 tokens in the source or 512 in the reference and would be cut off there.")
    assert counted(study, "t5", folder="no-t5") == []
    start_training(study=study, model="t5", options={"folder": "tiny-t5", "read": 8, "write": 8}, by=None)


def test_prompt_and_rewrite_of_an_adapter_are_counted_together(monkeypatch, tmp_path):
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    make("causal", tmp_path / "chat")
    study = training_study(24)
    lengthened(study, 1, 2)
    given = {"folder": "chat", "prompt": "{text}"}
    said = counted(study, "lora", longest=70, **given)
    assert said == ["2 of 16 pairs are longer than 70 tokens (source and reference together) and would be left out."]
    assert counted(study, "lora", longest=500, **given)[0].startswith("None of 16 pairs")
    with pytest.raises(UserError, match="No pair is short enough to train on"):
        start_training(study=study, model="lora", options={**given, "longest": 8}, by=None)
    assert not TrainingRun.objects.exists()


def test_texts_of_two_styles_are_counted_by_style():
    study = training_study(24)
    lengthened(study, 1, 2)
    assert counted(study, "auto_encoder") == [
        "2 of 16 texts in informal are longer than 20 words and would be left out.",
        "None of 16 texts in formal is longer than 20 words.",
    ]


def test_of_many_a_part_is_drawn_and_the_same_one_each_time(monkeypatch, django_assert_max_num_queries):
    monkeypatch.setattr(requirements, "DRAWN", 50)
    monkeypatch.setattr(requirements, "FIRST", 10)
    study = training_study(200)
    lengthened(study, *range(1, 97))
    with django_assert_max_num_queries(8):
        [said] = counted(study, longest=20)
    many = int(said.split()[0])
    assert said == f"{many} of 50 pairs, sampled at random, are longer than 20 words and would be left out."
    assert 12 < many < 38, "half of them are"
    assert counted(study, longest=20) == [said]


def test_long_documents_are_drawn_by_their_size(monkeypatch):
    monkeypatch.setattr(requirements, "CHARACTERS", 1000)
    monkeypatch.setattr(requirements, "FIRST", 4)
    [said] = counted(document_study([10] * 30, ["train"] * 28 + ["tune", "test"]), longest=1000)
    assert said == "None of 4 pairs, sampled at random, is longer than 1,000 words."


def refused(study, model="seq2seq", **options) -> str:
    with pytest.raises(UserError) as error:
        start_training(study=study, model=model, options=options, by=None)
    assert not TrainingRun.objects.exists()
    assert not Job.objects.exists()
    return str(error.value)


def test_where_nothing_is_left_it_is_refused():
    study = training_study(24)
    assert refused(study, longest=3) == (
        "longest: No pair is short enough to train on: each of 16 is longer than 3 words; the shortest has 4."
    )
    assert refused(study, "transformer", longest=3).endswith("3 subwords; the shortest has at least 4.")
    assert refused(study, "pbmt", longest=3).startswith("longest: No pair is short enough to train on")
    assert "No text in informal is short enough to train on" in refused(study, "style_embedding", longest=3)
    start_training(study=study, model="seq2seq", options={"longest": 4}, by=None)


def test_one_that_is_short_enough_is_found_among_many(monkeypatch):
    monkeypatch.setattr(requirements, "DRAWN", 20)
    monkeypatch.setattr(requirements, "FIRST", 5)
    monkeypatch.setattr(requirements, "AT_ONCE", 10)
    study = training_study(200)
    start_training(study=study, model="seq2seq", options={"longest": 4}, by=None)
    TrainingRun.objects.all().delete()
    Job.objects.all().delete()
    assert "each of 192 is longer than 3 words; the shortest has 4" in refused(study, longest=3)


def test_what_is_tuned_by_a_loss_needs_a_tune_text_that_is_short_enough():
    study = training_study(24)
    lengthened(study, *range(17, 21))
    assert "No pair is short enough to tune on" in refused(study, longest=20, tune_by="perplexity")
    start_training(study=study, model="seq2seq", options={"longest": 20}, by=None)


def test_page_and_command_and_endpoint_say_it_at_once(capsys):
    study = training_study(24)
    lengthened(study, 1)
    lead = person("researcher", study)
    page, address = as_person(lead), f"/studies/{study.slug}/models/train/"
    form = {"model": "seq2seq", "seed": 1, "device": "cpu", "option-shown": "seq2seq"}
    options = {f"option-{name}": value for name, value in shown("seq2seq").items()}
    told = page.get(
        address, {**form, **options, "option-longest": 20}, headers={"HX-Request": "true", "HX-Target": "lengths"}
    )
    assert "1 of 16 pairs is longer than 20 words" in told.content.decode()
    told = page.get(
        address, {**form, **options, "option-longest": 0}, headers={"HX-Request": "true", "HX-Target": "lengths"}
    )
    assert told.content.decode().strip() == ""
    without_scripts = page.post(address, {**form, **options, "option-longest": 20, "count": 1})
    assert "1 of 16 pairs is longer than 20 words" in without_scripts.content.decode()
    assert not TrainingRun.objects.exists()
    answer = page.post(address, {**form, **options, "option-longest": 3})
    assert answer.status_code == 422
    assert "No pair is short enough to train on" in answer.content.decode()
    asked = {"model": "seq2seq", "options": {"longest": 3}}
    answer = with_token(lead).post(f"/api/studies/{study.slug}/trainings/", asked, content_type="application/json")
    assert (answer.status_code, "No pair is short enough" in answer.json()["detail"]) == (400, True)
    with pytest.raises(CommandError, match="No pair is short enough"):
        call_command("train", "seq2seq", study=study.slug, set=["longest=3"])


def shown(model):
    from foundation.options import list_options

    return {one.name: one.default for one in list_options(TRANSFERS[model].Options) if one.default is not False}
