"""A lab's own entries, installed as the example of the documentation is, and used as those of the platform are."""

import importlib
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.core.management import call_command
from django.core.management.base import SystemCheckError
from support import campaigns

from accounts.permissions import Role
from annotation.scales import SCALES
from annotation.shipped_texts import shipped_texts
from annotation.task_types import TASK_TYPES
from corpora.formats import FORMATS
from corpora.text_files.decoding import TextFile
from evaluation.actions.make_report import make_report
from evaluation.metrics import METRICS
from evaluation.statistics import STATISTICS
from evaluation.tables import TABLES
from foundation import plugins
from foundation.confined import process
from jobs.execution import run_job
from modelserving.actions.start_transfer import start_transfer
from modelserving.transfer import TRANSFERS
from modelserving.transfer_runs import run_transfer
from tools.message_catalogs.project_messages import entry_messages

EXAMPLE = Path(__file__).parents[3] / "docs" / "example_plugin"

pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture(scope="module")
def site_packages(tmp_path_factory):
    """The example as pip installs it, fetching nothing."""
    folder = tmp_path_factory.mktemp("installed")
    source = shutil.copytree(EXAMPLE, tmp_path_factory.mktemp("source") / "package")  # setuptools builds beside it
    options = ["--no-deps", "--no-index", "--no-build-isolation", "--disable-pip-version-check", "--quiet"]
    subprocess.run([sys.executable, "-m", "pip", "install", *options, "--target", folder, source], check=True)
    return folder


@pytest.fixture(autouse=True)
def installed(site_packages, monkeypatch):
    monkeypatch.syspath_prepend(site_packages)
    while process._idle._kept:  # one that waits for a file has no package of a later day
        process._idle._kept.pop().end()
    importlib.invalidate_caches()
    plugins.plugins_of.cache_clear()
    yield
    plugins.plugins_of.cache_clear()


@pytest.fixture
def study():
    return campaigns.study(items=4, systems=2, references=1)


@pytest.fixture
def lead(study, client):
    person = campaigns.person(Role.RESEARCHER, study)
    client.force_login(person)
    return person


def test_the_site_takes_it():
    call_command("check")
    for registry in (METRICS, STATISTICS, SCALES, TASK_TYPES, TABLES, TRANSFERS):
        (name,) = [name for name in registry if name.startswith("acme/")]
        assert registry[name].label if hasattr(registry[name], "label") else registry[name].title


def test_its_words_are_no_messages_of_the_project():
    shipped_texts.cache_clear()
    assert "Polite" in [level.label for level in SCALES["acme/politeness_3"].levels]
    assert "Polite" not in {message.id for message in entry_messages()}


def test_an_entry_point_that_is_none_is_refused_with_the_nearest(tmp_path, monkeypatch):
    about = tmp_path / "lab_one-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: lab-one\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text("[restyle.metric]\none = lab_one.metrics\n")
    monkeypatch.syspath_prepend(tmp_path)
    importlib.invalidate_caches()
    sentence = "lab-one names the entry point restyle.metric, which is none; did you mean restyle.metrics"
    with pytest.raises(SystemCheckError, match=sentence):
        call_command("check")


def test_its_metric_and_its_table_stand_in_the_report(client, lead, study):
    form = client.get(f"/studies/{study.slug}/report/metrics/").content.decode()
    assert 'name="acme/length_ratio"' in form
    assert client.post(f"/studies/{study.slug}/report/metrics/", {"acme/length_ratio": "on"}).status_code == 302
    report = make_report(study=study)
    assert all("acme/length_ratio" in system["metrics"] for system in report.content["systems"])
    page = client.get(f"/studies/{study.slug}/report/tables/acme:lengths/")
    assert page.status_code == 200
    assert study.systems.first().name in page.content.decode()
    file = client.get(f"/studies/{study.slug}/report/tables/acme:lengths/csv/")
    assert file.headers["Content-Disposition"].endswith('-acme-lengths.csv"')
    assert client.get(f"/api/studies/{study.slug}/tables/acme:lengths/").status_code == 200
    assert "acme:lengths" in client.get(f"/studies/{study.slug}/report/tables/").content.decode()


def test_its_kind_of_work_and_its_scale_are_given_to_people(client, study):
    apologies = campaigns.campaign(study, "acme/apologise")
    settings = {"criteria": {"Politeness": {"scale": "acme/politeness_3", "aspect": "style"}}}
    ratings = campaigns.campaign(study, "rate", settings=settings)
    person = campaigns.person(study=study)
    client.force_login(person)
    page = client.get(f"/studies/{study.slug}/campaigns/{apologies.slug}/work/").content.decode()
    assert "Write the sentence as an apology." in page
    assert "<textarea" in page
    page = client.get(f"/studies/{study.slug}/campaigns/{ratings.slug}/work/").content.decode()
    assert "Politeness" in page
    assert "Rude" in page


def test_its_model_writes_a_systems_outputs(study):
    run = start_transfer(study=study, model="acme/shouting", name="Capitals", by=None)
    run_job(run.job_id, run_transfer)
    outputs = run.system.outputs.select_related("sentence")
    assert outputs.count() == 4
    assert all(output.text == output.sentence.text.upper() for output in outputs)


def test_its_format_is_read():
    file = TextFile(b"One.\nTwo.\n\nThree.\n", "notes.para")
    (document,) = FORMATS["acme/paragraphs"].read(file, {})
    assert [section.text for section in document.sections] == [("One.", "Two."), ("Three.",)]


def test_its_agreement_counts_pairs():
    made = STATISTICS["acme/share_agreed"].agree(["a", "b", "a", "b"], [1, 1, 2, 2], [1, 1, 1, 2], "ordinal")
    assert made.value == 0.5
