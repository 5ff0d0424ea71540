"""A sentence about a patient, said to the patient: "Pt was on NC" to "You were on NC" (MedLane's lines 3 and 4).

These are proposals by a few rules of English, shown to an annotator who says whether they are right. They take every
"he" or "she" for the patient, so a sentence about somebody else comes out wrong; "her" before a content word is taken
for "your"; a verb is only changed right after its subject, or after "and", "but" and "or" where it is was, has, is or
does.
"""

import re
from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import NamedTuple

from annotation.task_data.products import Segment
from foundation.text_keys import DEIDENTIFIED

# What names the patient. "PT" in capitals is the physical therapy.
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
    """Without empty pieces, and with plain text in one piece where it follows plain text."""
    merged: list[Segment] = []
    written = (segment for segment in segments if segment["full"] or segment["text"])
    for full, group in groupby(written, key=lambda piece: bool(piece["full"])):
        if full:
            merged += [Segment(text=piece["text"], full=piece["full"]) for piece in group]
        else:
            merged.append(Segment(text="".join(piece["text"] for piece in group), full=""))
    return merged


def edits(text: str) -> list[Edit]:
    """What to change, from left to right; no two overlap."""
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
    """What names the patient here: the edit, the place after it, and whether a verb may follow as its own."""
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
    """From "denies" to "deny"; None for what is no regular verb in the third person."""
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
    """The text that begins at `at`, edited; of an edit that began before it only what is taken out."""
    pieces, place = [], 0
    for edit in applied:
        pieces += [text[place : max(edit.start - at, 0)], edit.text if edit.start >= at else ""]
        place = max(edit.end - at, 0)
    return "".join([*pieces, text[place:]])
