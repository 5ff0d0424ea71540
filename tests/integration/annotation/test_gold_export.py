"""The gold export: what counts, under which name, and in which form."""

import csv
import io
import json
import zipfile
from datetime import datetime

import pytest
from django.core.management import CommandError, call_command
from support import campaigns

from accounts.permissions import Role
from annotation.gold.rewrites import export_rewrites
from annotation.models import Answer, Review
from annotation.pseudonyms import pseudonyms
from corpora.models import Membership, Sentence

pytestmark = pytest.mark.django_db


@pytest.fixture
def study():
    return campaigns.study(items=3)


def rewritten(campaign, person, *texts):
    """The person hands in these rewrites, in the order of the items."""
    return [
        campaigns.hand_in(campaign, person, campaigns.held(campaign, person), content={"text": text}) for text in texts
    ]


def lines(study):
    return [json.loads(line) for line in b"".join(export_rewrites(study, "jsonl")).splitlines()]


def test_a_line_says_where_a_rewrite_comes_from(study):
    study.license = "CC BY 4.0"
    study.save()
    campaign = campaigns.campaign(study)
    ada = campaigns.person(study=study, name="Ada")
    rewritten(campaign, ada, 'I must "see" you, Zoë.')
    (line,) = lines(study)
    answer = Answer.objects.get()
    assert line | {"written_at": ""} == {
        "source_id": "informal-formal-1", "source": "gotta see number 1 , u know", "source_style": "informal",
        "target_style": "formal", "text": 'I must "see" you, Zoë.', "split": "test", "domain": "",
        "annotator": pseudonyms(study)[ada.pk], "written_at": "", "guideline_version": "1", "revision": 1,
        "campaign": campaign.slug, "study": study.slug, "license": "CC BY 4.0",
    }  # fmt: skip
    assert datetime.fromisoformat(line["written_at"]) == answer.submitted_at


def test_a_name_leads_back_to_nobody_and_differs_from_study_to_study(study, settings):
    other = campaigns.study(items=1)
    ada = campaigns.person(study=study, name="Ada")
    Membership.objects.create(study=other, person=ada, role=ada.role)
    for one in (study, other):
        rewritten(campaigns.campaign(one), ada, "I must see you.")
    (here,), (there,) = lines(study), lines(other)
    assert here["annotator"] != there["annotator"]
    assert here["annotator"] == lines(study)[0]["annotator"]
    whole = json.dumps(here)
    for own in (ada.email, ada.name, str(ada.pseudonym), ada.pseudonym.hex):
        assert own not in whole
    settings.SECRET_KEY = "another"
    assert lines(study)[0]["annotator"] != here["annotator"]


def test_what_does_not_count_is_left_out(study):
    reviewer = campaigns.person(Role.REVIEWER, study)
    campaign = campaigns.campaign(study, state="pilot")
    rewritten(campaign, campaigns.person(study=study), "A pilot answer.")
    real = campaigns.campaign(study, name="real", overlap=2)
    ada, bob = campaigns.person(study=study), campaigns.person(study=study)
    rewritten(real, ada, "Ada one.", "Ada two.", "Ada three.")
    rewritten(real, bob, "Bob one.", "Bob two.")
    texts = {answer.content["text"]: answer for answer in Answer.objects.all()}
    Review.objects.create(answer=texts["Ada two."], verdict="rejected", reviewer=reviewer)
    Review.objects.create(answer=texts["Bob one."], verdict="accepted", reviewer=reviewer)
    Answer.objects.filter(pk=texts["Ada three."].pk).update(late=True)
    Answer.objects.filter(pk=texts["Bob two."].pk).update(outcome="skipped")
    assert [line["text"] for line in lines(study)] == ["Ada one.", "Bob one."]


def test_the_newest_revision_counts(study):
    campaign = campaigns.campaign(study)
    ada = campaigns.person(study=study)
    rewritten(campaign, ada, "First.")
    first = Answer.objects.get()
    Answer.objects.create(
        campaign=campaign, item=first.item, assignment=first.assignment, person=ada, revision=2,
        content={"text": "Second."},
        guideline_version=2, key="6b2f6d38-6d4c-4f43-9a0e-c1a3bd1a9b52", submitted_at=first.submitted_at,
    )  # fmt: skip
    assert [(line["text"], line["revision"], line["guideline_version"]) for line in lines(study)] == [
        ("Second.", 2, "2")
    ]


