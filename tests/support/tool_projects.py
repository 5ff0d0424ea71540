"""One project of ratings and marked spans, in the forms in which five tools export it.

Written anew after the forms that each tool documents: Label Studio's "Raw JSON format of completed tasks", Argilla 2's
`records.to_json`, doccano's JSON lines of a project of spans and categories, Potato's `user_state.json`, and
INCEpTION's WebAnno TSV 3.3 in an exported project.
"""

import json
from collections.abc import Callable
from typing import Any, NamedTuple

from support.kinds_of_tables.texts import json_lines
from support.workbooks import zipped

PEOPLE = ("ann", "bob", "cy")
ITEMS = 6


class Rated(NamedTuple):
    """What one person said of the text of a source: a value from 1 to 5, and the label of each marked stretch."""

    rater: str
    number: int
    value: int
    marks: tuple[str, ...]


RATED = [
    Rated("ann", 1, 4, ("Major",)), Rated("bob", 1, 4, ("Major", "Minor")), Rated("cy", 1, 3, ("Major",)),
    Rated("ann", 2, 2, ("Minor",)), Rated("bob", 2, 1, ()), Rated("cy", 2, 2, ("Minor", "Minor")),
    Rated("ann", 3, 5, ()), Rated("bob", 3, 5, ()),
    Rated("bob", 4, 3, ("Major", "Major")), Rated("cy", 4, 4, ("Major",)),
    Rated("ann", 5, 1, ("Minor", "Major")), Rated("cy", 5, 1, ("Minor", "Major")),
    Rated("ann", 6, 2, ()),
]  # fmt: skip
"""Not everybody rated every text, one text has one person, and bob marked nothing in a text where others did."""
PLACES = ((0, 3), (4, 10))
"""The stretches of a text that are marked first and second: its first two words."""


def source_of(number: int) -> str:
    return f"gotta see number {number} , u know"


def text_of(number: int) -> str:
    return f"You should see {number} in manner 1."


def label_studio() -> bytes:
    return json.dumps([_task(number) for number in range(1, ITEMS + 1)]).encode()


def _task(number: int) -> dict[str, Any]:
    annotations = []
    for given in (one for one in RATED if one.number == number):
        result: list[dict[str, Any]] = [
            {"id": f"r{given.rater}", "from_name": "fluency", "to_name": "text", "type": "rating",
             "value": {"rating": given.value}}
        ]  # fmt: skip
        for (start, end), label in zip(PLACES, given.marks, strict=False):
            value = {"start": start, "end": end, "text": text_of(number)[start:end], "labels": [label]}
            result.append(
                {"id": f"s{start}", "from_name": "errors", "to_name": "text", "type": "labels", "value": value}
            )
        annotations.append({
            "id": 10 * number + PEOPLE.index(given.rater), "result": result, "was_cancelled": False, "lead_time": 8.5,
            "completed_by": {"id": PEOPLE.index(given.rater), "email": given.rater},
            "created_at": "2026-05-02T10:00:00Z",
        })  # fmt: skip
    return {"id": number, "data": {"source": source_of(number), "output": text_of(number)}, "annotations": annotations,
            "drafts": [], "predictions": [], "meta": {}}  # fmt: skip


def argilla() -> bytes:
    records = []
    for number in range(1, ITEMS + 1):
        given = [one for one in RATED if one.number == number]
        marked = {
            one.rater: [
                {"label": label, "start": start, "end": end}
                for (start, end), label in zip(PLACES, one.marks, strict=False)
            ]
            for one in given
        }
        responses = {
            "fluency": [{"value": one.value, "user_id": one.rater, "status": "submitted"} for one in given],
            "errors": [{"value": marked[one.rater], "user_id": one.rater, "status": "submitted"} for one in given],
        }
        records.append({
            "id": f"r{number}", "fields": {"source": source_of(number), "rewrite": text_of(number)}, "metadata": {},
            "suggestions": {}, "responses": responses, "vectors": {}, "status": "completed", "_server_id": f"s{number}",
        })  # fmt: skip
    return json.dumps(records).encode()


def doccano() -> bytes:
    """A ZIP with a file a person, as a project exports whose members annotate each for themselves."""
    return zipped({f"{person}.jsonl": _lines_of(person) for person in PEOPLE})


def _lines_of(person: str) -> str:
    rows = []
    for given in (one for one in RATED if one.rater == person):
        entities = [
            {"id": place, "label": label, "start_offset": start, "end_offset": end}
            for place, ((start, end), label) in enumerate(zip(PLACES, given.marks, strict=False))
        ]
        rows.append({
            "id": given.number, "text": text_of(given.number), "source": source_of(given.number), "entities": entities,
            "relations": [], "cats": [str(given.value)], "Comments": [],
        })  # fmt: skip
    return json_lines(*rows)


def potato() -> bytes:
    return zipped({f"annotation_output/{person}/user_state.json": _state(person) for person in PEOPLE})


def _state(person: str) -> str:
    given = {f"{one.number}_RuleBasedSecret": one for one in RATED if one.rater == person}
    spans = {
        key: [
            [{"schema": "errors", "name": label, "title": label, "start": start, "end": end, "id": f"s{start}"}, "true"]
            for (start, end), label in zip(PLACES, one.marks, strict=False)
        ]
        for key, one in given.items()
    }
    return json.dumps({
        "user_id": person, "instance_id_ordering": list(given),
        "instance_id_to_label_to_value": {
            key: [[{"schema": "fluency", "name": f"scale_{one.value}"}, str(one.value)]] for key, one in given.items()
        },
        "instance_id_to_span_to_value": {key: marked for key, marked in spans.items() if marked},
    }, indent=2)  # fmt: skip


def inception() -> bytes:
    files = {f"annotation/texts.txt/{person}.tsv": _annotated(person) for person in PEOPLE}
    return zipped({**files, "annotation/texts.txt/INITIAL_CAS.tsv": _annotated("")})


def _annotated(person: str) -> str:
    lines = [
        "#FORMAT=WebAnno TSV 3.3",
        "#T_SP=webanno.custom.Rating|fluency",
        "#T_SP=webanno.custom.Errors|value",
        "",
        "",
    ]
    offset, unit = 0, 0
    for number in range(1, ITEMS + 1):
        given = next((one for one in RATED if (one.rater, one.number) == (person, number)), None)
        text = text_of(number)
        lines += [f"#Text={text}"]
        rated, place = "_", 0
        if given:
            unit += 1
            rated = f"{given.value}[{unit}]"
        for order, word in enumerate(text.split(" ")):
            marked = given.marks[order] if given and order < len(given.marks) else "_"
            begin = offset + place
            lines.append(f"{number}-{order + 1}\t{begin}-{begin + len(word)}\t{word}\t{rated}\t{marked}\t")
            place += len(word) + 1
        lines.append("")
        offset += len(text) + 1
    return "\n".join(lines) + "\n"


class Export(NamedTuple):
    """How a tool exports the project: the file, the criterion of its values, and its question of spans."""

    name: str
    content: Callable[[], bytes]
    criterion: str = "fluency"
    errors: str = "errors"


EXPORTS = {
    "label_studio": Export("project.json", label_studio),
    "argilla": Export("records.json", argilla),
    "doccano": Export("project.zip", doccano, "label", "span"),
    "potato": Export("annotation_output.zip", potato),
    "inception": Export("project.zip", inception, errors="Errors"),
}
