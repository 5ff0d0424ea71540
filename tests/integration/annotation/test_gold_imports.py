"""Gold comes in by page and API: looked at first, said in numbers, refused in one sentence."""

import io
import json
import zipfile
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import CommandError, call_command
from support import campaigns as make
from support.clients import as_person

from accounts.permissions import Role
from annotation.actions.import_gold import import_gold, look_at_gold
from annotation.gold.imports import split_in
from annotation.models import GoldImport, GoldImportPiece, ImportedGold
from annotation.tasks import import_gold as task
from corpora.actions.create_study import create_study
from corpora.formats import TextFile
from corpora.models import Reference, Sentence
from evaluation.snapshot_builder.texts import without_brackets
from foundation.errors import UserError

pytestmark = pytest.mark.django_db
GOLDEN = Path(__file__).parents[2] / "golden/formats"


@pytest.fixture
def study():
    return create_study(slug="elsewhere", title="Made elsewhere", styles=["expert", "layman"])


def archive(**files):
    kept = io.BytesIO()
    with zipfile.ZipFile(kept, "w") as zipped:
        for name, data in files.items():
            zipped.writestr(name.replace("__", "/").replace("_DOT_", "."), data)
    return kept.getvalue()


def read(study, data, name="the upload", **asked):
    return import_gold(study=study, file=TextFile(data, name), **asked)


def test_medlane_s_blocks_are_four_references_with_marks(study):
    """One reference with brackets as text had no HIT, and BLEU was too low."""
    done = read(study, (GOLDEN / "medlane/test.txt").read_bytes())
    assert (done.forms, done.sets, done.sources) == (("medlane",), 4, {"expert-layman": {"test": 3}})
    first = Sentence.objects.order_by("number").first()
    rows = first.references.order_by("set__number").values_list("set__origin", "text", "set__marks")
    assert [origin.partition(", ")[2] for origin, *_ in rows] == [
        "rephrased", "simplified", "rephrased, to the patient", "simplified, to the patient"
    ]  # fmt: skip
    plain = [without_brackets(text, marks) for _, text, marks in rows]
    assert plain[0].text == "patient complains of shortness of breath , given acetylsalicylic acid ."
    assert plain[0].terms == ["patient", "complains of", "shortness of breath", "acetylsalicylic acid"]
    assert [len(one.terms) for one in plain] == [4, 0, 3, 0]


def test_train_and_test_files_are_told_apart_by_their_names(study):
    files = {f"corpus__{split}_DOT_txt": (GOLDEN / f"medlane/{split}.txt").read_bytes() for split in ("train", "test")}
    done = read(study, archive(**files, README_DOT_md="# Read me"), "medlane.zip")
    assert done.sources == {"expert-layman": {"train": 2, "test": 3}}
    names = ("train.txt", "msd-tune.txt", "dev.txt", "valid.json", "my-test.txt", "contest.txt", "data.json")
    assert [split_in(name) for name in names] == ["train", "tune", "tune", "tune", "test", "", ""]


def test_msd_s_halves_come_in_with_a_share_to_tune_on(study):
    lines = "".join(
        json.dumps({"text": f"{word} number {n}.", "label": label, "concepts": []}) + "\n"
        for label, word in enumerate(("Dyspnea", "Breath"))
        for n in range(20)
    )
    data = archive(train_DOT_txt=lines, test_DOT_txt=(GOLDEN / "msd/test.txt").read_bytes())
    done = read(study, data, "msd.zip", tune=20)
    assert done.sources == {
        "expert-layman": {"train": 16, "tune": 4, "test": 2}, "layman-expert": {"train": 16, "tune": 4, "test": 2}
    }  # fmt: skip
    assert done.references == 4


