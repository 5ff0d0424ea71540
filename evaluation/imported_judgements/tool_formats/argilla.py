"""Argilla: records with the responses of several people, as JSON of versions 1 and 2, or as a data set of either.

Version 1 has a list of people, each with the values of all questions; version 2 a list of people for each question. In
a data set a question is a column of its own: `fluency` or `fluency.responses`, with the people beside the values.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from evaluation.imported_judgements.columns import guess_columns, plain
from evaluation.imported_judgements.placed_marks import Placed, placed
from evaluation.imported_judgements.rows import UnfoldedRow
from evaluation.imported_judgements.tool_formats._base import Cells, ToolFormat

VALUE = r"value(?P<entry>(?:\.\d+)?)(?P<inner>(?:\.\w+)?)"
FORMS = (
    re.compile(rf"^responses\.(?P<who>\d+)\.(?:values\.(?P<question>.+)\.{VALUE}|(?P<field>user_id|status))$"),
    re.compile(rf"^responses\.(?P<question>.+)\.(?P<who>\d+)\.(?:{VALUE}|(?P<field>user_id|status))$"),
    re.compile(
        r"^(?P<question>.+)\.responses(?:\.(?P<field>users|status))?\.(?P<who>\d+)"
        r"(?P<entry>(?:\.\d+)?)(?P<inner>(?:\.\w+)?)$"
    ),
    re.compile(rf"^(?P<question>.+)\.(?P<who>\d+)\.(?:{VALUE}|(?P<field>user_id|status))$"),
)
OURS = re.compile(
    r"^(?:responses|suggestions|vectors|metadata)\.|\.suggestion(?:\.|$)|-suggestion(?:-metadata)?(?:\.|$)"
)
TEXTS = {"prompt": "source", "instruction": "source", "question": "source", "response": "output",
         "completion": "output", "answer": "output"}  # fmt: skip


def matched(column: str) -> re.Match[str] | None:
    return next((match for form in FORMS if (match := form.match(column))), None)


def fits(columns: Sequence[str], rows: Sequence[Cells]) -> bool:
    fields = {match["field"] for column in columns if (match := matched(column))}
    return bool(fields & {"user_id", "users"})


def guess(
    columns: Sequence[str], rows: Sequence[Cells], criteria: Collection[str], systems: Collection[str]
) -> dict[str, str]:
    shown = [name for name in columns if not OURS.search(name) and not matched(name)]
    shown = [name for name in shown if name not in ("id", "_server_id", "status", "external_id")]
    meanings = guess_columns(shown, rows, (), systems, strip="fields.")
    for column in shown:
        meaning = TEXTS.get(plain(column.removeprefix("fields.")), "")
        if meaning and meaning not in meanings.values():
            meanings[column] = meaning
    metadata = [name for name in columns if name.startswith("metadata.")]
    about = guess_columns(metadata, rows, (), systems, strip="metadata.")
    meanings |= {column: meaning for column, meaning in about.items() if meaning not in meanings.values()}
    wanted = ("source", "number", "key", "output", "system", "direction")
    return {column: meaning for column, meaning in meanings.items() if meaning.partition(":")[0] in wanted}


def unfold(cells: Cells) -> Iterator[UnfoldedRow]:
    people: dict[tuple[str, str], dict[str, str]] = {}
    values: dict[tuple[str, str], dict[str, list[str]]] = {}
    marked: dict[tuple[str, str], list[tuple[str, str]]] = {}
    stretches: dict[tuple[str, str], dict[str, dict[str, str]]] = {}
    notes: dict[str, None] = {}
    for column, cell in cells.items():
        match = matched(column) if cell else None
        if match is None:
            continue
        question = match["question"] or ""
        who = "" if match.re is FORMS[0] else question, match["who"]
        if match["field"]:
            people.setdefault(who, {})["user_id" if match["field"] == "users" else match["field"]] = cell
        elif match["inner"] in (".start", ".end"):
            stretches.setdefault(who, {}).setdefault(match["entry"], {})[match["inner"]] = cell
        elif match["inner"] == ".label":
            stretches.setdefault(who, {}).setdefault(match["entry"], {}).update(label=cell, question=question)
            marked.setdefault(who, []).append((question, cell))
        elif match["inner"] == ".rank":
            notes[question] = None
        elif match["inner"]:
            continue
        else:
            values.setdefault(who, {}).setdefault(question, []).append(cell)
    for (user, status), places in _by_person(people, values).items():
        yield UnfoldedRow(
            cells, user, ratings=[
                (name, 0, "; ".join(said)) for place in places for name, said in values.get(place, {}).items()
            ],
            left_out=status if status in ("draft", "discarded") else "",
            spans=[span for place in places for span in marked.get(place, ())],
            placed=[_placed(one) for place in places for one in stretches.get(place, {}).values() if "label" in one],
        )  # fmt: skip
    if notes:
        yield UnfoldedRow(cells, notes=list(notes))


def _placed(cells: Mapping[str, str]) -> Placed:
    return placed(cells, [(cells["question"], cells["label"])], ".start", ".end")


def _by_person(
    people: Mapping[tuple[str, str], Mapping[str, str]], values: Mapping[tuple[str, str], object]
) -> dict[tuple[str, str], list[tuple[str, str]]]:
    """The places of each person's answers, by id and status: in version 2 each question has a list of people."""
    found: dict[tuple[str, str], list[tuple[str, str]]] = {}
    for place in dict.fromkeys([*people, *values]):
        fields = people.get(place, {})
        found.setdefault((fields.get("user_id", ""), fields.get("status", "")), []).append(place)
    return found


def reads(column: str) -> bool:
    return bool(matched(column) or (OURS.search(column) and not column.startswith("metadata.")))


TOOL_FORMAT = ToolFormat(
    "Argilla", "Records as JSON, or a data set, of versions 1 and 2.", "https://docs.argilla.io/",
    fits, guess, unfold, finds_ratings=True, finds_raters=lambda columns: True, reads=reads,
)  # fmt: skip
