"""Titles of jobs are stored in English and shown in the reader's language: every action's title must be known."""

import ast
from pathlib import Path

import pytest
from django.utils.translation import override

from jobs.stored_sentences import PLACE
from jobs.titles import TITLES, title_for_reader

ROOT = Path(__file__).parents[3]
FOLDERS = ("*/actions", "platform/*/actions", "platform/integrations/*/actions", "modelserving/training_runs")


def given_titles() -> dict[str, list[str]]:
    """By module, the titles that it gives to jobs, with {} at their places."""
    found = {}
    for path in (path for folder in FOLDERS for path in sorted(ROOT.glob(f"{folder}/*.py"))):
        text = path.read_text()
        if "queue_job(" in text:
            tree = ast.parse(text)
            given = [one.value for one in ast.walk(tree) if isinstance(one, ast.keyword) and one.arg == "title"]
            given += [one.value for one in ast.walk(tree) if isinstance(one, ast.Assign)
                      and isinstance(one.targets[0], ast.Name) and one.targets[0].id == "title"]  # fmt: skip
            found[path.name] = [said for value in given for said in _said(value)]
    return found


def _said(value: ast.expr) -> list[str]:
    """The texts that an expression may be; none for a name, which is a person's own or was assigned."""
    if isinstance(value, ast.Subscript):
        return _said(value.value)
    if isinstance(value, ast.IfExp):
        return [*_said(value.body), *_said(value.orelse)]
    if isinstance(value, ast.JoinedStr):
        return ["".join(str(one.value) if isinstance(one, ast.Constant) else "{}" for one in value.values)]
    return [value.value] if isinstance(value, ast.Constant) and isinstance(value.value, str) else []


def test_every_title_that_an_action_gives_is_known_and_no_other():
    known = {PLACE.sub("{}", title) for titles in TITLES.values() for title in titles}
    given = given_titles()
    assert len(given) >= 14
    assert {title for titles in given.values() for title in titles} - {""} == known


@pytest.mark.parametrize(
    ("task", "title", "read"),
    [
        ("evaluation.tasks.score", "Metrics and report", "Metriken und Bericht"),
        ("modelserving.tasks.train", "Training: A small: one", "Training: A small: one"),
        ("corpora.tasks.bring_in_table", "Import: out.csv", "Import: out.csv"),
        ("annotation.tasks.translate", "Translate lay: en to de", "lay übersetzen: en nach de"),
        ("modelserving.tasks.transfer", "Rules: Baseline", "Regeln: Baseline"),
        ("evaluation.tasks.judge", "Metrics and report", "Metrics and report"),
    ],
)
def test_a_title_is_read_in_the_language_of_its_reader(task, title, read):
    with override("de"):
        assert title_for_reader(task, title) == read
    assert title_for_reader(task, title) == title
