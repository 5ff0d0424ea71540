"""Files with tables in them, understood: each ends in the right rows or in one sentence."""

import contextlib
import gzip
import json
from io import BytesIO

import pyarrow as pa
import pytest
from pyarrow import parquet
from support import linear
from support.workbooks import MAIN, workbook, zipped

from corpora.formats import TextFile
from corpora.table_parser import ManyTables, Reading, understand
from corpora.table_parser import opening as opening_module
from corpora.table_parser.table_recognition import understand_here
from foundation.errors import UserError

PAIRS = [("source", "formal"), ("u ok?", "Are you all right?"), ("gotta go", "I have to go.")]


def read(content, name="texts.csv", **reading):
    data = content.encode() if isinstance(content, str) else content
    with understand(TextFile(data, name), Reading(**reading)) as table:
        return table, [row.cells for row in table.records()]


def refused(content, name="texts.csv", **reading) -> str:
    with pytest.raises(UserError) as caught:
        read(content, name, **reading)
    return str(caught.value)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
@pytest.mark.parametrize("name", ["texts.csv", "texts.tsv", "texts.txt", "texts"])
def test_a_table_is_known_by_its_delimiter(delimiter, name):
    table, rows = read("".join(f"{a}{delimiter}{b}\n" for a, b in PAIRS), name)
    assert (table.kind, table.delimiter, table.header, table.columns) == ("delimited", delimiter, True, PAIRS[0])
    assert rows == PAIRS[1:]
    assert (table.rows, table.sample[0].line, table.encoding, table.guessed) == (2, 2, "utf-8", False)


def test_any_other_delimiter_can_be_said():
    table, rows = read("".join(f"{a}~{b}\n" for a, b in PAIRS), "x.txt", delimiter="~")
    assert (table.columns, rows) == (PAIRS[0], PAIRS[1:])
    assert "one character" in refused("a,b", delimiter="~~")


@pytest.mark.parametrize("text", [
    "Hello, I am here.\nWell, you know, it is fine.\nNo.\n",
    "Hello, you.\nGoodbye, you.\n",
    "[laughs] why not; it is fun\nu ok?\n",
    "{not json}\nu ok?\n",
    '"Quoted," she said.\nu ok?\n',
])  # fmt: skip
def test_sentences_stay_sentences(text):
    table, rows = read(text, "sources.txt")
    assert (table.kind, table.header) == ("lines", False)
    assert [cells[0] for cells in rows] == text.splitlines()


def test_an_empty_line_between_texts_is_a_row_and_one_at_the_end_is_none():
    assert read("a b\n\nc d\n\n\n", "x.txt")[1] == [("a b",), ("",), ("c d",)]


def test_quotation_marks_are_read_where_they_quote():
    assert read('source,text\n"a, ""b""\nc",d\n')[1] == [('a, "b"\nc', "d")]
    assert read('source\ttext\n"Why?" he said.\t"No."\n', "x.tsv")[1] == [('"Why?" he said.', '"No."')]
    assert read('source\ttext\n"a\tb"\t"c ""d"""\n', "x.tsv")[1] == [("a\tb", 'c "d"')]
    assert read('source;text\n"a;b";c\n')[1] == [("a;b", "c")]
    assert "is never closed" in refused('source,text\na,b\n"c,d\ne,f,g\n')


@pytest.mark.parametrize(("encoding", "guessed", "found"), [
    ("utf-8", False, "utf-8"), ("utf-8-sig", False, "utf-8-sig"), ("utf-16", False, "utf-16"),
    ("utf-16-le", True, "utf-16-le"), ("utf-16-be", True, "utf-16-be"), ("windows-1252", True, "windows-1252"),
])  # fmt: skip
def test_encodings(encoding, guessed, found):
    text = "source,formal\ncafé “ok”,Is the café open?\nu ok?,Are you all right?\n"
    table, rows = read(text.encode(encoding))
    assert (table.encoding, table.guessed) == (found, guessed)
    assert rows[0] == ("café “ok”", "Is the café open?")


def test_a_declared_encoding_is_held_to():
    assert read("source,text\nпривет,да\n".encode("koi8-r"), encoding="koi8-r")[1] == [("привет", "да")]
    assert "is not utf-8" in refused("é,b\n".encode("latin-1"), encoding="utf-8")
    assert "there is no encoding 'utf-9'" in refused("a,b\n", encoding="utf-9")


