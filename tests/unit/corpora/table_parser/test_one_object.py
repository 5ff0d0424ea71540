"""What Potato keeps of a person, as `UserState.to_json` of davidjurgens/potato writes it, in a line or indented."""

import json

import pytest

from corpora.formats import TextFile
from corpora.table_parser import understand
from foundation.errors import UserError

LABELS = {
    "i1": [[{"schema": "fluency", "name": "scale_4"}, "4"], [{"schema": "why", "name": "text_box"}, "It reads well."]],
    "i2": {"labels": {"fluency": {"scale_2": "2"}}},
    "i3": [],
}
STATE = {
    "user_id": "ada", "instance_id_to_behavioral_data": {"i1": {"total_time_ms": 4500}, "i2": {}},
    "instance_id_to_label_to_value": LABELS,
    "instance_id_to_span_to_value": {"i3": [[{"schema": "ner", "name": "x", "start": 0, "end": 2, "id": "s"}, "true"]]},
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
def test_a_row_an_instance(indent):
    with understand(TextFile(json.dumps(STATE, indent=indent).encode(), "user_state.json")) as table:
        assert table.columns == ("user_id", "instance_id", "seconds", "labels.fluency.scale_4", "labels.why.text_box",
                                 "labels.fluency.scale_2", "spans.1.schema", "spans.1.name", "spans.1.start",
                                 "spans.1.end")  # fmt: skip
        assert [row.cells for row in table.records()] == [
            ("ada", "i1", "4.5", "4", "It reads well.", *[""] * 5), ("ada", "i2", "", "", "", "2", *[""] * 4),
            ("ada", "i3", "", "", "", "", "ner", "x", "0", "2"),
        ]  # fmt: skip


@pytest.mark.parametrize(("content", "said"), [
    ('{\n "a": 1\n}', "this is not JSON"),
    ('{"instance_id_to_label_to_value": [1]}', "not the state of one person"),
    ('{\n "instance_id_to_label_to_value": {}, "user_id": "a"\n}', "the file has no object"),
])  # fmt: skip
def test_another_object_is_refused(content, said):
    with pytest.raises(UserError, match=said):
        understand(TextFile(content.encode(), "user_state.json"))


def test_an_object_a_line_stays_one():
    lines = '{"text": "instance_id_to_label_to_value", "n": 1}\n{"text": "b", "n": 2}\n'
    with understand(TextFile(lines.encode(), "a.jsonl")) as table:
        assert (table.columns, table.rows) == (("text", "n"), 2)


ROWS = [{"source": "gonna go", "text": "I am going."}, {"source": "nope", "text": "No."}]


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize("whole", [
    {"items": ROWS}, {"version": "1.1", "data": ROWS}, {"data": {"items": ROWS}, "next": None},
])  # fmt: skip
@pytest.mark.parametrize("name", ["a.json", "pasted"])
def test_a_list_within_one_object_is_the_table_and_that_is_said(whole, indent, name):
    with understand(TextFile(json.dumps(whole, indent=indent).encode(), name)) as table:
        assert (table.columns, table.rows) == (("source", "text"), 2)
        assert any("what else it says is left out" in note.sentence for note in table.notes)


@pytest.mark.parametrize("content", [
    {"source": "a", "outputs": [{"system": "x", "text": "b"}]},  # one row with what belongs to it
    {"data": ROWS, "rows": ROWS},  # which of them is not known
])  # fmt: skip
def test_another_object_is_one_row(content):
    with understand(TextFile(json.dumps(content).encode(), "a.json")) as table:
        assert table.rows == 1


def test_rows_with_lists_of_their_own_stay_rows():
    lines = f"{json.dumps({'items': ROWS})}\n" * 2
    with understand(TextFile(lines.encode(), "a.jsonl")) as table:
        assert table.rows == 2


def test_many_numbered_keys_come_in_and_other_ones_do_not():
    asked = [{"said": list(range(3000))}]
    with understand(TextFile(json.dumps(asked).encode(), "a.json")) as table:
        assert len(table.columns) == 3000
    for entry in ({f"k{n}": n for n in range(501)}, {"said": list(range(5001))}):
        with pytest.raises(UserError, match=r"more than (500|5000) keys"):
            understand(TextFile(json.dumps([entry]).encode(), "a.json"))
    lines = "".join(json.dumps({"said": [1] * (4500 if n == 0 else 1)}) + "\n" for n in range(4500))
    with pytest.raises(UserError, match="more than 20,000,000 cells"):
        understand(TextFile(lines.encode(), "a.jsonl"))
