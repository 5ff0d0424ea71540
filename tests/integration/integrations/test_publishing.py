"""Data sets at the Hugging Face Hub and at Zenodo: pushed, pulled into an empty study, and refused."""

import io
import json
import os
import re
import subprocess

import pyarrow.parquet as parquet
import pytest
import yaml
from support import campaigns
from support.hub import TOKEN, hub
from support.zenodo import TOKEN as ZENODO_TOKEN
from support.zenodo import zenodo

from accounts.models import AuditEntry
from annotation.actions.make_release import make_release
from annotation.actions.start_gold_import import bring_gold_in
from annotation.gold.release.downloads import checked_pieces
from annotation.models import GoldImport
from annotation.tasks import import_gold as import_gold_task
from corpora.actions.assign_splits import assign_splits
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Upload
from corpora.table_parser import understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from foundation.errors import UserError
from integrations.publishing.actions.start_publication import start_publication
from integrations.publishing.actions.start_pull import start_pull
from integrations.publishing.models import Publication
from integrations.publishing.tasks import publish
from integrations.sealed import unseal

pytestmark = pytest.mark.django_db
TARGET = "lab/tone"


@pytest.fixture
def served(settings):
    with hub() as made:
        settings.HUGGING_FACE_URL = made.url
        yield made


@pytest.fixture
def study():
    made = campaigns.study(items=4, systems=2)
    made.license, made.language = "CC BY 4.0", "en"
    made.save()
    assign_splits(study=made, rule="random", proportions={"train": 50, "tune": 25, "test": 25})
    return made


@pytest.fixture
def release(study):
    campaign = campaigns.campaign(study, guideline="Write *formally*.")
    ada = campaigns.person(study=study, name="Ada Lovelace")
    for number in range(4):
        campaigns.hand_in(campaign, ada, campaigns.held(campaign, ada), content={"text": f"Formal {number}."})
    return make_release(study=study, settings={"forms": ["jsonl", "csv"]})


def pushed(study, token=TOKEN, **fields):
    made = start_publication(study=study, by=None, target=TARGET, access_token=token, **fields)
    publish(made.job_id)
    made.refresh_from_db()
    made.job.refresh_from_db()
    return made


def pulled(study, token=TOKEN):
    made = start_pull(study=study, by=None, target=TARGET, access_token=token)
    publish(made.job_id)
    made.refresh_from_db()
    made.job.refresh_from_db()
    return made


def body(release, name):
    return b"".join(checked_pieces(release.files.get(name=name)))


def head_of(repo):
    return yaml.safe_load(repo.files["README.md"].decode().split("---\n")[1])


def test_a_release_that_is_pushed_and_pulled_into_an_empty_study_is_the_same(served, study, release):
    made = pushed(study)
    assert made.job.state == "done", made.job.error
    assert (made.result["url"], made.access_token) == (f"{served.url}/datasets/{TARGET}", "")
    repo = served.repos[TARGET]
    assert repo.private
    assert {name: repo.files[f"release/{name}"] for name in release.files.values_list("name", flat=True)} == {
        name: body(release, name) for name in release.files.values_list("name", flat=True)
    }
    empty = create_study(slug="empty", title="Empty", styles=["informal", "formal"])
    taken = pulled(empty)
    assert taken.job.state == "done", taken.job.error
    gold_import = GoldImport.objects.get(pk=taken.result["gold_import"])
    import_gold_task(gold_import.job_id)
    gold_import.refresh_from_db()
    import_gold_task(bring_gold_in(gold_import=gold_import, by=None).job_id)
    again = make_release(study=empty, settings={"forms": ["jsonl", "csv"], "from": "imported"})
    for name in ("gold.jsonl", "gold.csv"):
        assert body(again, name) == body(release, name)


