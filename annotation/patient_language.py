"""Clinical and scientific sentences in a patient's words, as MedLane and PLABA have them written."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Any, NamedTuple

from annotation.answer_checks import as_typed, checked_line, one_line, refuse_others
from annotation.task_data import Segment
from annotation.text_marks import Span, full_form, segments_of, written_out
from foundation.errors import UserError
from foundation.text_keys import DEIDENTIFIED

# The guideline of an adaptation, and the parts of a complete adaptation of one sentence (PLABA, Fig. 2).

OPERATIONS = ("kept", "rewritten", "split", "dropped")
LONGEST_TARGET = 1000
MOST_TARGETS = 20
LONGEST_REASON = 500
LONGEST_RULE = 1000
MOST_RULES = 40
REASONS = (
    "Not relevant to a patient's understanding",
    "Only statistics",
    "Only about how the study was done",
    "Says again what stands elsewhere",
)
# The paper's nine, in words of our own; after the first line of each comes its example.
RULES = (
    "Use the everyday word for a rare or technical one.\nrenal impairment → kidney problems",
    "Say who does what: active, not passive.\nThe vaccine was given by nurses. → Nurses gave the vaccine.",
    "Leave a label at the start of a sentence out, or make it part of the sentence.\n"
    "AIM: To test a new inhaler. → We wanted to test a new inhaler.",
    "Split a long, winding sentence into short ones.\n"
    "The drug, which is taken daily, eased pain but caused nausea. → "
    "People take the drug daily. It eased pain. It also made some feel sick.",
    "Leave out confidence intervals, p-values and other statistics.\n"
    "Fewer people fell ill (RR 0.6, 95% CI 0.5 to 0.8). → Fewer people fell ill.",
    "Carry a sentence over unchanged where everybody understands it.\nMost children get better within a week.",
    "Drop a sentence that does not help a patient to understand the text.\nData were analysed with standard software.",
    "Put the thing itself for a pronoun or a word that points elsewhere.\nIt lowers it. → The drug lowers blood sugar.",
    "Explain a hard term or an abbreviation where it first comes up.\n"
    "COPD → COPD, a lung disease that makes it hard to breathe",
)


def check_rules(given: object) -> list[str]:
    """The rules of the guideline, each a sentence, and its example on the lines after it; may be empty."""
    if not isinstance(given, (list, tuple)) or not all(isinstance(text, str) for text in given):
        raise UserError("Expected a list of texts.", where="rules")
    rules = [text.strip() for text in given]
    if any(not rule or len(rule) > LONGEST_RULE for rule in rules):
        raise UserError("Each rule must have 1 to {longest_rule} characters.", longest_rule=LONGEST_RULE, where="rules")
    if len(rules) > MOST_RULES:
        raise UserError("At most {most_rules} rules are allowed.", most_rules=MOST_RULES, where="rules")
    return rules


def rule_and_example(rule: str) -> dict[str, str]:
    first, _, rest = rule.partition("\n")
    return {"rule": first.strip(), "example": rest.strip()}


def check_sentence(
    given: Mapping[str, Any], sentence: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The decision on one sentence in its stored form; a UserError that names the sentence, `where` sentence-NUMBER."""
    number = sentence["number"]
    try:
        operation = given.get("operation", "")
        refuse_others(operation, OPERATIONS, "operation")
        if not operation:
            raise UserError("it is not decided yet: carry it over, rewrite it, split it or drop it.")
        targets, reason = _decided(operation, given, sentence["text"], settings)
    except UserError as error:
        raise UserError(
            "Sentence {number}: {fault}", number=number, fault=_lowered(error.sentence), where=f"sentence-{number}"
        ) from None
    return {"number": number, "operation": operation, "targets": targets, "reason": reason}