def test_header_or_not():
    assert not read("u ok?,Are you?\ngtg,I must go.\n")[0].header
    assert read("a,b\n1,2\n3,4\n")[0].header
    assert read("alpha,beta\nu ok?,fine\n", header=True)[0].columns == ("alpha", "beta")
    assert read("source,text\nu ok?,fine\n", header=False)[0].columns == ("Column 1", "Column 2")
    assert read("id,text,text,\n1,a,b,c\n")[0].columns == ("id", "text", "text (2)", "Column 4")


def test_ragged_rows_are_named_and_kept_apart():
    table, rows = read("source,text\na,b\nc\nd,e,f\ng,h,,\n")
    assert (table.ragged, table.ragged_count, len(rows)) == ((3, 4), 2, 4)
    assert rows[3] == ("g", "h")
    assert read("so it is,1.\na b,2.\nc d,3.,4.\n")[0].ragged == (3,)
    with understand(TextFile(b"source,text\na,b\nc\n", "x.csv")) as again:
        assert [cells for _, cells in again.dicts()] == [{"source": "a", "text": "b"}]


@pytest.mark.parametrize("content", [
    json.dumps([{"source": a, "formal": b} for a, b in PAIRS[1:]]),
    json.dumps([{"source": a, "formal": b} for a, b in PAIRS[1:]], indent=2),
    "\n".join(json.dumps({"source": a, "formal": b}) for a, b in PAIRS[1:]),
])  # fmt: skip
@pytest.mark.parametrize("name", ["x.json", "x.jsonl", "x.txt"])
def test_json(content, name):
    table, rows = read(content, name)
    assert (table.kind, table.columns, rows) == ("json", PAIRS[0], PAIRS[1:])


def test_nested_json_becomes_columns():
    content = [{"q": {"code": 1, "ok": True}, "refs": ["a", "b"]}, {"q": {"code": None}, "refs": ["c", "d", "e"]}]
    table, rows = read(json.dumps(content), "x.json")
    assert table.columns == ("q.code", "q.ok", "refs.1", "refs.2", "refs.3")
    assert rows == [("1", "true", "a", "b", ""), ("", "", "c", "d", "e")]
    assert table.sample[1].line == 1


@pytest.mark.parametrize(("content", "words"), [
    ('{"a": "b"', "not JSON"), ('[{"a": "b"} {"a": "c"}]', "a comma or the list's end"), ('[1, 2]', "an object was"),
    ('{\n  "a": "b"\n}', "not JSON"), ("hello", "neither"), ("[" * 100_000, "not JSON"), ("[]", "no object"),
    ('[{"a": "\\ud800"}]', "cannot be stored"), ('[{"a": {"b":' + '{"c":' * 9 + "1" + "}" * 11 + "]", "nested"),
])  # fmt: skip
def test_broken_json(content, words):
    message = refused(content, "x.json")
    assert words in message
    assert message.startswith("x.json")


def test_json_names_its_lines():
    assert "x.json, line 3" in refused('[\n{"a": "b"},\n{"a": }]', "x.json")
    assert "x.jsonl, line 2" in refused('{"a": "b"}\n{"a": }\n', "x.jsonl")


def test_a_long_list_on_one_line():
    content = json.dumps([{"source": "word " * 400, "n": n} for n in range(3000)])
    table, rows = read(content, "x.json")
    assert (table.rows, rows[-1][1]) == (3000, "2999")


def test_xlsx_sheets():
    data = workbook({"Empty": [], "Texts": [*PAIRS, ("n", 3), ("x", 2.5)], "More": [("id",), (1,)]})
    table, rows = read(data, "x.xlsx")
    assert (table.kind, table.part, table.parts, table.columns) == ("xlsx", "Texts", ("Texts", "More"), PAIRS[0])
    assert rows == [*PAIRS[1:], ("n", "3"), ("x", "2.5")]
    assert read(data, "x.xlsx", part="More")[1] == [("1",)]
    assert "there is no sheet 'Other'" in refused(data, "x.xlsx", part="Other")


def test_a_sheet_that_would_fill_the_memory_is_refused_before_it_is_opened():
    far = f'<worksheet xmlns="{MAIN}"><sheetData><row r="1"><c r="A1"><v>1</v></c></row><row r="1048576">' \
          '<c r="XFD1048576"><v>1</v></c></row></sheetData></worksheet>'  # fmt: skip
    assert "17,179,869,184 cells" in refused(workbook({"Far": far}), "x.xlsx")


def test_parquet():
    held = BytesIO()
    parquet.write_table(pa.table({"source": ["a", "b"], "refs": [["x", "y"], ["z"]], "n": [1, None]}), held)
    table, rows = read(held.getvalue(), "x.parquet")
    assert (table.kind, table.columns) == ("parquet", ("source", "refs.1", "refs.2", "n"))
    assert rows == [("a", "x", "y", "1"), ("b", "z", "", "")]
    assert "a broken Parquet file" in refused(b"PAR1" + b"x" * 100, "x.parquet")


