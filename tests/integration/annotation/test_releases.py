"""Releases: made whole or not at all, never changed, checked as they leave, and written again as they were read."""

import hashlib
import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.db import DatabaseError, IntegrityError, transaction
from support import campaigns

from accounts.actions.erase_person import erase_person
from accounts.models import Credential, Person
from accounts.permissions import Role
from annotation.actions.import_gold import import_gold
from annotation.actions.make_release import make_release
from annotation.actions.start_release import start_release
from annotation.effective_annotations import products
from annotation.gold.release.downloads import broken_files, checked_pieces, release_summary
from annotation.gold.release.row_spool import consistent_read
from annotation.models import Answer, ImportedGold, Release, ReleaseFile, ReleasePiece, ReleaseRun, Review
from annotation.presenters.markdown import html_of
from annotation.pseudonyms import pseudonyms
from annotation.tasks import release as release_task
from corpora.actions.assign_splits import assign_splits
from corpora.actions.create_study import create_study
from corpora.actions.decide_flags import decide_flags
from corpora.formats import FORMATS, TextFile
from corpora.models import Document, DocumentSentence, Sentence
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parents[2] / "golden/formats"


@pytest.fixture
def study():
    return campaigns.study(items=3)


def rewritten(campaign, person, *texts):
    for text in texts:
        campaigns.hand_in(campaign, person, campaigns.held(campaign, person), content={"text": text})


def released(study, *forms, changes="", **settings):
    return make_release(study=study, settings={"forms": list(forms) or ["jsonl"], **settings}, changes=changes)


def body(release, name):
    return b"".join(checked_pieces(release.files.get(name=name)))


def lines(release):
    return [json.loads(line) for line in body(release, "gold.jsonl").splitlines()]


@pytest.fixture
def made(study):
    campaign = campaigns.campaign(study, overlap=2, guideline="Write *formally*.")
    ada, bob = campaigns.person(study=study, name="Ada Lovelace"), campaigns.person(Role.EXPERT_ANNOTATOR, study)
    rewritten(campaign, ada, "Ada one.", "Ada two.", "Ada three.")
    rewritten(campaign, bob, "Bob one.")
    return campaign, ada, bob


def test_a_release_holds_rows_counts_guidelines_and_checksums(study, made):
    campaign = made[0]
    release = released(study, "jsonl", "csv", "parquet", "gyafc")
    assert [line["text"] for line in lines(release)] == ["Ada one.", "Bob one.", "Ada two.", "Ada three."]
    assert release.counts == {
        "rows": 4, "sources": 3, "people": 2, "splits": {"train": 0, "tune": 0, "test": 4}, "kinds": {"rewrite": 4},
        "campaigns": {campaign.slug: 4},
    }  # fmt: skip
    assert [(guideline["campaign"], guideline["version"], guideline["text"]) for guideline in release.guidelines] == [
        (campaign.slug, 1, "Write *formally*.")
    ]
    names = ["gold.jsonl", "gold.csv", "gyafc.zip", "gold.parquet", "DATASHEET.md", "GUIDELINES.md",
             "croissant.json", "CITATION.cff"]  # fmt: skip
    assert sorted(file.name for file in release.files.all()) == sorted(names)
    for file in release.files.all():
        whole = b"".join(checked_pieces(file))
        assert (len(whole), hashlib.sha256(whole).hexdigest()) == (file.size, file.sha256)
    for name, form in (("gold.csv", "gold_csv"), ("gold.parquet", "parquet"), ("gold.jsonl", "gold")):
        rows = list(FORMATS[form].read(TextFile(body(release, name), name), ("", ""), ""))
        assert [row.product["text"] for row in rows] == ["Ada one.", "Bob one.", "Ada two.", "Ada three."]
    archive = zipfile.ZipFile(io.BytesIO(body(release, "gyafc.zip")))
    assert archive.read("test/formal.ref1").decode() == "Bob one.\n\n\n"


def test_pseudonyms_differ_from_release_to_release_and_name_nobody(study, made):
    _, ada, _ = made
    one, two = released(study), released(study, changes="The names.")
    here, there = ({line["annotators"][-1] for line in lines(release)} for release in (one, two))
    assert len(here) == len(there) == 2
    assert not here & there
    assert bytes(one.key) != bytes(two.key)
    for release in (one, two):
        for file in release.files.all():
            whole = body(release, file.name)
            for own in (ada.email, "Lovelace", str(ada.pseudonym), bytes(release.key).hex()):
                assert own.encode() not in whole