def test_the_card_says_licence_language_and_splits_whose_parquet_has_the_rows(served, study, release):
    pushed(study, private=False)
    repo = served.repos[TARGET]
    head = head_of(repo)
    assert (head["license"], head["language"], repo.private) == ("cc-by-4.0", ["en"], False)
    (configuration,) = head["configs"]
    rows = {}
    for one in configuration["data_files"]:
        rows[one["split"]] = parquet.read_table(io.BytesIO(repo.files[one["path"]])).to_pylist()
    wanted = [json.loads(line) for line in body(release, "gold.jsonl").splitlines()]
    named = {"train": "train", "tune": "validation", "test": "test"}
    assert {split: [row["text"] for row in of] for split, of in rows.items()} == {
        named[split]: [row["text"] for row in wanted if row["split"] == split] for split in ("train", "tune", "test")
    }
    assert not any(b"Lovelace" in data for data in repo.files.values())


def test_a_study_with_terms_is_behind_a_gate_before_a_file_is_there(served, study, release):
    study.terms = 'Only for research: no "training".'
    study.save()
    pushed(study)
    repo = served.repos[TARGET]
    assert (repo.gated, head_of(repo)["extra_gated_prompt"]) == ("manual", study.terms)
    paths = [came.path for came in served.requests if came.method in ("PUT", "POST")]
    assert paths.index(f"/api/datasets/{TARGET}/settings") < paths.index(f"/api/datasets/{TARGET}/commit/main")


def test_a_second_push_replaces_what_is_gone(served, study, release):
    pushed(study)
    served.repos[TARGET].files["old/part.parquet"] = b"old"
    pushed(study)
    assert "old/part.parquet" not in served.repos[TARGET].files
    assert ".gitattributes" in served.repos[TARGET].files


def test_outputs_are_pulled_as_a_table_whose_columns_are_named_before_anything_is_stored(served, study):
    assert pushed(study, content="outputs").job.state == "done"
    empty = create_study(slug="empty", title="Empty", styles=["informal", "formal"])
    taken = pulled(empty)
    assert taken.job.state == "done", taken.job.error
    upload = Upload.objects.get(pk=taken.result["table"])
    assert (upload.target, upload.study) == ("texts", empty)
    assert not empty.directions.exists()


def test_judgements_leave_under_pseudonyms(served, study, tmp_path):
    rows = "rater,number,system,fluency\nada@lab.example,1,RuleBasedSecret,5\nbob,2,NeuralSecret,2\n"
    with understand(TextFile(rows.encode(), "r.csv")) as table:
        mapping = {"rater": "rater", "number": "number", "system": "system", "fluency": "rating: fluency"}
        bring_in_judgements(study=study, table=table, mapping=mapping, settings={},
                            answers={"scale-fluency": "fluency_5"})  # fmt: skip
    made = pushed(study, content="judgements")
    assert made.job.state == "done", made.job.error
    files = [data for path, data in served.repos[TARGET].files.items() if path.endswith(".parquet")]
    found = [row for data in files for row in parquet.read_table(io.BytesIO(data)).to_pylist()]
    assert sorted((row["number"], row["system"], row["criterion"], row["value"]) for row in found) == [
        (1, "RuleBasedSecret", "fluency", "5"), (2, "NeuralSecret", "fluency", "2"),
    ]  # fmt: skip
    assert len({row["rater"] for row in found}) == 2
    assert not any(b"lab.example" in data for data in served.repos[TARGET].files.values())


LOADED = """
import json, sys
from datasets import load_dataset
data = load_dataset("lab/tone", "gold", token=sys.argv[1])
print(json.dumps({split: rows["text"][:] for split, rows in data.items()}))
"""


@pytest.mark.soak
def test_load_dataset_gives_the_rows_of_the_release(served, study, release, tmp_path):
    """By datasets 5.2.0, where LOAD_DATASET names a Python that has it."""
    python = os.environ.get("LOAD_DATASET", "")
    if not python:
        pytest.skip("LOAD_DATASET names no Python with datasets.")
    pushed(study)
    here = {**os.environ, "HF_ENDPOINT": served.url, "HF_HOME": str(tmp_path), "HF_HUB_DISABLE_XET": "1"}
    ran = subprocess.run([python, "-c", LOADED, TOKEN], capture_output=True, text=True, check=False, env=here)
    assert ran.returncode == 0, (ran.stderr[-3000:], [(came.method, came.path) for came in served.requests][-20:])
    rows = [json.loads(line) for line in body(release, "gold.jsonl").splitlines()]
    named = {"train": "train", "tune": "validation", "test": "test"}
    assert json.loads(ran.stdout) == {
        named[split]: [row["text"] for row in rows if row["split"] == split] for split in named
    }


