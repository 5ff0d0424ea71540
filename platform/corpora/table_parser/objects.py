"""JSON: a list of objects, or an object a line. Nested values become columns of their own: `q.code`, `texts.1`."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import date
from math import isfinite
from typing import Any

from corpora.formats import LINE_LIMIT
from corpora.table_parser.delimited import Texts
from corpora.table_parser.kinds import not_a_table
from corpora.table_parser.notes import Notes, Question
from foundation.errors import UserError
from foundation.text_keys import UNSTORABLE

# A file that is one JSON object and yet holds a table: Potato's state of each person (`user_state.json`).

LABELS, SPANS = "instance_id_to_label_to_value", "instance_id_to_span_to_value"
KEY = re.compile(rf'"{LABELS}"\s*:')
LONGEST = 100
"""Characters that the key may take."""
SPENT = "instance_id_to_behavioral_data"
OBJECT_BEGINS = re.compile(r'\s*\{\s*"(?:[^"\\]|\\.)*"\s*:')


def is_one_object(texts: "Texts") -> bool:
    """Whether it is one person's state: an object that names instances with their labels."""
    if not OBJECT_BEGINS.match(texts.head):
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
        raise UserError("this is not the state of one person of Potato: it has no labels by instance.", where=where)
    spans, spent = state.get(SPANS) or {}, state.get(SPENT) or {}
    for instance in dict.fromkeys([*state[LABELS], *(spans if isinstance(spans, Mapping) else ())]):
        row: dict[str, Any] = {"user_id": state.get("user_id", ""), "instance_id": str(instance)}
        took = spent.get(instance) if isinstance(spent, Mapping) else None
        if isinstance(took, Mapping) and isinstance(took.get("total_time_ms"), int | float):
            row["seconds"] = took["total_time_ms"] / 1000
        row["labels"] = _by_question(state[LABELS].get(instance, {}))
        if isinstance(spans, Mapping) and spans.get(instance):
            row["spans"] = _spans(spans[instance])
        yield row


def _spans(given: Any) -> list[dict[str, Any]] | str:
    """The spans as a list: Potato keeps [[span, value], ...], earlier {schema: [span, ...]}."""
    if isinstance(given, Mapping):
        given = [one for of in given.values() for one in (of.values() if isinstance(of, Mapping) else of)]
    spans = [one[0] if isinstance(one, list) and one else one for one in given if one]
    kept = ("schema", "name", "start", "end")
    return [{key: one[key] for key in kept if key in one} for one in spans if isinstance(one, Mapping)] or "yes"


def _by_question(given: Any) -> dict[str, Any]:
    """The labels as an object of questions: Potato keeps a list of [{"schema", "name"}, value], or such an object."""
    if isinstance(given, Mapping):
        return dict(given.get("labels", given)) if isinstance(given.get("labels", given), Mapping) else {}
    found: dict[str, Any] = {}
    for one in given if isinstance(given, list) else ():
        if isinstance(one, list) and len(one) == 2 and isinstance(one[0], Mapping):
            found.setdefault(str(one[0].get("schema", "")), {})[str(one[0].get("name", ""))] = one[1]
    return found


ROWS = ("data", "items", "results", "rows", "records", "examples", "instances")
"""The keys of a file that is one object around the list of its rows, as an API answers and as SQuAD is written."""
ROWS_BEGIN = re.compile(rf'"(?:{"|".join(ROWS)})"\s*:\s*\[\s*\{{')


def rows_within(texts: "Texts") -> list[Any]:
    """The objects of the list in a file that is one object around it, one or two keys deep; of another file none."""
    if not OBJECT_BEGINS.match(texts.head) or not ROWS_BEGIN.search(texts.head):
        return []
    feed = _Feed(texts)
    try:
        whole = feed.value(texts.file.name)
    except UserError:
        return []
    found = [] if feed.peek() else [*_lists_of(whole), *(one for of in whole.values() for one in _lists_of(of))]
    return found[0] if len(found) == 1 else []


def _lists_of(given: Any) -> Iterator[list[Any]]:
    for key, value in given.items() if isinstance(given, Mapping) else ():
        if key in ROWS and isinstance(value, list) and value and isinstance(value[0], Mapping):
            yield value


