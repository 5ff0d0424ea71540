"""Likely identifiers in a text: names, dates, numbers, addresses. Patterns alone, so they are fast.

A flag asks a person to look; it is no de-identification. Marks of MIMIC-III's de-identification (`[**...**]`) get no
flag.
"""

import re
import unicodedata
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from corpora.knowledge import word_lists
from foundation.text_keys import DEIDENTIFIED

# The patterns of identifiers, by kind. Each has a group `what`, and the conditions without which no text matches: a
# number of digits in a row, and a quick test.
#
# People send any texts, so each pattern takes linear time: it begins only where a run of its characters begins, and
# does not backtrack (`++`).

Test = Callable[[str], bool]

# Capitals of all alphabets that have them. The marks behind a letter belong to it: 'Nu\u0301n\u0303ez' is one word.
UP = "".join(chr(code) for code in range(0x2000) if unicodedata.category(chr(code)) in ("Lu", "Lt"))
MARK = "\u0300-\u036f\u1ab0-\u1aff\u1dc0-\u1dff"
CAPITAL = rf"[{UP}][{MARK}]*+"
WORD = rf"{CAPITAL}(?![{UP}])[^\W\d_][\w{MARK}]*+"
# The further parts of a name with hyphens.
PARTS = rf"(?:[-‐‑]{WORD}){{0,3}}"
# No name ends within a word.
END = rf"(?![\w{MARK}])"
REST = re.compile(rf"[\w{MARK}]*+{PARTS}")

MONTHS = (
    r"(?:Jan(?:uary)?|Feb(?:ruary)?|Mar(?:ch)?|Apr(?:il)?|May|June?|July?|Aug(?:ust)?|Sept?(?:ember)?|Oct(?:ober)?"
    r"|Nov(?:ember)?|Dec(?:ember)?)"
)
STREET = (
    r"(?:Street|St|Avenue|Ave|Road|Rd|Boulevard|Blvd|Lane|Ln|Drive|Dr|Court|Ct|Place|Pl|Terrace|Way|Square|Sq"
    r"|Highway|Hwy|Parkway|Pkwy)"
)
STATES = (
    r"(?:A[KLRZ]|C[AOT]|D[CE]|FL|GA|HI|I[ADLN]|K[SY]|LA|M[ADEINOST]|N[CDEHJMVY]|O[HKR]|PA|RI|S[CD]|T[NX]|UT|V[AT]"
    r"|W[AIVY])"
)
GIVEN = " ".join(line for _, line in word_lists.lines(word_lists.SHIPPED / "given_names.txt"))
SURNAME = rf"(?:{CAPITAL}['’])?{WORD}{PARTS}"
TITLED = r"\b(?:Dr|Drs|Mr|Mrs|Ms|Miss|Prof|Professor|Doctor|Nurse)\b\.?\s+"
# 'Tyler Scott' is a name, 'Paul The' is not.
NO_SURNAME = (
    r"(?!(?:The|Is|Was|And|He|She|It|Has|Had|Syndrome|Disease|Test|Scale|Score|Sign|Classification|Catheter)\b)"
)

_GIVEN = frozenset(GIVEN.split())
_LABELS = ("ame", "NAME", "PCP", "Attending", "Dictated")
DIGITS = re.compile(r"\d+")


def most_digits(text: str) -> int:
    """The most digits in a row: counted once for all patterns that need some."""
    return max(map(len, DIGITS.findall(text)), default=0)


def anything(_text: str) -> bool:
    return True


def has(*parts: str) -> Test:
    def test(text: str) -> bool:
        for part in parts:  # noqa: SIM110 (`any` takes twice the time, at every sentence that comes in)
            if part in text:
                return True
        return False

    return test


_has_host = has("://", "www.", ".com", ".org", ".net", ".edu", ".gov", ".info", ".co.uk")


def hosts(text: str) -> bool:
    return _has_host(text.lower())


def given(text: str) -> bool:
    """Whether a given name stands there, before a space or not."""
    return not _GIVEN.isdisjoint(re.split(r"[^A-Za-z]+", text))


