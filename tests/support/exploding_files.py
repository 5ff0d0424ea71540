"""Files of some kilobytes, or a megabyte, that are far more once they are read; made on the spot, by their formats."""

import gzip
import struct
from collections.abc import Callable
from io import BytesIO
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile, ZipInfo

from support.workbooks import MAIN, workbook, zipped

MEGABYTE = 1 << 20
ZEROS = b"0" * (10 * MEGABYTE)
Made = tuple[str, Callable[[], bytes]]
FAR = "XFD1048576"


def _sheet(rows: str, before: str = "", doctype: str = "") -> str:
    return f'<?xml version="1.0"?>{doctype}<worksheet xmlns="{MAIN}">{before}<sheetData>{rows}</sheetData></worksheet>'


def _cell(text: str, place: str = "") -> str:
    return f'<c{place and f" r={place!r}"} t="inlineStr"><is><t>{text}</t></is></c>'


def _rows_without_places() -> bytes:
    """Each row is one further, and each cell as far to the right as its row is long."""
    return workbook({"a": _sheet(f"<row>{_cell('a') * 16000}</row>" + "<row/>" * 70_000 + f"<row>{_cell('a')}</row>")})


def _elsewhere() -> bytes:
    """A sheet that stands where nobody looks for one, with one cell at each end."""
    made = workbook({"a": [["text"]]})
    with ZipFile(BytesIO(made)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    files["xl/_rels/workbook.xml.rels"] = files["xl/_rels/workbook.xml.rels"].replace(b"worksheets/sheet1", b"here/it")
    far = f'<row r="1">{_cell("a", "A1")}</row><row r="1048576">{_cell("b", FAR)}</row>'
    files["xl/here/it.xml"] = _sheet(far).encode()
    del files["xl/worksheets/sheet1.xml"]
    return zipped(files)


def _one_sheet_often() -> bytes:
    """A thousand sheets that are one."""
    made = workbook({f"s{n}": [["text"], ["a"]] if n else [["text"], *[["a b"] * 20] * 2000] for n in range(300)})
    with ZipFile(BytesIO(made)) as archive:
        files = {
            name: archive.read(name) for name in archive.namelist() if "worksheets" not in name or "sheet1." in name
        }
    links = files["xl/_rels/workbook.xml.rels"].decode()
    for number in range(2, 301):
        links = links.replace(f"worksheets/sheet{number}.xml", "worksheets/sheet1.xml")
    return zipped({**files, "xl/_rels/workbook.xml.rels": links})


def _shared_string() -> bytes:
    made = workbook(
        {"a": _sheet("".join(f'<row r="{n}"><c r="A{n}" t="s"><v>0</v></c></row>' for n in range(1, 9000)))}
    )
    with ZipFile(BytesIO(made)) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    text = "a" * 900_000
    files["xl/sharedStrings.xml"] = f'<sst xmlns="{MAIN}"><si><t>{text}</t></si></sst>'.encode()
    links = files["xl/_rels/workbook.xml.rels"].decode()
    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
    shared = f'<Relationship Id="rId99" Type="{kind}" Target="sharedStrings.xml"/></Relationships>'
    files["xl/_rels/workbook.xml.rels"] = links.replace("</Relationships>", shared).encode()
    return zipped(files)


def _space() -> bytes:
    made = BytesIO(workbook({"a": [["text"]]}))
    with ZipFile(made, "a", ZIP_DEFLATED, compresslevel=1) as archive, archive.open("xl/space.xml", "w") as file:
        for _ in range(60):
            file.write(b" " * (10 * MEGABYTE))
    return made.getvalue()


def _laughs(root: str) -> str:
    entities = "".join(f'<!ENTITY l{n} "{f"&l{n - 1};" * 10}">' for n in range(1, 12))
    return f'<!DOCTYPE {root} [<!ENTITY l0 "{"ha" * 1000}">{entities}]>'


def _dictionary(length: int, rows: int) -> bytes:
    """One long text, said once and meant in each row."""
    import pyarrow as pa
    from pyarrow import parquet

    column = pa.DictionaryArray.from_arrays(pa.array([0] * rows, pa.int32()), pa.array(["a" * length]))
    sink = BytesIO()
    parquet.write_table(pa.table({"source": column, "text": column}), sink, compression="zstd")
    return sink.getvalue()


def _repeated_numbers() -> bytes:
    """Sixteen million rows with nothing in them."""
    import pyarrow as pa
    from pyarrow import parquet

    sink = BytesIO()
    table = pa.table({"text": pa.DictionaryArray.from_arrays(pa.nulls(1 << 24, pa.int8()), pa.array(["a"]))})
    parquet.write_table(table, sink, compression="zstd", row_group_size=1 << 24)
    return sink.getvalue()


def _long_footer() -> bytes:
    return b"PAR1" + b"\x15\x04" * 100 + struct.pack("<I", 0x7FFFFFFF) + b"PAR1"


def _deep_lists() -> bytes:
    import pyarrow as pa
    from pyarrow import parquet

    kind, value = pa.string(), "a"
    for _ in range(60):
        kind, value = pa.list_(kind), [value]
    sink = BytesIO()
    parquet.write_table(pa.table({"text": pa.array([value], kind)}), sink)
    return sink.getvalue()


def named_often(name: str = "a.csv", times: int = 999, content: bytes = ZEROS) -> bytes:
    """An archive whose list names one file many times."""
    made = zipped({name: content})
    start = made.rindex(b"PK\x01\x02")
    end = made.rindex(b"PK\x05\x06")
    entries = made[start:end] * times
    return made[:start] + entries + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, times, times, len(entries), start, 0)