COLUMNS = 500
"""Keys that are different apart from their numbers: `annotations.1.value` and `annotations.2.value` are alike."""
KEYS, CELLS = 5000, 20_000_000
"""Keys of all objects together, and these times the objects: what a row costs is the sum of its keys, there or not."""
DEPTH = 8
NUMBER = re.compile(r"\.\d+(?=\.|$)")
SPACE = re.compile(r"[ \t\r\n]*")
HEAD = 64 * 1024


class _NoNumber(str):
    """An empty text in the place of NaN or Infinity."""


NO_NUMBER = _NoNumber()


class Objects:
    """JSON as a reader of rows: its columns are all keys of all objects, in the order in which they come up."""

    kind = "json"
    delimiter = ""
    questions: tuple[Question, ...] = ()

    def __init__(self, texts: Texts) -> None:
        self.texts, self.name = texts, texts.file.name
        self.encoding, self.guessed = texts.encoding, texts.guessed
        self.notes = Notes()
        self.is_list = texts.head.lstrip().startswith("[")
        self.is_one = is_one_object(texts)
        self.within = [] if self.is_list or self.is_one else rows_within(texts)
        if self.within:
            self.notes.add(
                "The file is one object: its rows are those of the list in it; what else it says is left out."
            )
        found, alike, rows = dict[str, None](), set[str](), 0
        for line, entry in self.entries(self.notes):
            rows += 1
            for key in entry:
                if key not in found:
                    found[key] = None
                    alike.add(NUMBER.sub("", key))
                    if len(alike) > COLUMNS or len(found) > KEYS:
                        raise UserError("the objects have more than {columns} keys.",
                                        columns=COLUMNS if len(alike) > COLUMNS else KEYS,
                                        where=f"{self.name}, line {line}")  # fmt: skip
        if rows * len(found) > CELLS:
            raise UserError("the table has more than {limit:,} cells.", limit=CELLS, where=self.name)
        if not found:
            raise UserError("the file has no object.", where=self.name)
        self.names: tuple[str, ...] | None = tuple(found)

    def records(self) -> Iterator[tuple[int, Sequence[str]]]:
        names = self.names or ()
        for line, entry in self.entries():
            yield line, [entry.get(name, "") for name in names]

    def entries(self, notes: Notes | None = None) -> Iterator[tuple[int, dict[str, str]]]:
        """(line, texts by key) of each object; a note for each that is no value."""
        for line, entry in self._given():
            where = f"{self.name}, line {line}"
            if not isinstance(entry, dict):
                raise UserError('an object was expected, such as {"source": "...", "text": "..."}.', where=where)
            yield line, flat(entry, where, line, notes)

    def _given(self) -> Iterator[tuple[int, Any]]:
        if self.is_one:
            return enumerate(rows_of_one(_Feed(self.texts).value(self.name), self.name), 1)
        if self.within:
            return enumerate(self.within, 1)
        return self._of_list() if self.is_list else self._of_lines()

    def _of_lines(self) -> Iterator[tuple[int, Any]]:
        for number, line in enumerate(self.texts.lines(), 1):
            if line.strip():
                yield number, _parsed(line, f"{self.name}, line {number}")

    def _of_list(self) -> Iterator[tuple[int, Any]]:
        """The objects of a list one after the other; no more than one of them waits in memory."""
        feed = _Feed(self.texts)
        feed.expect("[")
        if feed.peek() != "]":
            yield feed.line, feed.value(self.name)
            while feed.peek() == ",":
                feed.expect(",")
                yield feed.line_of_next(), feed.value(self.name)
        if feed.peek() != "]":
            raise UserError("this is not JSON: a comma or the list's end was expected.",
                            where=f"{self.name}, line {feed.line}")  # fmt: skip