def test_a_row_says_the_day_and_not_the_moment_of_the_work(study, made):
    """A crowd site knows to the second who handed in what, so the moment would be a name."""
    release = released(study)
    days = {answer.submitted_at.date().isoformat() for answer in Answer.objects.all()}
    assert {line["written_at"] for line in lines(release)} == {f"{day}T00:00:00+00:00" for day in days}


def test_splits_that_change_while_a_release_is_made_stop_it(study, made):
    def step(done, total):
        assign_splits(study=study, rule="random", proportions={"train": 100, "tune": 0, "test": 0})

    with pytest.raises(UserError, match="splits changed"):
        make_release(study=study, settings={}, step=step)
    assert not Release.objects.exists()
    assert {line["split"] for line in lines(released(study))} == {"train"}


@pytest.mark.django_db(transaction=True)
def test_a_release_reads_one_moment_while_work_comes_in():
    study = campaigns.study(items=3)
    campaign, who = campaigns.campaign(study), campaigns.person(study=study)
    rewritten(campaign, who, "One.")
    with consistent_read() as aside:
        assert [row.product["text"] for row in products(study)] == ["One."]
        aside(rewritten, campaign, who, "Two.")
        assert [row.product["text"] for row in products(study)] == ["One."]
    assert [row.product["text"] for row in products(study)] == ["One.", "Two."]
    assert [line["text"] for line in lines(released(study))] == ["One.", "Two."]


def test_a_correction_is_a_new_release_that_says_what_changed(study, made):
    campaign, ada, _ = made
    released(study)
    with pytest.raises(UserError, match="Describe what this release changes"):
        released(study)
    first = Answer.objects.get(content__text="Ada one.")
    Answer.objects.create(
        campaign=campaign, item=first.item, assignment=first.assignment, person=ada, revision=2,
        content={"text": "Better."},
        guideline_version=1, key="6b2f6d38-6d4c-4f43-9a0e-c1a3bd1a9b52", submitted_at=first.submitted_at,
    )  # fmt: skip
    reviewer = campaigns.person(Role.REVIEWER, study)
    Review.objects.create(answer=Answer.objects.get(content__text="Ada two."), verdict="rejected", reviewer=reviewer)
    rewritten(campaign, Person.objects.get(email=made[2].email), "Bob two.")
    second = released(study, changes="A mistake in one.")
    assert second.number == 2
    assert second.counts["compared"] == {"added": 1, "removed": 1, "changed": 1}
    assert "A mistake in one." in second.datasheet
    assert "1 rows added, 1 removed, 1 changed" in second.datasheet


def test_only_reviewed_work_where_that_is_asked_for(study, made):
    reviewer = campaigns.person(Role.REVIEWER, study)
    Review.objects.create(answer=Answer.objects.get(content__text="Ada two."), verdict="accepted", reviewer=reviewer)
    assert [line["text"] for line in lines(released(study, unreviewed=False))] == ["Ada two."]


def test_a_release_leaves_out_the_rows_of_people_who_withdrew_their_consent(study, made, client):
    """By each pseudonym that somebody may know them by, and of a person who is erased; it says how many, not whose."""
    _, ada, bob = made
    first = released(study)
    erase_person(person=ada, by=Person.objects.create_superuser(email="root@example.org", password="x", name="Root"))
    ada.refresh_from_db()
    in_release = next(line["annotators"][0] for line in lines(first) if line["text"] == "Ada one.")
    for name in (str(ada.pseudonym), pseudonyms(study)[ada.pk], in_release):
        release = released(study, changes="Consent was withdrawn.", withdrawn=[name])
        assert [line["text"] for line in lines(release)] == ["Bob one."]
        assert release.counts["withdrawn"] == {"rows": 3, "people": 1}
        assert release.counts["people"] == 1
        assert "3 rows of 1 person were left out, since consent was withdrawn." in release.datasheet
        assert name not in release.datasheet
    client.force_login(campaigns.person(Role.RESEARCHER, study))
    page = client.get(f"/studies/{study.slug}/gold/releases/new/").content.decode()
    assert f">\n{in_release}</textarea>" in page
    shown = client.get(f"/api/studies/{study.slug}/releases/{release.number}/").json()
    assert in_release not in str(shown)
    with pytest.raises(UserError, match="no gold"):
        released(study, changes="All.", withdrawn=[str(ada.pseudonym), str(bob.pseudonym)])


