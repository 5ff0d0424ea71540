"""A preset by each road that asks for a training: the API, a study file, the command and the page."""

import pytest
from django.core.management import CommandError, call_command
from django.urls import reverse
from support import tiny_transformers
from support.campaigns import person
from support.clients import as_person, with_token
from support.study_files import beginning_with_pairs
from support.training_studies import pairs, training_study

from accounts.permissions import Role
from corpora.formats import TextFile
from corpora.models import Study
from foundation.errors import UserError
from jobs.models import Job
from modelserving.management.commands import train
from modelserving.models import TrainingRun
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db
UNKNOWN = "preset: T5 has no preset 'medlan'; did you mean medlane?"
GIVEN = {"folder": "our-t5", "batch": 8, "epochs": 2}  # 8 is T5's default: beside a preset it counts all the same
STORED = {"folder": "our-t5", "batch": 8, "epochs": 2, "tune_by": "bleu", "warmup": 400, "marked": True, "prefix": ""}


@pytest.fixture
def study(models_folder):
    tiny_transformers.make("t5", models_folder / "our-t5")
    return training_study()


def stored(run: TrainingRun) -> dict:
    assert run.model == "t5"
    return {name: run.options[name] for name in STORED}


def nothing_changed() -> None:
    assert not TrainingRun.objects.exists()
    assert not Job.objects.exists()


def post(study, **body):
    client = with_token(person(Role.RESEARCHER, study))
    return client.post(f"/api/studies/{study.slug}/trainings/", {"model": "t5", **body}, "application/json")


def test_the_api_takes_one_and_says_what_there_is(study):
    answer = post(study, preset="medlan", options=GIVEN)
    assert (answer.status_code, answer.json()["detail"]) == (400, UNKNOWN)
    nothing_changed()
    assert post(study, preset="medlane", options=GIVEN).status_code == 201
    assert stored(TrainingRun.objects.get()) == STORED


FILE = (
    beginning_with_pairs()
    + """
[[trainings]]
name = "MedLane's"
model = "t5"
preset = "medlane"
options = { folder = "our-t5", batch = 8, epochs = 2 }
"""
)
FILES = {
    "sources": "".join(f"{source}\n" for source, _ in pairs(40)).encode(),
    "references": "".join(f"{target}\n" for _, target in pairs(40)).encode(),
}


def apply(text=FILE):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened=FILES.__getitem__)


def test_a_study_file_takes_one_and_says_what_there_is_at_its_line(study):
    Study.objects.all().delete()
    with pytest.raises(UserError) as refused:
        apply(FILE.replace('"medlane"', '"medlan"'))
    assert str(refused.value) == (
        "study.toml, line 25, trainings[1].preset: T5 has no preset 'medlan'; did you mean medlane?"
    )
    assert not Study.objects.exists()
    nothing_changed()
    apply()
    assert stored(TrainingRun.objects.get()) == STORED
    assert apply()[1] == []
    with pytest.raises(UserError, match=r"training MedLane's: preset"):
        apply(FILE.replace('preset = "medlane"\n', ""))


def test_the_command_takes_one_and_says_what_there_is(study, monkeypatch):
    typed = {"study": study.slug, "set": [f"{name}={value}" for name, value in GIVEN.items()]}
    with pytest.raises(CommandError) as refused:
        call_command("train", "t5", preset="medlan", **typed)
    assert str(refused.value) == UNKNOWN
    nothing_changed()
    monkeypatch.setattr(train.Command, "_train", lambda *given: None)  # it is asked for; training takes other tests
    call_command("train", "t5", preset="medlane", **typed)
    assert stored(TrainingRun.objects.get()) == STORED


def test_the_page_begins_with_one_and_takes_what_is_changed_back_to_a_default(study):
    client, url = as_person(person(Role.RESEARCHER, study)), reverse("training_new", args=[study.slug])
    form = client.get(url, {"model": "t5", "preset": "medlane"}).context["options"]
    shown = {field.html_name: field.value() for field in form if field.value() is not False}
    assert shown["option-batch"] == 30
    asked = {"model": "t5", "seed": "1", "device": "cpu", **shown}
    asked |= {f"option-{name}": value for name, value in GIVEN.items()}
    client.post(url, asked)
    assert stored(TrainingRun.objects.get()) == STORED


def test_without_scripts_a_preset_keeps_what_was_typed_but_what_presets_set(study):
    client, url = as_person(person(Role.RESEARCHER, study)), reverse("training_new", args=[study.slug])
    direction = str(study.directions.get().pk)
    typed = {"model": "t5", "direction": direction, "name": "Typed before", "seed": "7", "device": "cpu"}
    options = {"shown": "t5", "folder": "our-t5", "batch": "12", "read": "many", "checkpointing": "on"}
    sent = {**typed, **{f"option-{name}": value for name, value in options.items()}}
    for preset, batch in (("medlane", 30), ("", 8)):
        answer = client.post(url, {**sent, "preset": preset})
        form, shown = answer.context["form"], answer.context["options"]
        assert answer.status_code == 200
        assert {name: form[name].value() for name in typed} == typed
        values = {name: shown[name].value() for name in options}
        assert values == {**options, "batch": batch, "checkpointing": True}
        assert shown["marked"].value() is (preset == "medlane")  # has no tick in what was sent, as a browser sends it
        assert [one.name for one in answer.context["presets"] if one.chosen] == [preset]
    nothing_changed()


def test_without_scripts_the_options_of_another_model_come_with_what_was_typed_beside_them(study):
    client, url = as_person(person(Role.RESEARCHER, study)), reverse("training_new", args=[study.slug])
    sent = {"model": "seq2seq", "name": "Typed before", "option-shown": "t5", "option-batch": "12", "show": "1"}
    answer = client.post(url, sent)
    assert answer.context["form"]["name"].value() == "Typed before"
    assert answer.context["options"]["batch"].value() == 30
    again = client.post(url, {**sent, "option-shown": "seq2seq"})
    assert again.context["options"]["batch"].value() == "12"
    nothing_changed()
