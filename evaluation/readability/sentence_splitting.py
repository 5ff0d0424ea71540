"""Splits English text into sentences, for FKGL: not at decimals, abbreviations or initials.

A sentence ends at '.', '!' or '?' (with closing quotes and brackets) before white space, and at a blank line. A full
stop that belongs to an abbreviation ends one only where the abbreviation can stand last ('b.i.d.', 'Inc.') and the
next word is one that opens sentences ('The', 'She'), or after a unit ('5 mg.') before any capital. Tokenized text,
its stops set off by spaces, splits alike.
"""

import re


def _set(text: str) -> frozenset[str]:
    return frozenset(text.split())


# Always followed by more of the same sentence.
LEADING = _set(
    """
    dr. mr. mrs. ms. prof. rev. gen. col. capt. lt. sgt. sen. rep. gov.
    e.g. i.e. eg. ie. cf. vs. v. viz. approx. ca.
    """
)
# May also stand last; so may letters with dots between them ('b.i.d.', 'U.S.') and initials ('J.', 'C.').
TRAILING = _set(
    "al. inc. ltd. co. corp. jr. sr. st. dept. est. ave. blvd. jan. feb. mar. apr. aug. sept. oct. nov. dec."
)
# These stand last wherever a capital follows.
UNITS = _set("etc. mg. ml. kg. cm. mm. ft. oz. lb. lbs. tsp. tbsp. min. max. sec. hr. hrs. wk. mo. yr.")
# Abbreviations only before a number: 'no. 5', but 'She said no.'
COUNTED = _set("no. nos. fig. figs. eq. vol. p. pp. ch. sect. ref. refs.")
OPENERS = _set(
    """
    The A An This That These Those It He She We They You I In If On At As For When While There However But And So
    After Before Although Because Patients No Do What How Why My Our Your His Her Their
    """
)
CLOSERS = "\"'”’)]}»"
OPENING = "\"'“‘([{«"
BLANK = re.compile(r"\n\s*\n")
DOTTED = re.compile(r"(?:[A-Za-z]\.)+")
NUMBERED = re.compile(r"\(?\d{1,2}\.")


def sentences(text: str) -> list[list[str]]:
    """The sentences of the text, each as its tokens between white space; one without letter or digit is left out."""
    split: list[list[str]] = []
    for paragraph in BLANK.split(text) if "\n" in text else [text]:
        split += _split(paragraph.split())
    return [each for each in split if any(map(_spoken, each))]


def _spoken(token: str) -> bool:
    return token.isalnum() or any(map(str.isalnum, token))


def _split(tokens: list[str]) -> list[list[str]]:
    parts: list[list[str]] = []
    start = 0
    for place, token in enumerate(tokens):
        if not token[-1].isalnum() and _ends(tokens, start, place):
            parts.append(tokens[start : place + 1])
            start = place + 1
    return [*parts, tokens[start:]] if start < len(tokens) else parts


def _ends(tokens: list[str], start: int, place: int) -> bool:
    """Whether the token at `place` is the last of the sentence that began at `start`."""
    core = tokens[place].rstrip(CLOSERS).lstrip(OPENING)
    after = tokens[place + 1].lstrip(OPENING) if place + 1 < len(tokens) else ""
    if core.endswith(("!", "?")):
        # Set off by spaces they may come in a row: the last one ends the sentence. '"Really?" he said' goes on.
        quoted = tokens[place][-1] in CLOSERS and after[:1].islower()
        return any(char.isalnum() for char in after) and not quoted
    if core == "." and place > start:
        return tokens[place - 1].lower() + "." not in LEADING
    if core.endswith(("...", "…")):
        return after[:1].isupper()
    if not core.endswith("."):
        return False
    return _full_stop(core, after, first=place == start)


def _full_stop(core: str, after: str, first: bool) -> bool:
    """Whether the stop at the end of the word `core`, before the word `after`, ends a sentence."""
    if core.lower() in COUNTED and after[:1].isdigit():
        return False
    if core.lower() in LEADING or (first and NUMBERED.fullmatch(core)):
        return False
    if core.lower() in UNITS:
        return after[:1].isupper()
    if core != "I." and (core.lower() in TRAILING or DOTTED.fullmatch(core)):
        return after in OPENERS
    return True
