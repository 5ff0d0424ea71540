"""The frozen data of a training: files of lines, one digest, and nothing in memory that need not be."""

from dataclasses import replace
from pathlib import Path

import pytest

from foundation.errors import UserError
from modelserving.training.dataset import DevSet, Lines, Pairs, TrainingData, read_dataset, write_lines

DATA = TrainingData(
    "informal",
    "formal",
    train=Pairs(["wat", "r u\nok"], ["What?", "Are you well? 👍"]),
    dev=DevSet(["hi", "yo"], [["Hello.", ""], ["Good day.", "Hello."]]),
    texts={"informal": ["wat", "lol"], "formal": ["What?"]},
    dev_texts={"informal": ["hi"]},
    dictionary={"pt": ("patient", "physical therapy")},
)


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    data = DATA.write(tmp_path)
    assert list(data.train.sources) == ["wat", "r u ok"]
    assert data.train.targets[1] == "Are you well? 👍"
    assert data.train.targets[-1:] == ["Are you well? 👍"]
    assert data.dev.of_each == [["Hello.", "Good day."], ["Hello."]]
    assert {style: list(lines) for style, lines in data.texts.items()} == DATA.texts
    assert list(data.dev_texts["formal"]) == []
    assert data.dictionary == DATA.dictionary
    assert data.direction == ("informal", "formal")
    assert (data.language, replace(DATA, language="zh").write(tmp_path / "zh").language) == ("", "zh")


def test_the_digest_is_of_all_that_it_holds(tmp_path: Path) -> None:
    first = DATA.write(tmp_path / "a").digest
    assert DATA.write(tmp_path / "b").digest == first
    write_lines(tmp_path / "b" / "tune.source", ["hi", "yo!"])
    assert read_dataset(tmp_path / "b").digest != first


@pytest.mark.parametrize(
    ("name", "lines"), [("train.target", ["one"]), ("tune.reference.0", ["one"]), ("data.json", ["{}"])]
)
def test_files_that_do_not_belong_together_are_refused(tmp_path: Path, name: str, lines: list[str]) -> None:
    DATA.write(tmp_path)
    write_lines(tmp_path / name, lines)
    with pytest.raises(UserError):
        read_dataset(tmp_path)


def test_marked_rewrites_stand_beside_the_plain_ones(tmp_path: Path) -> None:
    plain = DATA.write(tmp_path / "plain")
    assert (plain.train.marked, plain.dev.marked) == (plain.train.targets, plain.dev.references)
    marked = replace(
        DATA,
        train=replace(DATA.train, marked=["What[?]", "Are [you] well? 👍"]),
        dev=replace(DATA.dev, marked=[["[Hello].", ""], ["Good day.", "Hello."]]),
    ).write(tmp_path / "marked")
    assert list(marked.train.marked) == ["What[?]", "Are [you] well? 👍"]
    assert list(marked.train.targets) == list(plain.train.targets)
    assert [list(lines) for lines in marked.dev.marked] == [["[Hello].", ""], ["Good day.", "Hello."]]
    assert marked.digest != plain.digest
    write_lines(tmp_path / "marked" / "train.marked", ["one"])
    with pytest.raises(UserError, match=r"train\.marked"):
        read_dataset(tmp_path / "marked")


def test_lines_of_an_empty_file_and_beyond_the_last(tmp_path: Path) -> None:
    write_lines(tmp_path / "none", [])
    assert list(Lines(tmp_path / "none")) == []
    write_lines(tmp_path / "two", ["", "b"])
    lines = Lines(tmp_path / "two")
    assert list(lines) == [lines[0], lines[-1]] == ["", "b"]
    with pytest.raises(IndexError):
        lines[2]


def test_copies_of_targets_stand_behind_the_pairs_and_are_read_where_they_are(tmp_path: Path) -> None:
    for name, lines in (("s", ["a", "b"]), ("t", ["A", "B"])):
        write_lines(tmp_path / name, lines)
    pairs = Pairs(Lines(tmp_path / "s"), Lines(tmp_path / "t"))
    assert pairs.with_copies(0) is pairs
    twice = pairs.with_copies(2)
    assert len(twice) == 6
    assert list(zip(twice.sources, twice.targets, strict=True)) == [
        ("a", "A"),
        ("b", "B"),
        *[("A", "A"), ("B", "B")] * 2,
    ]
    assert [twice.sources[at] for at in (0, 2, -1)] == ["a", "A", "B"]
    assert twice.sources[1:3] == ["b", "A"]
    with pytest.raises(IndexError):
        twice.sources[6]
