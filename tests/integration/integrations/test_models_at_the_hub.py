"""Trained models at the Hugging Face Hub: pushed with their card, pulled into another study, run there, and refused."""

import json
import shutil
from dataclasses import asdict

import pytest
import yaml
from django.core.files.base import File
from support import campaigns, tiny_transformers
from support.checkpoints import checkpoint, training
from support.clients import with_token
from support.hub import TOKEN, hub
from support.tiny_pairs import WAY, small, twenty

from accounts.models import AuditEntry
from accounts.permissions import Role
from corpora.actions.add_direction import add_direction
from corpora.actions.add_sources import add_sources
from corpora.actions.create_study import create_study
from corpora.models import Output
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.start_metrics import start_metrics
from evaluation.tasks import score
from foundation.errors import UserError
from integrations.publishing.actions.start_publication import start_publication
from integrations.publishing.actions.start_pull import start_pull
from integrations.publishing.models import Publication
from integrations.publishing.tasks import publish
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.start_transfer import start_transfer
from modelserving.artifacts import local_copy
from modelserving.models import Checkpoint
from modelserving.tasks import transfer
from modelserving.training.callbacks import Callbacks
from modelserving.training.checkpoint import MANIFEST, Manifest, pack, versions
from modelserving.transfer import TRANSFERS

pytestmark = pytest.mark.django_db
TARGET = "lab/tone"
KEY = f"models/{TARGET}"