EMAIL = re.compile(r"(?P<what>(?<![\w.+-])[\w.+-]{1,64}@[\w-]+(?:\.[\w-]+)+)")
URL = re.compile(
    r"(?P<what>\b(?:https?://|ftp://|www\.)[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]"
    r"|(?<![\w@.-])[\w-]{2,}(?:\.[\w-]{2,})*\.(?:com|org|net|edu|gov|info|co\.uk)\b(?:/[^\s<>\"')]*)?)",
    re.IGNORECASE,
)
STREET_LINE = re.compile(
    rf"\b(?P<what>\d{{1,5}}[A-Za-z]?\s+(?:[NSEW]\.?\s+)?(?:{WORD}\s+|\d+(?:st|nd|rd|th)\s+){{1,3}}{STREET}\b\.?"
    r"(?:,?\s+(?:Apt|Apartment|Unit|Suite|#)\.?\s*\w+)?)"
)
PLACE_CODE = re.compile(rf"\b(?P<what>(?:{WORD}\s)?{WORD},\s+(?!MD\b(?!\s\d)){STATES}(?:\s+\d{{5}}(?:-\d{{4}})?)?)\b")
ZIP = re.compile(rf"\b(?P<what>{STATES}\s+\d{{5}}(?:-\d{{4}})?)\b")
POSTCODE = re.compile(r"\b(?P<what>[A-Z]{1,2}\d[A-Z\d]?\s\d[ABD-HJLNP-UW-Z]{2})\b")
BOX = re.compile(r"\b(?P<what>P\.?\s?O\.?\s+Box\s+\d+)\b", re.IGNORECASE)
DATES = re.compile(
    r"(?<![\w./-])(?P<what>(?:19|20)\d\d[-/](?:0?[1-9]|1[0-2])[-/](?:0?[1-9]|[12]\d|3[01])"
    r"|(?:0?[1-9]|[12]\d|3[01])(?P<by>[/.-])(?:0?[1-9]|[12]\d|3[01])(?P=by)(?:(?:19|20)\d\d|\d\d)"
    r"|(?:0?[1-9]|1[0-2])/(?:19|20)\d\d)(?![\w/-]|\.\d)"
)
SHORT_DATE = re.compile(
    r"\b(?:on|since|from|until|dated?|till|before|after|through)\s+"
    r"(?P<what>(?:0?[1-9]|1[0-2])/(?:0?[1-9]|[12]\d|3[01]))(?![\w/%]|\s*(?:mg|mmHg|strength|points?)\b)"
)
MONTH_DATE = re.compile(
    rf"\b(?P<what>(?:\d{{1,2}}(?:st|nd|rd|th)?\s+(?:of\s+)?{MONTHS}\b\.?(?:,?\s+(?:19|20)\d\d)?"
    rf"|{MONTHS}\b\.?\s+(?:\d{{1,2}}(?:st|nd|rd|th)?\b(?:,?\s+(?:19|20)\d\d)?|(?:of\s+)?(?:19|20)\d\d)))\b"
)
PHONE = re.compile(
    r"(?<![\w.-])(?P<what>(?:\+?\d{1,3}[ .-])?(?:\(\d{3}\)\s?|\d{3}[ .-])\d{3}[ .-]\d{4}|\+\d{1,3}(?:[ -]?\d{2,4}){3,4}"
    r"|\d{3}-\d{4})(?![\w-])"
)
SOCIAL = re.compile(r"(?<![\w-])(?P<what>\d{3}-\d{2}-\d{4})(?![\w-])")
RECORD = re.compile(
    r"\b(?:MRN|SSN|medical record|record|account|acct|unit|chart|policy|member|case|patient)\b"
    r"(?>(?:\s++(?:number|no\.?|id))?)\s*+(?>(?:[:#]\s*+)?)(?>(?:#\s*+)?)(?P<what>(?=[\w-]{0,60}\d{4})[\w-]{4,})",
    re.IGNORECASE,
)
LONG_RUN = re.compile(r"(?<![\w.,$€£-])(?P<what>\d{7,}+)(?![\w.,-]*\d|\s*(?:mg|g|mL|ml|units?|IU|copies|cells)\b)")
TITLED_NAME = re.compile(rf"{TITLED}(?P<what>(?:{CAPITAL}\.?\s+)*?{SURNAME}(?:\s+{NO_SURNAME}{SURNAME}){{0,2}})")
GIVEN_NAME = re.compile(
    rf"\b(?P<what>(?:{'|'.join(GIVEN.split())})[{MARK}]*+\s+(?:{CAPITAL}\.\s+)?{NO_SURNAME}{SURNAME})(?!\s+(?:syndrome|disease|test)){END}"
)
SIGNED_NAME = re.compile(rf"\b(?P<what>{SURNAME}(?:\s+{CAPITAL}\.)?\s+{SURNAME}),?\s+(?:M\.?D|R\.?N|Ph\.?D|D\.?O)\b")
LABELLED_NAME = re.compile(
    r"\b(?:[Nn]ame|NAME|PCP|Attending|Dictated by|[Mm]y name is|[Nn]amed)\s*:?\s+"
    rf"(?P<what>{SURNAME}(?:\s+{NO_SURNAME}{SURNAME}){{0,2}})"
)

