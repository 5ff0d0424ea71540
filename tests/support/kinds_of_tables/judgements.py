"""Tables of judgements, a small one of each kind, with what is right: a value by rater, source, system and criterion.

They are of a study with two sources and two systems (`SYSTEMS`).
"""

import json
from dataclasses import dataclass, field

from support.kinds_of_tables.texts import json_lines
from support.workbooks import workbook, zipped

SYSTEMS = {
    "Rules": {"hey you there": "Hello.", "k thx bye": "Thank you."},
    "Neural": {"hey you there": "Hi.", "k thx bye": "Thanks."},
}
FLUENCY = {"scale-fluency": "fluency_5"}


@dataclass(frozen=True)
class Judged:
    """A file, the answers to what it has to ask, and {(rater, number of the source, text, criterion): value}."""

    name: str
    content: str | bytes
    judged: dict[tuple[str, int, str, str], float]
    answers: dict[str, str] = field(default_factory=lambda: FLUENCY)
    settings: dict[str, str] = field(default_factory=dict)


def of(criterion: str, *rows: tuple[str, int, str, float]) -> dict[tuple[str, int, str, str], float]:
    return {(rater, number, text, criterion): value for rater, number, text, value in rows}


BOTH = of("fluency", ("ada", 1, "Hello.", 5), ("bob", 2, "Thanks.", 2))
WIDE = "rater,source,output,fluency\nada,hey you there,Hello.,5\nbob,k thx bye,Thanks.,2\n"
IDS = "rater,number,system,fluency\nada,1,Rules,5\nbob,2,Neural,2\n"
LONG = "rater,number,system,criterion,value\nada,1,Rules,fluency,5\nbob,2,Neural,fluency,2\n"
ROWS = [("rater", "number", "system", "fluency"), ("ada", 1, "Rules", 5), ("bob", 2, "Neural", 2)]
RESULT = {"to_name": "t", "type": "rating"}


def task(number: int, source: str, output: str, who: int, value: int) -> dict[str, object]:
    result = [{"from_name": "fluency", **RESULT, "value": {"rating": value}}]
    said = [{"id": number, "completed_by": who, "was_cancelled": False, "lead_time": 4.5, "result": result}]
    return {"id": number, "data": {"source": source, "output": output}, "annotations": said}


def argilla(source: str, output: str, who: str, value: int) -> dict[str, object]:
    said = {"fluency": [{"value": value, "user_id": who}]}
    shown = {"source": source, "rewrite": output}
    return {
        "id": source,
        "_server_id": "b",
        "status": "completed",
        "fields": shown,
        "suggestions": {},
        "responses": said,
    }


PERSON = "5f0c1d2e3a4b5c6d7e8f9a0b"
BATCH = (
    "HITId,WorkerId,AssignmentStatus,WorkTimeInSeconds,Input.source,Input.output,Answer.fluency,Approve,Reject\n"
    "H1,W1,Approved,30,hey you there,Hello.,5,x,\nH1,W2,Rejected,2,hey you there,Hello.,1,,Too fast\n"
)
QUALTRICS = (
    "StartDate,EndDate,Status,Progress,Duration (in seconds),Finished,RecordedDate,ResponseId,1_fluency,2_fluency,"
    "model\n"
    "Start Date,End Date,Response Type,Progress,Duration (in seconds),Finished,Recorded Date,Response ID,Fluent?,"
    "Fluent?,model\n"
    + ",".join('"{""ImportId"":""x""}"' for _ in range(11))
    + "\n2026-01-02 10:00:00,2026-01-02 10:01:00,IP Address,100,60,True,2026-01-02 10:01:00,"
    "R_1abcdefghijklm,5,2,Rules\n"
)

ONE = "user_state.json"


def state(user: str, *said: tuple[str, str, int]) -> str:
    """What Potato keeps of a person: (instance, question, value) of each label."""
    labels = {instance: [[{"schema": asked, "name": f"scale_{value}"}, str(value)]] for instance, asked, value in said}
    kept = {
        "user_id": user, "instance_id_ordering": list(labels), "current_phase_and_page": ["done", "done"],
        "instance_id_to_behavioral_data": {instance: {"total_time_ms": 4500} for instance in labels},
        "instance_id_to_label_to_value": labels, "instance_id_to_span_to_value": {},
    }  # fmt: skip
    return json.dumps(kept, indent=2)


def instance(key: str, shown: str, value: int) -> dict[str, object]:
    """A line of an earlier version of Potato, in a folder a person."""
    return {"id": key, "displayed_text": shown, "label_annotations": {"fluency": {f"scale_{value}": str(value)}},
            "behavioral_data": {"time_string": "Time spent: 0d 0h 0m 5s "}}  # fmt: skip


