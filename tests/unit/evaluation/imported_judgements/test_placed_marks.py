"""Stretches of other tools' files as marks of the text that they are of."""

import json

import pytest

from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.imported_judgements.placed_marks import WHOLE, Placed, mark_of
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS

SOURCE, OUTPUT = "the pt 🫀 has htn", "The 🫀 patient has pressure."


def of(start, end, *labels, **more):
    return mark_of(Placed(start, end, labels or [("errors", "Major")], **more), SOURCE, OUTPUT)


@pytest.mark.parametrize(("given", "side", "marked"), [
    (of(6, 13), "output", "patient"),
    (of(7, 14, utf16=True), "output", "patient"),  # the heart is two units
    (of(7, 14, quote="patient"), "output", "patient"),  # a browser counted
    (of(6, 12, quote="patient"), "output", "patient"),  # the last character is within
    (of(13, 16, quote="htn"), "source", "htn"),
    (of(4, 6, ("source_errors", "Major")), "source", "pt"),
    (of(4, 6, of="src"), "source", "pt"),
    (of(0, WHOLE), "output", OUTPUT),
])  # fmt: skip
def test_the_words_and_the_names_say_where_it_is(given, side, marked):
    assert given["side"] == side
    assert (SOURCE if side == "source" else OUTPUT)[given["start"] : given["end"]] == marked


@pytest.mark.parametrize("given", [of(6, 13, quote="doctor"), of(20, 99), of(WHOLE, 0), of(5, 5), of(-3, 2)])
def test_what_is_nowhere_is_no_mark(given):
    assert given is None


def test_labels_are_a_kind_and_a_severity():
    made = of(6, 13, ("category", "Fluency/grammar"), ("severity", "minor"), ("more", "Other"), reason="odd")
    assert (made["kind"], made["severity"], made["reason"]) == ("Fluency/grammar, Other", "Minor", "odd")
    assert of(6, 13, ("category", "fluency/grammar"))["kind"] == "Fluency/Grammar"


def unfolded(tool, content, name="file.json"):
    with understand(TextFile(json.dumps(content).encode(), name)) as table:
        rows = [dict(zip(table.columns, row.cells, strict=True)) for row in table.records()]
    return [(one.rater, list(one.placed)) for cells in rows for one in TOOL_FORMATS[tool].unfold(cells)]


def test_a_region_of_label_studio_is_asked_several_things():
    value = {"start": 4, "end": 6, "text": "pt"}
    said = {"labels": ("kind", "Term"), "choices": ("how", "Major"), "textarea": ("why", "jargon")}
    result = [
        {"id": "a", "from_name": name, "to_name": "source", "type": kind,
         "value": {**value, "text" if kind == "textarea" else kind: [word]}}
        for kind, (name, word) in said.items()
    ]  # fmt: skip
    task = {"id": 1, "data": {"source": SOURCE, "output": OUTPUT},
            "annotations": [{"id": 2, "completed_by": 7, "was_cancelled": False, "result": result}]}  # fmt: skip
    ((rater, (one,)),) = unfolded("label_studio", [task])
    made = mark_of(one, SOURCE, OUTPUT)
    assert (rater, made["side"], made["kind"], made["severity"], made["reason"]) == (
        "7", "source", "Term", "Major", "jargon",
    )  # fmt: skip


def test_users_of_doccano_have_their_own_stretches():
    rows = [{"id": 1, "text": OUTPUT, "annotations": [
        {"label": "Major", "start_offset": 6, "end_offset": 13, "user": 1},
        {"label": "Minor", "start_offset": 0, "end_offset": 3, "user": 2},
    ]}]  # fmt: skip
    found = {rater: [(one.start, one.end) for one in placed] for rater, placed in unfolded("doccano", rows)}
    assert found == {"1": [(6, 13)], "2": [(0, 3)]}
    older = unfolded("doccano", [{"id": 1, "text": OUTPUT, "label": [[6, 13, "Major"]]}])
    assert [(one.start, one.end, one.labels) for one in older[0][1]] == [(6, 13, [("span", "Major")])]
