"""Several files or sheets that are one table."""

import pytest
from support.workbooks import workbook, zipped

from corpora.formats import TextFile
from corpora.table_parser import ManyTables, Reading, understand

CARD = "---\nlicense: cc-by-4.0\npretty_name: Tone\n---\n# Tone\n\nSome words.\n"


def read(content, name="all.zip", **reading):
    with understand(TextFile(content, name), Reading(**reading)) as table:
        return table, [row.cells for row in table.records()]


def test_outputs_of_systems_by_file():
    table, rows = read(zipped({"out/A.txt": "one two\nthree four\n", "out/B.txt": "five six\nseven\n"}))
    assert table.columns == ("File", "Row", "Column 1")
    assert rows == [("A", "1", "one two"), ("A", "2", "three four"), ("B", "1", "five six"), ("B", "2", "seven")]
    assert "out/A.txt, out/B.txt" in str(table.notes[0])


def test_a_data_set_folder_has_its_card_left_out_and_its_licence_told():
    files = {"README.md": CARD, "data/train-00000-of-00001.csv": "source,text\na b,c\n",
             "data/test-00000-of-00001.csv": "source,text\nd e,f\n"}  # fmt: skip
    table, rows = read(zipped(files))
    assert [cells[0] for cells in rows] == ["train-00000-of-00001", "test-00000-of-00001"]
    told = " ".join(map(str, table.notes))
    assert "Left out: README.md" in told
    assert "licence of the data is cc-by-4.0" in told


def test_a_folder_a_person():
    table, rows = read(zipped({"ann/r.csv": "id,fluency\n1,4\n", "bob/r.csv": "id,fluency\n1,2\n"}))
    assert (table.columns, rows) == (("File", "Folder", "Row", "id", "fluency"),
                                     [("r", "ann", "1", "1", "4"), ("r", "bob", "1", "1", "2")])  # fmt: skip


def test_a_sheet_a_rater_is_asked():
    head = ("id", "fluency")
    data = workbook({"Ann": [head, (1, 4)], "Bob": [head, (1, 2)], "Notes": [("x", "y", "z")]})
    table, rows = read(data, "x.xlsx")
    assert ([one.name for one in table.questions], rows) == (["part"], [("1", "4")])
    table, rows = read(data, "x.xlsx", part="*")
    assert (table.columns[:2], [cells[0] for cells in rows]) == (("File", "Row"), ["Ann", "Bob"])
    assert read(data, "x.xlsx", part="Ann")[0].questions == ()


def test_what_is_not_read_is_named():
    files = {"a.csv": "source,text\na b,c\n", "b.csv": "id,output\n1,x\n"}
    table, _ = read(zipped(files), part="b.csv")
    assert str(table.notes[0]) == "Not read: a.csv."


def test_json_files_whose_objects_have_other_keys_inside_are_one_table():
    lines = {"ann/a.jsonl": '{"id": "1", "said": {"fluency": {"4": "4"}}}\n',
             "bob/a.jsonl": '{"id": "1", "said": {"fluency": {"2": "2"}}}\n'}  # fmt: skip
    table, rows = read(zipped(lines))
    assert table.columns == ("File", "Folder", "Row", "id", "said.fluency.4", "said.fluency.2")
    assert [cells[1:] for cells in rows] == [("ann", "1", "1", "4", ""), ("bob", "1", "1", "", "2")]
    with pytest.raises(ManyTables):
        read(zipped({"a.jsonl": '{"id": "1", "text": "x"}\n', "b.jsonl": '{"id": "1", "value": 4}\n'}))


def test_files_with_a_row_for_each_source_stand_side_by_side():
    files = {"informal.txt": "u r late\ngtg now\n", "formal.ref0.txt": "You are late.\nI must go.\n",
             "outputs/BART.output.txt": "You are late\nI have to go\n",
             "outputs/Rules.txt": "u are late\ngot to go\n"}  # fmt: skip
    table, rows = read(zipped(files), styles=frozenset({"informal", "formal"}))
    assert table.columns == ("informal", "formal.ref0", "BART", "Rules")
    assert rows == [("u r late", "You are late.", "You are late", "u are late"),
                    ("gtg now", "I must go.", "I have to go", "got to go")]  # fmt: skip
    assert "outputs/Rules.txt" in str(table.notes[0])


def test_a_short_first_line_is_asked_about_only_where_no_file_begins_with_a_sentence():
    rest = "I would like to know whether you could come.\nShe said that it was fine with all of them.\n" * 2
    texts = zipped({"source.txt": f"Hi\n{rest}", "BART.txt": f"Good day.\n{rest}"})
    assert [one.name for one in read(texts)[0].questions] == []
    names = zipped({"source.txt": f"Hi\n{rest}", "BART.txt": f"Hello\n{rest}"})
    assert [one.name for one in read(names)[0].questions] == ["header"]


def test_columns_that_files_share_stand_once_and_a_file_of_another_length_is_named():
    files = {"source.csv": "id,text\n7,u r late\n8,gtg now\n", "A.csv": "id,text\n7,You are late\n8,I go\n",
             "B.txt": "one two\nthree four\nfive six\n"}  # fmt: skip
    table, rows = read(zipped(files))
    assert (table.columns, rows[0]) == (("id", "source", "A"), ("7", "u r late", "You are late"))
    assert str(table.notes[1]) == "Left out: B.txt: it has 3 rows, where source.csv has 2."


@pytest.mark.parametrize(
    "files",
    [
        {"source.csv": "id,text\n7,u r late\n8,gtg now\n", "A.csv": "id,text\n8,You go\n7,I go\n"},  # another order
        {"A.txt": "one two\nthree four\n", "B.txt": "five six\nseven\n"},  # no name says which has the sources
        {"informal.csv": "source,text\na b,c d\n", "formal.csv": "source,text\ne f,g h\n"},  # each with its own sources
        {"source.train.txt": "a b\nc d\n", "A.txt": "c d\ne f\n", "source.txt": "a b\n"},  # two sets of sources
        {"source.a.txt": "a b\nc d\n", "source.b.txt": "c d\ne f\n"},
        {"train.source.txt": "a b\nc d\n", "test.source.txt": "c d\ne f\n", "A.txt": "a b\nc d\n"},
    ],
)
def test_files_that_are_no_such_set_are_read_one_after_the_other(files):
    table, _ = read(zipped(files), styles=frozenset({"informal", "formal"}))
    assert table.columns[:2] == ("File", "Row")