POTATO_2 = {f"annotation_output/{user}/{ONE}": state(user, said) for user, said in {
    "ada": ("1_Rules", "fluency", 5), "bob": ("2_Neural", "fluency", 2),
}.items()}  # fmt: skip
POTATO_1 = {
    "full/ada/annotated_instances.jsonl": json_lines(instance("item-a", "Hello.", 5)),
    "full/bob/annotated_instances.jsonl": json_lines(instance("item-b", "Thanks.", 2)),
}
POTATO_CSV = "instance_id,user_id,fluency.scale_5,fluency.scale_2\n1_Rules,ada,5,\n2_Neural,bob,,2\n"

JUDGEMENTS = {
    "wide": Judged("r.csv", WIDE, BOTH),
    "wide, by number and system": Judged("r.tsv", IDS.replace(",", "\t"), BOTH),
    "long": Judged("r.csv", LONG, BOTH),
    "a workbook": Judged("r.xlsx", workbook({"Ratings": ROWS}), BOTH),
    "a title above": Judged("r.csv", "Ratings of May,,,\n" + IDS, BOTH, {"above": "1", **FLUENCY}),
    "numbers from 0": Judged("r.csv", "rater,number,system,fluency\nada,0,Rules,5\nbob,1,Neural,2\n", BOTH,
                             {"numbers": "from_0", **FLUENCY}),
    "a column a rater": Judged(
        "r.csv", "source,output,fluency_ada,fluency_bob\nhey you there,Hello.,5,4\nk thx bye,Thanks.,,2\n",
        of("fluency", ("ada", 1, "Hello.", 5), ("bob", 1, "Hello.", 4), ("bob", 2, "Thanks.", 2)),
    ),
    "a column a system": Judged(
        "r.csv", "rater,source,fluency_Rules,fluency_Neural\nada,hey you there,5,3\n",
        of("fluency", ("ada", 1, "Hello.", 5), ("ada", 1, "Hi.", 3)),
    ),
    "a sheet a rater": Judged(
        "r.xlsx", workbook({"ada": [ROWS[0][1:], ROWS[1][1:]], "bob": [ROWS[0][1:], ROWS[2][1:]]}), BOTH,
        {"part": "*", **FLUENCY}, {"raters": "part"},
    ),
    "a file a rater": Judged(
        "r.zip", zipped({"ada.csv": "number,system,fluency\n1,Rules,5\n",
                         "bob.csv": "number,system,fluency\n2,Neural,2\n"}),
        BOTH, settings={"raters": "part"},
    ),
    "a range is no value": Judged(
        "r.csv", IDS + "cy,2,Neural,2-3\n", BOTH, {"off-fluency": "leave_out", **FLUENCY},
    ),
    "missing values": Judged("r.csv", IDS + "cy,2,Neural,N/A\n", BOTH, {"missing-fluency": "leave_out", **FLUENCY}),
    "a text of nobody": Judged("r.csv", WIDE + "cy,k thx bye,No thanks.,3\n", BOTH,
                               {"outputs": "leave_out", **FLUENCY}),
    "mechanical turk": Judged("b.csv", BATCH, of("fluency", ("W1", 1, "Hello.", 5)),
                              {"rejected": "leave_out", **FLUENCY}),
    "qualtrics": Judged("q.csv", QUALTRICS, of("fluency", ("R_1abcdefghijklm", 1, "Hello.", 5),
                                               ("R_1abcdefghijklm", 2, "Thank you.", 2))),
    "label studio": Judged(
        "p.json", json.dumps([task(1, "hey you there", "Hello.", 3, 5), task(2, "k thx bye", "Thanks.", 4, 2)]),
        of("fluency", ("3", 1, "Hello.", 5), ("4", 2, "Thanks.", 2)),
    ),
    "argilla": Judged(
        "r.jsonl", json_lines(argilla("hey you there", "Hello.", "u-1", 5), argilla("k thx bye", "Thanks.", "u-2", 2)),
        of("fluency", ("u-1", 1, "Hello.", 5), ("u-2", 2, "Thanks.", 2)),
    ),
    "potato, a folder a person": Judged("annotation_output.zip", zipped(POTATO_2), BOTH),
    "potato, one person": Judged(ONE, state("ada", ("1_Rules", "fluency", 5)), of("fluency", ("ada", 1, "Hello.", 5))),
    "potato, earlier, a folder a person": Judged("full.zip", zipped(POTATO_1), BOTH),
    "potato, its table": Judged("annotations.csv", POTATO_CSV, BOTH),
    "potato, ids with their texts": Judged(
        "a.jsonl", json_lines(
            {"user": "ada", "instance_id": "0", "displayed_text": "Hello.", "fluency:::scale_5": "5"},
            {"user": "bob", "instance_id": "1", "displayed_text": "Thanks.", "fluency:::scale_2": "2"},
        ),
        BOTH,
    ),
    "prolific": Judged("own.csv", f"PROLIFIC_PID,SESSION_ID,item,system,fluency\n{PERSON},S1,1,Rules,5\n",
                       of("fluency", (PERSON, 1, "Hello.", 5))),
}  # fmt: skip
