"""The endpoint that shows a prompt: what it refuses, in one sentence, with nothing asked and nothing changed."""

import pytest
from django.test import Client
from support.campaigns import person
from support.clients import with_token
from support.language_model_server import served
from support.training_studies import split, training_study

from accounts.permissions import Role
from corpora.actions.set_archived import set_archived
from corpora.models import Study
from jobs.models import Job
from modelserving.models import Checkpoint, ModelAnswer, TrainingRun

pytestmark = pytest.mark.django_db
OPTIONS = {"endpoint": "far", "model": "tiny"}
IN_PROMPT = "{source_style}, {target_style}, {text}, {examples}"
IN_EXAMPLE = "{source_style}, {target_style}, {source}, {target}"


@pytest.fixture(autouse=True)
def server(monkeypatch):
    """What an endpoint would be asked; nothing ever is."""
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"near={one.url} local=1; far={one.url} models=tiny,other")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one
    assert one.requests == []
    assert not any(kind.objects.exists() for kind in (Job, TrainingRun, Checkpoint, ModelAnswer))


@pytest.fixture
def study():
    return training_study()


def ask(client, study, **changes):
    body = {"model": "prompted", "options": OPTIONS, **changes}
    return client.post(f"/api/studies/{study.slug}/prompts/", body, content_type="application/json")


@pytest.fixture
def lead(study):
    return with_token(person(Role.RESEARCHER, study))


def test_it_shows_what_would_be_sent_for_the_first_train_source_and_sends_nothing(lead, study):
    Study.objects.filter(pk=study.pk).update(restricted=True)
    template = {"system": "", "message": "{source_style}: {text}\n{examples}", "example": "{source} > {target}"}
    answer = ask(lead, study, options={**OPTIONS, **template, "shots": 1}, direction="informal-formal")
    assert answer.status_code == 200, answer.json()
    rows = study.directions.get().sentences.filter(split="train").order_by("number")
    source = rows.first().text
    shown = answer.json()
    assert (shown["source"], [one["role"] for one in shown["messages"]]) == (source, ["user"])
    first, example = shown["messages"][0]["content"].split("\n")
    assert first == f"informal: {source}"
    written = dict(rows.values_list("text", "references__text"))
    given, rewrite = example.split(" > ")
    assert given != source
    assert rewrite == written[given]


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"message": "{text} {key}"}, f"message: There is no {{key}}; there are {IN_PROMPT}."),
        ({"system": "As {role}."}, f"system: There is no {{role}}; there are {IN_PROMPT}."),
        ({"example": "{text}"}, f"example: There is no {{text}}; there are {IN_EXAMPLE}."),
        (
            {"message": "{examples}"},
            "message: The message has no {text}, so the model would not see the text to rewrite.",
        ),
        ({"message": "{text}", "shots": 1}, "message: There are examples, but the prompt has no {examples} for them."),
        ({"example": "{source}", "shots": 1}, "example: An example has a {source} and a {target}."),
        ({"message": 3}, "message: Expected a text."),
        ({"mesage": "{text}"}, "mesage: There is no such option; did you mean message?"),
        ({"endpoint": "fra"}, "endpoint: This site has no endpoint 'fra'; it has near, far."),
        ({"endpoint": "http://169.254.169.254/v1"},
         "endpoint: This site has no endpoint 'http://169.254.169.254/v1'; it has near, far."),
        ({"endpoint": ""}, "endpoint: Name an endpoint of this site, or a folder with a model."),
        ({"model": "gpt"}, "model: The endpoint far has no model 'gpt'; it has tiny, other."),
        ({"endpoint": "near", "model": " "}, "model: Name the model of the endpoint near."),
        ({"folder": "chat"}, "folder: The model is at an endpoint or in a folder, not both."),
    ],
)  # fmt: skip
def test_wrong_options_are_one_sentence(lead, study, options, sentence):
    answer = ask(lead, study, options={**OPTIONS, **options})
    assert (answer.status_code, answer.json()) == (400, {"detail": sentence})


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        ({"direction": "formal-informal"},
         "direction: There is no direction 'formal-informal'; there are informal-formal."),
        ({"model": "seq2seq", "options": {}}, "model: Seq2Seq has no prompt."),
        ({"model": "rule_based_formality", "options": {}}, "model: Rule-based formality has no prompt."),
        ({"model": "promptd"}, 'model: "promptd" is not a valid choice.'),
        ({"seed": -1}, "seed: Ensure this value is greater than or equal to 0."),
        ({"options": ["endpoint"]}, 'options: Expected a dictionary of items but got type "list".'),
        ({"key": "sk-1"}, "key: There is no such field; there are direction, model, seed, options."),
    ],
)  # fmt: skip
def test_what_is_asked_for_wrongly_is_one_sentence(lead, study, changes, sentence):
    answer = ask(lead, study, **changes)
    assert (answer.status_code, answer.json()["detail"]) == (400, sentence)


def test_a_study_without_sources_to_train_on(lead, study):
    split(study.directions.get(), 0)
    answer = ask(lead, study)
    assert answer.status_code == 400
    assert answer.json() == {
        "detail": "direction: No source is in the train split; share the sources out among the splits."
    }
    answer = ask(lead, study, options={**OPTIONS, "shots": 2})
    assert answer.json()["detail"].startswith("informal-formal: There is nothing to take examples from: ")


def test_a_site_without_endpoints(lead, study, monkeypatch):
    monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", "")
    answer = ask(lead, study)
    assert (answer.status_code, answer.json()["detail"]) == (
        400, "endpoint: This site has no endpoint of language models; ask its operator to set one up."
    )  # fmt: skip


@pytest.mark.parametrize("role", [Role.RESEARCHER, Role.REVIEWER])
def test_somebody_outside_the_study_learns_nothing_of_it(study, role):
    other = training_study()
    here, there = ask(with_token(person(role, other)), study), ask(with_token(person(role, other)), Study(slug="none"))
    assert here.status_code == there.status_code == 404
    assert here.json() == there.json()
    assert len(here.json()) == 1


@pytest.mark.parametrize("role", [Role.REVIEWER, Role.EXPERT_ANNOTATOR, Role.CROWD_ANNOTATOR])
def test_members_who_do_not_lead_the_study_may_not(study, role):
    answer = ask(with_token(person(role, study)), study)
    assert answer.status_code == 403
    assert list(answer.json()) == ["detail"]


def test_nobody_may_without_a_token(study):
    assert ask(Client(), study).status_code == 401


def test_an_archived_study_has_none(lead, study):
    set_archived(study=study, archived=True, by=None)
    answer = ask(lead, study)
    assert (answer.status_code, answer.json()) == (
        403,
        {"detail": "This study is archived: you can read it, but nothing in it changes until somebody unarchives it."},
    )  # fmt: skip
