"""Gold rewrites out and in again: the GYAFC layout, and CSV for spreadsheets."""

import csv
import io
import itertools
import zipfile

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.formats import FORMATS, GoldRow
from corpora.formats.csv_cells import write as write_csv
from corpora.formats.gyafc import Item, read_folder, read_zip, write, write_items
from corpora.tabular_files import escape_cell, restore_cell
from foundation.errors import UserError
from foundation.seeds import generator

TEXT = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
LINE = TEXT.map(lambda text: text.translate({10: " ", 13: " "})).filter(
    lambda text: text.strip() and not text.startswith("\ufeff")
)


def rewrite(number, text="Good day.", source="", source_style="informal", target_style="formal", **changes):
    product = {"kind": "rewrite", "source": source or f"hi {number}", "text": text}
    return GoldRow("rewrite", str(number), source_style, target_style, product, **changes)


def names_in(archive: bytes) -> list[str]:
    return zipfile.ZipFile(io.BytesIO(archive)).namelist()


TRAIN = st.builds(
    Item,
    st.sampled_from(["", "A", "B_2"]),
    st.just("train"),
    st.just("informal"),
    st.just("formal"),
    LINE,
    st.tuples(LINE),
)
DIRECTION = st.sampled_from([("informal", "formal"), ("formal", "informal")])
OTHERS = st.tuples(
    st.sampled_from(["", "A", "B_2"]),
    st.sampled_from(["tune", "test"]),
    DIRECTION,
    LINE,
    st.lists(LINE, min_size=1, max_size=4),
).map(lambda t: Item(t[0], t[1], *t[2], t[3], tuple(t[4])))


def by_place(items):
    """The items by domain, split and direction, each list in its order: what the layout keeps."""
    placed = {}
    for item in items:
        placed.setdefault((item.domain, item.split, item.source_style), []).append(item)
    return placed


@given(st.lists(TRAIN | OTHERS, min_size=1, max_size=12))
def test_gyafc_comes_back(items):
    archive = b"".join(write_items(items))
    assert by_place(read_zip(io.BytesIO(archive), "gold.zip")) == by_place(items)


def test_gyafc_file_names_and_lines(tmp_path):
    rewrites = [
        *(rewrite(1, f"Hello {k}.", domain="Entertainment & Music") for k in range(4)),
        *(rewrite(2, f"Line\r\nbreak {k}", domain="Entertainment & Music") for k in range(2)),
        rewrite(3, "hey", source_style="formal", target_style="informal", domain="Entertainment & Music"),
        rewrite(4, "Good.", split="train", domain="Family"),
        rewrite(5, "yo", split="train", domain="Family", source_style="formal", target_style="informal"),
    ]
    archive = b"".join(write(rewrites))
    assert names_in(archive) == [
        "Entertainment_Music/test/formal",
        *(f"Entertainment_Music/test/formal.ref{k}" for k in range(4)),
        "Entertainment_Music/test/informal",
        "Entertainment_Music/test/informal.ref0",
        "Family/train/formal",
        "Family/train/informal",
    ]
    zipfile.ZipFile(io.BytesIO(archive)).extractall(tmp_path)
    test = tmp_path / "Entertainment_Music/test"
    assert (test / "informal").read_bytes() == b"hi 1\nhi 2\n"
    assert (test / "formal.ref1").read_bytes() == b"Hello 1.\nLine break 1\n"
    assert (test / "formal.ref3").read_bytes() == b"Hello 3.\n\n"
    assert (tmp_path / "Family/train/informal").read_bytes() == b"hi 4\nyo\n"
    assert (tmp_path / "Family/train/formal").read_bytes() == b"Good.\nhi 5\n"
    assert len(list(read_folder(tmp_path))) == 5


def test_equal_rewrites_give_equal_archives():
    rewrites = [rewrite(1), rewrite(2)]
    assert b"".join(write(rewrites)) == b"".join(write(rewrites))


def test_an_empty_gold_is_an_empty_archive():
    assert names_in(b"".join(write([]))) == []