@pytest.fixture
def served(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    with hub() as made:
        settings.HUGGING_FACE_URL = made.url
        yield made


@pytest.fixture
def study():
    made = campaigns.study(items=3, systems=1)
    made.license, made.terms, made.language = "CC BY 4.0", "Only for research.", "en"
    made.save()
    return made


@pytest.fixture
def own(study, tmp_path):
    """A checkpoint of a training here."""
    run = training(study)
    run.best = {"curve": "bleu", "step": 40, "value": 31.25, "better": "higher"}
    run.counts = {"tune": 4}
    run.save()
    return checkpoint(study, tmp_path, run, trained={"name": "Dictionary", "study": study.title, "seed": 1})


def done(made):
    publish(made.job_id)
    made.refresh_from_db()
    made.job.refresh_from_db()
    return made


def pushed(study, **fields):
    return done(start_publication(study=study, by=None, content="model", target=TARGET, access_token=TOKEN, **fields))


def pulled(study, target=TARGET):
    return done(start_pull(study=study, by=None, model=True, target=target, access_token=TOKEN))


def empty(slug="empty"):
    made = create_study(slug=slug, title="Empty", styles=["informal", "formal"])
    add_sources(direction=add_direction(study=made, source_style="informal", target_style="formal"),
                texts=["pt has sob"])  # fmt: skip
    return made


def written(study, one):
    """What the model writes for the study's sources."""
    run = start_transfer(study=study, checkpoint=one, name="Pulled", by=None)
    transfer(run.job_id)
    run.job.refresh_from_db()
    assert run.job.state == "done", run.job.error
    return list(Output.objects.filter(system=run.system).order_by("sentence__number").values_list("text", flat=True))


def test_a_model_that_is_pushed_is_pulled_and_writes_the_same(served, study, own):
    made = pushed(study)
    assert made.job.state == "done", made.job.error
    repo = served.repos[KEY]
    assert (made.result["url"], made.access_token, repo.private) == (f"{served.url}/{TARGET}", "", True)
    assert repo.gated == "manual"
    taken = pulled(empty())
    assert taken.job.state == "done", taken.job.error
    came = Checkpoint.objects.get(pk=taken.result["checkpoint"])
    assert (came.kind, came.name, came.model) == ("imported", "Dictionary", "dictionary")
    assert came.manifest["files"] == own.manifest["files"]
    assert came.manifest["trained"]["terms"] == study.terms
    here = TRANSFERS["dictionary"].load(local_copy(own))
    assert written(came.study, came) == list(here.transfer(["pt has sob"], WAY, TRANSFERS["dictionary"].Decoding()))


def test_the_card_tells_options_scores_of_what_signatures_and_the_gate(served, study, own):
    choose_metrics(study=study, metrics={"pinc": {}})
    run = start_transfer(study=study, checkpoint=own, name="Words", by=None)
    transfer(run.job_id)
    score(start_metrics(study=study, by=None).job_id)
    run.refresh_from_db()
    pushed(study)
    text = served.repos[KEY].files["README.md"].decode()
    head = yaml.safe_load(text.split("---\n")[1])
    assert (head["license"], head["language"], head["library_name"]) == ("cc-by-4.0", "en", "restyle")
    assert head["extra_gated_prompt"] == study.terms
    ((tuned,), (scored,)) = ([(one["dataset"]["name"], metric) for metric in one["metrics"]]
                             for one in head["model-index"][0]["results"])  # fmt: skip
    assert (tuned[0], tuned[1]["value"]) == (f"{study.title}: 4 outputs, informal to formal, split tune", 31.25)
    row = run.system.metric_scores.get(metric="pinc")
    assert scored[0].startswith(f"{study.title}: 3 outputs, ")
    assert (scored[1]["value"], scored[1]["args"]["signature"]) == (row.corpus, row.signature)
    assert run.signature
    assert f"- `{run.signature}`" in text
    for name, about in own.manifest["files"].items():
        assert f"| `{name}` | `{about['sha256']}` |" in text


@pytest.mark.soak
@pytest.mark.parametrize(("model", "options"), [("seq2seq", {}), ("t5", {"folder": "t5-base", "warmup": 0})])
def test_an_own_network_and_a_pretrained_one_come_back(served, study, tmp_path, monkeypatch, model, options):
    """Each is trained for a moment; what it writes is the same on both sides."""
    monkeypatch.setenv("RESTYLE_MODELS", str(tmp_path))
    tiny_transformers.make("t5", tmp_path / "t5-base", dropout_rate=0.0)
    kind, files = TRANSFERS[model], tmp_path / "files"
    chosen = small(kind.Options, **{"epochs": 4, **options})
    (tmp_path / "data").mkdir()
    trained = kind.fit(twenty(tmp_path / "data"), chosen, Callbacks(tmp_path / "data"))
    files.mkdir()
    trained.save(files)
    pack(files, Manifest(model, asdict(chosen), trained.directions, {}, versions()), tmp_path / "own.zip")
    with (tmp_path / "own.zip").open("rb") as stream:
        own = import_checkpoint(study=study, file=File(stream, name="own.zip"), by=None)
    assert pushed(study).job.state == "done"
    shutil.rmtree(tmp_path / "t5-base")  # the other site has no folder of it
    taken = pulled(empty())
    assert taken.job.state == "done", taken.job.error
    came = Checkpoint.objects.get(pk=taken.result["checkpoint"])
    assert (came.sha256, came.model) == (own.sha256, model)
    assert written(came.study, came) == list(trained.transfer(["pt has sob"], WAY, kind.Decoding()))


def test_the_gate_goes_on_with_a_model_that_is_pushed_again(served, study, own):
    pushed(study)
    other = empty()
    pulled(other)
    assert done(start_publication(study=other, by=None, content="model", target="lab/again",
                                  access_token=TOKEN)).job.state == "done"  # fmt: skip
    assert served.repos["models/lab/again"].gated == "manual"
    assert served.repos["models/lab/again"].files[MANIFEST] == served.repos[KEY].files[MANIFEST]


def test_a_second_pull_is_told_and_changes_nothing(served, study, own):
    pushed(study)
    other = empty()
    pulled(other)
    again = pulled(other)
    assert (again.job.state, other.checkpoints.count()) == ("failed", 1)
    assert "already has this checkpoint" in again.job.error


def changed(files):
    (terms,) = (name for name in files if name.endswith(".tsv"))
    return {**files, terms: files[terms].replace(b"patient", b"patienx")}


@pytest.mark.parametrize(("change", "said"), [
    (lambda files: {**files, "pytorch_model.bin": b"\x80\x04."}, "can run a stranger's code"),
    (lambda files: {**files, "extra/evil.pkl": b"\x80\x04."}, "can run a stranger's code"),
    (lambda files: {"config.json": b"{}", "model.safetensors": b""}, "is not a model that Restyle pushed"),
    (lambda files: {**files, "more.json": b"{}"}, "more.json is not named by the manifest"),
    (lambda files: {MANIFEST: files[MANIFEST]}, "is not in the file"),
    (lambda files: {**files, MANIFEST: b'{"for'}, "not readable JSON"),
    (lambda files: {f"{number}.json": b"{}" for number in range(300)} | {MANIFEST: b"{}"}, "more than 200 files"),
    (changed, "its SHA-256 is not the manifest's"),
])  # fmt: skip
def test_a_strange_repository_is_refused_in_a_sentence(served, study, own, change, said):
    pushed(study)
    served.repos[KEY].files = change(served.repos[KEY].files)
    other = empty()
    made = pulled(other)
    assert (made.job.state, other.checkpoints.count()) == ("failed", 0)
    assert said in made.job.error, made.job.error


def test_a_model_over_the_limit_is_refused_before_a_byte_of_it_comes(served, study, own, settings):
    pushed(study)
    settings.CHECKPOINT_LIMIT_BYTES = 100
    made = pulled(empty())
    assert "larger than" in made.job.error
    assert not any("/resolve/" in came.path for came in served.requests)


def test_texts_that_may_not_leave_hold_their_model_back(served, study, own, tmp_path):
    other = empty()
    (tmp_path / "other").mkdir()
    checkpoint(other, tmp_path / "other", trained={"restricted": True})
    with pytest.raises(UserError, match="made of restricted texts"):
        pushed(other)
    made = start_publication(study=study, by=None, content="model", target=TARGET, access_token=TOKEN)
    type(study).objects.filter(pk=study.pk).update(restricted=True)
    assert done(made).job.state == "failed"  # it was queued before
    assert served.requests == []


@pytest.mark.parametrize(("fields", "where"), [
    ({"checkpoint": 999}, "checkpoint"), ({"service": "zenodo"}, "content"), ({"target": "tone"}, "target"),
])  # fmt: skip
def test_a_wrong_field_is_named(study, own, fields, where):
    with pytest.raises(UserError) as refused:
        start_publication(**{"study": study, "by": None, "content": "model", "target": TARGET, "access_token": TOKEN,
                             **fields})  # fmt: skip
    assert refused.value.where == where
    assert not Publication.objects.exists()


def test_the_api_pushes_and_pulls_and_the_audit_log_has_both(served, study, own):
    lead = campaigns.person(Role.RESEARCHER, study)
    other = empty()
    other.memberships.create(person=lead, role=Role.RESEARCHER)
    client = with_token(lead)
    path = f"/api/studies/{study.slug}/publications/"
    asked = {"content": "model", "checkpoint": own.pk, "target": TARGET, "access_token": TOKEN}
    told = client.post(path, asked, format="json")
    assert (told.status_code, told.json()["checkpoint"]) == (202, own.pk)
    publish(told.json()["job"])
    told = client.post("/api/studies/empty/publications/pull/",
                       {"model": True, "target": TARGET, "access_token": TOKEN}, format="json")  # fmt: skip
    publish(told.json()["job"])
    (row,) = client.get("/api/studies/empty/publications/").json()["results"]
    assert row["result"]["checkpoint"] == other.checkpoints.get().pk
    entries = AuditEntry.objects.filter(person=lead)
    assert {"start_publication", "start_pull", "import_checkpoint"} <= set(entries.values_list("action", flat=True))
    assert not any(TOKEN in json.dumps(entry.details) for entry in entries)
