"""Texts with the spans that one person marked in them, in the files of other programs: read, and written again.

A mark is {"side", "start", "end", "kind", "severity", "reason"}; places count characters (code points) of the side's
text. One that ends where it starts has no place: something is missing, or the text as a whole is meant.

- Google's MQM ratings: tab-separated, a row a mark, whose span stands between <v> and </v> (Freitag et al. 2021).
- WMT's ESA judgements: JSON lines, a row a text with its `esa_spans`, whose ends are exclusive (Kocmi et al. 2024).
- Pearmut's answers: JSON lines with `error_spans`, whose ends are inclusive. Its places count UTF-16 code units without
  line breaks, since its page shows those units one by one; the place behind the last one is its "[missing]".
"""

import json
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from annotation.span_taxonomies import TAXONOMIES

Mark = dict[str, Any]
MISSING = "missing"
CLEAN = "No-error"
CONTROL = "HOTW-test"
"""Google's category of an error that was put in to see whether it is found."""


@dataclass(frozen=True)
class MarkedText:
    """A text with one person's marks, and the person's score of it if there is one.

    `document` and `number` name the source; a text that several systems wrote is of all of them.
    """

    document: str
    number: str
    rater: str
    source: str
    output: str
    systems: Sequence[str]
    marks: Sequence[Mapping[str, Any]]
    score: float | None = None

    def text(self, side: str) -> str:
        return self.source if side == "source" else self.output


def new_mark(side: str, start: int, end: int, kind: str, severity: str) -> Mark:
    """A mark with its kind and severity as MQM's taxonomy writes them, whatever their capitals; others stay."""
    kind, severity = _KINDS.get(kind.casefold(), kind), _SEVERITIES.get(severity.casefold(), severity)
    return {"side": side, "start": start, "end": end, "kind": kind, "severity": severity, "reason": ""}


_MQM = TAXONOMIES["mqm"]
_KINDS = {kind.name.casefold(): kind.name for kind in _MQM.kinds}
_SEVERITIES = {severity.name.casefold(): severity.name for severity in _MQM.severities}


def cost_of(marks: Sequence[Mark]) -> float | None:
    """The score of a text with these marks by MQM's weights; None where they do not name the severity of one."""
    if any(mark["severity"] not in _MQM.weights for mark in marks):
        return None
    return round(_MQM.score(marks), 9) + 0.0


def realigned(marks: Sequence[Mark], given: str, text: str) -> list[Mark]:
    """Marks of a text in the places of another form of it, with other spaces or composed otherwise."""
    if given == text:
        return [dict(mark) for mark in marks]
    places = _signs(text)

    def moved(place: int, end: bool) -> int:
        number = len(_signs(given[:place]))
        if number - end >= len(places) or number - end < 0:
            return len(text) if number else 0
        return places[number - end] + end

    return [
        {**mark, "start": (start := moved(mark["start"], False)), "end": max(start, moved(mark["end"], True))}
        if mark["end"] > mark["start"]
        else {**mark, "start": len(text), "end": len(text)}
        for mark in marks
    ]


def _signs(text: str) -> list[int]:
    """The places of all characters but spaces and the combining ones."""
    return [place for place, sign in enumerate(text) if not sign.isspace() and not unicodedata.combining(sign)]


# Google's MQM ratings.

MQM_COLUMNS = ("system", "doc", "doc_id", "seg_id", "rater", "source", "target", "category", "severity")
BEGIN, END = "<v>", "</v>"


def tagged_span(cell: str) -> tuple[str, tuple[int, int] | None]:
    """A cell without its tags, and the place between the first and the last of them; None where it has none."""
    start, end = cell.find(BEGIN), cell.rfind(END)
    if start < 0 or end < start:
        return cell.replace(BEGIN, "").replace(END, ""), None
    before, inside, after = (part.replace(BEGIN, "").replace(END, "") for part in _cut(cell, start, end))
    return before + inside + after, (len(before), len(before) + len(inside))


def _cut(cell: str, start: int, end: int) -> tuple[str, str, str]:
    return cell[:start], cell[start:end], cell[end:]


def mqm_rows(given: MarkedText) -> Iterator[bytes]:
    """A row for each mark and system; a text without a mark has one that says so."""
    clean = new_mark("output", 0, 0, CLEAN, CLEAN)
    for system in given.systems:
        for mark in given.marks or [clean]:
            texts = {"source": given.source, "output": given.output}
            if mark["end"] > mark["start"]:
                before, inside, after = _cut(texts[mark["side"]], mark["start"], mark["end"])
                texts[mark["side"]] = f"{before}{BEGIN}{inside}{END}{after}"
            named = (system, given.document, given.number, given.number, given.rater)
            row = (*named, *texts.values(), mark["kind"] or "Other", mark["severity"])
            yield ("\t".join(" ".join(cell.split()) for cell in row) + "\n").encode()