def test_a_large_gyafc_archive_comes_in_many_chunks():
    codes = generator(1, "gyafc").integers(33, 0x2000, size=(5_000, 200))
    texts = ["".join(map(chr, row)) for row in codes]
    chunks = list(write(rewrite(n, text) for n, text in enumerate(texts)))
    assert len(chunks) > 10
    assert max(map(len, chunks)) < 512 * 1024
    assert [item.references[0] for item in read_zip(io.BytesIO(b"".join(chunks)), "x")] == texts


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"split": "dev"}, "no 'dev'"),
        ({"target_style": "polite"}, "holds two styles, and these are formal, informal, polite"),
        ({"target_style": "../formal"}, "letters, digits and _ only"),
    ],
)
def test_what_the_gyafc_layout_cannot_hold(changes, words):
    rewrites = [rewrite(2, **changes)] if "../formal" in changes.values() else [rewrite(1), rewrite(2, **changes)]
    with pytest.raises(UserError, match=words):
        list(write(rewrites))


def test_a_domain_cannot_leave_the_archive():
    assert names_in(b"".join(write([rewrite(1, domain="../../etc")]))) == ["etc/test/formal.ref0", "etc/test/informal"]


@pytest.mark.parametrize(
    ("files", "where", "words"),
    [
        ({"test/informal": "a\nb\n", "test/formal.ref0": "A\n"}, "test/formal.ref0", "ends before line 2"),
        ({"train/informal": "a\n", "train/formal": "A\nB\n"}, "train/informal", "ends before line 2"),
        ({"train/informal": "a\n"}, "train/formal", "the file is missing"),
        ({"test/informal": "a\n\n", "test/formal.ref0": "A\nB\n"}, "test/informal, line 2", "the line is empty"),
        ({"test/informal": "a\n"}, "test/informal", "no formal.ref0"),
        ({"informal": "a\n"}, "GYAFC layout", "there is no folder train, tune, test"),
    ],
)
def test_gyafc_faults(tmp_path, files, where, words):
    for name, content in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(content)
    with pytest.raises(UserError, match=words) as caught:
        list(read_folder(tmp_path))
    assert caught.value.where == where


def test_what_is_no_archive():
    with pytest.raises(UserError, match="not a ZIP archive"):
        list(read_zip(io.BytesIO(b"text"), "gold.zip"))


def test_a_file_in_an_archive_may_unpack_to_so_much_only():
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w", zipfile.ZIP_DEFLATED) as out:
        out.writestr("test/informal", "a\n" * 1_000_000)
        out.writestr("test/formal.ref0", "a\n" * 1_000_000)
    with pytest.raises(UserError, match=r"test/.*: the file has 1.9 MB"):
        list(read_zip(archive, "gold.zip", limit=100_000))


@pytest.mark.parametrize(
    "cell",
    [
        "=1+1",
        "+cmd|' /C calc'!A0",
        "-2+3",
        "@SUM(A1)",
        "\t=1",
        "\r=1",
        "\ntext",
        "  =1",
        " =1",
        "\ufeff=1",
        "＝1",
        "-",
        "=",
        "-1-1",
        "+1 800",
        "--1",
    ],
)
def test_cells_that_a_spreadsheet_would_run_are_defused(cell):
    assert escape_cell(cell) == "'" + cell


@pytest.mark.parametrize(
    "cell", ["", "text", "-3", "+3", "-0.5", "-1e-9", "+12%", "-1,000", "a=b", "3 - 2", "'quoted'", "’"]
)
def test_other_cells_stay(cell):
    assert escape_cell(cell) == cell


@given(st.text() | st.from_regex(r"[' \t]{0,3}[=+@'-]{1,3}.?", fullmatch=True))
def test_defused_cells_come_back(cell):
    assert restore_cell(escape_cell(cell)) == cell


@given(st.lists(st.tuples(st.integers(), TEXT, st.none()), max_size=5))
def test_csv_for_spreadsheets_comes_back(rows):
    text = b"".join(write_csv(rows)).decode("utf-8-sig")
    found = [tuple(restore_cell(cell) for cell in row) for row in csv.reader(io.StringIO(text, newline=""))]
    assert found == [(str(number), cell, "") for number, cell, _ in rows]


def test_csv_for_spreadsheets_is_written_in_chunks():
    chunk = next(write_csv((number, "=1") for number in itertools.count()))
    assert chunk.count(b"\r\n") == 500
    assert chunk.startswith(b"\xef\xbb\xbf0,'=1\r\n1,'=1\r\n")


def test_every_format_loads_and_says_what_it_is():
    for name, form in FORMATS.items():
        assert form.title, name
        assert form.about.endswith("."), name
