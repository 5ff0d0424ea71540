"""TSV, CSV and JSONL, and the join on the source text."""

import csv
import io
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.formats import FORMATS, TableFormat, TextFile, names_of
from corpora.parallel_texts import form_of, join, read_joined
from corpora.tabular_files import complete_rows
from corpora.text_files.parallel_lines import read_texts
from foundation.errors import UserError

CELL = st.text(st.characters(exclude_characters="\0", exclude_categories=["Cs"]), max_size=20)
FIRST = CELL.filter(lambda cell: cell != "" and not cell.startswith("\ufeff"))


def table(form, file, columns):
    return [cells for _, cells in complete_rows(FORMATS[form].rows(file, columns), columns, file.name)]


def error_of(call, *arguments, **options):
    with pytest.raises(UserError) as caught:
        call(*arguments, **options)
    return str(caught.value)


@given(rows=st.lists(st.tuples(FIRST, CELL), max_size=5))
def test_csv_as_it_was_written(rows):
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([("source", "text"), *rows])
    file = TextFile(buffer.getvalue().encode(), "x.csv")
    assert table("csv", file, ("source", "text")) == rows
    assert table("csv", file, (2, 1))[1:] == [(text, source) for source, text in rows]


@given(rows=st.lists(st.tuples(CELL, CELL), max_size=5))
def test_jsonl_as_it_was_written(rows):
    lines = "".join(json.dumps({"s": s, "t": t}, ensure_ascii=False) + "\n" for s, t in rows)
    assert table("jsonl", TextFile(lines.encode(), "x.jsonl"), ("s", "t")) == rows


@given(rows=st.lists(st.tuples(FIRST, CELL), max_size=5))
def test_tsv_as_it_was_written(rows):
    rows = [tuple(cell.translate({9: " ", 10: " ", 13: " "}) for cell in row) for row in rows]
    text = "".join("\t".join(row) + "\n" for row in rows)
    assert table("tsv", TextFile(text.encode(), "x"), (1, 2)) == rows


def test_a_quotation_mark_is_a_character_in_tsv(file_of):
    assert table("tsv", file_of('"a\tb" c\n'), (1, 2)) == [('"a', 'b" c')]


def test_csv_cells_hold_commas_quotes_and_line_breaks(file_of):
    file = file_of('a,"x, ""y""\r\nz"\r\nb,plain\r\n', "x.csv")
    assert [(row.line, row.cells) for row in FORMATS["csv"].rows(file, (1, 2))] == [
        (1, ("a", 'x, "y"\r\nz')),
        (3, ("b", "plain")),
    ]


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ('a,b\nc,"d\ne\n', 2, "is never closed"),
        ('a,b\nc,"d" e\n', 2, "after a closing quotation mark"),
        ("a,b\nc,d\re\n", 2, "a carriage return"),
        ('a,"' + ("x" * 140_000 + "\n") * 8, 1, "longer than 1,000,000 characters"),
    ],
)
def test_broken_csv(file_of, content, line, words):
    message = error_of(table, "csv", file_of(content, "x.csv"), (1, 2))
    assert message.startswith(f"x.csv, line {line}: ")
    assert words in message


def test_columns_by_name_and_number(file_of):
    file = file_of("id\tsrc\tout\n1\ta\tb\n")
    assert table("tsv", file, ("src", "out")) == [("a", "b")]
    assert table("tsv", file, ("src", 3)) == [("a", "b")]


def test_a_header_that_lacks_a_column_names_the_nearest(file_of):
    message = error_of(table, "tsv", file_of("id\tsource\tout\n"), ("sorce", 3))
    assert message == "texts.txt, line 1: the header has no column 'sorce'; it has source."
    assert "names the column 'a' 2 times" in error_of(table, "tsv", file_of("a\ta\n"), ("a", 2))
    assert "it has none" in error_of(table, "tsv", file_of(""), ("a", 2))