def test_plaba_s_sentences_are_sources_of_their_documents(study):
    done = read(study, (GOLDEN / "plaba/data.json").read_bytes())
    assert (done.forms, done.documents, done.questions, done.sets) == (("plaba",), 3, 2, 2)
    rows = Sentence.objects.order_by("number").values_list("text", "origin__document__code", "origin__number")
    assert [row[1:] for row in rows] == [("900001", 1), ("900001", 2), ("900001", 3), ("900002", 1), ("900003", 1)]
    second = Sentence.objects.get(number=2)
    assert [reference.text[:11] for reference in second.references.order_by("set__number")] == [
        "Water pills",
        "Drugs that ",
    ]
    assert (
        Sentence.objects.get(number=1).references.get().set.origin == "imported gold, adaptation 2"
    )  # the 1st dropped it


def test_a_release_says_all_by_itself(study):
    made = {"kind": "rewrite", "source_id": "a-1", "source_style": "expert", "target_style": "layman", "split": "tune",
            "source": "Dyspnea.", "text": "Breath."}  # fmt: skip
    data = archive(gold_DOT_jsonl=json.dumps(made), DATASHEET_DOT_md="# Texts", gyafc_DOT_zip=b"PK other")
    assert read(study, data, "release.zip").sources == {"expert-layman": {"tune": 1}}
    again = read(study, data, "release.zip")
    assert (again.rows, again.again) == (0, 1)
    assert Sentence.objects.count() == ImportedGold.objects.count() == 1


def test_what_is_held_out_does_not_come_in_to_train_on(study):
    made = [("train", "dyspnea !"), ("test", "Dyspnea."), ("train", "Free.")]
    common = {"kind": "rewrite", "source_style": "expert", "target_style": "layman"}
    rows = [
        {**common, "source_id": f"a-{n}", "split": split, "source": source, "text": f"Text {n}."}
        for n, (split, source) in enumerate(made)
    ]
    done = read(study, "".join(json.dumps(row) + "\n" for row in rows).encode())
    assert done.left == {"the test split of this study": 1}
    assert done.sources == {"expert-layman": {"train": 1, "test": 1}}


def test_looking_changes_nothing(study):
    done = look_at_gold(study=study, file=TextFile(GOLDEN / "medlane/test.txt", "test.txt"))
    assert done.rows == 3
    assert not Sentence.objects.exists()
    assert not ImportedGold.objects.exists()
    assert not study.directions.exists()


MSD_LINE = '{"text": "Dyspnea.", "label": 0, "concepts": []}\n'


@pytest.mark.parametrize(
    ("data", "asked", "said"),
    [
        (b"source\ttarget\na\tb\n", {}, "the upload: it is not in a format of gold"),
        (b"<html><body>no</body></html>", {}, "not in a format of gold"),
        (MSD_LINE.encode(), {}, "the upload: the last line has no line that is parallel"),
        ((MSD_LINE + '{"text": "", "label": 1, "concepts": []}\n').encode(), {}, "line 2: a text was expected"),
        ((MSD_LINE + '{"text": "a"}\n').encode(), {}, "line 2: the keys text, label, concepts were expected"),
        (b"a\n1 a\n2 a\n3 a\n\nb\n", {"form": "medlane"}, "line 1: a source and two or four lines were expected"),
        (b'{"kind": "rewrite", "source_id": 7}\n', {}, "line 1: a text was expected for 'source_id'"),
        (b'{"1": {"question": "q", "9": {"abstract": []}}}', {}, "question 1, 9: a JSON object was expected"),
        (b"PK\x03\x04 not really", {}, "not a ZIP archive that can be read"),
        (archive(notes_DOT_md="# no gold"), {}, "it holds no file of gold"),
        (archive(a_DOT_txt=MSD_LINE * 2, b_DOT_json="{}"), {}, "in several formats, msd, plaba"),
        (archive(UP__evil=b"x"), {}, "points outside the archive"),
        (b"", {}, "not in a format of gold"),
        (MSD_LINE.encode(), {"form": "docx"}, "form: Expected one of jsonl, csv"),
        (MSD_LINE.encode(), {"split": "dev"}, "split: Expected one of train, tune, test."),
        (MSD_LINE.encode(), {"tune": 100}, "tune: Expected a number from 0 to 90."),
    ],
)  # fmt: skip
def test_odd_files_end_in_one_sentence_and_change_nothing(study, data, asked, said):
    if b"UP/evil" in data:
        data = data.replace(b"UP/evil", b"../evil")
    with pytest.raises(UserError, match=said):
        read(study, data, **asked)
    assert not Sentence.objects.exists()
    assert not ImportedGold.objects.exists()


