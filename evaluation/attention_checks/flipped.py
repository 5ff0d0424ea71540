"""A text that says the opposite in its own style: a negation more or less, a word's opposite, another number.

Negations and opposites are those of English; in other languages ("was" is a German word too) a number alone is changed.
"""

import re
from collections.abc import Callable

import numpy as np
import regex

from evaluation.attention_checks._base import AttentionCheck, CheckTexts
from evaluation.languages import UNPARTED, is_english

PLAIN = {
    "can't": "can", "cannot": "can", "won't": "will", "don't": "do", "doesn't": "does", "didn't": "did", "isn't": "is",
    "aren't": "are", "wasn't": "was", "weren't": "were", "couldn't": "could", "shouldn't": "should",
    "wouldn't": "would", "haven't": "have", "hasn't": "has", "hadn't": "had", "mustn't": "must",
}  # fmt: skip
VERBS = frozenset(
    "is are was were am can could will would should must may might do does did".split()  # noqa: SIM905
)
SUBJECTS = frozenset(
    "i you u he she it we they this that these those there the a an my your his her our their".split()  # noqa: SIM905
)
PAIRS = """
always never, all none, many few, more less, good bad, better worse, best worst, big small, high low, higher lower,
increase decrease, increased decreased, increases decreases, before after, with without, love hate, loves hates,
like dislike, likes dislikes, happy sad, easy difficult, early late, hot cold, old young, right wrong, true false,
safe dangerous, normal abnormal, positive negative, acute chronic, possible impossible, agree disagree,
likely unlikely, everyone nobody, everything nothing, open closed, strong weak, rich poor, first last
"""
OPPOSITES = {
    one: other for pair in PAIRS.replace("\n", " ").split(",") for one, other in (pair.split(), pair.split()[::-1])
}
WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
NUMBER = regex.compile(rf"(?V1)(?<![[\w.,]--{UNPARTED}])\d{{1,6}}(?![.,]\d|[\w--{UNPARTED}])")


def make(given: CheckTexts, draws: np.random.Generator) -> str | None:
    """The first way that fits; None where none does."""
    text = given.text.strip()
    ways: tuple[Callable[[str], str | None], ...] = (_without_negation, _negated, _opposite, _other_number)
    ways = ways if is_english(given.language) else (_other_number,)
    return next((flipped for way in ways if (flipped := way(text)) is not None), None)


def _without_negation(text: str) -> str | None:
    for match in WORD.finditer(text):
        word = match.group().lower().replace("’", "'")
        if word in PLAIN:
            return _put(text, match, PLAIN[word])
        if word == "not" and match.start():
            return text[: match.start()].rstrip() + text[match.end() :]
    return None


def _negated(text: str) -> str | None:
    """Not behind the verb of a question, whose subject comes next: "can you help"."""
    for match in WORD.finditer(text):
        after = WORD.search(text, match.end())
        if match.start() and match.group().lower() in VERBS and after and after.group().lower() not in SUBJECTS:
            negation = "NOT" if match.group().isupper() else "not"
            return f"{text[: match.end()]} {negation}{text[match.end() :]}"
    return None


def _opposite(text: str) -> str | None:
    for match in WORD.finditer(text):
        if (word := match.group().lower()) in OPPOSITES:
            return _put(text, match, OPPOSITES[word])
    return None


def _other_number(text: str) -> str | None:
    """In the digits in which it stands."""
    match = NUMBER.search(text)
    if match is None:
        return None
    zero = ord(match.group()[0]) - int(match.group()[0])
    other = "".join(chr(zero + int(digit)) for digit in str(3 * int(match.group()) + 4))
    return f"{text[: match.start()]}{other}{text[match.end() :]}"


def _put(text: str, match: re.Match[str], word: str) -> str:
    """`word` in the place of what was found, in its case."""
    old = match.group()
    shaped = word.upper() if len(old) > 1 and old.isupper() else word.capitalize() if old[0].isupper() else word
    return text[: match.start()] + shaped + text[match.end() :]


ATTENTION_CHECK = AttentionCheck(
    label="Meaning flipped",
    about="An output that says the opposite, or another number, in the same style.",
    spoils=frozenset({"meaning", "content", "overall"}),
    make=make,
)
