"""Marks in the files of other programs: each of them is read back as it was written."""

import json

import pytest

from annotation.marked_texts import (
    MarkedText,
    cost_of,
    esa_lines,
    listed_marks,
    mqm_rows,
    new_mark,
    pearmut_lines,
    realigned,
    tagged_span,
)

OUTPUT = "Der 😀 Hund\nläuft – ja."
PLACED = [(0, 3, "Accuracy/Mistranslation", "Major"), (4, 5, "", "Minor"), (11, 16, "Fluency/Grammar", "Minor"),
          (21, 22, "Fluency/Punctuation", "Minor")]  # fmt: skip


def marked(*marks, systems=("Rules",)):
    return MarkedText("en-de", "7", "ada", "The dog runs.", OUTPUT, systems, marks, 80)


MARKS = [new_mark("source", 4, 7, "Accuracy/Omission", "Major"),
         *(new_mark("output", *place) for place in PLACED),
         new_mark("output", len(OUTPUT), len(OUTPUT), "", "Minor")]  # fmt: skip


def test_esa_marks_come_back():
    (line,) = esa_lines(marked(*MARKS))
    row = json.loads(line)
    assert row["esa_spans"][1] == {
        "start_i": 0, "end_i": 3, "severity": "major", "error_type": "Accuracy/Mistranslation",
    }  # fmt: skip
    assert row["esa_spans"][-1]["start_i"] == "missing"
    assert listed_marks(json.dumps(row["esa_spans"]), OUTPUT, inclusive=False) == MARKS


def test_pearmuts_marks_come_back_though_it_counts_utf_16_without_line_breaks():
    (line,) = pearmut_lines(marked(*MARKS, systems=("Rules", "Neural")))
    said = json.loads(line)["annotation"][0]
    assert said["Rules"] == said["Neural"]
    spans = said["Rules"]["error_spans"]
    assert [(one["start_i"], one["end_i"]) for one in spans] == [(23 - 1,) * 2, (0, 2), (4, 5), (11, 15), (21, 21),
                                                                 (22, 22)]  # fmt: skip
    assert listed_marks(json.dumps(spans), OUTPUT, inclusive=True) == MARKS


def test_a_row_of_mqm_shows_its_span_by_tags():
    rows = [line.decode().rstrip("\n").split("\t") for line in mqm_rows(marked(*MARKS))]
    assert tagged_span(rows[0][5]) == ("The dog runs.", (4, 7))
    assert rows[1][6] == "<v>Der</v> 😀 Hund läuft – ja."
    assert tagged_span(rows[-1][6])[1] is None
    assert tagged_span("a <v>b</v> c <v>d</v>") == ("a b c d", (2, 7)), "a mark of several parts spans them all"
    assert tagged_span("a </v> b") == ("a  b", None)


@pytest.mark.parametrize(("given", "text", "place", "moved"), [
    ("a  b", "a b", (3, 4), (2, 3)), ("a b", "  a  b", (0, 1), (2, 3)), ("caf\u00e9 x", "cafe\u0301 x", (5, 6), (6, 7)),
    ("ab", "ab", (2, 2), (2, 2)), ("a b", "a\nb", (0, 3), (0, 3)),
])  # fmt: skip
def test_marks_move_with_the_spaces_of_their_text(given, text, place, moved):
    (mark,) = realigned([new_mark("output", *place, "", "Minor")], given, text)
    assert (mark["start"], mark["end"]) == moved


def test_a_text_costs_what_its_marks_do_unless_a_severity_has_no_weight():
    assert cost_of(MARKS) == -(5 + 5 + 1 + 1 + 0.1 + 1)
    assert cost_of([]) == 0
    assert cost_of([new_mark("output", 0, 1, "", "undecided")]) is None


@pytest.mark.parametrize("cell", ['{"a": 1}', '[{"start_i": 3, "end_i": 1}]', '[{"start_i": "x", "end_i": "y"}]', "["])
def test_what_is_no_list_of_spans_is_refused(cell):
    with pytest.raises((ValueError, KeyError, TypeError)):
        listed_marks(cell, "text", inclusive=False)
