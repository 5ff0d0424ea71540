"""A release as programs read it: Croissant with responsible-AI fields, and CITATION.cff."""

import json
import os
import subprocess
from pathlib import Path

import pytest
import yaml
from django.conf import settings
from django.urls import reverse
from support import campaigns

from annotation.actions.make_release import make_release
from annotation.gold.release.described import address_of
from annotation.gold.release.downloads import checked_pieces
from annotation.gold.release.metadata import spdx_of

pytestmark = pytest.mark.django_db
READ_ROWS = """
import json, sys
import mlcroissant as mlc
dataset = mlc.Dataset(jsonld=sys.argv[1])
issues = dataset.metadata.ctx.issues
assert not issues.errors, issues.report()
text = lambda value: value.decode() if isinstance(value, bytes) else value
rows = [{key.partition("/")[2]: text(value) for key, value in row.items()} for row in dataset.records("gold")]
rai = ("data_collection_type", "data_annotation_platform", "annotations_per_item", "data_annotation_protocol")
print(json.dumps({"rows": rows, "rai": {name: getattr(dataset.metadata, name) for name in rai},
                  "warnings": sorted(issues.warnings)}, default=str))
"""


@pytest.fixture
def release():
    study = campaigns.study(items=3)
    study.license, study.language, study.description = "CC BY 4.0", "en", 'Messages: "odd" ones,\nfor a test.'
    study.save()
    campaign = campaigns.campaign(study, overlap=2, guideline="Write *formally*.")
    ada, bob = campaigns.person(study=study, name="Ada Lovelace"), campaigns.person(study=study)
    for person, texts in ((ada, ("Ada one.", "Ada two.", "Ada three.")), (bob, ("Bob one.",))):
        for text in texts:
            campaigns.hand_in(campaign, person, campaigns.held(campaign, person), content={"text": text})
    return make_release(study=study, settings={"forms": ["jsonl", "csv", "parquet"]})


def body(release, name):
    return b"".join(checked_pieces(release.files.get(name=name)))


def test_the_address_of_a_release_is_that_of_its_page(release):
    page = reverse("release", kwargs={"study": release.study.slug, "number": release.number})
    assert address_of(release) == settings.SITE_URL + page


def test_croissant_names_each_file_with_its_checksum_and_nobody(release):
    said = json.loads(body(release, "croissant.json"))
    assert said["conformsTo"] == ["http://mlcommons.org/croissant/1.1", "http://mlcommons.org/croissant/RAI/1.0"]
    others = release.files.exclude(name__in=["croissant.json", "CITATION.cff"])
    assert {file["@id"]: file["sha256"] for file in said["distribution"]} == dict(others.values_list("name", "sha256"))
    assert said["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert (said["rai:annotationsPerItem"], said["rai:dataCollectionType"]) == ("2", "Manual Human Curation")
    assert "2 people had a hand in these rows" in said["rai:annotatorDemographics"]
    assert "rai:dataBiases" not in said  # only a person can say it
    for name in ("croissant.json", "CITATION.cff"):
        assert b"Lovelace" not in body(release, name)


def test_the_citation_is_of_cff_1_2(release):
    said = yaml.safe_load(body(release, "CITATION.cff"))
    study = release.study
    assert said == {
        "cff-version": "1.2.0", "message": "If you use these data, please cite them.", "type": "dataset",
        "title": f"{study.title}, release 1", "version": "1", "date-released": release.made_at.date().isoformat(),
        "url": said["url"], "license": "CC-BY-4.0", "authors": [{"name": f"Contributors of {study.title}"}],
        "abstract": 'Messages: "odd" ones, for a test. 4 rows of gold from 3 sources.',
    }  # fmt: skip
    assert said["url"].endswith(f"/studies/{study.slug}/gold/releases/1/")


def test_a_licence_is_known_by_its_identifier_however_it_is_written():
    assert [spdx_of(text) for text in ("CC BY 4.0", "cc-by-nc-sa-4.0", "Apache-2.0", "Ask us", "")] == [
        "CC-BY-4.0", "CC-BY-NC-SA-4.0", "Apache-2.0", "", "",
    ]  # fmt: skip


@pytest.mark.soak
@pytest.mark.parametrize("forms", [("gold.parquet", "gold.csv", "gold.jsonl"), ("gold.csv",), ("gold.jsonl",)])
def test_mlcroissant_finds_no_error_and_reads_the_rows(release, tmp_path, forms):
    """By mlcroissant 1.1.1, where MLCROISSANT names a Python that has it."""
    python = os.environ.get("MLCROISSANT", "")
    if not python:
        pytest.skip("MLCROISSANT names no Python with mlcroissant.")
    said = json.loads(body(release, "croissant.json"))
    for file in release.files.all():
        Path(tmp_path, file.name).write_bytes(body(release, file.name))
    if forms[0] != "gold.parquet":
        fields = said["recordSet"][0]["field"]
        for field in list(fields):
            field["source"]["fileObject"]["@id"] = forms[0]
            if forms[0] == "gold.jsonl" and field["name"] in ("source", "text", "product"):
                fields.remove(field)
        Path(tmp_path, "croissant.json").write_text(json.dumps(said))
    ran = subprocess.run(
        [python, "-c", READ_ROWS, str(tmp_path / "croissant.json")], capture_output=True, text=True, check=False
    )  # fmt: skip
    assert ran.returncode == 0, ran.stderr[-3000:]
    found = json.loads(ran.stdout)
    assert found["warnings"] == []
    rows = [json.loads(line) for line in body(release, "gold.jsonl").splitlines()]
    if forms[0] != "gold.jsonl":
        assert [row["text"] for row in found["rows"]] == ["Ada one.", "Bob one.", "Ada two.", "Ada three."]
    assert [(row["source_id"], row["revision"]) for row in found["rows"]] == [
        (row["source_id"], row["revision"]) for row in rows
    ]  # fmt: skip
    assert found["rai"]["data_annotation_protocol"]
