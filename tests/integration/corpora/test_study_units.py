"""What a study says for its metrics and tables: its unit, style words, families and marks."""

import pytest
from django.urls import reverse

from annotation.actions.create_campaign import create_campaign
from corpora.actions.add_references import add_references
from corpora.actions.add_system import add_system
from corpora.actions.edit_study import edit_study
from foundation.errors import UserError

pytestmark = pytest.mark.django_db


def test_words_stand_once_and_the_unit_is_known(study):
    edit_study(study=study, unit="document", style_words=[" very  good ", "very good", "bad"])
    study.refresh_from_db()
    assert (study.unit, study.style_words) == ("document", ["very good", "bad"])
    with pytest.raises(UserError, match="no unit 'page'"):
        edit_study(study=study, unit="page")


def test_a_unit_stays_once_people_judge_it(study):
    add_system(study=study, name="A", outputs={study.directions.get(): ["A", "B", "C"]}, origin="a.txt")
    create_campaign(study=study, name="Rate", task_type="rate", settings={})
    with pytest.raises(UserError, match="when the study has campaigns"):
        edit_study(study=study, unit="document")


def test_a_run_says_its_family_seed_and_options(study):
    outputs = {study.directions.get(): ["A", "B", "C"]}
    made = add_system(
        study=study, name="A 1", outputs=outputs, origin="a", family=" A ", seed=1, options={"encoder": 64}
    )
    assert (made.family, made.seed, made.options) == ("A", 1, {"encoder": 64})
    with pytest.raises(UserError, match="seed: Expected a number from 0"):
        add_system(study=study, name="A 2", outputs=outputs, origin="a", seed=-1)


def test_references_say_their_marks(study):
    direction = study.directions.get()
    assert (
        add_references(direction=direction, texts=["[a] .", "b", "c"], origin="r", marks="brackets").marks == "brackets"
    )
    with pytest.raises(UserError, match="no kind of marks"):
        add_references(direction=direction, texts=["a", "b", "c"], origin="r", marks="stars")


def test_the_form_changes_them(browser, study):
    form = {"title": "Tone", "styles": "informal, formal", "unit": "document", "style_words": "good, bad"}
    assert browser.post(reverse("study_edit", args=[study.slug]), form).status_code == 302
    study.refresh_from_db()
    assert (study.unit, study.style_words) == ("document", ["good", "bad"])