def test_the_gyafc_layout_holds_every_rewrite_beside_its_source(study):
    Sentence.objects.update(domain="Entertainment & Music")
    campaign = campaigns.campaign(study, overlap=2)
    for name in ("Ada", "Bob"):
        rewritten(campaign, campaigns.person(study=study), *[f"{name} {n}." for n in (1, 2, 3)])
    archive = zipfile.ZipFile(io.BytesIO(b"".join(export_rewrites(study, "gyafc"))))
    home = "Entertainment_Music/test/"
    assert sorted(archive.namelist()) == [f"{home}formal.ref0", f"{home}formal.ref1", f"{home}informal"]
    assert archive.read(f"{home}formal.ref0").decode().splitlines() == ["Ada 1.", "Ada 2.", "Ada 3."]
    assert archive.read(f"{home}formal.ref1").decode().splitlines() == ["Bob 1.", "Bob 2.", "Bob 3."]
    assert archive.read(f"{home}informal").decode().splitlines()[0] == "gotta see number 1 , u know"


def test_a_formula_is_defused_in_csv(study):
    rewritten(campaigns.campaign(study), campaigns.person(study=study), "=HYPERLINK(1)")
    (row,) = csv.DictReader(io.StringIO(b"".join(export_rewrites(study, "csv")).decode()))
    assert row["text"] == "'=HYPERLINK(1)"


@pytest.mark.parametrize(
    ("form", "kind"), [("jsonl", "application/x-ndjson"), ("gyafc", "application/zip"), ("csv", "text/csv")]
)
def test_page_and_endpoint_stream_the_same(client, study, form, kind):
    rewritten(campaigns.campaign(study), campaigns.person(study=study), "I must see you.")
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    page = client.get(f"/studies/{study.slug}/gold/{form}/")
    endpoint = client.get(f"/api/studies/{study.slug}/gold/?format={form}")
    assert page.streaming
    assert page["Content-Type"].startswith(kind)
    body = b"".join(page.streaming_content)
    assert body == b"".join(endpoint.streaming_content)
    assert body == b"".join(export_rewrites(study, form))


def test_the_page_says_how_much_there_is_and_leads_on_where_nothing_is(client, study):
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    assert "There is no gold yet" in client.get(f"/studies/{study.slug}/gold/").content.decode()
    rewritten(campaigns.campaign(study), campaigns.person(study=study), "One.", "Two.")
    page = client.get(f"/studies/{study.slug}/gold/").content.decode()
    assert "<dt>Rewrites</dt><dd>2</dd>" in page
    assert f"/studies/{study.slug}/gold/jsonl/" in page
    assert client.get(f"/studies/{study.slug}/gold/docx/").status_code == 404
    answer = client.get(f"/api/studies/{study.slug}/gold/?format=docx")
    assert answer.json() == {"detail": "format: There is no format 'docx'; the formats are jsonl, gyafc, csv."}


def test_gold_is_for_those_who_may_export(client, study):
    for role in (Role.REVIEWER, Role.EXPERT_ANNOTATOR):
        client.force_login(campaigns.person(role, study))
        assert client.get(f"/studies/{study.slug}/gold/jsonl/").status_code == 403
        assert client.get(f"/api/studies/{study.slug}/gold/").status_code == 403


def test_the_command_writes_a_file_whole(study, tmp_path):
    rewritten(campaigns.campaign(study), campaigns.person(study=study), "I must see you.")
    to = tmp_path / "gold.jsonl"
    call_command("export_gold", study.slug, "--to", str(to))
    assert json.loads(to.read_text())["text"] == "I must see you."
    assert list(tmp_path.iterdir()) == [to]
    with pytest.raises(CommandError, match="There is no format 'docx'"):
        call_command("export_gold", study.slug, "--format", "docx", "--to", str(to))
    with pytest.raises(CommandError, match="There is no study 'nowhere'"):
        call_command("export_gold", "nowhere")
