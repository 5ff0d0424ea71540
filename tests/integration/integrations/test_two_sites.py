"""What one site pushes comes to another one, whose database is empty and whose key is another, as it was."""

import json
import subprocess
import sys
from urllib.parse import urlsplit

import psycopg
import pytest
from support import campaigns, second_site
from support.checkpoints import checkpoint
from support.hub import TOKEN, hub
from support.processes import redis_database

from annotation.actions.make_release import make_release
from annotation.gold.release.downloads import checked_pieces
from corpora.actions.assign_splits import assign_splits
from evaluation.actions.import_scores import GivenScores, import_scores
from foundation.project import ROOT
from integrations.publishing.actions.start_publication import start_publication
from integrations.publishing.tasks import publish
from study_file.actions.export_study import export_study

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.soak]
NAME = "a_second_site"


@pytest.fixture
def second(_processes_environment, django_db_setup, tmp_path, settings):
    """The environment of another site: a database of its own, a key and files of its own."""
    address = urlsplit(_processes_environment["DATABASE_URL"])
    with psycopg.connect(address._replace(path="/postgres").geturl(), autocommit=True) as server:
        server.execute(f'DROP DATABASE IF EXISTS "{NAME}"')
        server.execute(f'CREATE DATABASE "{NAME}"')
    yield {
        **_processes_environment, "DATABASE_URL": address._replace(path=f"/{NAME}").geturl(),
        "SECRET_KEY": "another" * 9,
        "RESTYLE_STORAGE": str(tmp_path / "files"), "RESTYLE_DATA": str(tmp_path / "data"),
        "REDIS_URL": redis_database(_processes_environment["REDIS_URL"], 14), "HF_ENDPOINT": settings.HUGGING_FACE_URL,
    }  # fmt: skip
    with psycopg.connect(address._replace(path="/postgres").geturl(), autocommit=True) as server:
        server.execute(f'DROP DATABASE "{NAME}" WITH (FORCE)')


@pytest.fixture
def served(settings, tmp_path):
    settings.WORK_FOLDER = tmp_path / "work"
    with hub() as made:
        settings.HUGGING_FACE_URL = made.url
        yield made


def pushed(study, **fields):
    made = start_publication(study=study, by=None, access_token=TOKEN, **fields)
    publish(made.job_id)
    made.job.refresh_from_db()
    assert made.job.state == "done", made.job.error


def test_a_release_a_model_and_an_archive_with_a_judge_are_the_same_at_a_second_site(served, second, tmp_path):
    study = campaigns.study(items=4, systems=2)
    assign_splits(study=study, rule="random", proportions={"train": 50, "tune": 25, "test": 25})
    campaign, person = campaigns.campaign(study, guideline="Write *formally*."), campaigns.person(study=study)
    for number in range(4):
        campaigns.hand_in(campaign, person, campaigns.held(campaign, person), content={"text": f"Förmal, “{number}”."})
    release = make_release(study=study, settings={"forms": ["jsonl", "csv"]})
    own = checkpoint(study, tmp_path)
    sentences = study.directions.get().sentences.values_list("pk", flat=True)
    values = {system.pk: {pk: 1 + pk % 5 + 1 / 3 for pk in sentences} for system in study.systems.all()}
    judge = GivenScores(
        "judge: tiny, fluency", True, values, version="tiny-1", signature="judge:scale|model:tiny|seed:1"
    )
    import_scores(study=study, file_name="", metrics=[judge])
    pushed(study, target="lab/tone")
    pushed(study, content="model", target="lab/model")
    (tmp_path / "all.zip").write_bytes(b"".join(export_study(study=study)))
    there = tmp_path / "there"
    there.mkdir()
    given = {"target": "lab/tone", "model": "lab/model", "token": TOKEN, "archive": str(tmp_path / "all.zip"),
             "folder": str(there)}  # fmt: skip
    line = [sys.executable, "-m", "support.second_site"]
    ran = subprocess.run(
        line, input=json.dumps(given), capture_output=True, text=True, cwd=ROOT, env=second, check=False
    )
    assert ran.returncode == 0, ran.stderr[-3000:]
    told = json.loads(ran.stdout.splitlines()[-1])
    assert (told["people"], told["studies"]) == (0, 0), "the second site is empty"
    for name in second_site.FILES:
        assert (there / name).read_bytes() == b"".join(checked_pieces(release.files.get(name=name))), name
    assert told["model"] == own.sha256
    assert told["scores"] == json.loads(json.dumps(second_site.scores_of(study)))
    assert {row[0] for row in told["scores"]} == {"judge: tiny, fluency"}