@pytest.mark.parametrize("change", ["update", "delete", "file", "piece", "add file", "add piece"])
def test_the_database_refuses_every_change(study, made, change):
    release = released(study)
    file = release.files.first()
    acts = {
        "update": lambda: Release.objects.filter(pk=release.pk).update(changes="Nothing happened."),
        "delete": lambda: ReleasePiece.objects.filter(file=file).delete(),
        "file": lambda: ReleaseFile.objects.filter(pk=file.pk).update(sha256="0" * 64),
        "piece": lambda: ReleasePiece.objects.filter(file=file).update(data=b"forged"),
    }
    if change in acts:
        with pytest.raises(DatabaseError, match="never changed and never removed"), transaction.atomic():
            acts[change]()
    assert broken_files(release) == []


@pytest.mark.django_db(transaction=True)
def test_nothing_is_added_to_a_release_by_another_transaction():
    study = campaigns.study(items=1)
    rewritten(campaigns.campaign(study), campaigns.person(study=study), "One.")
    release = released(study)
    file = release.files.first()
    with pytest.raises(IntegrityError, match="Nothing is added"):
        ReleaseFile.objects.create(release=release, name="more", media_type="text/plain", size=0, rows=0, sha256="")
    with pytest.raises(IntegrityError, match="Nothing is added"):
        ReleasePiece.objects.create(file=file, number=9, data=b"more")


def test_splits_are_frozen_once_released(study, made):
    assign_splits(study=study, rule="random", proportions={"train": 50, "tune": 0, "test": 50})
    released(study)
    with pytest.raises(UserError, match="The splits are frozen"):
        assign_splits(study=study, rule="random", proportions={"train": 50, "tune": 0, "test": 50})
    with pytest.raises(IntegrityError, match="The splits are frozen"), transaction.atomic():
        Sentence.objects.filter(split="train").update(split="tune")
    Sentence.objects.update(domain="Music")  # what is no split may change


def test_the_datasheet_is_filled_from_the_study(study, made):
    campaign, ada, _ = made
    study.license, study.terms, study.terms_version = "CC BY 4.0", "Do no harm.", 2
    study.save()
    credential = Credential.objects.create(person=ada, name="md", verified_by=ada, verified_at=campaign.made_at)
    document = Document.objects.create(study=study, number=1, style="informal")
    DocumentSentence.objects.create(document=document, number=1, text="Dr. Who", flags=[{"kind": "name"}], held=True)
    text = released(study).datasheet
    for part in (
        f"# {study.title}, release 1",
        "4 rows of gold from 3 sources", "| crowd annotators | 1 |", "| expert annotators | 1 |",
        f"| {credential.name} | 1 |", "3 items by 2 people each", "guideline version 1", "Licence: CC BY 4.0",
        "> Do no harm.", "Of 1 sentences of documents 1 were flagged as likely", "| test | 4 |", "`gold.jsonl`",
    ):  # fmt: skip
        assert part in text
    assert "Lovelace" not in text
    page = html_of(text)
    assert f"<h2>{study.title}, release 1</h2>" in page
    assert "<td>crowd annotators</td>" in page


def test_a_datasheet_says_of_identifiers_what_rows_say(study, made):
    """Flagged ones that were let in (`hold_flagged=False`), and sources of a table, were looked at by nobody."""
    document = Document.objects.create(study=study, number=1, style="informal")
    held, let_in, other = (
        DocumentSentence.objects.create(
            document=document, number=number, text="Dr. Who",
            flags=[{"start": 4, "end": 7, "kind": "name"}], held=number != 2,
        )
        for number in (1, 2, 3)
    )  # fmt: skip
    text = released(study).datasheet
    assert "3 were flagged as likely identifiers. Of 0 it is recorded that somebody decided; 1 are there with" in text
    assert "2 are held back, and 0 were dropped" in text
    sources = Sentence.objects.filter(direction__study=study, origin=None).count()
    assert sources
    assert f"{sources} sources came in without a document: nothing looked for likely identifiers there." in text
    decide_flags(study=study, sentences=[held], decision="mask")
    decide_flags(study=study, sentences=[other, let_in], decision="drop")
    again = released(study, changes="Decided.").datasheet
    assert "3 were flagged as likely identifiers. Of 2 it is recorded that somebody decided; 1 are there with" in again
    assert "0 are held back, and 1 were dropped" in again


