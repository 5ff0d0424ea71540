"""The tables of known tools, in the shapes that they export, as the judgements that they hold."""

import json

import pytest
from support.workbooks import zipped

from corpora.formats import TextFile
from corpora.table_parser import understand
from evaluation.imported_judgements.columns import columns_of, refuse_unready
from evaluation.imported_judgements.rows import RowParser
from evaluation.imported_judgements.tool_formats import TOOL_FORMATS, recognised_format
from foundation.errors import UserError

MTURK = """HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.source,Input.output,Input.system,Answer.fluency,Answer.comment,Approve,Reject
H1,W1,Approved,30,yo,Hello.,Rules,5,,x,
H1,W2,Rejected,2,yo,Hello.,Rules,1,,,Too fast
"""  # noqa: E501 (as the site writes it)
NUMBERED = """HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.source,Input.output1,Input.output2,Answer.fluency1,Answer.fluency2,Answer.meaning_1,Answer.meaning_2
H1,W1,Submitted,40,yo,Hello.,Hi.,5,4,6,3
"""  # noqa: E501
BUTTONS = """HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.source,Input.output,Answer.fluency.1,Answer.fluency.2,Answer.fluency.3
H1,W1,Approved,12,yo,Hello.,false,true,false
"""  # noqa: E501
LISTS = (
    "WorkerId,WorkTimeInSeconds,Input.origs,Input.mods,Input.target,Answer.responses\n"
    'W1,20,"yo\tbye","Hello.\tGoodbye.",formal,"fluency=5 topic=4\tfluency=3"\n'
)
QUALTRICS = (
    "StartDate,EndDate,Status,Progress,Duration (in seconds),Finished,RecordedDate,ResponseId,PROLIFIC_PID,"
    "1_fluency,2_fluency,model\n"
    "Start Date,End Date,Response Type,Progress,Duration (in seconds),Finished,Recorded Date,Response ID,PROLIFIC_PID,"
    "How fluent?,How fluent?,model\n"
    '"{""ImportId"":""startDate"",""timeZone"":""Z""}","{""ImportId"":""endDate""}","{""ImportId"":""status""}",'
    '"{""ImportId"":""progress""}","{""ImportId"":""duration""}","{""ImportId"":""finished""}",'
    '"{""ImportId"":""recordedDate""}","{""ImportId"":""_recordId""}","{""ImportId"":""PROLIFIC_PID""}",'
    '"{""ImportId"":""1_QID2""}","{""ImportId"":""2_QID2""}","{""ImportId"":""model""}"\n'
    "2026-01-02 10:00:00,2026-01-02 10:01:00,IP Address,100,60,True,2026-01-02 10:01:00,R_1,P1,Perfect,Other,Rules\n"
    "2026-01-02 10:00:00,2026-01-02 10:01:00,Survey Preview,100,60,True,2026-01-02 10:01:00,R_2,P2,Other,Other,Rules\n"
)
STUDIO = json.dumps([{
    "id": 1, "data": {"source": "yo", "output": "Hello."},
    "annotations": [
        {"id": 7, "completed_by": {"id": 1, "email": "a@x.org"}, "was_cancelled": False, "lead_time": 4.5, "result": [
            {"from_name": "fluency", "to_name": "t", "type": "rating", "value": {"rating": 4}},
            {"from_name": "formality", "to_name": "t", "type": "choices", "value": {"choices": ["Formal"]}},
        ]},
        {"id": 8, "completed_by": {"id": 2, "email": "b@x.org"}, "was_cancelled": False, "lead_time": 9.0, "result": [
            {"from_name": "fluency", "to_name": "t", "type": "rating", "value": {"rating": 2}},
        ]},
        {"id": 9, "completed_by": {"id": 3, "email": "c@x.org"}, "was_cancelled": True, "lead_time": 1.0, "result": []},
    ],
}])  # fmt: skip
STUDIO_CSV = """annotation_id,annotator,created_at,fluency,id,lead_time,output,source,updated_at
7,1,2026-01-01T00:00:00Z,"[{""rating"": 4}]",1,4.5,Hello.,yo,2026-01-01T00:00:00Z
8,2,2026-01-01T00:00:00Z,2,1,9.0,Hello.,yo,2026-01-01T00:00:00Z
"""
POTATO = "\n".join((
    '{"id": "1_Rules", "annotation": {"fluency": {"scale_4": "true"}}, '
    '"behavioral_data": {"time_string": "Time spent: 0d 0h 1m 5s "}, "user": "ada"}',
    '{"id": "2_Rules", "annotation": {"fluency": {"scale_2": "true"}}, '
    '"behavioral_data": {"time_string": "Time spent: 0d 0h 0m 1s "}, "user": "ada"}',
))  # fmt: skip
POTATO_TSV = "user\tinstance_id\tfluency:::scale_1\tfluency:::scale_2\nada\t1_Rules\t\t2\nbob\t1_Rules\t1\t\n"
PROLIFIC = """PROLIFIC_PID,SESSION_ID,item,system,fluency,seconds
5f0c,S1,1,Rules,4,7
"""
RESTYLE = (
    "annotator,guideline_version,counts,seconds,source_id,source,criterion,value,word,scale,text,systems\n"
    "9b1d,1,yes,7.5,a-b-1,yo,fluency,4,Comprehensible,fluency_5,Hello.,Rules\n"
    "9b1d,1,no,7.5,a-b-2,bye,fluency,1,Incomprehensible,fluency_5,Goodbye.,Rules\n"
)
WIDE = "rater,source,system,Fluency,Meaning (1-6)\nada,yo,Rules,5,\n"
BY_SYSTEM = "annotator;source;fluency_Rules;fluency_Neural\nada;yo;5;4\n"

