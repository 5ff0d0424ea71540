"""Sentences that people type: what is asked, who may read the answers, and a real worker that gives them."""

import time

import pytest
from django.core.cache import cache
from django.test import Client
from django.urls import reverse
from support.campaigns import person
from support.checkpoints import checkpoint
from support.processes import wait_until
from support.training_studies import training_study

from accounts.permissions import Role
from foundation.errors import UserError
from modelserving import typed_sentences
from modelserving.typed_sentences import Answer

RULES = "rule_based_formality"
TEXT = "pt has sob"


@pytest.fixture
def study(db):
    return training_study()


@pytest.fixture
def lead(study):
    return person(Role.RESEARCHER, study)


def ask(study, who, text=TEXT, **more):
    return typed_sentences.ask(study=study, person=who, text=text, direction=study.directions.get(), **more)


def answer_all(question):
    """As the worker does."""
    for number in range(len(question.models)):
        typed_sentences.answer(question.key, number)
    return question.answers()


def test_each_model_of_the_study_answers(study, lead, tmp_path):
    kept = checkpoint(study, tmp_path)
    question = ask(study, lead)
    assert [model.key for model in question.models] == [RULES, f"checkpoint-{kept.pk}"]
    assert [answer.state for answer in question.answers()] == ["waiting", "waiting"]
    answers = answer_all(question)
    assert [answer.state for answer in answers] == ["done", "done"]
    assert answers[1].text.startswith("patient has s")
    assert typed_sentences.is_over(question, answers)


def test_only_some_are_asked_where_they_are_named(study, lead, tmp_path):
    kept = checkpoint(study, tmp_path)
    question = ask(study, lead, models=[f"checkpoint-{kept.pk}"])
    assert [model.checkpoint for model in question.models] == [kept.pk]
    with pytest.raises(UserError, match="no model 'pbmt'"):
        ask(study, lead, models=["pbmt"])


@pytest.mark.parametrize(("text", "sentence"), [("  ", "Type a sentence."), ("x" * 2001, "at most 2,000 characters")])
def test_a_text_that_cannot_be_tried_is_refused(study, lead, text, sentence):
    with pytest.raises(UserError, match=sentence):
        ask(study, lead, text)


def test_a_direction_that_no_model_serves_is_refused(lead):
    other = training_study(styles=("expert", "lay"))
    with pytest.raises(UserError, match="no model from expert to lay"):
        ask(other, lead)


def test_a_person_waits_for_few_at_a_time(study, lead):
    first, _second = ask(study, lead), ask(study, lead)
    with pytest.raises(UserError, match="still being answered"):
        ask(study, lead)
    ask(study, person(Role.RESEARCHER, study))  # somebody else may
    third = ask(study, lead, instead=first.key)
    assert typed_sentences.question_of(first.key) is None, "it was given up"
    answer_all(third)
    ask(study, lead)


def test_what_was_given_up_is_not_answered(study, lead):
    first = ask(study, lead)
    typed_sentences.forget(first.key, person(Role.RESEARCHER, study))
    assert typed_sentences.question_of(first.key), "not by somebody else"
    typed_sentences.forget(first.key, lead)
    assert [one.state for one in answer_all(first)] == ["waiting"]


def test_nobody_else_reads_it(study, lead):
    question = ask(study, lead)
    assert typed_sentences.question_of_person(question.key, lead, study)
    assert typed_sentences.question_of_person(question.key, person(Role.RESEARCHER, study), study) is None
    assert typed_sentences.question_of_person(question.key, lead, training_study()) is None


def test_a_worker_that_gives_no_sign_is_said(study, lead, monkeypatch):
    question = ask(study, lead)
    answers = question.answers()
    assert not typed_sentences.is_missed(question, answers), "not at once"
    later = time.time() + typed_sentences.MISSED_AFTER_SECONDS + 1
    monkeypatch.setattr(typed_sentences.time, "time", lambda: later)
    assert typed_sentences.is_missed(question, answers)
    cache.set(typed_sentences.BUSY, True, 60)
    assert not typed_sentences.is_missed(question, answers), "it is busy with others"
    monkeypatch.setattr(typed_sentences.time, "time", lambda: later + 1000)
    assert typed_sentences.is_over(question, answers), "and the page asks no more"


def test_a_removed_checkpoint_is_said(study, lead, tmp_path):
    kept = checkpoint(study, tmp_path)
    question = ask(study, lead)
    kept.delete()
    answers = answer_all(question)
    assert (answers[0].state, answers[1].state, answers[1].error) == ("done", "failed", "The checkpoint was removed.")