def test_packed_files():
    content = "".join(f"{a},{b}\n" for a, b in PAIRS).encode()
    assert read(gzip.compress(content), "texts.csv.gz")[1] == PAIRS[1:]
    assert read(zipped({"a/texts.csv": content, "__MACOSX/._x": b"\0"}), "x.zip")[1] == PAIRS[1:]
    table, rows = read(zipped({"1.csv": content, "2.csv": content, "cover.pdf": b"%PDF-1.7"}), "x.zip")
    assert table.columns == ("File", "Row", *PAIRS[0])
    assert rows == [(name, str(n), *pair) for name in ("1", "2") for n, pair in enumerate(PAIRS[1:], 1)]
    assert (table.rows, table.sample[2].part, table.parts) == (4, "2.csv", ("1.csv", "2.csv", "cover.pdf"))
    assert any("a PDF document" in str(note) for note in table.notes)
    assert read(zipped({"1.csv": content, "2.csv": "id,text\n7,x\n"}), "x.zip", part="2.csv")[1] == [("7", "x")]
    with pytest.raises(ManyTables) as caught:
        read(zipped({"1.csv": content, "2.csv": "id,text\n7,x\n"}), "x.zip")
    assert caught.value.parts == ("1.csv", "2.csv")
    assert "archive within an archive" in refused(zipped({"x.zip": zipped({"a.csv": content})}), "x.zip")
    assert "broken" in refused(gzip.compress(content)[:30], "x.gz")
    assert "broken" in refused(zipped({"a.csv": content})[:40], "x.zip")


def test_what_is_unpacked_has_a_limit(monkeypatch):
    monkeypatch.setattr(opening_module, "EXPANDED_LIMIT", 1_000_000)
    for packed, name in ((gzip.compress(b"a" * 2_000_000), "x.gz"), (zipped({"a.csv": b"a" * 2_000_000}), "x.zip")):
        with pytest.raises(UserError, match="larger than"):
            understand_here(TextFile(packed, name))