COLUMNS = "original,generation,system,rating_1,rating_2,rating_3\nyo,Hello.,A,4,5,3\n"
NAMED = "source,output,fluency_ann,fluency_bob,meaning_ann,meaning_bob,fluency_mean\nyo,Hello.,4,5,1,2,4.5\n"
NUMBERED_RATERS = "source,output,annotator1,annotator2,annotator3\nyo,Hello.,4,5,\n"
LISTED = "source,output,annotator_1,fluency_1,annotator_2,fluency_2\nyo,Hello.,ann,4,bob,5\n"

ARGILLA_1 = json.dumps({
    "fields": {"source": "yo", "rewrite": "Hello."}, "metadata": {"model": "Rules"}, "external_id": "7",
    "responses": [
        {"user_id": "u-1", "status": "submitted", "values": {
            "fluency": {"value": 4}, "issues": {"value": ["too long", "odd"]},
            "spans": {"value": [{"start": 0, "end": 2, "label": "x"}]}}},
        {"user_id": "u-2", "status": "discarded", "values": {"fluency": {"value": 1}}},
        {"user_id": "u-3", "status": "submitted", "values": {"fluency": {"value": 2}}},
    ],
    "suggestions": [{"question_name": "fluency", "value": 5, "agent": "gpt"}],
})  # fmt: skip
ARGILLA_2 = json.dumps([{
    "id": "a", "_server_id": "b", "status": "completed", "fields": {"source": "yo", "rewrite": "Hello."},
    "metadata": {}, "vectors": {}, "suggestions": {"fluency": {"value": 5, "score": None, "agent": "gpt"}},
    "responses": {"fluency": [{"value": 4, "user_id": "u-1"}, {"value": 2, "user_id": "u-3"}]},
}])  # fmt: skip
ARGILLA_SET_1 = json.dumps({
    "source": "yo", "rewrite": "Hello.", "external_id": None, "metadata": "{}",
    "fluency": [
        {"user_id": "u-1", "value": 4, "status": "submitted"}, {"user_id": "u-3", "value": 2, "status": "draft"},
    ],
    "fluency-suggestion": 5, "fluency-suggestion-metadata": {"agent": "gpt"},
})  # fmt: skip
ARGILLA_SET_2 = json.dumps({
    "id": "a", "status": "completed", "source": "yo", "rewrite": "Hello.", "fluency.responses": [4, 2],
    "fluency.responses.users": ["u-1", "u-3"], "fluency.responses.status": ["submitted", "submitted"],
    "fluency.suggestion": 5, "fluency.suggestion.agent": "gpt",
})  # fmt: skip
DOCCANO = "".join(
    json.dumps({"id": n, "text": text, "label": labels, "Comments": []}) + "\n"
    for n, text, labels in ((1, "Hello.", ["4"]), (2, "Bye.", ["4", "5"]))
)
DOCCANO_USERS = json.dumps({
    "id": 1, "text": "Hello.", "meta": {"system": "Rules"}, "annotation_approver": None,
    "annotations": [{"label": 4, "user": 1}, {"label": 2, "user": 2}, {"label": 9, "start_offset": 0, "user": 2}],
})  # fmt: skip
PREDICTED = json.dumps([{
    "id": 1, "data": {"source": "yo"}, "drafts": [],
    "predictions": [{"model_version": "Rules", "result": [{"type": "textarea", "value": {"text": ["Hello."]}}]}],
    "annotations": [{"id": 7, "completed_by": 3, "was_cancelled": False, "lead_time": 4.5, "result": [
        {"from_name": "fluency", "to_name": "t", "type": "choices", "value": {"choices": ["4"]}},
        {"from_name": "issues", "to_name": "t", "type": "choices", "value": {"choices": ["long", "odd"]}},
        {"from_name": "why", "to_name": "t", "type": "textarea", "value": {"text": ["One.", "Two."]}},
        {"from_name": "span", "to_name": "t", "type": "labels", "value": {"start": 0, "end": 2, "labels": ["x"]}},
    ]}],
}])  # fmt: skip


