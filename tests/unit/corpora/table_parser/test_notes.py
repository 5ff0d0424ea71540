"""Notes: each sentence once, with the rows of which it holds."""

from corpora.table_parser import Note, Notes
from corpora.table_parser.notes import KEPT, told


def test_a_sentence_stands_once_with_its_rows():
    notes = Notes()
    for row in range(1, KEPT + 51):
        notes.add("'{value}' is read as missing.", row, value="nan")
    notes.add("'{value}' is read as missing.", 7, value="inf")
    notes.add("The file has two sheets.")
    nan, inf, sheets = notes
    assert (nan.sentence, nan.count, len(nan.rows)) == ("'nan' is read as missing.", KEPT + 50, KEPT)
    assert str(nan) == "'nan' is read as missing. (rows 1, 2, 3, 4, 5 and 145 more)"
    assert str(inf) == "'inf' is read as missing. (rows 7)"
    assert str(sheets) == "The file has two sheets."
    assert told("2 rows are in.", [sheets]) == "2 rows are in. The file has two sheets."


def test_braces_of_a_value_stay():
    assert str(Note("Left out: {error}", values={"error": "a {b}"})) == "Left out: a {b}"