class _Feed:
    """The text of a file, read as needed, and the current line."""

    def __init__(self, texts: Texts) -> None:
        self.chunks = texts.chunks()
        self.rest, self.place, self.line = "", 0, 1
        self.decoder = json.JSONDecoder()

    def more(self, least: int) -> bool:
        """Read on until `least` characters more are there; False at the end."""
        parts, size = [self.rest[self.place :]], 0
        while size < least and (chunk := next(self.chunks, "")):
            parts.append(chunk)
            size += len(chunk)
        self.rest, self.place = "".join(parts), 0
        return size > 0

    def peek(self) -> str:
        """The next character that is no space, or "" at the end."""
        while True:
            end = _after_space(self.rest, self.place)
            self._go(end)
            if self.place < len(self.rest):
                return self.rest[self.place]
            if not self.more(HEAD):
                return ""

    def expect(self, letter: str) -> None:
        if self.peek() == letter:
            self._go(self.place + 1)

    def line_of_next(self) -> int:
        self.peek()
        return self.line

    def value(self, name: str) -> Any:
        """The next value. While it is not complete, twice as much is read, so that the work stays linear."""
        self.peek()
        least = HEAD
        while True:
            try:
                found, end = self.decoder.raw_decode(self.rest, self.place)
            except (json.JSONDecodeError, RecursionError, ValueError) as error:
                if least > 4 * LINE_LIMIT or not self.more(least):
                    raise _broken(error, f"{name}, line {self.line}") from None
                least *= 2
                continue
            self._go(end)
            return found

    def _go(self, place: int) -> None:
        self.line += self.rest.count("\n", self.place, place)
        self.place = place


def _after_space(text: str, place: int) -> int:
    found = SPACE.match(text, place)
    return found.end() if found else place


def begins_as_json(texts: Texts) -> bool:
    """Whether a text is JSON: by its first value, or by its name, which then must hold."""
    begin = texts.head.lstrip()
    if is_one_object(texts) or rows_within(texts):
        return True
    named = texts.file.name.lower().endswith((".json", ".jsonl", ".ndjson"))
    if begin[:1] not in ("[", "{"):
        if named:
            raise UserError("this is not JSON: it begins with neither '[' nor '{'.", where=texts.file.name)
        return False
    return named or _has_objects(begin, texts)


def _has_objects(begin: str, texts: Texts) -> bool:
    if begin.startswith("{"):
        line = begin.split("\n", 1)[0]
        try:
            json.loads(line)
        except (ValueError, RecursionError):
            if re.match(r'\{\s*"(?:[^"\\]|\\.)*"\s*:', begin):
                raise not_a_table("one JSON object and no list of them", texts.file.name) from None
            return False
        return True
    return bool(re.match(r"\[\s*(?:\{\s*[\"}]|\])", begin))


def _parsed(line: str, where: str) -> Any:
    try:
        return json.loads(line)
    except (ValueError, RecursionError) as error:
        raise _broken(error, where) from None


def _broken(error: Exception, where: str) -> UserError:
    if isinstance(error, json.JSONDecodeError):
        return UserError("this is not JSON: {msg}.", msg=error.msg, where=where)
    return UserError("this is not JSON that can be read: too deep, or a number too long.", where=where)


def flat(entry: Mapping[str, Any], where: str, row: int = 0, notes: Notes | None = None) -> dict[str, str]:
    """An object as texts by key; nested values have the keys on the way with dots between, lists number from 1.

    A number that is none (NaN, Infinity) is missing, as JSON and Parquet hold what a program had no value for.
    """
    found: dict[str, str] = {}
    _put(entry, "", found, where, 0)
    if any(text is NO_NUMBER for text in found.values()):
        for key in [key for key, text in found.items() if text is NO_NUMBER]:
            found[key] = ""
            if notes is not None:
                notes.add("NaN and Infinity in the column '{column}' are read as missing.", row, column=key)
    return found


def _put(value: Any, key: str, found: dict[str, str], where: str, depth: int) -> None:
    if _are_spans(value):
        value = json.dumps(value, ensure_ascii=False)
    inner = value.items() if isinstance(value, Mapping) else enumerate(value, 1) if isinstance(value, list) else None
    if inner is None:
        found[key] = _text(value, where)
        return
    if depth == DEPTH or len(found) > KEYS:
        raise UserError(
            "the object is nested more than {depth} deep, or has more than {columns} keys.",
            depth=DEPTH,
            columns=KEYS,
            where=where,
        )
    for name, one in inner:
        _put(one, f"{key}.{name}" if key else str(name), found, where, depth + 1)


def _are_spans(value: object) -> bool:
    """Whether these are marked spans, as Appraise and Pearmut write them: as JSON in one cell, since of hundreds each
    would have columns of its own."""
    return (
        isinstance(value, list) and bool(value) and all(isinstance(one, Mapping) and "start_i" in one for one in value)
    )


def _text(value: Any, where: str) -> str:
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and not isfinite(value):
        return NO_NUMBER
    text = value.isoformat() if isinstance(value, date) else str(value)
    if UNSTORABLE.search(text):
        raise UserError("a text holds a character that cannot be stored (NUL, or half of a pair).", where=where)
    return text
