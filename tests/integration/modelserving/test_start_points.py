"""`start_from`: the form suggests fitting checkpoints of the study; page, API and study file take one by name."""

from datetime import timedelta
from html.parser import HTMLParser

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from support.campaigns import person
from support.checkpoints import training
from support.clients import as_person, with_token
from support.study_files import beginning_with_pairs
from support.training_studies import pairs, training_study

from accounts.permissions import Role
from corpora.formats import TextFile
from foundation.errors import UserError
from foundation.options import list_options
from jobs.models import Job
from modelserving.forms.options import start_points
from modelserving.models import Checkpoint, TrainingRun
from modelserving.transfer import TRANSFERS
from study_file.actions.apply_study import apply_study

pytestmark = pytest.mark.django_db
BLEU = {"curve": "bleu", "step": 20, "value": 24.5, "better": "higher"}


@pytest.fixture
def study():
    return training_study()


def kept(study, name, *, model="seq2seq", state=Job.State.DONE, kind=Checkpoint.Kind.BEST, age=0, **trained):
    """A checkpoint's row, of a training in that state or imported; nothing reads its file here."""
    run = None
    if kind != Checkpoint.Kind.IMPORTED:
        run = training(study)
        TrainingRun.objects.filter(pk=run.pk).update(name=name, model=model)
        Job.objects.filter(pk=run.job_id).update(state=state)
    manifest = {"options": {"hidden": 64}, "directions": [["informal", "formal"]], "trained": trained}
    return Checkpoint.objects.create(
        study=study, run=run, kind=kind, model=model, name=name, sha256="0" * 64, size=1, file="none.zip",
        manifest=manifest, made_at=timezone.now() - timedelta(hours=age),
    )  # fmt: skip


class Suggested(HTMLParser):
    """The options of the list that belongs to the field."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.found, self.inside, self.field = [], False, {}
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        given = dict(attrs)
        self.field = given if given.get("name") == "option-start_from" else self.field
        self.inside = given.get("id") == "id_option-start_from-suggestions" if tag == "datalist" else self.inside
        if tag == "option" and self.inside:
            self.found.append(given["value"])

    def handle_endtag(self, tag):
        self.inside = self.inside and tag != "datalist"


def test_the_page_suggests_the_checkpoints_of_this_model_that_are_there_to_stay(study):
    kept(study, "First", score=BLEU, age=3)
    kept(study, "Diverged", state=Job.State.FAILED, age=2)
    kept(study, "From <afar>", kind=Checkpoint.Kind.IMPORTED, age=1)
    kept(study, "Running", state=Job.State.RUNNING)
    kept(study, "Copies", model="pointer_net")
    kept(training_study(), "Another study's")
    client = as_person(person(Role.RESEARCHER, study))
    answer = client.get(reverse("training_new", args=[study.slug]), {"model": "seq2seq"})
    html = answer.content.decode()
    page = Suggested(html)
    assert page.found == ["From <afar>", "Diverged", "First"]
    assert page.field["list"] == "id_option-start_from-suggestions"
    assert page.field["type"] == "text"
    assert ">First: informal to formal; BLEU 24.50; hidden 64</option>" in html
    other = client.get(
        reverse("training_new", args=[study.slug]), {"model": "pointer_net"}, headers={"HX-Request": "1"}
    )
    assert Suggested(other.content.decode()).found == ["Copies"]


def test_of_several_of_a_name_the_newest_is_what_the_name_means(study):
    kept(study, "Twice", kind=Checkpoint.Kind.IMPORTED, age=2)
    kept(study, "Twice", kind=Checkpoint.Kind.IMPORTED, score=BLEU, age=1)
    assert start_points(study, "seq2seq") == [("Twice", "informal to formal; BLEU 24.50; hidden 64")]
    kept(study, "Twice", kind=Checkpoint.Kind.IMPORTED, model="pointer_net")
    assert start_points(study, "seq2seq") == []
    with CaptureQueriesContext(connection) as queries:
        assert len(start_points(study, "pointer_net")) == 1
    assert len(queries) == 1


def test_one_that_is_chosen_on_the_page_is_started_from(study):
    kept(study, "First")
    usual = {one.name: one.default for one in list_options(TRANSFERS["seq2seq"].Options) if one.default is not False}
    chosen = {f"option-{name}": value for name, value in {**usual, "start_from": "First"}.items()}
    asked = {"model": "seq2seq", "name": "Second", "seed": "1", "device": "cpu", "option-shown": "seq2seq", **chosen}
    client = as_person(person(Role.RESEARCHER, study))
    assert client.post(reverse("training_new", args=[study.slug]), asked).status_code == 302
    assert study.trainings.get(name="Second").options["start_from"] == "First"


def test_the_api_takes_it_by_its_name(study):
    kept(study, "First")
    api = with_token(person(Role.RESEARCHER, study))

    def post(name):
        body = {"model": "seq2seq", "name": "Second", "options": {"start_from": name}}
        return api.post(f"/api/studies/{study.slug}/trainings/", body, content_type="application/json")

    answer = post("Frist")
    assert (answer.status_code, answer.json()["detail"]) == (
        400, "start_from: The study has no checkpoint 'Frist', and there is no such file below RESTYLE_MODELS."
    )  # fmt: skip
    assert not study.trainings.filter(name="Second").exists()
    assert post("First").status_code == 201
    assert study.trainings.get(name="Second").options["start_from"] == "First"


FILE = beginning_with_pairs()
SECOND = """
[[trainings]]
name = "Second"
model = "seq2seq"
options = { start_from = "First" }
"""
FILES = {
    "sources": "".join(f"{source}\n" for source, _ in pairs(40)).encode(),
    "references": "".join(f"{target}\n" for _, target in pairs(40)).encode(),
}


def apply(text):
    return apply_study(file=TextFile(text.encode(), "study.toml"), opened=FILES.__getitem__)


def test_a_study_file_takes_it_by_its_name():
    with pytest.raises(UserError, match=r"training Second, start_from: The study has no checkpoint 'First'"):
        apply(FILE + SECOND)
    study, _ = apply(FILE)
    kept(study, "First")
    assert apply(FILE + SECOND)[1] == ["training Second"]
    assert study.trainings.get(name="Second").options["start_from"] == "First"
