"""Quotation marks: the whole file decides what they are, says by which line, and asks where it does both."""

import pytest

from corpora.formats import TextFile
from corpora.table_parser import Reading, understand
from foundation.errors import UserError

PLAIN = "".join(f"sentence {n}\trewrite {n}\n" for n in range(240))
LATE = '"he said ""no"" to me"\t"He said: ""No"", to me."\n'
BACKSLASH = 'informal,formal\n"hey u","Hello."\n"k thx","Thank you."\n"he said \\"no\\" lol","He said no."\n'


def read(content, name="texts.tsv", **reading):
    with understand(TextFile(content.encode(), name), Reading(**reading)) as table:
        return table, [row.cells for row in table.records()]


def test_a_mark_that_comes_up_late_decides_for_all():
    table, rows = read("source\treference\n" + PLAIN + LATE + PLAIN)
    assert rows[240] == ('he said "no" to me', 'He said: "No", to me.')
    assert (table.rows, table.notes[0].rows) == (481, ("242",))
    assert "doubled marks" in table.notes[0].sentence
    assert read("source\treference\n" + PLAIN + LATE, quoting="no")[1][240] == tuple(LATE.strip().split("\t"))


def test_speech_that_opens_in_one_row_and_closes_in_a_later_one_swallows_no_row():
    speech = 'source\treference\n"Come here, he said\tHe said: come.\nand stay."\tAnd stay.\nok now\tFine.\n'
    table, rows = read(speech)
    assert rows == [('"Come here, he said', "He said: come."), ('and stay."', "And stay."), ("ok now", "Fine.")]
    assert table.questions == ()
    ending = 'source\treference\nhe said\t"Come here.\nand then\tand stay."\nok now\tFine.\n'
    assert len(read(ending)[1]) == 3


def test_one_backslash_among_quoted_cells_is_asked_about():
    table, rows = read(BACKSLASH, "texts.csv")
    assert rows[:2] == [("hey u", "Hello."), ("k thx", "Thank you.")]
    (question,) = table.questions
    assert question.name == "quoting"
    assert "line 4" in question.sentence
    assert [value for value, _ in question.choices] == ["backslash", "yes", "no"]
    assert read(BACKSLASH, "texts.csv", quoting="backslash")[1][2] == ('he said "no" lol', "He said no.")
    left, _ = read(BACKSLASH, "texts.csv", quoting="yes")
    assert (left.ragged, left.questions) == ((4,), ())
    assert read(BACKSLASH, "texts.csv", quoting="no")[1][0] == ('"hey u"', '"Hello."')


def test_one_stray_mark_takes_no_marks_off_the_question():
    rows = "".join(f'"text {n}","rewrite {n}"\n' for n in range(300))
    table, found = read('"source","reference"\n' + rows + '"a "b" c","d"\n', "texts.csv")
    assert found[0] == ("text 0", "rewrite 0")
    assert (table.questions[0].name, table.ragged) == ("quoting", (302,))


def test_a_space_before_a_mark_is_passed_over():
    table, rows = read('informal, formal\n"hey u", "Hello."\n"k thx", "Thanks, you."\n', "texts.csv")
    assert rows == [("hey u", "Hello."), ("k thx", "Thanks, you.")]
    assert table.columns == ("informal", "formal")
    assert "Spaces before" in table.notes[0].sentence


@pytest.mark.parametrize(("content", "first"), [
    ('"source"\t"text"\n"a"\t"b"\n', ("a", "b")),
    ('source\ttext\n"a\tb"\t"c"\n', ("a\tb", "c")),
    ('source\ttext\n"Why?" he said.\t"No."\n', ('"Why?" he said.', '"No."')),
    ("source\ttext\na b\tc\n", ("a b", "c")),
])  # fmt: skip
def test_between_tabs(content, first):
    table, rows = read(content)
    assert rows[0] == first
    assert table.questions == ()


def test_a_tab_separated_table_that_does_both_is_asked_about():
    table, _ = read('source\ttext\n"he ""x"" so"\tb\n"Why?" he said.\tc\n')
    assert table.questions[0].name == "quoting"
    table, rows = read('source\ttext\n"a b"\t1\n"c d"\t2\n')
    assert (table.questions[0].name, rows[0][0]) == ("quoting", '"a b"')


def test_a_cell_of_two_lines_between_commas():
    content = 'source,text\n"one\ntwo",b\n"c, d",e\n'
    table, rows = read(content, "texts.csv")
    assert rows == [("one\ntwo", "b"), ("c, d", "e")]
    assert (table.notes, table.questions) == ((), ())


def test_a_style_that_there_is_not():
    with pytest.raises(UserError, match="not among yes, no, backslash"):
        read(PLAIN, quoting="perhaps")
