"""Marks in a text: abbreviations with their full forms, as spans and as segments, and highlighted concepts."""

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypedDict

import regex

from annotation.answer_checks import as_typed, one_line
from annotation.task_data import Segment
from foundation.errors import UserError
from foundation.text_keys import DEIDENTIFIED as TAKEN_OUT

# Abbreviations marked in a sentence, each with its full form: spans while it is worked on, segments once it is made.
#
# A span is {"start", "end", "full"}, in characters (code points) of the source.

WHERE = "spans"


class Span(TypedDict):
    start: int
    end: int
    full: str


def check_spans(given: object, source: str, longest: int) -> list[Span]:
    """The spans in the order of the source; a UserError where one is not strictly a mark with a full form."""
    if not isinstance(given, list):
        raise UserError("Expected a list of marked abbreviations.", where=WHERE)
    spans = sorted((_span(span, source) for span in given), key=lambda span: span["start"])
    for span, following in itertools.pairwise(spans):
        if following["start"] < span["end"]:
            raise UserError(
                "{span} and {following} overlap.",
                span=_quoted(span, source),
                following=_quoted(following, source),
                where=WHERE,
            )
    return [{**span, "full": full_form(span["full"], _quoted(span, source), longest)} for span in spans]


def full_form(given: object, quoted: str, longest: int, where: str = WHERE) -> str:
    """The full form of an abbreviation: one line without brackets, which its written form has around it."""
    full = one_line(given, f"The full form of {quoted}", where)
    if len(full) > longest:
        raise UserError(
            "The full form of {quoted} has more than {longest} characters.", quoted=quoted, longest=longest, where=where
        )
    if "[" in full or "]" in full:
        raise UserError("The full form of {quoted} holds a bracket; remove it.", quoted=quoted, where=where)
    if f"“{full}”" == quoted:
        raise UserError("The full form of {quoted} is the abbreviation itself.", quoted=quoted, where=where)
    return full


def fitting_spans(given: object, source: str) -> list[Span]:
    """The spans of a draft that can be kept: those in the text that overlap none before them; a form may be empty."""
    spans: list[Span] = []
    for mark in given if isinstance(given, list) else []:
        try:
            span = _span(mark, source)
        except UserError:
            continue
        if not any(span["start"] < other["end"] and other["start"] < span["end"] for other in spans):
            spans.append({**span, "full": as_typed(span["full"])})
    return sorted(spans, key=lambda mark: mark["start"])


def segments_of(source: str, spans: Sequence[Span]) -> list[Segment]:
    """The pieces of the source in order, which join to it."""
    segments, at = [], 0
    for span in spans:
        segments.append(Segment(text=source[at : span["start"]], full=""))
        segments.append(Segment(text=source[span["start"] : span["end"]], full=span["full"]))
        at = span["end"]
    segments.append(Segment(text=source[at:], full=""))
    return [segment for segment in segments if segment["text"]]


def spans_of(segments: Iterable[Segment]) -> list[Span]:
    """The other way round."""
    spans, at = [], 0
    for segment in segments:
        end = at + len(segment["text"])
        if segment["full"]:
            spans.append(Span(start=at, end=end, full=segment["full"]))
        at = end
    return spans


def written_out(segments: Iterable[Segment]) -> str:
    """The sentence with its full forms in the place of its abbreviations."""
    return "".join(segment["full"] or segment["text"] for segment in segments)


def _span(given: Any, source: str) -> Span:
    if not isinstance(given, dict) or not isinstance(given.get("full", ""), str):
        raise UserError("Expected a mark with start, end and full.", where=WHERE)
    start, end = (_place(given.get(key)) for key in ("start", "end"))
    if not 0 <= start < end <= len(source):
        raise UserError("A mark must lie within the sentence.", where=WHERE)
    span = Span(start=start, end=end, full=given.get("full", ""))
    text = source[start:end]
    if not text.strip() or text != text.strip():
        raise UserError("A mark must begin and end with a letter or sign, not with a space.", where=WHERE)
    if any(start < match.end() and match.start() < end for match in TAKEN_OUT.finditer(source)):
        raise UserError(
            "{span} was masked in the text; it is not an abbreviation.", span=_quoted(span, source), where=WHERE
        )
    return span


# Marked spans of whole texts: (start, end) in characters, by the text that they are of.

# As the page cuts a text (`marking/words.js`): a vowel sign of Hindi and a point of Hebrew belong to their word.
WORD = regex.compile(
    r"\[\*\*(?:[^\[*]|\[(?!\*\*)|\*(?!\*\]))*\*\*\]|[\p{L}\p{M}\p{N}]+(?:['’]\p{L}+)?|[^\s\p{L}\p{M}\p{N}]"
)


def words_of(text: str) -> list[tuple[int, int]]:
    """The start and the end of each word, sign and masked stretch of a text."""
    return [found.span() for found in WORD.finditer(text)]


def snapped(text: str, start: int, end: int) -> tuple[int, int]:
    """A stretch of a text as a person's mark takes it: characters within one word, else whole words."""
    touched = [span for span in words_of(text) if span[0] < end and start < span[1]]
    if len(touched) > 1:
        return touched[0][0], touched[-1][1]
    return (max(start, touched[0][0]), min(end, touched[0][1])) if touched else (start, end)


def overlap_f1(ours: Mapping[str, Iterable[tuple[int, int]]], theirs: Mapping[str, Iterable[tuple[int, int]]]) -> float:
    """F1 of two people's marked characters, each counted once; 1 where neither marked any."""
    first, second = (
        {(text, place) for text, spans in marked.items() for start, end in spans for place in range(start, end)}
        for marked in (ours, theirs)
    )
    return 2 * len(first & second) / (len(first) + len(second)) if first or second else 1.0


def _place(value: object) -> int:
    return value if isinstance(value, int) and not isinstance(value, bool) else -1


def _quoted(span: Span, source: str) -> str:
    return f"“{source[span['start'] : span['end']]}”"


# Linked concepts in a running text: the highlighted pieces of it, and the note on each.


class Piece(NamedTuple):
    """A piece of a text; `note` explains its concept in lay words, "" where nothing is known of it."""

    text: str
    concept: bool = False
    note: str = ""


def pieces(text: str, concepts: Iterable[Mapping[str, Any]]) -> Iterator[Piece]:
    """The text in order, cut at its concepts. Where two overlap the one that begins first stands, then the longer."""
    at = 0
    for concept in sorted(concepts, key=lambda concept: (concept["start"], -concept["end"])):
        start, end = concept["start"], concept["end"]
        if start < at or not start < end <= len(text):
            continue
        if start > at:
            yield Piece(text[at:start])
        yield Piece(text[start:end], True, note_of(concept))
        at = end
    if at < len(text):
        yield Piece(text[at:])


def note_of(concept: Mapping[str, Any]) -> str:
    """Its lay definition; without one, its other names."""
    if concept.get("definition"):
        return str(concept["definition"])
    term = str(concept.get("term", "")).casefold()
    return ", ".join(name for name in concept.get("names") or () if name.casefold() != term)
