"""Files in the published forms of the corpora, read and written again; README.md says how each was obtained."""

import zipfile
from pathlib import Path

import pytest

from corpora.formats import FORMATS, TextFile
from corpora.formats.gyafc import read as read_gyafc
from corpora.formats.gyafc import read_zip
from corpora.formats.gyafc import write as write_gyafc

HERE = Path(__file__).parent


def rows_of(form, path, split):
    return list(FORMATS[form].read(TextFile(path, path.name), ("expert", "layman"), split))


@pytest.mark.parametrize(
    ("form", "path", "split", "kinds"),
    [
        ("msd", "msd/test.txt", "test", ["pair", "pair"]),
        ("msd", "msd/train.txt", "train", ["sentence"] * 3),
        ("medlane", "medlane/test.txt", "", ["two_step"] * 3),
        ("medlane", "medlane/train.txt", "", ["two_step"] * 2),
        ("plaba", "plaba/data.json", "test", ["adaptation"] * 4),
        ("plaba", "plaba/line.json", "test", ["adaptation"] * 4),
    ],
)
def test_a_file_is_written_as_it_was_read(form, path, split, kinds):
    rows = rows_of(form, HERE / path, split)
    assert [row.kind for row in rows] == kinds
    assert b"".join(FORMATS[form].write(rows)) == (HERE / path).read_bytes()
    for name in ("gold", "gold_csv", "parquet"):  # through the forms that hold every kind, nothing is lost
        between = FORMATS[name]
        again = list(between.read(TextFile(b"".join(between.write(rows)), name), ("", ""), ""))
        assert again == rows
        assert b"".join(FORMATS[form].write(again)) == (HERE / path).read_bytes()


def test_medlane_is_understood():
    first, second, third = rows_of("medlane", HERE / "medlane/test.txt", "")
    assert first.split == "test"
    assert first.product["rephrased"][:3] == [
        {"text": "pt", "full": "patient"}, {"text": " ", "full": ""}, {"text": "c/o", "full": "complains of"},
    ]  # fmt: skip
    assert not first.product["final"]
    assert first.product["simplified_addressed"].startswith("you say that breathing")
    assert second.product["final"]
    assert {"text": "", "full": "chest x-ray"} in second.product["rephrased"]
    assert third.extra == {"marks": ["1 ", "1 ", "3 ", ""]}
    assert [row.split for row in rows_of("medlane", HERE / "medlane/train.txt", "")] == ["train", "train"]


def test_msd_is_understood():
    first, second = rows_of("msd", HERE / "msd/test.txt", "test")
    assert first.product["target"][0].startswith("Being short of breath")
    assert first.extra["concepts"]["target"] == [{"range": [1, 3], "term": "short of breath", "cui": ["C0013404"]}]
    assert (second.source_style, second.target_style) == ("expert", "layman")


def test_plaba_is_understood():
    one, two, three, none = rows_of("plaba", HERE / "plaba/data.json", "test")
    assert one.product["question"] == {"code": "1", "text": "What helps against Ménière disease?", "type": "C"}
    assert [sentence["operation"] for sentence in one.product["sentences"]] == ["dropped", "rewritten", "dropped"]
    assert [sentence["operation"] for sentence in two.product["sentences"]] == ["kept", "rewritten", "rewritten"]
    assert one.source_id == two.source_id != three.source_id
    assert none.extra["none"]


def test_the_gyafc_folders_are_written_as_they_were_read(tmp_path):
    rows = list(read_gyafc(TextFile(HERE / "gyafc", "gyafc"), split=""))
    archive = tmp_path / "gyafc.zip"
    archive.write_bytes(b"".join(write_gyafc(rows)))
    unpacked = tmp_path / "unpacked"
    with zipfile.ZipFile(archive) as packed:
        packed.extractall(unpacked)
    ours = {path.relative_to(unpacked): path.read_bytes() for path in unpacked.rglob("*") if path.is_file()}
    theirs = {path.relative_to(HERE / "gyafc"): path for path in (HERE / "gyafc").rglob("*") if path.is_file()}
    assert ours == {name: path.read_bytes() for name, path in theirs.items()}
    with archive.open("rb") as file:
        assert b"".join(write_gyafc(read_gyafc(TextFile(archive, "gyafc.zip")))) == archive.read_bytes()
        assert len(list(read_zip(file, "gyafc.zip"))) == 8