def drafted(given: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """The decisions so far in storable text, also where it is too long, so that nobody loses an end."""
    operation, targets = given.get("operation"), given.get("targets")
    listed = targets if isinstance(targets, list) else []
    storable_targets = [as_typed(target) for target in listed if isinstance(target, str)]
    return {
        "number": given["number"],
        "operation": operation if operation in OPERATIONS else "",
        "targets": storable_targets[: 2 * MOST_TARGETS],
        "reason": as_typed(given.get("reason", "")),
    }


def _decided(
    operation: str, given: Mapping[str, Any], source: str, settings: Mapping[str, Any]
) -> tuple[list[str], str]:
    if operation == "kept":
        return [source], ""
    if operation == "dropped":
        return [], _reason(given.get("reason"), settings["reasons"])
    targets = _targets(given.get("targets"), settings["max_length"])
    if operation == "split" and len(targets) < 2:
        raise UserError("a split needs two sentences or more.")
    if operation == "rewritten" and len(targets) != 1:
        raise UserError("a rewrite is one sentence; choose to split it for more.")
    if operation == "rewritten" and targets[0] == unicodedata.normalize("NFC", source).strip():
        raise UserError("the rewrite is the same as the source; change it, or carry the sentence over.")
    return targets, ""


def _targets(given: object, longest: int) -> list[str]:
    if not isinstance(given, list) or len(given) > MOST_TARGETS:
        raise UserError("expected a list of at most {most_targets} sentences.", most_targets=MOST_TARGETS)
    targets = [one_line(text) for text in given]
    for target in targets:
        if len(target) > longest:
            raise UserError(
                "a target has {target_count} characters; at most {longest} are allowed.",
                target_count=len(target),
                longest=longest,
            )
    return targets


def _reason(given: object, reasons: list[str]) -> str:
    if not isinstance(given, str) or not given.strip():
        raise UserError("say why it is dropped.")
    if reasons:
        if given not in reasons:
            raise UserError("this reason is not in the guideline's list.")
        return given
    reason = one_line(given)
    if len(reason) > LONGEST_REASON:
        raise UserError(
            "the reason has {reason_count} characters; at most {longest_reason} are allowed.",
            reason_count=len(reason),
            longest_reason=LONGEST_REASON,
        )
    return reason


def _lowered(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]


# A sentence about a patient, said to the patient: "Pt was on NC" to "You were on NC" (MedLane's lines 3 and 4).
#
# These are proposals by a few rules of English, shown to an annotator who says whether they are right. They take every
# "he" or "she" for the patient, so a sentence about somebody else comes out wrong. "her" before a content word is taken
# for "your". A verb changes only right after its subject; was, has, is and does also change after "and", "but" and
# "or".

# Words that name the patient. "PT" in capitals is the physical therapy.
WORD = re.compile(rf"{DEIDENTIFIED.pattern}|[^\W_]+(?:['’][^\W_]+)?")
SUBJECTS = frozenset({"he", "she"})
OBJECTS = frozenset({"him"})
POSSESSIVES = frozenset({"his", "patient's", "pt's"})
SELVES = frozenset({"himself", "herself"})
PATIENT = frozenset({"patient", "pt"})
ARTICLES = frozenset({"the", "this"})
TITLES = frozenset({"mr", "mrs", "ms", "miss"})
# After "patient" these make a compound that names no person.
COMPOUNDS = frozenset({"care", "safety", "education", "population", "populations", "controlled", "history", "room"})

AUXILIARIES = {
    "was": "were", "is": "are", "has": "have", "does": "do",
    "wasn't": "weren't", "isn't": "aren't", "hasn't": "haven't", "doesn't": "don't",
}  # fmt: skip
JOINING = frozenset({"and", "but", "or"})
# Between a subject and its verb.
ADVERBS = frozenset({
    "also", "then", "now", "still", "otherwise", "never", "not", "always", "later", "again", "soon", "often", "already",
    "just", "further", "first", "last", "ever", "once", "thus", "therefore", "however", "even", "only",
})  # fmt: skip
# Words in -s after a subject that are no verb in the third person.
NO_VERBS = frozenset({"his", "this", "its", "as", "us", "yes", "plus", "versus", "vs", "less", "needless", "unless"})
ODD_VERBS = {"lies": "lie", "dies": "die", "ties": "tie", "goes": "go", "focuses": "focus", "says": "say"}
# "her" before one of these, or at the end, is an object.
_NO_NOUNS = (
    "a about after again all although an and any are as at back because before but by down during for from had has have"
    " home if in into is it no not of off on or out over since so than that the then there they this through to too"
    " under until up via was we were when where which while who will with without would"
)
_PREPOSITIONS = (
    "about after against among around at before behind between by concerning during for from in into near of on onto"
    " over regarding since than through to toward towards upon with without"
)
NO_NOUNS, PREPOSITIONS = frozenset(_NO_NOUNS.split()), frozenset(_PREPOSITIONS.split())


class Edit(NamedTuple):
    """Characters from `start` to `end` become `text`."""

    start: int
    end: int
    text: str


class Word(NamedTuple):
    start: int
    end: int
    text: str
    low: str


def addressed_text(text: str) -> str:
    """The text as it would be said to the patient; the same where nothing names one."""
    return _edited(text, 0, edits(text))


def addressed(segments: Sequence[Segment]) -> list[Segment]:
    """The segments of a rephrased sentence, addressed; a full form that names the patient becomes plain text."""
    copies = [Segment(text=segment["text"], full=segment["full"]) for segment in segments]
    shown = "".join(segment_copy["full"] or segment_copy["text"] for segment_copy in copies)
    _apply(edits(shown), copies)
    return joined(copies)


def joined(segments: Iterable[Segment]) -> list[Segment]:
    """The pieces without empty ones, and with adjacent plain text in one piece."""
    merged: list[Segment] = []
    written = (segment for segment in segments if segment["full"] or segment["text"])
    for full, group in groupby(written, key=lambda piece: bool(piece["full"])):
        if full:
            merged += [Segment(text=piece["text"], full=piece["full"]) for piece in group]
        else:
            merged.append(Segment(text="".join(piece["text"] for piece in group), full=""))
    return merged


def edits(text: str) -> list[Edit]:
    """The edits of the text, from left to right; no two overlap."""
    words = [Word(m.start(), m.end(), m[0], m[0].lower().replace("’", "'")) for m in WORD.finditer(text)]
    edits_found: list[Edit] = []
    place, spoken = 0, False
    while place < len(words):
        person = _person(words, place, text)
        if person is None:
            if spoken and words[place].low in JOINING:
                edits_found.extend(_verb(words, place + 1, text, auxiliary=True))
            place += 1
            continue
        edit, place, subject = person
        edits_found.append(edit)
        if subject:
            spoken = True
            edits_found.extend(_verb(words, place, text))
    return edits_found


def _person(words: list[Word], place: int, text: str) -> tuple[Edit, int, bool] | None:
    """The mention of the patient here: its edit, the place after it, and whether a verb may follow as its own."""
    word = words[place]
    if word.low in SUBJECTS:
        return _edit(word, word, "you"), place + 1, True
    if word.low in OBJECTS:
        return _edit(word, word, "you"), place + 1, False
    if word.low in SELVES:
        return _edit(word, word, "yourself"), place + 1, False
    if word.low == "hers":
        return _edit(word, word, "yours"), place + 1, False
    if word.low == "her":
        owned = place + 1 < len(words) and words[place + 1].low not in NO_NOUNS and _near(words, place, text)
        return _edit(word, word, "your" if owned else "you"), place + 1, False
    if word.low in POSSESSIVES:
        return _edit(word, word, "your"), place + 1, False
    return _named(words, place, text)


def _named(words: list[Word], place: int, text: str) -> tuple[Edit, int, bool] | None:
    """The patient, pt, or a title before a name that was taken out; also as a possessive."""
    last = place
    if words[place].low in ARTICLES and place + 1 < len(words):
        last += 1
    if words[last].low.removesuffix("'s") in PATIENT and words[last].text != "PT":
        following = words[last + 1].low if last + 1 < len(words) and _near(words, last, text) else ""
        if following in COMPOUNDS:
            return None
    elif words[place].low in TITLES and place + 1 < len(words) and words[place + 1].text.startswith("[**"):
        last = place + 1
    else:
        return None
    end = words[last].end
    owner = words[last].low.endswith("'s") or text[end : end + 2] in ("'s", "’s")
    if owner and not words[last].low.endswith("'s"):  # after a name that was taken out
        after = last + 2 if last + 1 < len(words) and words[last + 1].low == "s" else last + 1
        return Edit(words[place].start, end + 2, _cased("your", words[place].text)), after, False
    free = place == 0 or words[place - 1].low not in PREPOSITIONS or not _near(words, place - 1, text)
    return _edit(words[place], words[last], "your" if owner else "you"), last + 1, free and not owner


def _verb(words: list[Word], place: int, text: str, auxiliary: bool = False) -> list[Edit]:
    """The change of the verb at `place`, adverbs skipped; none where there is no verb in the third person."""
    while place < len(words) and _adverb(words[place].low):
        place += 1
    if place >= len(words) or not _near(words, place - 1, text):
        return []
    word = words[place]
    plain = AUXILIARIES.get(word.low)
    if plain is None and not auxiliary:
        plain = base(word.low)
    return [_edit(word, word, plain)] if plain else []


def base(verb: str) -> str | None:
    """From "denies" to "deny"; None for anything but a regular verb in the third person."""
    if verb in ODD_VERBS:
        return ODD_VERBS[verb]
    if len(verb) < 4 or not verb.endswith("s") or verb.endswith(("ss", "us", "is", "'s")) or verb in NO_VERBS:
        return None
    if verb.endswith("ies"):
        return verb[:-3] + "y"
    if verb.endswith(("sses", "shes", "ches", "xes", "zzes", "oes")):
        return verb[:-2] if not verb.endswith("aches") or verb in ("reaches", "coaches", "teaches") else verb[:-1]
    return verb[:-1]


def _adverb(word: str) -> bool:
    return word in ADVERBS - AUXILIARIES.keys() or (word.endswith("ly") and len(word) > 4)


def _near(words: list[Word], place: int, text: str) -> bool:
    """Whether nothing but space or a comma stands between this word and the next."""
    return place + 1 < len(words) and not text[words[place].end : words[place + 1].start].strip(" ,")


def _edit(first: Word, last: Word, text: str) -> Edit:
    return Edit(first.start, last.end, _cased(text, first.text))


def _cased(text: str, like: str) -> str:
    """In capitals or with a capital where `like` is."""
    if len(like) > 1 and like.isupper():
        return text.upper()
    return text[0].upper() + text[1:] if like[0].isupper() else text


def _apply(applied: Sequence[Edit], segments: Sequence[Segment]) -> None:
    """Put each new text into the first piece that its edit touches, and take the old out of all."""
    at = first = 0
    for segment in segments:
        shown = segment["full"] or segment["text"]
        end = at + len(shown)
        while first < len(applied) and applied[first].end <= at:
            first += 1
        last = first
        while last < len(applied) and applied[last].start < end:
            last += 1
        touching = applied[first:last]
        if touching and shown:
            left = _edited(shown, at, touching)
            whole = touching[0].start <= at and end <= touching[0].end
            segment["text"], segment["full"] = (segment["text"], left) if segment["full"] and not whole else (left, "")
        at = end


def _edited(text: str, at: int, applied: Iterable[Edit]) -> str:
    """The text that begins at `at`, edited; an edit that began before it only takes its part out."""
    pieces, place = [], 0
    for edit in applied:
        pieces += [text[place : max(edit.start - at, 0)], edit.text if edit.start >= at else ""]
        place = max(edit.end - at, 0)
    return "".join([*pieces, text[place:]])


# Checks of the parts of a sentence that was rephrased and simplified, beside `rephrase_simplify`.

SIMPLIFIED, REPHRASED_ADDRESSED, SIMPLIFIED_ADDRESSED = "simplified", "rephrased_addressed", "simplified_addressed"


def check_cases(spans: Sequence[Span], unchanged: bool, final: bool) -> None:
    if unchanged and final:
        raise UserError("It needs no change, or it cannot be simplified further: choose one.", where="unchanged")
    if unchanged and spans:
        raise UserError("It needs no change, but abbreviations are marked: undo one of the two.", where="unchanged")
    if final and not spans:
        raise UserError(
            "No abbreviation is written out: mark one, or say that the sentence needs no change.", where="final"
        )


def check_simplified(given: object, checked: Mapping[str, Any], source: str, longest: int) -> str:
    """The last form; in the two special cases it is the form before it, and any other text contradicts them."""
    before = unicodedata.normalize("NFC", written_out(segments_of(source, checked["spans"]))).strip()
    if checked["unchanged"] or checked["final"]:
        text = given.strip() if isinstance(given, str) else ""
        if text and unicodedata.normalize("NFC", text) != before:
            said = "It needs no change" if checked["unchanged"] else "It cannot be simplified further"
            raise UserError(
                "{said}, but there is another text in plain words: undo one of the two.", said=said, where=SIMPLIFIED
            )
        return before
    text = checked_line(given, "The text in plain words", SIMPLIFIED, longest)
    if text == unicodedata.normalize("NFC", source).strip():
        raise UserError(
            "The text in plain words is the same as the sentence; say that it needs no change.", where=SIMPLIFIED
        )
    if text == before:
        raise UserError(
            "The text in plain words is the same as that of step one; say that it cannot be simplified further.",
            where=SIMPLIFIED,
        )
    return text


def decided(answer: Mapping[str, Any], key: str, said: Any, own: Any, proposed: Any) -> Any:
    """The text that was said to be right; `own` where nothing in it was to be addressed and nobody wrote another."""
    given = answer.get(key)
    if given is not None and said.get(key, "said" not in answer):
        return given
    if proposed == own and given is None:
        return own
    raise UserError("Check the text that addresses the patient: say that it is right, or write it.", where=key)


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


def storable_segments(given: Sequence[object]) -> list[Segment]:
    segments = [segment for segment in given if isinstance(segment, dict)][:1000]
    return [Segment(text=as_typed(segment.get("text")), full=as_typed(segment.get("full"))) for segment in segments]