@pytest.mark.parametrize(("content", "name", "words"), [
    ("<!DOCTYPE html><html><body>x</body></html>", "x.csv", "an HTML page"),
    ("\n <html>\n", "x.xls", "an HTML page"), ("<?xml version='1.0'?><a/>", "x.txt", "an XML file"),
    (b"%PDF-1.7 ...", "x.csv", "a PDF document"), (b"\x89PNG\r\n\x1a\n...", "x.csv", "an image (PNG)"),
    (b"\xff\xd8\xff\xe0....", "x.txt", "an image (JPEG)"), (b"{\\rtf1 ...}", "x.txt", "Rich Text"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", "x.xls", "an old Excel file"),
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1....", "x.doc", "an old Word document"),
    (zipped({"word/document.xml": "<w/>"}), "x.docx", "a Word document"),
    (zipped({"ppt/presentation.xml": "<p/>"}), "x.pptx", "a PowerPoint presentation"),
    (zipped({"mimetype": "m", "content.xml": "<c/>"}), "x.ods", "an OpenDocument file"),
    (bytes(range(256)) * 20, "x.csv", "a binary file"), (b"", "x.csv", "the file is empty"),
    (b"  \n\n ", "x.csv", "the file holds only space"), (b"\xef\xbb\xbf", "x.csv", "the file holds only space"),
    ("source,text\n", "x.csv", "a header and no row"), (zipped({}), "x.zip", "empty ZIP archive"),
    ("source,text\na,b\0\n", "x.csv", "NUL"),
])  # fmt: skip
def test_another_kind_is_named_as_what_it_is(content, name, words):
    message = refused(content, name)
    assert words in message
    assert message.endswith(".")


def test_a_very_long_line():
    long = " ".join(["word"] * 20_000)
    assert read(f"source,text\nu ok?,{long}\n")[1] == [("u ok?", long)]
    assert read(f"u ok?\n{long}\n", "x.txt")[1] == [("u ok?",), (long,)]
    assert "longer than 1,000,000 characters" in refused("u ok?\n" + "x" * 1_000_001, "x.txt")


@pytest.mark.soak
@pytest.mark.parametrize("size", [100_000, 2_000_000])
def test_hostile_texts_take_linear_time(size):
    """Quadratic work on so many characters takes minutes or hours, and is broken off."""
    for pump in ('"', "a,", "[", "{", "x", "<", "\n", '[{"":', " ", ",", '"\n', "a\tb\n", '{"a":1}\n'):
        content = {"x": '[{"a":"'}.get(pump, "") + pump * (size // len(pump)) + {" ": "a"}.get(pump, "")
        for name in ("x.txt", "x.csv", "x.json"):
            linear.seconds(lambda name=name, content=content: read_or_refuse(content, name))


def read_or_refuse(content, name):
    with contextlib.suppress(UserError):
        read(content, name)


def test_what_json_and_parquet_have_no_value_for_is_missing():
    table, rows = read('{"a": "hey u", "b": NaN}\n{"a": NaN, "b": "nan"}\n{"a": Infinity, "b": [1, NaN]}\n', "x.jsonl")
    assert rows == [("hey u", "", "", ""), ("", "nan", "", ""), ("", "", "1", "")]
    assert [(note.sentence.split("'")[1], note.rows) for note in table.notes] == [
        ("b", ("1",)), ("a", ("2", "3")), ("b.2", ("3",)),
    ]  # fmt: skip
    held = BytesIO()
    parquet.write_table(pa.table({"a": ["x", "y"], "b": [1.5, float("nan")]}), held)
    table, rows = read(held.getvalue(), "x.parquet")
    assert rows == [("x", "1.5"), ("y", "")]
    assert table.notes[0].rows == ("2",)


def test_the_sheet_that_is_shown_is_read_and_the_others_are_named():
    sheets = {"Draft": [*PAIRS], "Notes": [("id",), (1,)], "Texts": [*PAIRS[:2]]}
    hidden, active = ({"Draft"}, 0), (set(), 2)
    table, rows = read(workbook(sheets, hidden=hidden[0], active=hidden[1]), "x.xlsx")
    assert table.part == "Notes"
    assert "Draft (hidden), Texts" in str(table.notes[0])
    table, rows = read(workbook(sheets, active=active[1]), "x.xlsx")
    assert (table.part, rows) == ("Texts", [PAIRS[1]])
    table, _ = read(workbook(sheets, hidden={"Draft"}, active=2), "x.xlsx", part="Draft")
    assert "is hidden" in str(table.notes[1])


def test_cells_that_show_an_error_are_asked_about():
    cells = ('<row r="1"><c r="A1" t="inlineStr"><is><t>source</t></is></c><c r="B1" t="inlineStr"><is><t>text</t></is>'
             '</c></row><row r="2"><c r="A2" t="inlineStr"><is><t>u ok</t></is></c><c r="B2" s="1" t="e"><f>V(A2,'
             'X,1)</f><v>#N/A</v></c></row><row r="3"><c r="A3" t="inlineStr"><is><t>gt</t></is></c><c r="B3"><f>A3</f>'
             '<v></v></c></row><row r="4"><c r="A4" t="inlineStr"><is><t>so</t></is></c><c r="B4" t="str"><f>A4</f>'
             "<v>so</v></c></row>")  # fmt: skip
    data = workbook({"Texts": f'<worksheet xmlns="{MAIN}"><sheetData>{cells}</sheetData></worksheet>'})
    table, rows = read(data, "x.xlsx")
    assert rows == [("u ok", ""), ("gt", ""), ("so", "so")]
    (question,) = table.questions
    assert (question.name, "B2 #N/A, B3" in question.sentence) == ("errors", True)
    assert read(data, "x.xlsx", errors="leave_out")[1] == [("so", "so")]
    assert read(data, "x.xlsx", errors="empty")[0].questions == ()


def test_cells_that_do_not_say_where_they_stand_count_too():
    row = f'<row r="1048576">{"<c><v>1</v></c>" * 100}</row>'
    far = f'<worksheet xmlns="{MAIN}"><sheetData>{row}</sheetData></worksheet>'
    assert "cells; it may have at most" in refused(workbook({"Far": far}), "x.xlsx")


def test_a_guarding_apostrophe_is_taken_off_by_every_kind_of_table():
    from corpora.formats.csv_cells import write

    rows = [("source", "text"), ("=1+1 is two", "@you ok"), ("'tis so", "-3"), ("+ a plus", "''=x"), ("dogs' =)", "x")]
    exported = b"".join(write(rows))
    assert exported.startswith(b"\xef\xbb\xbfsource,text")
    table, found = read(exported, "x.csv")
    assert (table.columns, found) == (rows[0], rows[1:])
    assert table.notes[0].rows == ("2", "4")
    table, found = read(workbook({"A": [("source", "text"), ("'=1+1 is two", "'tis so")]}), "x.xlsx")
    assert found == [("=1+1 is two", "'tis so")]
    assert read("'=a b\nc d e\n", "x.txt")[1][0] == ("'=a b",)