def test_rows_with_too_few_columns(file_of):
    content = "".join("a\n" if n in (2, 3, 5, 6, 7, 9) else "a\tb\n" for n in range(1, 10))
    message = error_of(table, "tsv", file_of(content), (1, 2))
    assert message == "texts.txt: not all of the columns 1 and 2 are there on line 2, 3, 5, 6, 7 and 1 more."
    assert "on line 2." in error_of(table, "jsonl", file_of('{"s":"a","t":"b"}\n{"s":"a"}\n'), ("s", "t"))


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("{", "line 1: this is not JSON"),
        ('{"s": "a", "t": "b"}\n[1]', "line 2: a JSON object was expected"),
        ('{"s": "a", "t": 3}', "something else found: line 1 (t)"),
        ('{"s": "a", "t": "\\u0000"}', "something else found: line 1 (t)"),
        ('{"s": "a", "t": "\\ud800"}', "something else found: line 1 (t)"),
        ("[" * 100_000, "too deep"),
        ('{"s": ' + "1" * 5000 + "}", "a number too long"),
    ],
)
def test_broken_jsonl(file_of, content, words):
    assert words in error_of(table, "jsonl", file_of(content), ("s", "t"))


def test_jsonl_has_no_column_numbers(file_of):
    assert "give the key's name" in error_of(table, "jsonl", file_of("{}"), (1, "t"))


def test_tables_are_told_by_their_suffix():
    assert [form_of(name) for name in ("a.CSV", "a.jsonl", "a.ndjson", "a.tsv", "a.orgin", "a")] == [
        *("csv", "jsonl", "jsonl", "tsv", "tsv", "tsv")
    ]
    assert names_of(TableFormat) == ["csv", "jsonl", "tsv"]


def test_join_puts_texts_in_the_order_of_the_sources():
    rows = [(1, "b ", "B"), (2, " a", "A")]
    assert join(["a . ".strip(" ."), "b", "a"], rows, name="x") == ["A", "B", "A"]


@given(st.lists(FIRST.filter(str.strip), min_size=1, unique_by=str.strip), st.randoms())
def test_join_undoes_any_order(sources, random):
    rows = [(number, source, source + "!") for number, source in enumerate(sources, 1)]
    random.shuffle(rows)
    assert join(sources, rows, name="x") == [source + "!" for source in sources]


def test_case_counts_in_a_join():
    assert error_of(join, ["The", "the"], [(1, "The", "a")], name="x") == "x: there is no row for source 2."


def test_sources_that_are_not_found():
    rows = [(n, f"s{n}", "t") for n in range(1, 9)]
    assert error_of(join, ["s1"], rows, name="x", missing=True) == (
        "x: the source is not among the 1 sources on line 2, 3, 4, 5, 6 and 2 more."
    )


def test_equal_doubles_are_fine_and_different_ones_are_not():
    assert join(["a"], [(1, "a", "t"), (2, "a ", "t ")], name="x") == ["t"]
    assert error_of(join, ["a"], [(1, "a", "t"), (2, "a", "u")], name="x") == (
        "x: a source has another text than on an earlier line, on line 2 (first on line 1)."
    )


def test_empty_texts():
    assert error_of(join, ["a", "b"], [(1, "a", " "), (2, "b", "t")], name="x") == "x: the text is empty on line 1."


def test_missing_rows_are_an_error_unless_allowed():
    rows = [(1, "a", "t")]
    assert error_of(join, ["b", "a", "c"], rows, name="x") == "x: there is no row for source 1, 3."
    assert join(["b", "a", "c"], rows, name="x", missing=True) == [None, "t", None]


def test_read_joined_refuses_a_format_that_is_no_table(file_of):
    assert "'mturk' is not a table; one of csv, jsonl, tsv" in error_of(
        read_joined, file_of(""), [], 1, 2, form="mturk"
    )


@pytest.mark.parametrize("side", ["0", "1"])
def test_amazon_joins(shared, side):
    amazon = shared / "data/amazon"
    sources = read_texts(TextFile(amazon / f"sentiment.test.{side}", "sources"))
    files = [amazon / f"reference.{side}", *sorted((amazon / "outputs").glob(f"sentiment.test.{side}.*"))]
    assert len(files) == 9
    for path in files:
        texts = read_joined(TextFile(path, path.name), sources, 1, 2, missing=path.suffix == ".label")
        assert texts.count(None) == (path.suffix == ".label")
    label = amazon / f"outputs/sentiment.test.{side}.label"
    number = {"0": 401, "1": 281}[side]
    assert (
        error_of(read_joined, TextFile(label, "label"), sources, 1, 2) == f"label: there is no row for source {number}."
    )