def _lying_in_one_another() -> bytes:
    """Names that differ, and all mean the same bytes."""
    made = bytearray(zipped({"a000.csv": ZEROS}))
    start, end = made.rindex(b"PK\x01\x02"), made.rindex(b"PK\x05\x06")
    entries = b"".join(bytes(made[start:end]).replace(b"a000", b"a%03d" % number) for number in range(900))
    return bytes(made[:start]) + entries + struct.pack("<4s4H2LH", b"PK\5\6", 0, 0, 900, 900, len(entries), start, 0)


def _small_by_its_word() -> bytes:
    """An archive that says of a large file that it is small."""
    made = zipped({"a.csv": ZEROS * 20})
    start = made.rindex(b"PK\x01\x02")
    return made[: start + 24] + struct.pack("<L", 10) + made[start + 28 :]


def _many_large() -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_DEFLATED, compresslevel=1) as archive:
        for number in range(60):
            archive.writestr(f"{number}.csv", b"source,text\n" + ZEROS[:9_000_000])
    return packed.getvalue()


def _many_empty() -> bytes:
    packed = BytesIO()
    with ZipFile(packed, "w", ZIP_STORED) as archive:
        for number in range(20_000):
            archive.writestr(ZipInfo(f"{number}.csv"), b"")
    return packed.getvalue()


def _gzip(times: int) -> bytes:
    """Gzip may have parts, one after the other."""
    return gzip.compress(b"source,text\na,b\n") + gzip.compress(ZEROS) * times


def _nested(depth: int, inner: bytes = b"source,text\na,b\n") -> bytes:
    for _ in range(depth):
        inner = zipped({"x.zip": inner})
    return inner


def _json_keys() -> str:
    return "[" + ",".join(f'{{"k{number}": 1}}' for number in range(100_000)) + "]"


