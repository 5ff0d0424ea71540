"""A migration that a process of the version before would notice is named, whatever way it breaks it."""

import pytest
from django.core.management import call_command
from django.db import migrations as m
from django.db import models
from django.db.migrations.loader import MigrationLoader

from config.management.commands.check_migrations import RELEASED, _faults


@pytest.fixture(scope="module")
def state():
    return MigrationLoader(None).project_state()


def faults(state, *operations):
    migration = m.Migration("0999_test", "corpora")
    migration.operations = list(operations)
    return list(_faults(migration, state, set()))


def added(**options):
    return m.AddField("system", "note", models.CharField(max_length=10, **options))


@pytest.mark.parametrize(
    ("operation", "said"),
    [
        (m.RemoveField("system", "origin"), "the old version still uses it"),
        (m.RenameField("system", "origin", "source"), "the old version still uses it"),
        (m.DeleteModel("HeldOutText"), "the old version still uses it"),
        (m.RenameModel("System", "Machine"), "the old version still uses it"),
        (m.AlterModelTable("system", "machines"), "the old version still uses it"),
        (added(), "writes rows without it"),
        (added(default=""), "writes rows without it"),
        (m.AlterField("system", "name", models.CharField(max_length=3)), "may write more"),
        (m.AlterField("system", "name", models.IntegerField()), "the former type"),
        (m.AlterField("removal", "study", models.ForeignKey("corpora.study", models.CASCADE)), "may write NULL"),
        (m.AddConstraint("system", models.UniqueConstraint(fields=["name"], name="one")), "may write what it forbids"),
        (m.RunSQL("DROP TABLE corpora_system"), "nobody can tell"),
    ],
)
def test_what_the_old_version_would_notice(state, operation, said):
    (fault,) = faults(state, operation)
    assert said in fault


@pytest.mark.parametrize(
    "operation",
    [
        added(null=True),
        added(default="", db_default=""),
        m.AlterField("system", "name", models.CharField(max_length=1000)),
        m.AddIndex("system", models.Index(fields=["name"], name="system_name")),
        m.CreateModel("Note", [("id", models.BigAutoField(primary_key=True)), ("text", models.TextField())]),
    ],
)
def test_what_it_does_not_notice(state, operation):
    assert faults(state, operation) == []


def test_a_table_of_the_same_release_may_change(state):
    note = m.CreateModel("Note", [("id", models.BigAutoField(primary_key=True)), ("text", models.TextField())])
    assert faults(state, note, m.RemoveField("note", "text")) == []


def test_those_that_there_are_hold_to_it():
    call_command("check_migrations")
    assert {app for app, _ in MigrationLoader(None).disk_migrations} >= set(RELEASED)
