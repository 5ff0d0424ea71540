"""Files that are almost right: whatever bytes are changed, each ends in rows or in one sentence, within its limits."""

import gzip
from collections.abc import Callable
from io import BytesIO
from zipfile import ZipFile

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from support import confined_work
from support.workbooks import workbook, zipped

from corpora.formats import FORMATS, TextFile
from corpora.table_parser import understand
from foundation.confined import confined, process
from foundation.confined.messages import Limits
from foundation.errors import UserError
from study_file.parser.toml_file import read_toml

ROWS = [("source", "text"), ("u ok?", "Are you all right?"), ("gotta go", "I have to go."), ("ü", "4")]
CSV = "".join(f'"{source}",{text}\n' for source, text in ROWS).encode()
JSON = b'[{"source": "u ok?", "text": {"a": [1, 2.5, null, true]}}, {"source": "\\u00e9", "text": {"a": []}}]'
TOML = (
    b'[study]\nslug = "tone"\nstyles = ["informal", "formal"]\nwhen = 2024-05-01\n[[directions]]\nsources = "a.txt"\n'
)
XML = (
    b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>1</PMID><Article><ArticleTitle>A</ArticleTitle><Abstract>"
    b"<AbstractText Label='AIM'>To see.</AbstractText></Abstract></Article></MedlineCitation></PubmedArticle>"
    b"</PubmedArticleSet>"
)
MEMORY = 512 << 20
SPLICED = (
    b"\xff" * 4,
    b"\x7f\xff\xff\xff",
    b"\0" * 8,
    b"9" * 40,
    b"[" * 300,
    b'"',
    b"<a>" * 300,
    b"&x;",
    b"\r",
    b"PK\1\2",
)


def _parquet() -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    sink = BytesIO()
    columns = {"source": [a for a, _ in ROWS], "text": pa.array([[b] for _, b in ROWS]), "n": pa.array([1, None, 3, 4])}
    parquet.write_table(pa.table(columns), sink)
    return sink.getvalue()


def _rows(name: str) -> Callable[[bytes], object]:
    def read(data: bytes) -> object:
        with understand(TextFile(data, name)) as table:
            return list(table.records())

    return read


def _documents(data: bytes) -> object:
    return list(FORMATS["pubmed_xml"].documents(TextFile(data, "x.xml")))  # type: ignore[attr-defined]


def _gold(form: str) -> Callable[[bytes], object]:
    return lambda data: list(FORMATS[form].read(TextFile(data, "x"), ("informal", "formal"), "test"))  # type: ignore[attr-defined]


KINDS: dict[str, tuple[bytes, Callable[[bytes], object]]] = {
    "csv": (CSV, _rows("x.csv")),
    "tsv": (CSV.replace(b",", b"\t"), _rows("x.tsv")),
    "json": (JSON, _rows("x.json")),
    "jsonl": (JSON[1:-1].replace(b"}, {", b"}\n{"), _rows("x.jsonl")),
    "xlsx": (workbook({"a": ROWS, "b": [["n"], [1.5]]}), _rows("x.xlsx")),
    "parquet": (_parquet(), _rows("x.parquet")),
    "zip": (zipped({"a.csv": CSV, "b/c.csv": CSV}), _rows("x.zip")),
    "gz": (gzip.compress(CSV), _rows("x.csv.gz")),
    "toml": (TOML, lambda data: confined(read_toml, TextFile(data, "x.toml"))),
    "xml": (XML, _documents),
    "gyafc": (zipped({"train/informal": "u ok?\n", "train/formal": "Are you all right?\n"}), _gold("gyafc")),
    "gold of Parquet": (_parquet(), _gold("parquet")),
}
CHANGES = st.lists(
    st.tuples(st.sampled_from(["flip", "cut", "twice", "splice", "end"]), st.integers(0, 10**6), st.integers(1, 200)),
    min_size=1,
    max_size=6,
)


def changed(data: bytes, changes: list[tuple[str, int, int]]) -> bytes:
    """The bytes with each of the changes made at its place."""
    made = bytearray(data)
    for kind, at, size in changes:
        place = at % max(len(made), 1)
        if kind == "flip" and made:
            made[place] ^= size
        elif kind == "cut":
            del made[place : place + size]
        elif kind == "twice":
            made[place:place] = made[place : place + size] * (1 + size % 7)
        elif kind == "splice":
            made[place : place + size % 9] = SPLICED[size % len(SPLICED)]
        elif kind == "end":
            del made[max(len(made) - size, 1) :]
    return bytes(made)


def changed_within(data: bytes, changes: list[tuple[str, int, int]]) -> bytes:
    """An archive that is right, of files that are not."""
    with ZipFile(BytesIO(data)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    largest = max(files, key=lambda name: len(files[name]))
    return zipped({**files, largest: changed(files[largest], changes)})


@pytest.mark.parametrize("kind", KINDS)
@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(changes=CHANGES, within=st.booleans())
def test_it_ends_in_rows_or_in_one_sentence(
    kind: str, changes: list[tuple[str, int, int]], within: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(process, "LIMITS", Limits(seconds=3))
    data, read = KINDS[kind]
    try:
        read((changed_within if within and data.startswith(b"PK") else changed)(data, changes))
    except UserError as error:
        said = str(error)
        assert said.endswith(".")
        assert len(said) < 1500
    assert all(confined_work.peak(one.process.pid) <= MEMORY for one in process._idle._kept)


@pytest.mark.parametrize(
    ("kind", "old", "new", "said"),
    [
        ("zip", b"PK\1\2\x14\3\x14\0", b"PK\1\2\x14\3\x63\0", "x.zip: the archive is broken."),
        ("gyafc", b"PK\1\2\x14\3\x14\0", b"PK\1\2\x14\3\x63\0", "x: this is not a ZIP archive that can be read."),
        ("gyafc", b"train/informal", b"train/in\xff\xffrmal", "x: this is not a ZIP archive that can be read."),
        ("parquet", b"gotta go", b"gotta\xff\xffo", "x.parquet: this is a broken Parquet file"),
        ("gold of Parquet", b"source", b"sour\xff\xff", "x: this is not Parquet that can be read."),
        ("gz", b"\x1f\x8b\x08", b"\x1f\x8b\x07", "x.csv.gz: the gzip archive is broken."),
    ],
)
def test_what_a_library_says_of_a_broken_file_is_a_sentence(kind: str, old: bytes, new: bytes, said: str) -> None:
    """Found by the drawn ones: each had ended as a fault of the program."""
    data, read = KINDS[kind]
    if old.startswith(b"train"):  # its list says that names are in UTF-8
        data = data.replace(b"PK\1\2\x14\3\x14\0\0\0", b"PK\1\2\x14\3\x14\0\0\x08")
    assert old in data
    with pytest.raises(UserError) as caught:
        read(data.replace(old, new))
    assert str(caught.value).startswith(said)
