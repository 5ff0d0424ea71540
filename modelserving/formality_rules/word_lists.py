"""The hand-made word lists in `lists/`, and the common parts of both sets of rules: protected spans, and spacing.

An entry stands on a line, `#` begins a comment, a tab parts the two columns.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path

# Addresses and numbers are put aside while rules work on the rest, and are then put back unchanged.

HOLDER = "\ue000"  # a private-use character: no letter, no punctuation, so no rule applies to it

URL = r"(?:https?://|www\.)[^\s\ue000]*[^\s\ue000.,!?;:'\")\]]"
LABEL = r"-*+\w++(?>(?:-++\w++)*)"
ENDS = r"(?:(?<=\.com)|(?<=\.org)|(?<=\.net)|(?<=\.edu)|(?<=\.gov)|(?<=\.info)|(?<=\.co\.uk))"
DOMAIN = rf"(?<![\w@.-]){LABEL}(?>(?:\.{LABEL})+){ENDS}(?![.-]*\w)(?:/[^\s\ue000]*[\w/])?"
# The lookbehinds keep long runs of one character from being tried from each of its places.
EMAIL = r"(?<![\w.+-])[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
NUMBER = r"(?<![\w.])[$€£]?\.?\d+(?:[.,:/-]\d+)*%?(?!\w)"
PROTECTED = re.compile(f"{HOLDER}|{URL}|{EMAIL}|{DOMAIN}|{NUMBER}", re.IGNORECASE)


def put_aside(text: str) -> tuple[str, list[str]]:
    """The text with a holder for each address and number, and these in order."""
    return PROTECTED.sub(HOLDER, text), PROTECTED.findall(text)


def put_back(text: str, kept: list[str]) -> str:
    """The text with each holder's content again."""
    parts = text.split(HOLDER)
    return parts[0] + "".join(content + part for content, part in zip(kept, parts[1:], strict=True))


# Text with its punctuation set apart ("do n't know ."), as corpora have it, and text as people write it.

CLITIC = r"(?:n't|'(?:s|re|ve|ll|d|m))"
# A mark, but not the eyes of ": )", with all that follows it to the end of the word.
MARKS = r"(?:[.,!?]|[;:](?!\s\)))[.,!?;:]*(?=\s|$)"
SET_APART = re.compile(rf"\s(?:{CLITIC}(?!\w)|{MARKS})", re.IGNORECASE)
ATTACHED = re.compile(r"\w[,!?;:](?:\s|$)")
ATTACHED_CLITIC = re.compile(rf"[a-z]{CLITIC}(?!\w)", re.IGNORECASE)
SPLIT_WORDS = re.compile(r"\b(gon|wan|got|gim|lem|can)\s(na|ta|me|not)\b", re.IGNORECASE)
JOINED = frozenset(("gonna", "wanna", "gotta", "gimme", "lemme", "cannot"))


def is_set_apart(text: str) -> bool:
    """Whether the text itself has a space before its punctuation."""
    return bool(SET_APART.search(text)) and not ATTACHED.search(text)


def attach(text: str) -> str:
    """Punctuation and clitics at the word before them, and one space between words."""
    text = re.sub(r"(?<=[a-z]) ' (?=(?:ve|re|ll|m|d|s)\b)", " '", " ".join(text.split()), flags=re.IGNORECASE)
    text = re.sub(rf"(?<!\s)\s++({CLITIC})(?!\w)", r"\1", text, flags=re.IGNORECASE)
    text = SPLIT_WORDS.sub(lambda found: _joined(found.group(1), found.group(2), found.group()), text)
    return re.sub(rf"(?<=\S)\s+({MARKS})", r"\1", text)


def set_apart(text: str, like: str) -> str:
    """The opposite of `attach`; clitics are set apart unless `like` has them at their words.

    The point of an abbreviation such as U.S. stays where it is.
    """
    if not ATTACHED_CLITIC.search(like):
        text = re.sub(rf"(?<=[a-z])({CLITIC})(?!\w)", r" \1", text, flags=re.IGNORECASE)
    return re.sub(r"(?<=[^\s.,!?;:])((?:[,!?;:]|(?<!(?<!')\b[A-Za-z])\.)[.,!?;:]*)(?=\s|$)", r" \1", text)


def _joined(first: str, second: str, whole: str) -> str:
    return first + second if (first + second).lower() in JOINED else whole


FOLDER = Path(__file__).parent / "lists"


@cache
def pairs(name: str) -> dict[str, str]:
    """The rows of a table as {left column: right column}, in the order of the file."""
    return {left: right for left, _, right in (line.partition("\t") for line in _lines(name))}


@cache
def words(name: str) -> frozenset[str]:
    """The entries of a list."""
    return frozenset(_lines(name))


def pattern(entries: Iterable[str]) -> re.Pattern[str]:
    """Finds any of the entries as whole words, the longest first, case aside; one space stands for any space."""
    alternatives = sorted(entries, key=len, reverse=True)
    joined = "|".join(re.escape(entry).replace(r"\ ", r"\s+") for entry in alternatives)
    return re.compile(rf"(?<![\w'&-])(?:{joined})(?![\w'&]|-\w|\.\w)", re.IGNORECASE)


def looked_up(found: str) -> str:
    """A match as it stands in the list: small letters, one space."""
    return " ".join(found.lower().split())


def _lines(name: str) -> list[str]:
    lines = (FOLDER / name).read_text(encoding="utf-8").splitlines()
    return [line.rstrip() for line in lines if line.strip() and not line.startswith("#")]