TABLES: dict[str, list[Made]] = {
    "xlsx": [
        ("rows without places", _rows_without_places),
        ("a sheet elsewhere, with cells at both ends", _elsewhere),
        ("one sheet under 300 names", _one_sheet_often),
        ("one long text in 9,000 cells", _shared_string),
        (
            "entities of entities",
            lambda: workbook({"a": _sheet(f'<row r="1">{_cell("&l11;", "A1")}</row>' * 2, "", _laughs("worksheet"))}),
        ),
        (
            "cells at both ends",
            lambda: workbook(
                {"a": _sheet(f'<row r="1">{_cell("a", "A1")}</row><row r="1048576">{_cell("b", FAR)}</row>')}
            ),
        ),
        ("600 MB of space", _space),
        (
            "rows of a prefix",
            lambda: workbook(
                {
                    "a": f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData>'
                    + "<x:row/>" * 1_048_575
                    + '<x:row><x:c r="XFD1048576"><x:v>1</x:v></x:c><x:c r="A1"><x:v>1</x:v></x:c></x:row>'
                    + "</x:sheetData></x:worksheet>"
                }
            ),
        ),
    ],
    "parquet": [
        ("a dictionary of one long text", lambda: _dictionary(4 * MEGABYTE, 256)),
        ("a dictionary of a text just short enough", lambda: _dictionary(900_000, 2000)),
        ("a hundred rows of one text, for whoever asks", lambda: _dictionary(900_000, 100)),
        ("sixteen million rows of nothing", _repeated_numbers),
        ("a footer that is longer than the file", _long_footer),
        ("lists of lists", _deep_lists),
    ],
    "zip": [
        ("one file named 999 times", named_often),
        ("900 files that are one", _lying_in_one_another),
        ("a size that is not so", _small_by_its_word),
        ("540 MB in 60 files", _many_large),
        ("20,000 files", _many_empty),
        ("archives in archives", lambda: _nested(6)),
        ("its own archive", lambda: _nested(1, named_often("x.zip"))),
    ],
    "gz": [
        ("2 GB of zeros", lambda: _gzip(200)),
        ("gzip in gzip", lambda: gzip.compress(_gzip(60))),
        ("a cell of 200 MB", lambda: gzip.compress(b'source,text\n"') + gzip.compress(ZEROS) * 20),
        ("a ZIP in it", lambda: gzip.compress(named_often())),
    ],
    "csv": [
        ("a cell of 40 MB", lambda: b'source,text\n"' + ZEROS * 4),
        ("a million columns", lambda: b"," * MEGABYTE + b"\n" + b"," * MEGABYTE),
        ("a row of 10 MB in short lines", lambda: b'source,text\n"a' + b"0\n" * (5 * MEGABYTE)),
        ("20 MB of quotes", lambda: b'source,text\na,"' + b'""' * (10 * MEGABYTE)),
        ("quotes and delimiters", lambda: b"source,text\n" + b'";",\'"\t' * 200_000),
    ],
    "json": [
        ("a million lists in each other", lambda: b"[" * MEGABYTE),
        ("a million objects in each other", lambda: b'[{"a":' * MEGABYTE),
        ("a number of 5 million digits", lambda: b'[{"source": ' + b"9" * (5 * MEGABYTE) + b"}]"),
        ("100,000 keys", lambda: _json_keys().encode()),
        ("a text of 40 MB", lambda: b'[{"source": "' + ZEROS * 4 + b'"}]'),
    ],
    "jsonl": [
        ("a line of a million lists", lambda: b'{"a": ' + b"[" * 900_000 + b"]" * 90_000 + b"}\n"),
        ("numbers of a million digits", lambda: b'{"a": ' + b"9" * 900_000 + b"}\n"),
        ("another key in each line", lambda: b"".join(b'{"k%d": 1}\n' % number for number in range(100_000))),
        ("a line of 40 MB", lambda: b'{"a": "' + ZEROS * 4 + b'"}\n'),
    ],
    "txt": [
        ("a line of 40 MB", lambda: ZEROS * 4),
        ("a million NULs", lambda: b"\0" * MEGABYTE),
        ("what is no UTF-16", lambda: b"\xff\xfe" + b"\0\xd8" * (5 * MEGABYTE)),
        ("HTML", lambda: b"<html>" * MEGABYTE),
    ],
    "png": [
        (
            "a picture of 60,000 by 60,000",
            lambda: (
                b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + struct.pack(">II", 60_000, 60_000) + b"\x08\x06\0\0\0" + bytes(100)
            ),
        ),
        ("a JPEG", lambda: b"\xff\xd8\xff\xc0\0\x11\x08\xff\xff\xff\xff" + bytes(100)),
        ("a TIFF", lambda: b"II*\0" + b"\xff" * 1000),
        ("a PDF", lambda: b"%PDF-1.7\n" + b"[" * MEGABYTE),
    ],
}

TOML: list[Made] = [
    ("lists in lists", lambda: b"a = " + b"[" * 500_000),
    ("tables in tables", lambda: b"a = " + b"{a = " * 100_000),
    ("a key of 100,000 parts", lambda: b"a." * 100_000 + b"a = 1\n"),
    ("a number of 900,000 digits", lambda: b"a = " + b"9" * 900_000),
    ("keys of many parts", lambda: b"".join(b"a.b.c.d.e.f.g.h.k%d = 1\n" % number for number in range(30_000))),
    ("tables of tables", lambda: b"".join(b"[[a.b]]\n" for _ in range(100_000))),
]
XML: list[Made] = [
    (
        "entities of entities",
        lambda: (
            f'<?xml version="1.0"?>{_laughs("PubmedArticleSet")}<PubmedArticleSet>&l11;</PubmedArticleSet>'.encode()
        ),
    ),
    (
        "quadratic entities",
        lambda: (
            b'<!DOCTYPE a [<!ENTITY x "'
            + b"a" * 100_000
            + b'">]><PubmedArticleSet>'
            + b"&x;" * 100_000
            + b"</PubmedArticleSet>"
        ),
    ),
    ("a million elements in each other", lambda: b"<PubmedArticleSet>" + b"<a>" * MEGABYTE),
    (
        "a million attributes",
        lambda: b"<PubmedArticleSet " + b"".join(b'a%d="" ' % number for number in range(300_000)) + b">",
    ),
    ("a text of 40 MB", lambda: b"<PubmedArticleSet><PubmedArticle><MedlineCitation><PMID>" + ZEROS * 4),
]
AT_LENGTH = {
    "one sheet under 300 names", "600 MB of space", "sixteen million rows of nothing", "540 MB in 60 files",
    "2 GB of zeros", "a row of 10 MB in short lines", "keys of many parts", "a cell of 200 MB", "a million attributes",
    "rows of a prefix", "a hundred rows of one text, for whoever asks",
}  # fmt: skip
"""Those of which the soak says what a smaller one of the same form says in `make test`: they take seconds."""
