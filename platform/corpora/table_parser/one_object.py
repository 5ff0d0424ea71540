"""A file that is one JSON object and yet holds a table: what Potato keeps of each person (`user_state.json`)."""

import re
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from foundation.errors import UserError

if TYPE_CHECKING:
    from corpora.table_parser.delimited import Texts

LABELS, SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
KEY = re.compile(rf'"{LABELS}"\s*:')
LONGEST = 100
"""Characters that the key may take."""
SPENT = "instance_id_to_behavioral_data"
BEGINS = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:')


def is_one_object(texts: "Texts") -> bool:
    """Whether it is one person's state: an object that names instances with their labels."""
    if not BEGINS.match(texts.head):
        return False
    begin = texts.head.lstrip().partition("\n")[0]
    if begin.rstrip().endswith("}") and not KEY.search(begin):
        return False  # an object a line
    before = ""
    for chunk in texts.chunks():
        if KEY.search(before + chunk):
            return True
        before = chunk[-LONGEST:]
    return False


def rows_of_one(state: Any, where: str) -> Iterator[dict[str, Any]]:
    """A row an instance: the person, the instance, the labels by question, the seconds, and which spans there are."""
    if not isinstance(state, Mapping) or not isinstance(state.get(LABELS), Mapping):
        raise UserError("this is no state of one person of Potato: it has no labels by instance.", where=where)
    spans, spent = state.get(SPANS) or {}, state.get(SPENT) or {}
    for instance in dict.fromkeys([*state[LABELS], *(spans if isinstance(spans, Mapping) else ())]):
        row: dict[str, Any] = {"user_id": state.get("user_id", ""), "instance_id": str(instance)}
        took = spent.get(instance) if isinstance(spent, Mapping) else None
        if isinstance(took, Mapping) and isinstance(took.get("total_time_ms"), int | float):
            row["seconds"] = took["total_time_ms"] / 1000
        row["labels"] = _by_question(state[LABELS].get(instance, {}))
        if isinstance(spans, Mapping) and spans.get(instance):
            row["spans"] = "yes"
        yield row


def _by_question(given: Any) -> dict[str, Any]:
    """The labels as an object of questions: Potato keeps a list of [{"schema", "name"}, value], or such an object."""
    if isinstance(given, Mapping):
        return dict(given.get("labels", given)) if isinstance(given.get("labels", given), Mapping) else {}
    found: dict[str, Any] = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], Mapping):
            found.setdefault(str(one[0].get("schema", "")), {})[str(one[0].get("name", ""))] = one[1]
    return found