def test_a_datasheet_runs_no_markup():
    page = html_of("# <script>alert(1)</script>\n\n[a](javascript:alert(1)) <b>b</b> ![x](http://evil.example/)")
    assert "<script" not in page
    assert "<b>" not in page
    assert "<img" not in page
    assert 'href="javascript' not in page


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ({"forms": ["docx"]}, "forms: Expected one of jsonl, csv"),
        ({"campaigns": ["nowhere"]}, "The study has no campaign nowhere"),
        ({"from": "the moon"}, "from: Expected one of campaigns, imported."),
        ({"unreviewed": "yes"}, "unreviewed: Expected yes or no"),
        ({"colour": 1}, "colour: There is no such option; there are from, campaigns, forms, unreviewed, alone, with"),
        ({"withdrawn": ["nobody"]}, "withdrawn: Nobody who worked in this study has the pseudonym nobody."),
        ({"forms": ["plaba"]}, "The format 'plaba' cannot hold this gold"),
        ({"from": "imported"}, "There is no gold to release yet"),
    ],
)
def test_what_cannot_be_released_is_said(study, made, asked, sentence):
    with pytest.raises(UserError, match=sentence):
        make_release(study=study, settings=asked)
    assert not Release.objects.exists()


def test_a_job_run_twice_makes_one_release(study, made):
    lead = campaigns.person(Role.RESEARCHER, study)
    run = start_release(study=study, settings={}, by=lead)
    with pytest.raises(UserError, match="is already being made"):
        start_release(study=study, settings={}, by=lead)
    release_task(run.job_id)
    run.refresh_from_db()
    assert run.job.state == "done", run.job.error
    assert (run.release.number, run.release.made_by) == (1, lead)
    again = make_release(study=study, settings=run.settings, changes="Again.", run=ReleaseRun.objects.get())
    assert again == run.release
    assert Release.objects.count() == 1


def test_the_summary_of_a_release_names_the_formats_without_a_row(study, made):
    release = released(study)
    release.settings["forms"] = ["jsonl", "plaba"]
    assert release_summary(release).warning == "Nothing of it could be written as PLABA data set."


def test_a_stop_leaves_nothing(study, made):
    class Stop(Exception):
        pass

    def stop(done, total):
        raise Stop

    with pytest.raises(Stop):
        make_release(study=study, settings={}, step=stop)
    assert not Release.objects.exists()


def test_a_file_that_is_not_what_its_checksum_says_does_not_leave_whole(study, made, client):
    release = released(study)
    data = ReleasePiece.objects.filter(file__name="gold.jsonl")
    with transaction.atomic():
        from django.db import connection

        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
            cursor.execute("ALTER TABLE annotation_releasepiece DISABLE TRIGGER release_stays")
            data.update(data=b"forged")
            cursor.execute("ALTER TABLE annotation_releasepiece ENABLE TRIGGER release_stays")
    assert broken_files(release) == ["gold.jsonl"]
    with pytest.raises(UserError, match="does not match its checksum"):
        list(checked_pieces(release.files.get(name="gold.jsonl")))
    with pytest.raises(CommandError, match=r"gold\.jsonl"):
        call_command("verify_release", study.slug, "1")


def test_the_commands_make_and_verify(study, made, capsys):
    call_command("release", study.slug, "--format", "jsonl", "--format", "gyafc")
    call_command("verify_release", study.slug, "1")
    said = capsys.readouterr().out
    assert "Release 1: 4 rows." in said
    assert "All 6 files of release 1 are what their checksums say." in said
    with pytest.raises(CommandError, match="no release 2"):
        call_command("verify_release", study.slug, "2")


def test_pages_and_endpoints_show_and_deliver(client, study, made):
    lead = campaigns.person(Role.RESEARCHER, study)
    client.force_login(lead)
    home = f"/studies/{study.slug}/gold/"
    assert client.get(f"{home}releases/new/").status_code == 200
    asked = client.post(f"{home}releases/new/", {"forms": ["jsonl"], "unreviewed": "on"})
    run = ReleaseRun.objects.get()
    assert asked["Location"].endswith(f"/jobs/{run.job_id}/")
    assert client.post(f"{home}releases/new/", {}).status_code == 422
    release_task(run.job_id)
    assert "Release 1" in client.get(home).content.decode()
    page = client.get(f"{home}releases/1/").content.decode()
    file = ReleaseFile.objects.get(name="gold.jsonl")
    assert file.sha256 in page
    assert "Write <em>formally</em>." in page
    download = client.get(f"{home}releases/1/gold.jsonl/")
    whole = b"".join(download.streaming_content)
    assert hashlib.sha256(whole).hexdigest() == file.sha256
    assert download["Content-Length"] == str(len(whole))
    assert download["Content-Disposition"] == f'attachment; filename="{study.slug}-1-gold.jsonl"'
    api = f"/api/studies/{study.slug}/releases/"
    assert client.get(api).json()[0]["files"][0]["sha256"] == file.sha256
    assert client.get(f"{api}1/").json()["guidelines"][0]["text"] == "Write *formally*."
    assert b"".join(client.get(f"{api}1/gold.jsonl/").streaming_content) == whole
    refused = client.post(api, {}, content_type="application/json")
    assert refused.json() == {"detail": "changes: Describe what this release changes since the one before."}
    asked = client.post(api, {"changes": "More."}, content_type="application/json")
    assert asked.status_code == 202
    for address in (f"{home}releases/9/", f"{home}releases/1/none/", f"{api}9/", f"{api}1/none/"):
        assert client.get(address).status_code == 404