def test_the_page_looks_says_and_brings_in(study):
    client = as_person(make.person(Role.RESEARCHER, study))
    home = f"/studies/{study.slug}/gold/import/"
    assert client.get(home).status_code == 200
    assert client.post(home, {}).status_code == 422
    data = (GOLDEN / "medlane/test.txt").read_bytes()
    asked = client.post(home, {"file": SimpleUploadedFile("test.txt", data), "split": "test"})
    looked = GoldImport.objects.get()
    assert asked["Location"] == f"{home}{looked.pk}/"
    task(looked.job_id)
    page = client.get(asked["Location"]).content.decode()
    assert "Nothing is imported yet." in page
    assert "MedLane corpus" in page
    assert not Sentence.objects.exists()
    client.post(f"{home}{looked.pk}/bring/")
    looked.refresh_from_db()
    task(looked.job_id)
    assert "The import is finished." in client.get(asked["Location"]).content.decode()
    assert Sentence.objects.count() == 3
    assert Reference.objects.count() == 12
    assert not GoldImportPiece.objects.exists()
    assert client.post(f"{home}{looked.pk}/bring/").status_code == 422
    assert "test.txt" in client.get(f"/studies/{study.slug}/gold/").content.decode()


def test_a_file_that_cannot_be_read_says_so_on_its_page(study):
    client = as_person(make.person(Role.RESEARCHER, study))
    given = {"file": SimpleUploadedFile("odd.txt", b"a,b\n1,2\n"), "split": "test"}
    asked = client.post(f"/studies/{study.slug}/gold/import/", given)
    task(GoldImport.objects.get().job_id)
    assert "odd.txt: it is not in a format of gold" in client.get(asked["Location"]).content.decode()


def test_the_endpoint_brings_in_at_once_where_it_is_asked_to(study):
    client = as_person(make.person(Role.RESEARCHER, study))
    api = f"/api/studies/{study.slug}/gold/imports/"
    data = SimpleUploadedFile("plaba.json", (GOLDEN / "plaba/data.json").read_bytes())
    made = client.post(api, {"file": data, "writes": "true"})
    assert made.status_code == 202
    again = client.post(api, {"file": SimpleUploadedFile("plaba.json", b"{}")})
    assert again.json() == {"detail": "file: A gold import for this study is running already."}
    task(made.json()["job"])
    told = client.get(f"{api}{made.json()['id']}/").json()
    assert (told["state"], told["brought"]["documents"], told["found"]) == ("done", 3, None)
    assert client.get(api).json()[0]["id"] == told["id"]


def test_a_job_run_twice_brings_nothing_in_twice(study):
    client = as_person(make.person(Role.RESEARCHER, study))
    data = SimpleUploadedFile("test.txt", (GOLDEN / "medlane/test.txt").read_bytes())
    made = client.post(f"/api/studies/{study.slug}/gold/imports/", {"file": data, "writes": "true"}).json()
    task(made["job"])
    task(made["job"])
    assert Sentence.objects.count() == 3


def test_the_command_takes_folders_and_files(study, capsys):
    call_command("import_gold", study.slug, str(GOLDEN / "medlane"))
    said = capsys.readouterr().out
    assert "5 rows of gold are in." in said
    assert "expert-layman: 3 sources to test, 2 sources to train." in said
    with pytest.raises(CommandError, match="there is no such file"):
        call_command("import_gold", study.slug, str(GOLDEN / "nowhere"))
