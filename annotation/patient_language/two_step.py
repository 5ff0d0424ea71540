"""Checks of the parts of a sentence that was rephrased and simplified, beside `rephrase_simplify`."""

import unicodedata
from collections.abc import Mapping, Sequence
from typing import Any

from annotation.answer_checks.written_text import checked_line, storable
from annotation.patient_language.second_person import joined
from annotation.task_data.products import Segment
from annotation.text_marks.abbreviations import Span, full_form, segments_of, written_out
from foundation.errors import UserError

SIMPLIFIED, REPHRASED_ADDRESSED, SIMPLIFIED_ADDRESSED = "simplified", "rephrased_addressed", "simplified_addressed"


def check_cases(spans: Sequence[Span], unchanged: bool, final: bool) -> None:
    if unchanged and final:
        raise UserError("It needs no change, or it cannot be simplified further: choose one.", where="unchanged")
    if unchanged and spans:
        raise UserError("It needs no change, yet abbreviations are marked: take one of both back.", where="unchanged")
    if final and not spans:
        raise UserError("Nothing is written out: mark an abbreviation, or say that it needs no change.", where="final")


def check_simplified(given: object, checked: Mapping[str, Any], source: str, longest: int) -> str:
    """The last form; in the two special cases it is the form before it, and any other text contradicts them."""
    before = unicodedata.normalize("NFC", written_out(segments_of(source, checked["spans"]))).strip()
    if checked["unchanged"] or checked["final"]:
        text = given.strip() if isinstance(given, str) else ""
        if text and unicodedata.normalize("NFC", text) != before:
            said = "It needs no change" if checked["unchanged"] else "It cannot be simplified further"
            raise UserError(
                "{said}, yet there is another text in plain words: take one back.", said=said, where=SIMPLIFIED
            )
        return before
    text = checked_line(given, "The text in plain words", SIMPLIFIED, longest)
    if text == unicodedata.normalize("NFC", source).strip():
        raise UserError(
            "The text in plain words is the sentence itself; say that it needs no change.", where=SIMPLIFIED
        )
    if text == before:
        raise UserError(
            "The text in plain words is what step one made; say that it cannot be simplified further.", where=SIMPLIFIED
        )
    return text


def decided(answer: Mapping[str, Any], key: str, said: Any, own: Any, proposed: Any) -> Any:
    """What was said to be right; the form itself where nothing in it was to be addressed, and nobody wrote another."""
    given = answer.get(key)
    if given is not None and said.get(key, "said" not in answer):
        return given
    if proposed == own and given is None:
        return own
    raise UserError("Look at what is said to the patient: say that it is right, or write it.", where=key)


def check_segments(given: object, own: Sequence[Segment], max_full: int, max_length: int) -> list[Segment]:
    """Pieces whose abbreviations are, in order, among those that were marked; a UserError where they are not."""
    where, marked = REPHRASED_ADDRESSED, iter([segment["text"] for segment in own if segment["full"]])
    if not isinstance(given, list) or not all(isinstance(segment, dict) for segment in given):
        raise UserError("Expected the pieces of the sentence.", where=where)
    checked: list[Segment] = []
    for segment in given:
        text, full = segment.get("text"), segment.get("full", "")
        if not isinstance(text, str) or not isinstance(full, str):
            raise UserError("Expected the pieces of the sentence.", where=where)
        if full and text not in marked:  # `in` moves the iterator on: the order is held to
            raise UserError("“{text}” was not marked in this place.", text=text, where=where)
        checked.append(Segment(text=text, full=full_form(full, f"“{text}”", max_full, where) if full else ""))
    checked_line(written_out(checked), "Step one, said to the patient,", where, max_length)
    return joined(checked)


def storable_segments(given: Sequence[object], longest: int) -> list[Segment]:
    segments = [segment for segment in given if isinstance(segment, dict)][:1000]
    return [
        Segment(text=storable(segment.get("text"))[:longest], full=storable(segment.get("full"))[:longest])
        for segment in segments
    ]