PATTERNS: dict[str, list[tuple[re.Pattern[str], int, Test]]] = {
    "email": [(EMAIL, 0, has("@"))],
    "url": [(URL, 0, hosts)],
    "address": [
        (STREET_LINE, 1, anything), (PLACE_CODE, 0, has(", ")), (ZIP, 5, anything), (POSTCODE, 1, anything),
        (BOX, 1, has("ox ", "OX ")),
    ],
    "date": [(DATES, 1, anything), (SHORT_DATE, 1, has("/")), (MONTH_DATE, 1, anything)],
    "number": [(SOCIAL, 4, anything), (PHONE, 4, anything), (RECORD, 4, anything), (LONG_RUN, 7, anything)],
    "name": [
        (TITLED_NAME, 0, has("Dr", "Mr", "Ms", "Miss", "Prof", "Doctor", "Nurse")),
        (GIVEN_NAME, 0, given),
        (SIGNED_NAME, 0, has("D", "R.N", "RN")),
        (LABELLED_NAME, 0, has(*_LABELS)),
    ],
}  # fmt: skip

Kind = Literal["name", "date", "number", "address", "email", "url"]
KINDS: tuple[Kind, ...] = ("email", "url", "address", "date", "number", "name")  # the first of two that overlap stands


@dataclass(frozen=True)
class Flag:
    """A likely identifier: the characters from `start` up to `end` of the text, and what it seems to be."""

    start: int
    end: int
    kind: Kind

    def json(self) -> dict[str, int | str]:
        return {"start": self.start, "end": self.end, "kind": self.kind}


def find(text: str) -> list[Flag]:
    """The likely identifiers of `text` in order; no two overlap. Doses, ages and measured values are none."""
    taken = bytearray(len(text))  # 1 at each character that is one of a flag, or no text
    for match in DEIDENTIFIED.finditer(text) if "[**" in text else ():
        taken[match.start() : match.end()] = b"\1" * len(match[0])
    flags, digits = list[Flag](), most_digits(text)
    for kind in KINDS:
        for start, end in _spans(kind, text, digits):
            if taken.find(1, start, end) < 0:
                taken[start:end] = b"\1" * (end - start)
                flags.append(Flag(start, end, kind))
    return sorted(flags, key=lambda flag: flag.start)


def whole_names(text: str, flags: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
    """Stored flags of `text`, those of names up to the ends of their words.

    Flags that were found when names ended at the first letter with an accent end within a word.
    """
    return [flag | {"end": _end_of_name(text, flag["end"])} if flag["kind"] == "name" else flag for flag in flags]


def _end_of_name(text: str, end: int) -> int:
    found = REST.match(text, end) if 0 < end < len(text) else None
    return found.end() if found else end


def holds_url(text: str) -> bool:
    """Whether a web address stands in `text`."""
    return next(_spans("url", text, 0), None) is not None


def _spans(kind: Kind, text: str, digits: int) -> Iterator[tuple[int, int]]:
    for pattern, least, may_match in PATTERNS[kind]:
        if digits >= least and may_match(text):
            for match in pattern.finditer(text):
                yield match.span("what")
