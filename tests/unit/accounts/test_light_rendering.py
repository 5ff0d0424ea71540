"""New models of a migration are made alone, and are what Django makes of them."""

from contextlib import nullcontext

import pytest
from django.db import models
from django.db.migrations.state import ModelState, ProjectState

from accounts.database.light_rendering import new_models_alone


def model(name, **fields):
    return ModelState("corpora", name, [("id", models.BigAutoField(primary_key=True)), *fields.items()])


def begun():
    """A state with a table, as the database is when a migration begins."""
    state = ProjectState()
    state.add_model(model("Study"))
    assert state.apps.get_models()
    return state


def grown(state, way):
    """The classes behind three more tables. Operations keep a copy of the state before, whose classes are the same."""
    with way:
        for name, fields in (
            ("Text", {"study": models.ForeignKey("corpora.Study", models.CASCADE, related_name="texts")}),
            ("Answer", {"of": models.ForeignKey("self", models.CASCADE), "on": models.ManyToManyField("corpora.Text")}),
            ("Review", {"answer": models.OneToOneField("corpora.Answer", models.CASCADE, related_name="+")}),
        ):
            before = state.clone()
            state.add_model(model(name, **fields))
            assert name.lower() not in before.apps.all_models["corpora"]
    return state.apps


def told(apps):
    """Each model's fields and what refers to it, all of them by the class that the registry has."""
    found = {}
    for one in apps.get_models(include_auto_created=True):
        fields = one._meta.get_fields(include_hidden=True)
        for field in fields:
            other = field.related_model if field.is_relation else one
            assert apps.get_model(other._meta.label) is other, field
        found[one._meta.label] = sorted(map(repr, fields))
    return found


def test_a_new_model_is_made_alone_and_known_to_those_that_it_refers_to(monkeypatch):
    wanted = told(grown(begun(), nullcontext()))
    assert "<ManyToOneRel: corpora.text>" in wanted["corpora.Study"]
    state = begun()
    monkeypatch.setattr(ProjectState, "reload_model", None)  # what makes the related ones anew
    assert told(grown(state, new_models_alone())) == wanted


def test_the_models_of_an_older_version_are_made_anew_as_by_django():
    """Theirs are the classes of another state: `migrate` keeps it to say what there was before."""
    assert told(grown(begun().clone(), new_models_alone())) == told(grown(begun(), nullcontext()))


def test_behind_the_block_all_is_as_django_has_it():
    of_django = ProjectState.add_model

    def broken_off():
        with new_models_alone():
            assert ProjectState.add_model is not of_django
            raise RuntimeError

    with pytest.raises(RuntimeError):
        broken_off()
    assert ProjectState.add_model is of_django
