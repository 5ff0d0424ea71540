"""Neighbouring operations of a migration are applied together where none builds on another one."""

from django.db import models
from django.db.migrations import AddConstraint, AddField, AddIndex, AlterField, CreateModel, RemoveConstraint, RunSQL
from django.db.migrations.state import ProjectState

from accounts.database.migrations_together import Together, together

KEY = [("id", models.BigAutoField(primary_key=True))]
MORE = {"model_name": "text", "field": models.IntegerField(default=0)}
ONCE = models.UniqueConstraint(fields=["number"], name="once")


def to(model):
    return models.ForeignKey(model, models.CASCADE)


def runs(*operations):
    """How many are applied at once."""
    found = list(together(operations))
    flat = [inner for one in found for inner in (one.operations if isinstance(one, Together) else [one])]
    assert flat == list(operations)
    return [len(one.operations) if isinstance(one, Together) else 1 for one in found]


def test_what_stands_beside_another_is_applied_with_it():
    new = CreateModel("Mark", [*KEY, ("text", to("texts.text"))])
    index = AddIndex("text", models.Index(fields=["number"], name="by_number"))
    assert runs(new, AddField(name="number", **MORE), index, AddConstraint("text", ONCE)) == [4]
    assert runs(RemoveConstraint("text", "once"), AddField(name="other", **MORE)) == [2]


def test_what_builds_on_another_is_applied_behind_it():
    new = CreateModel("Text", KEY)
    assert runs(new, AddField(name="number", **MORE)) == [1, 1], "the table would have the column already"
    assert runs(AddField(name="number", **MORE), AlterField(name="number", **MORE)) == [1, 1]
    assert runs(AddConstraint("text", ONCE), RemoveConstraint("text", "once")) == [1, 1]
    assert runs(AddField(name="a", **MORE), RunSQL("SELECT 1"), AddField(name="b", **MORE)) == [1, 1, 1]


def test_the_classes_are_those_of_one_after_the_other():
    apart, at_once = (ProjectState(), ProjectState())
    new = [CreateModel("Mark", [*KEY, ("text", to("texts.text"))]), AddField(name="number", **MORE)]
    for state, operations in ((apart, new), (at_once, [Together(new)])):
        CreateModel("Text", KEY).state_forwards("texts", state)
        assert state.apps.get_model("texts", "Text")
        for one in operations:
            one.state_forwards("texts", state)
    assert at_once == apart
    for state in (apart, at_once):
        text, mark = (state.apps.get_model("texts", name) for name in ("Text", "Mark"))
        assert [field.name for field in text._meta.get_fields()] == ["mark", "id", "number"]
        assert mark._meta.get_field("text").related_model is text