@pytest.mark.parametrize("change", [{"restricted": True}, {"required_credentials": ["CITI training"]}])
def test_nothing_is_pushed_whose_terms_forbid_it(served, study, release, change):
    made = start_publication(study=study, by=None, target=TARGET, access_token=TOKEN)
    type(study).objects.filter(pk=study.pk).update(**change)
    with pytest.raises(UserError, match="may not go to Hugging Face Hub"):
        start_publication(study=study, by=None, target=TARGET, access_token=TOKEN)
    publish(made.job_id)  # it was queued before the terms changed
    made.job.refresh_from_db()
    assert (made.job.state, served.requests) == ("failed", [])


@pytest.mark.parametrize(("token", "fault", "said"), [
    ("hf_of_somebody_else", 0, "does not know this access token"), (TOKEN, 403, "may not write to or read lab/tone"),
    (TOKEN, 500, "answered 500 about lab/tone"), (TOKEN, "half", "half an answer|broke off"),
])  # fmt: skip
def test_a_failure_is_a_sentence_and_the_token_is_kept_for_a_second_try(served, study, release, token, fault, said):
    served.fault = lambda method, path: fault if path.endswith("/create") else 0
    made = pushed(study, token=token)
    assert made.job.state == "failed"
    assert re.search(said, made.job.error), made.job.error
    assert token not in made.access_token
    assert unseal(made.access_token) == token
    assert [entry.details for entry in AuditEntry.objects.all() if token in str(entry.details)] == []


@pytest.mark.parametrize(("fields", "where"), [
    ({"target": "tone"}, "target"), ({"target": "lab/../x"}, "target"), ({"access_token": "a b"}, "access_token"),
    ({"release": 7}, "release"), ({"service": "zenodo", "content": "outputs"}, "content"),
])  # fmt: skip
def test_a_wrong_field_is_named_and_nothing_is_queued(study, release, fields, where):
    asked = {"target": TARGET, "access_token": TOKEN, **fields}
    with pytest.raises(UserError) as refused:
        start_publication(study=study, by=None, **asked)
    assert refused.value.where == where
    assert not Publication.objects.exists()


def test_a_release_is_a_draft_on_zenodo_with_a_reserved_doi(settings, study, release):
    with zenodo() as served:
        settings.ZENODO_SANDBOX_URL = served.url
        made = pushed(study, service="zenodo_sandbox", token=ZENODO_TOKEN)
        assert made.job.state == "done", made.job.error
        ((number, draft),) = served.drafts.items()
        assert made.result == {"url": f"{served.url}/deposit/{number}", "doi": f"10.5281/zenodo.{number}",
                               "files": release.files.count()}  # fmt: skip
        assert draft.files == {file.name: body(release, file.name) for file in release.files.all()}
        assert draft.metadata["license"] == "cc-by-4.0"
        assert draft.metadata["creators"] == [{"name": f"Contributors of {study.title}"}]
        assert not any(came.path.endswith("/publish") for came in served.requests)  # a person does that


@pytest.mark.parametrize(("when", "fault", "said"), [
    ("/depositions", 401, "does not take this access token"), ("/depositions", "half", "half an answer"),
    ("DATASHEET.md", 503, "answered 503"), ("DATASHEET.md", "half", "half an answer"),
])  # fmt: skip
def test_zenodo_gets_a_whole_draft_or_none(settings, study, release, when, fault, said):
    with zenodo() as served:
        settings.ZENODO_URL = served.url
        served.fault = lambda method, path: fault if method != "DELETE" and path.endswith(when) else 0
        made = pushed(study, service="zenodo", token=ZENODO_TOKEN)
        assert made.job.state == "failed"
        assert said in made.job.error
        assert not served.drafts