def test_models_stay_loaded_and_the_one_that_waited_longest_goes(study, lead, tmp_path):
    loaded = typed_sentences.ModelCache()
    kept = checkpoint(study, tmp_path)
    rules, terms = ask(study, lead).models
    first, took = loaded.model(terms, 2)
    assert took > 0
    loaded.model(rules, 2)
    again, took = loaded.model(terms, 2)
    assert again is first
    assert took == 0.0
    assert loaded.names() == [RULES, "dictionary"]
    checkpoint_of_another_digest(kept)
    other, _took = loaded.model(terms, 2)
    assert other is not first
    assert loaded.names() == ["dictionary", "dictionary"], "the rules had waited longest"


def checkpoint_of_another_digest(kept):
    """The same file under another digest: its copy on this machine is there already."""
    from modelserving import artifacts

    folder = artifacts.local_copy(kept)
    kept.sha256 = "f" * 64
    kept.save()
    target = folder.parent / kept.sha256
    if not target.exists():
        target.symlink_to(folder)


def test_the_page_shows_answers_side_by_side(study, lead, tmp_path):
    checkpoint(study, tmp_path)
    client = Client()
    client.force_login(lead)
    url = reverse("try_it", args=[study.slug])
    sent = {"text": TEXT, "direction": study.directions.get().pk}
    html = client.post(url, sent, headers={"HX-Request": "true"}).content.decode()
    key = html.partition('name="instead" value="')[2].partition('"')[0]
    assert html.count('data-state="waiting"') == 2
    assert 'hx-trigger="every 1s"' in html
    answer_all(typed_sentences.question_of(key))
    html = client.get(reverse("try_answers", args=[study.slug, key]), headers={"HX-Request": "true"}).content.decode()
    assert ">pt has sob</del><ins" in html
    assert ">patient has" in html
    assert "hx-trigger" not in html
    client.force_login(person(Role.RESEARCHER, study))
    assert TEXT not in client.get(reverse("try_answers", args=[study.slug, key]), follow=True).content.decode()


def test_the_page_works_without_scripts(study, lead):
    client = Client()
    client.force_login(lead)
    sent = {"text": TEXT, "direction": study.directions.get().pk}
    html = client.post(reverse("try_it", args=[study.slug]), sent).content.decode()
    assert "<h1>Try it</h1>" in html
    assert 'data-state="waiting"' in html


def test_too_many_within_a_minute_are_refused(study, lead, settings):
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "try_it": "1/m/user"}
    client = Client()
    client.force_login(lead)
    url = reverse("api:model-answers", args=[study.slug])
    sent = {"text": TEXT, "direction": "informal-formal"}
    assert client.post(url, sent, content_type="application/json").status_code == 202
    answer = client.post(url, sent, content_type="application/json")
    assert (answer.status_code, answer.json()["detail"][:13]) == (429, "You have trie")
    form = {"text": TEXT, "direction": study.directions.get().pk}
    assert client.post(reverse("try_it", args=[study.slug]), form).status_code == 422


def test_the_api_asks_and_tells(study, lead):
    client = Client()
    client.force_login(lead)
    url = reverse("api:model-answers", args=[study.slug])
    made = client.post(url, {"text": TEXT, "direction": "informal-formal"}, content_type="application/json")
    assert made.status_code == 202
    here = reverse("api:model-answers-of", args=[study.slug, made.json()["id"]])
    assert [one["state"] for one in client.get(here).json()["answers"]] == ["waiting"]
    answer_all(typed_sentences.question_of(made.json()["id"]))
    told = client.get(here).json()
    assert told["over"]
    assert told["answers"][0]["state"] == "done"
    client.force_login(person(Role.RESEARCHER, study))
    assert client.get(here).status_code == 404
    wrong = client.post(url, {"text": TEXT, "direction": "up-down"}, content_type="application/json")
    assert (wrong.status_code, "no direction 'up-down'" in wrong.json()["detail"]) == (400, True)


def test_an_answer_of_a_model_that_fails_does_not_hold_up_the_others(study, lead, tmp_path):
    kept = checkpoint(study, tmp_path)
    kept.file = "checkpoints/gone.zip"
    kept.sha256 = "e" * 64
    kept.save()
    answers = answer_all(ask(study, lead))
    assert (answers[0].state, answers[1].state) == ("done", "failed")
    assert "no longer in storage" in answers[1].error


@pytest.mark.django_db(transaction=True)
def test_the_worker_of_serve_answers_and_keeps_the_model(serve_worker):
    study = training_study()
    lead = person(Role.RESEARCHER, study)

    def answered():
        question = ask(study, lead, "u r gonna b late")
        wait_until(lambda: typed_sentences.is_over(question, question.answers()), "No answer came")
        return question.answers()[0]

    first, second = answered(), answered()
    assert (first.state, first.text) == (typed_sentences.DONE, second.text)
    assert second == Answer(typed_sentences.DONE, text=second.text, seconds=second.seconds, loading=0.0)
