"""Corpora as they are published: files for train, tune and test in one study file, with their references."""

from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from corpora.models import Output, Reference, Sentence, Study

pytestmark = pytest.mark.django_db

STUDY = """
[study]
slug = "posts"
title = "Posts"
styles = ["informal", "formal"]

[[directions]]
source_style = "informal"
target_style = "formal"
train = "train.informal"
tune = "tune.informal"
test = "test.informal"

[[references]]
direction = "informal-formal"
train = "train.formal"
tune = "tune.formal.ref0"
test = "test.formal.ref0"

[[references]]
direction = "informal-formal"
tune = "tune.formal.ref1"
test = "test.formal.ref1"

[[systems]]
name = "Net"
outputs = [{ direction = "informal-formal", test = "net.test" }]
"""
LINES = {"train": ["wat", "gonna go", "lol"], "tune": ["hi", "yo"], "test": ["sup", "r u ok"]}


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    for split, lines in LINES.items():
        write(tmp_path / f"{split}.informal", lines)
        for name in ("formal",) if split == "train" else ("formal.ref0", "formal.ref1"):
            write(tmp_path / f"{split}.{name}", [f"{name}: {line}" for line in lines])
    write(tmp_path / "net.test", ["Sup.", "R U OK?"])
    (tmp_path / "study.toml").write_text(STUDY)
    return tmp_path


def write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


def apply(folder: Path, *changes: tuple[str, str]) -> None:
    text = STUDY
    for before, after in changes:
        assert before in text
        text = text.replace(before, after, 1)
    (folder / "study.toml").write_text(text)
    call_command("apply_study", str(folder / "study.toml"))


def refused(folder: Path, *changes: tuple[str, str]) -> str:
    with pytest.raises(CommandError) as error:
        apply(folder, *changes)
    assert not Study.objects.exists()
    return str(error.value)


def test_each_file_is_its_split_with_its_references(folder):
    apply(folder)
    rows = Sentence.objects.order_by("number").values_list("text", "split")
    assert list(rows) == [(line, split) for split, lines in LINES.items() for line in lines]
    found = Reference.objects.order_by("set__number", "sentence__number").values_list("set__origin", "text")
    first, second = "train.formal, tune.formal.ref0, test.formal.ref0", "tune.formal.ref1, test.formal.ref1"
    assert list(found) == [
        *(
            (first, f"{'formal' if split == 'train' else 'formal.ref0'}: {line}")
            for split in LINES
            for line in LINES[split]
        ),
        *((second, f"formal.ref1: {line}") for split in ("tune", "test") for line in LINES[split]),
    ]
    assert list(Output.objects.order_by("sentence__number").values_list("sentence__text", "text")) == [
        ("sup", "Sup."), ("r u ok", "R U OK?"),
    ]  # fmt: skip


def test_applied_again_it_changes_nothing_and_a_changed_file_is_said(folder):
    apply(folder)
    apply(folder)
    assert (Sentence.objects.count(), Reference.objects.count(), Output.objects.count()) == (7, 11, 2)
    write(folder / "tune.formal.ref1", ["Other.", "Lines."])
    with pytest.raises(CommandError, match=r"references 2: the content of tune\.formal\.ref1 has changed"):
        apply(folder)


def test_a_text_in_two_splits_is_refused_or_left_out(folder):
    write(folder / "train.informal", ["wat", "SUP!", "yo"])
    said = refused(folder)
    assert "train.informal: 2 texts stand in the test split too, first on line 2" in said
    assert 'set in_two_splits = "leave_out" at the direction' in said
    apply(folder, ('test = "test.informal"', 'test = "test.informal"\nin_two_splits = "leave_out"'))
    rows = Sentence.objects.order_by("number").values_list("text", "split")
    assert list(rows) == [("wat", "train"), *((line, split) for split in ("tune", "test") for line in LINES[split])]
    first = Reference.objects.filter(set__number=0).order_by("sentence__number")
    assert list(first.values_list("text", flat=True)) == [
        "formal: wat", "formal.ref0: hi", "formal.ref0: yo", "formal.ref0: sup", "formal.ref0: r u ok",
    ]  # fmt: skip


def test_what_is_left_out_takes_its_own_reference_with_it(folder):
    """The last of train is the first of test: the reference of the one is not that of the other."""
    write(folder / "train.informal", ["wat", "gonna go", "sup"])
    apply(folder, ('test = "test.informal"', 'test = "test.informal"\nin_two_splits = "leave_out"'))
    assert Reference.objects.get(sentence__text="sup", set__number=0).text == "formal.ref0: sup"


@pytest.mark.parametrize(
    ("name", "lines", "said"),
    [
        (
            "tune.formal.ref1",
            ["One."],
            "tune.formal.ref1: the file has 1 lines for 2 sources; sources without a line: 2",
        ),
        ("train.formal", ["a"] * 4, "train.formal: the file has 4 lines for 3 sources; lines without a source: 4"),
        ("net.test", ["a", "", "c"], "net.test: the file has 3 lines for 2 sources"),
        ("tune.informal", [], "tune.informal: the file is empty"),
        ("test.formal.ref0", ["a", ""], "test.formal.ref0: the text is empty on line 2"),
    ],
)
def test_files_that_do_not_fit_are_named(folder, name, lines, said):
    write(folder / name, lines)
    assert said in refused(folder)


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ([('train = "train.informal"', 'sources = "train.informal"')], "'sources' and files by split (tune, test)"),
        ([('test = "test.informal"', 'split = "test"')], "'split' and files by split (train, tune) do not"),
        ([('train = "train.formal"', 'file = "train.formal"')], "'file' and files by split"),
        ([('train = "train.informal"\n', "")], "'informal-formal' has files for tune, test: train has no sources"),
        (
            [('[[systems]]', '[splits]\nrule = "random"\ntrain = 80\ntest = 20\n\n[[systems]]')],
            "the files say what each split is, and [splits] would share all texts out anew",
        ),
        (
            [('train = "train.informal"\ntune = "tune.informal"\ntest = "test.informal"', 'sources = "test.informal"')],
            "'informal-formal' has no files by split: train has no sources",
        ),
    ],
)  # fmt: skip
def test_what_does_not_stand_together_is_one_sentence(folder, changes, said):
    assert said in refused(folder, *changes)