def held(text, name, criteria=("fluency", "meaning", "formality", "topic"), mapping=None, **options):
    """The preset, the pieces of the table as its own guess reads them, and the reader."""
    with understand(TextFile(text if isinstance(text, bytes) else text.encode(), name)) as table:
        rows = [dict(zip(table.columns, row.cells, strict=True)) for row in table.sample]
        preset = recognised_format(table.columns, rows)
        entry = TOOL_FORMATS[preset]
        guessed = mapping or entry.guess(table.columns, rows, criteria, ("Rules", "Neural"))
        columns = columns_of(guessed)
        told_who = entry.finds_raters(table.columns) or "rater" in options
        refuse_unready(columns, criterion="", finds_ratings=entry.finds_ratings, rater=told_who)
        reader = RowParser(columns, entry.unfold, **options)
        return preset, [piece for row, cells in table.dicts() for piece in reader.pieces(row.line, cells)], reader


def told(pieces):
    return [(one.rater, one.source or one.number, one.output or one.system, one.criterion, one.value, one.seconds)
            for one in pieces]  # fmt: skip


CASES = {
    "mturk, one output": (MTURK, "b.csv", "mturk", [("W1", "yo", "Hello.", "fluency", "5", 30.0)]),
    "mturk, numbered": (NUMBERED, "b.csv", "mturk", [
        ("W1", "yo", "Hello.", "fluency", "5", 20.0), ("W1", "yo", "Hi.", "fluency", "4", 20.0),
        ("W1", "yo", "Hello.", "meaning", "6", 20.0), ("W1", "yo", "Hi.", "meaning", "3", 20.0),
    ]),
    "mturk, buttons": (BUTTONS, "b.csv", "mturk", [("W1", "yo", "Hello.", "fluency", "2", 12.0)]),
    "mturk, lists": (LISTS, "b.csv", "mturk", [
        ("W1", "yo", "Hello.", "fluency", "5", 10.0), ("W1", "yo", "Hello.", "topic", "4", 10.0),
        ("W1", "bye", "Goodbye.", "fluency", "3", 10.0),
    ]),
    "qualtrics": (QUALTRICS, "q.csv", "qualtrics", [
        ("P1", "1", "Rules", "fluency", "Perfect", 30.0), ("P1", "2", "Rules", "fluency", "Other", 30.0),
    ]),
    "label studio, json": (STUDIO, "p.json", "label_studio", [
        ("a@x.org", "yo", "Hello.", "fluency", "4", 4.5), ("a@x.org", "yo", "Hello.", "formality", "Formal", 4.5),
        ("b@x.org", "yo", "Hello.", "fluency", "2", 9.0),
    ]),
    "label studio, csv": (STUDIO_CSV, "p.csv", "label_studio", [
        ("1", "yo", "Hello.", "fluency", "4", 4.5), ("2", "yo", "Hello.", "fluency", "2", 9.0),
    ]),
    "potato, json lines": (POTATO, "annotated_instances.jsonl", "potato", [
        ("ada", "1_Rules", "", "fluency", "4", 65.0), ("ada", "2_Rules", "", "fluency", "2", 1.0),
    ]),
    "potato, tsv": (POTATO_TSV, "annotated_instances.tsv", "potato", [
        ("ada", "1_Rules", "", "fluency", "2", None), ("bob", "1_Rules", "", "fluency", "1", None),
    ]),
    "prolific": (PROLIFIC, "own.csv", "prolific", [("5f0c", "1", "Rules", "fluency", "4", 7.0)]),
    "restyle": (RESTYLE, "answers.csv", "restyle", [("9b1d", "yo", "Hello.", "fluency", "4", 7.5)]),
    "wide": (WIDE, "w.csv", "plain", [("ada", "yo", "Rules", "Fluency", "5", None)]),
    "a column a system": (BY_SYSTEM, "w.csv", "plain", [
        ("ada", "yo", "Rules", "fluency", "5", None), ("ada", "yo", "Neural", "fluency", "4", None),
    ]),
    "a column a rater": (COLUMNS, "w.csv", "plain", [
        (rater, "yo", "Hello.", "rating", value, None) for rater, value in (("1", "4"), ("2", "5"), ("3", "3"))
    ]),
    "a column a rater and criterion": (NAMED, "w.csv", "plain", [
        ("ann", "yo", "Hello.", "fluency", "4", None), ("bob", "yo", "Hello.", "fluency", "5", None),
        ("ann", "yo", "Hello.", "meaning", "1", None), ("bob", "yo", "Hello.", "meaning", "2", None),
    ]),
    "columns called after raters": (NUMBERED_RATERS, "w.csv", "plain", [
        ("1", "yo", "Hello.", "rating", "4", None), ("2", "yo", "Hello.", "rating", "5", None),
    ]),
    "a rater beside each rating": (LISTED, "w.csv", "plain", [
        ("ann", "yo", "Hello.", "fluency", "4", None), ("bob", "yo", "Hello.", "fluency", "5", None),
    ]),
    "argilla, records 1": (ARGILLA_1, "r.jsonl", "argilla", [
        ("u-1", "yo", "Hello.", "fluency", "4", None), ("u-1", "yo", "Hello.", "issues", "too long; odd", None),
        ("u-3", "yo", "Hello.", "fluency", "2", None),
    ]),
    "argilla, records 2": (ARGILLA_2, "r.json", "argilla", [
        ("u-1", "yo", "Hello.", "fluency", "4", None), ("u-3", "yo", "Hello.", "fluency", "2", None),
    ]),
    "argilla, data set 1": (ARGILLA_SET_1, "r.jsonl", "argilla", [("u-1", "yo", "Hello.", "fluency", "4", None)]),
    "argilla, data set 2": (ARGILLA_SET_2, "r.jsonl", "argilla", [
        ("u-1", "yo", "Hello.", "fluency", "4", None), ("u-3", "yo", "Hello.", "fluency", "2", None),
    ]),
    "doccano, users": (DOCCANO_USERS, "all.jsonl", "doccano", [
        ("1", "", "Hello.", "label", "4", None), ("2", "", "Hello.", "label", "2", None),
    ]),
    "label studio, a model's output": (PREDICTED, "p.json", "label_studio", [
        ("3", "yo", "Hello.", "fluency", "4", 4.5), ("3", "yo", "Hello.", "issues", "long; odd", 4.5),
        ("3", "yo", "Hello.", "why", "One.; Two.", 4.5),
    ]),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_tools_export_is_recognised_and_read(case):
    text, name, preset, wanted = CASES[case]
    found, pieces, _reader = held(text, name)
    assert found == preset
    assert [tuple(v.lower() if k == 3 else v for k, v in enumerate(one)) for one in told(pieces)] == [
        tuple(v.lower() if k == 3 else v for k, v in enumerate(one)) for one in wanted
    ]


def test_what_did_not_count_is_left_out_and_named_or_kept():
    _preset, _pieces, reader = held(MTURK, "b.csv")
    assert reader.rejected.summary() == "left out as “Rejected” (line 3)"
    _preset, pieces, _reader = held(MTURK, "b.csv", keep_rejected=True)
    assert [one.rater for one in pieces] == ["W1", "W2"]
    _preset, _pieces, reader = held(STUDIO, "p.json")
    assert reader.rejected.count == 1


@pytest.mark.parametrize(("text", "name", "asked", "rejected"), [
    (ARGILLA_1, "r.jsonl", "spans", 1), (PREDICTED, "p.json", "span", 0), (DOCCANO_USERS, "all.jsonl", "span", 0),
])  # fmt: skip
def test_spans_are_noted_and_what_did_not_count_is_left_out(text, name, asked, rejected):
    _preset, _pieces, reader = held(text, name)
    assert [note.values["name"] for note in reader.notes] == [asked]
    assert reader.rejected.count == rejected


def test_a_file_of_doccano_is_one_persons():
    preset, pieces, _reader = held(DOCCANO, "ann.jsonl", rater="ann")
    assert preset == "doccano"
    assert [(one.rater, one.output, one.value) for one in pieces] == [("ann", "Hello.", "4"), ("ann", "Bye.", "4; 5")]


@pytest.mark.parametrize(("text", "name", "shown"), [
    (STUDIO, "p.json", ["id", "data.source", "data.output"]),
    (ARGILLA_2, "r.json", ["id", "_server_id", "status", "fields.source", "fields.rewrite"]),
])  # fmt: skip
def test_columns_that_a_tool_format_reads_are_not_shown(text, name, shown):
    with understand(TextFile(text if isinstance(text, bytes) else text.encode(), name)) as table:
        rows = [dict(zip(table.columns, row.cells, strict=True)) for row in table.sample]
        entry = TOOL_FORMATS[recognised_format(table.columns, rows)]
        assert [column for column in table.columns if not entry.reads(column)] == shown


def test_prolifics_own_list_is_named_as_what_it_is():
    columns = ["Submission id", "Participant id", "Status", "Started at", "Completed at", "Completion code", "Age"]
    assert recognised_format(columns, []) == "prolific"
    assert "holds no judgement" in TOOL_FORMATS["prolific"].refuse(columns)
    assert TOOL_FORMATS["prolific"].refuse(["PROLIFIC_PID", "fluency"]) == ""


def test_a_row_that_cannot_be_used_is_named_by_its_line():
    text = "rater,source,output,fluency,seconds\n,yo,Hello.,5,1\nada,yo,Hello.,5,soon\nnan,yo,Hello.,4,1.5\n"
    _preset, pieces, reader = held(text, "w.csv")
    assert [(piece.rater, piece.seconds) for piece in pieces] == [("ada", None)]
    assert reader.problems.summary() == "it does not say who judged (lines 2, 4)"
    assert reader.times.summary() == "its time cannot be read, or ends before it began (line 3)"


@pytest.mark.parametrize(("mapping", "where"), [
    ({"a": "rater", "b": "source"}, "mapping"),
    ({"a": "rater", "b": "source", "c": "value"}, "criterion"),
    ({"b": "source", "c": "rating: fluency"}, "mapping"),
    ({"a": "rater", "c": "rating: fluency"}, "mapping"),
    ({"a": "rater", "b": "source", "c": "rating"}, "mapping"),
])  # fmt: skip
def test_a_mapping_that_makes_no_judgement_is_refused(mapping, where):
    with pytest.raises(UserError) as refused:
        refuse_unready(columns_of(mapping), criterion="", finds_ratings=False)
    assert refused.value.where == where


PEARMUT = json.dumps({
    "user_id": "u-1", "item_i": 0,
    "item": [{"src": "yo", "tgt": {"Rules": "Hello.", "Neural v1.5": "Hi."}},
             {"src": "bye", "tgt": {"Rules": "Goodbye."}}],
    "annotation": [
        {"Rules": {"score": 80, "error_spans": [{"start_i": 0, "end_i": 2}]}, "Neural v1.5": {"score": {"Fluency": 3}}},
        {"Rules": {"score": 20}},
    ],
    "actions": [{"action": "load", "time": 100.0}, {"action": "score", "time": 104.0},
                {"action": "end", "time": 304.0}],
})  # fmt: skip
APPRAISE = json.dumps({
    "annotator": "ann", "source_text": "yo", "target_id": "Rules", "target_text": "Hello.", "score": 70,
    "mqm_annotations": "[]", "item_id": 1, "item_type": "TGT", "duration": 9.5, "campaign_name": "c",
}) + "\n" + json.dumps({
    "annotator": "ann", "source_text": "yo", "target_id": "Rules", "target_text": "Bad.", "score": 5,
    "mqm_annotations": "[]", "item_id": 1, "item_type": "BAD", "duration": 3.0, "campaign_name": "c",
})  # fmt: skip
APPRAISE_PAIR = json.dumps({
    "annotator": "ann", "source_text": "yo", "item_type": "TGT", "campaign_name": "c", "duration": 8.0,
    "targets": [{"target_id": "Rules", "target_text": "Hello.", "score": 70},
                {"target_id": "Neural", "target_text": "Hi.", "score": 30}],
})  # fmt: skip
APPRAISE_TABLE = "".join(
    f"ann,{system},1,{kind},eng,eng,{score},doc,False,1700000000.5,1700000011.5\n"
    for system, kind, score in (("Rules", "TGT", 70), ("Neural", "TGT", 30), ("Rules", "BAD", 2))
)


def test_pearmut_holds_a_page_of_items_a_row() -> None:
    preset, pieces, reader = held(PEARMUT, "esa.jsonl")
    assert preset == "pearmut"
    scored = [one for one in pieces if one.marks is None]
    assert [(one.rater, one.source, one.output, one.criterion, one.value) for one in scored] == [
        ("u-1", "yo", "Hello.", "score", "80"), ("u-1", "yo", "Hi.", "Fluency", "3"),
        ("u-1", "bye", "Goodbye.", "score", "20"),
    ]  # fmt: skip
    assert sum(one.seconds for one in scored) == 4.0 + 60  # a pause of 200 seconds counts as a minute
    marked = [(one.output, [(mark["start"], mark["end"]) for mark in one.marks]) for one in pieces if one.marks]
    assert marked == [("Hello.", [(0, 3)])], "its ends are inclusive"
    assert not list(reader.notes)


@pytest.mark.parametrize(("text", "name", "wanted"), [
    (APPRAISE, "scores.jsonl", [("ann", "Rules", "70", 9.5)]),
    (APPRAISE_PAIR, "scores.jsonl", [("ann", "Rules", "70", 4.0), ("ann", "Neural", "30", 4.0)]),
    (APPRAISE_TABLE, "scores.csv", [("ann", "Rules", "70", 11.0), ("ann", "Neural", "30", 11.0)]),
])  # fmt: skip
def test_appraise_in_its_three_forms(text: str, name: str, wanted: list[tuple[str, str, str, float]]) -> None:
    preset, pieces, reader = held(text, name)
    assert preset == "appraise"
    assert [(one.rater, one.system, one.value, one.seconds) for one in pieces] == wanted
    assert reader.rejected.count == text.count("BAD")


def test_a_folder_of_doccano_has_a_person_a_file() -> None:
    rows = {name: json.dumps({"id": 1, "text": "Hello.", "label": [label], "source": "yo"})
            for name, label in (("ann.jsonl", "4"), ("bob.jsonl", "2"))}  # fmt: skip
    preset, pieces, _ = held(zipped(rows), "labels.zip")
    assert preset == "doccano"
    assert [(one.rater, one.source, one.output, one.value) for one in pieces] == [
        ("ann", "yo", "Hello.", "4"), ("bob", "yo", "Hello.", "2"),
    ]  # fmt: skip
