"""The beginning of a table: what stands above it, and whether its first row names the columns."""

import pytest

from corpora.formats import TextFile
from corpora.table_parser import Reading, understand

LONG = ["患者出现发热症状，需要住院。", "每日口服两片药物。", "该药物可能引起恶心呕吐。"]


def read(content, name="texts.csv", **reading):
    with understand(TextFile(content.encode(), name), Reading(**reading)) as table:
        return table, [row.cells for row in table.records()]


def asked(table):
    return [question.name for question in table.questions]


@pytest.mark.parametrize(("content", "known"), [
    ("toxic,neutral\nyou fool go away now,Please go away now.\nit is rubbish,It is bad.\n", {"toxic", "neutral"}),
    ("eins,zwei\ndas ist so,so ist das\n", {"eins", "zwei"}),
    ("before,after\nyou fool go away now,Please go away now.\nthis is rubbish,This is not good.\n", ()),
    ("id,Is it fluent?\n1,5\n2,4\n", ()),
    ("source,Is it fluent?\nso it is,yes\nhe went home,no\nthey did not,yes\nall is well,yes\n", ()),
    ("原句,改写\n" + "".join(f"{one},{one}\n" for one in LONG), ()),
    ("vorher,nachher\nda war er ja,Er war da.\nes ist nun so,So ist es nun.\nwir gehen jetzt,Wir gehen jetzt.\n", ()),
    ("a,b\n1,2\n3,4\n", ()),
])  # fmt: skip
def test_a_header(content, known):
    table, rows = read(content, known=frozenset(known))
    assert table.header
    assert asked(table) == []
    assert table.rows == len(rows) == content.count("\n") - 1


@pytest.mark.parametrize("content", [
    "my name is bob\ti am called bob\nhe was late again\the was late once more\nthey went home now\tthey left early\n",
    "u ok?,Are you?\ngtg,I must go.\n",
    "The date was late.,It was late.\nThe text is here now.,Here it is.\n",
    "hello there you,yes\nhow are you,no\nhello there you,no\n",
])  # fmt: skip
def test_a_row_like_the_others(content):
    table, _ = read(content, "texts.tsv" if "\t" in content else "texts.csv")
    assert not table.header
    assert asked(table) == []


@pytest.mark.parametrize(("content", "name"), [
    ("Time\nwe went home then\nit was late\n", "texts.txt"),
    ("ok then,Fine\nit is a long day today,It has been a long day.\nwe go home,We are going home now.\n", "texts.csv"),
])  # fmt: skip
def test_what_may_be_either_is_asked_about(content, name):
    table, rows = read(content, name)
    assert asked(table) == ["header"]
    assert content.split("\n")[0].split(",")[0] in table.questions[0].sentence
    for header in (True, False):
        table, rows = read(content, name, header=header)
        assert (asked(table), len(rows)) == ([], 2 if header else 3)


def test_two_rows_of_names_are_asked_about():
    rest = "7,Metformin,It is the first drug that is given.,It is given first.\n8,Ice,It helps with pain.,It helps.\n"
    content = f"Document,,Texts,\ncode,title,source,reference\n{rest}"
    table, rows = read(content, "texts.csv")
    question = table.questions[0]
    assert (question.name, [value for value, _ in question.choices]) == ("above", ["1", "0"])
    assert "Document | Texts / code | title | source | reference" in question.sentence
    table, rows = read(content, "texts.csv", above=1)
    assert (asked(table), table.columns, len(rows)) == ([], ("code", "title", "source", "reference"), 2)
    assert "above" not in asked(read(content, "texts.csv", above=0)[0])
    assert "above" not in asked(read(f",title,source,reference\n{rest}", "texts.csv")[0])


def test_texts_alone_have_no_header_for_being_short():
    table, rows = read("Hello.\nThis is a much longer sentence.\nAnd so is this one here.\n", "texts.txt")
    assert (table.header, len(rows), asked(table)) == (False, 3, [])
    assert read("source\nthis is a sentence\nso is this one\n", "texts.txt")[0].header


@pytest.mark.parametrize(("above", "name"), [
    ("Our ratings 2025\n", "texts.csv"), ("Our ratings 2025,,\n,,\n", "texts.csv"), ("# exported\n", "texts.csv"),
    ("# exported 2025, by me\n", "texts.csv"), ("# one\n# two\n\n", "texts.txt"),
])  # fmt: skip
def test_what_stands_above_the_table_is_offered_to_be_skipped(above, name):
    content = above + "id,informal,formal\n1,hey u,Hello.\n2,k thx,Thank you.\n3,gonna go,I will go.\n"
    table, rows = read(content, name)
    assert table.columns == ("id", "informal", "formal")
    assert rows[0] == ("1", "hey u", "Hello.")
    assert asked(table) == ["above"]
    number = table.questions[0].choices[0][0]
    assert asked(read(content, name, above=int(number))[0]) == []
    assert read(content, name, above=0, header=False)[0].rows == 4 + int(number)


def test_the_delimiter_that_excel_is_told_is_no_row():
    table, rows = read("sep=;\nsource;text\na, b;c\n")
    assert (table.delimiter, table.columns, rows) == (";", ("source", "text"), [("a, b", "c")])
    assert (asked(table), table.notes[0].rows) == ([], ("1",))


def test_a_column_called_number_sign_is_no_comment():
    table, _ = read("#,source,text\n1,a b,c\n2,d e,f\n")
    assert (table.columns, asked(table)) == (("#", "source", "text"), [])