def test_releases_are_for_those_who_may(client, study, made):
    released(study)
    for role in (Role.REVIEWER, Role.EXPERT_ANNOTATOR):
        client.force_login(campaigns.person(role, study))
        for name in ("", "new/", "1/", "1/gold.jsonl/"):
            assert client.get(f"/studies/{study.slug}/gold/releases/{name}").status_code in (403, 404)
        assert client.get(f"/api/studies/{study.slug}/releases/").status_code == 403
        assert client.post(f"/api/studies/{study.slug}/releases/").status_code == 403


@pytest.mark.parametrize(
    ("form", "path", "name"),
    [
        ("msd", "msd/test.txt", "msd-test.txt"),
        ("msd", "msd/train.txt", "msd-train.txt"),
        ("medlane", "medlane/test.txt", "medlane-test.txt"),
        ("medlane", "medlane/train.txt", "medlane-train.txt"),
        ("plaba", "plaba/data.json", "plaba.json"),
        ("plaba", "plaba/line.json", "plaba.json"),
    ],
)
def test_a_file_read_released_and_written_again_is_the_same_to_the_byte(form, path, name, capsys):
    study = create_study(slug="elsewhere", title="Made elsewhere", styles=["expert", "layman"])
    split = "train" if "train" in path else "test"
    call_command("import_gold", study.slug, str(GOLDEN / path), "--format", form, "--split", split)
    assert "the same to the byte" in capsys.readouterr().out
    release = released(study, form, "jsonl", **{"from": "imported"})
    assert body(release, name) == (GOLDEN / path).read_bytes()
    assert f"it was read from {Path(path).name}" in release.datasheet
    if form == "plaba":
        assert study.documents.count() == 3
        assert study.questions.get(number=1).documents.first().sentences.count() == 3
    elif split == "test":
        count, sets = {"msd": (2, 1), "medlane": (1, 4)}[form]  # directions, and sets of references of each
        assert study.directions.count() == count
        for direction in study.directions.all():
            assert direction.sentences.count() == ImportedGold.objects.count()
            assert direction.reference_sets.count() == sets
    with pytest.raises(UserError, match="a new study"):
        import_gold(study=study, file=TextFile(GOLDEN / path, "again"), form=form)


def test_gyafc_read_released_and_written_again_is_the_same_to_the_byte():
    study = create_study(slug="gyafc", title="GYAFC", styles=["informal", "formal"])
    done = import_gold(study=study, file=TextFile(GOLDEN / "gyafc", "gyafc"), form="gyafc")
    assert done.same is None
    archive = zipfile.ZipFile(io.BytesIO(body(released(study, "gyafc", **{"from": "imported"}), "gyafc.zip")))
    files = {path.relative_to(GOLDEN / "gyafc").as_posix(): path for path in (GOLDEN / "gyafc").rglob("*.*")}
    files |= {path.relative_to(GOLDEN / "gyafc").as_posix(): path for path in (GOLDEN / "gyafc").rglob("*formal")}
    for name, path in files.items():
        if path.is_file():
            assert archive.read(name) == path.read_bytes()
    assert study.directions.get(source_style="formal").sentences.exclude(split="train").count() == 4
    turned = study.directions.get(source_style="formal").sentences.filter(split="train")
    there = study.directions.get(source_style="informal").sentences.filter(split="train")
    assert list(turned.values_list("references__text", flat=True)) == list(there.values_list("text", flat=True))
    assert study.directions.get(source_style="formal").reference_sets.count() == 4