# Lists of spans in JSON, of ESA and of Pearmut. A mark of the source has no place there: it is written as "missing",
# with its place in two keys of our own, which other programs do not look at.

SOURCE_START, SOURCE_END = "source_start_i", "source_end_i"


def listed_marks(cell: str, output: str, *, inclusive: bool) -> list[Mark]:
    """The marks of a JSON list; a ValueError where it is none. Ends beyond the text are those of the text."""
    spans = json.loads(cell) if cell.strip() else []
    if not isinstance(spans, list) or not all(isinstance(span, Mapping) for span in spans):
        raise ValueError(cell)
    return [_listed(span, output, inclusive) for span in spans]


def _listed(span: Mapping[str, Any], output: str, inclusive: bool) -> Mark:
    kind = span.get("category", span.get("error_type")) or ""
    side, start, end = "output", span["start_i"], span["end_i"]
    if SOURCE_START in span:
        side, start, end = "source", span[SOURCE_START], span[SOURCE_END]
    elif start == MISSING:
        start = end = len(output)
    elif inclusive:
        units = _units(output)
        start, end = (len(output), len(output)) if start >= len(units) else (units[start], _after(units, end, output))
    if type(start) is not int or type(end) is not int or not 0 <= start <= end:
        raise ValueError(span)
    most = len(output) if side == "output" else end
    return new_mark(side, min(start, most), min(end, most), str(kind), str(span.get("severity") or ""))


def _units(text: str) -> list[int]:
    """The place of the character of each UTF-16 code unit, without line breaks."""
    return [place for place, sign in enumerate(text) if sign != "\n" for _ in range(1 + (sign > "\uffff"))]


def _after(units: Sequence[int], end: int, text: str) -> int:
    return units[end] + 1 if end < len(units) else len(text)


def esa_lines(given: MarkedText) -> Iterator[bytes]:
    """A row for each system."""
    for system in given.systems:
        yield _json(dict(zip(ESA_COLUMNS, esa_cells(given, system), strict=True)))


ESA_COLUMNS = ("doc_id", "line_id", "src", "tgt", "esa_spans", "esa_score", "system", "annotator")


def esa_cells(given: MarkedText, system: str) -> tuple[Any, ...]:
    return (
        given.document, given.number, given.source, given.output, esa_spans(given), given.score, system, given.rater,
    )  # fmt: skip


class Spans(list[dict[str, Any]]):
    """A list of spans, which is JSON as the text of a cell."""

    def __str__(self) -> str:
        return json.dumps(self, ensure_ascii=False)


def esa_spans(given: MarkedText) -> Spans:
    return Spans({**_ends(mark, MISSING), "error_type": mark["kind"] or None} for mark in given.marks)


def _ends(mark: Mapping[str, Any], missing: Any) -> dict[str, Any]:
    placed = mark["side"] == "output" and mark["end"] > mark["start"]
    start, end = (mark["start"], mark["end"]) if placed else (missing, missing)
    own = {SOURCE_START: mark["start"], SOURCE_END: mark["end"]} if mark["side"] == "source" else {}
    return {"start_i": start, "end_i": end, "severity": mark["severity"].lower(), **own}


def pearmut_lines(given: MarkedText) -> Iterator[bytes]:
    """A page of one item, with the text of each system."""
    units = _units(given.output)
    spans = []
    for mark in given.marks:
        ends = _ends(mark, len(units))
        if mark["side"] == "output" and mark["end"] > mark["start"]:
            inside = [number for number, place in enumerate(units) if mark["start"] <= place < mark["end"]]
            ends |= {"start_i": inside[0], "end_i": inside[-1]} if inside else {}
        spans.append({**ends, "category": mark["kind"] or None})
    item = {"item_id": f"{given.document}-{given.number}", "src": given.source}
    said = {"score": given.score, "error_spans": spans}
    yield _json({
        "user_id": given.rater, "item_i": given.number,
        "item": [{**item, "tgt": dict.fromkeys(given.systems, given.output)}],
        "annotation": [dict.fromkeys(given.systems, said)], "actions": [],
    })  # fmt: skip


def _json(row: Mapping[str, Any]) -> bytes:
    return json.dumps(row, ensure_ascii=False).encode() + b"\n"
