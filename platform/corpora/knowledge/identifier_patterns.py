"""The patterns of identifiers, by kind. Each has a group `what`, and a quick test of whether it can match at all.

Texts are whatever people send, so each takes linear time: it begins only where a run of its characters begins, and what
is taken is not given back (`++`).
"""

import re
from collections.abc import Callable

from corpora.knowledge import word_lists

Test = Callable[[str], bool]

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
SURNAME = r"(?:Mc|Mac|[A-Z]['’])?[A-Z][a-z]+(?:-[A-Z][a-z]+)?"
TITLED = r"\b(?:Dr|Drs|Mr|Mrs|Ms|Miss|Prof|Professor|Doctor|Nurse)\b\.?\s+"
# 'Tyler Scott' is a name, 'Paul The' is not.
NO_SURNAME = (
    r"(?!(?:The|Is|Was|And|He|She|It|Has|Had|Syndrome|Disease|Test|Scale|Score|Sign|Classification|Catheter)\b)"
)

_GIVEN = frozenset(GIVEN.split())
_LABELS = ("ame", "NAME", "PCP", "Attending", "Dictated")
_HOSTS = ("://", "www.", ".com", ".org", ".net", ".edu", ".gov", ".info", ".co.uk")


def digits(least: int) -> Test:
    """Whether there are so many digits in a row."""
    search = re.compile(rf"\d{{{least}}}").search
    return lambda text: search(text) is not None


def has(*parts: str) -> Test:
    return lambda text: any(part in text for part in parts)


def hosts(text: str) -> bool:
    small = text.lower()
    return any(part in small for part in _HOSTS)


def given(text: str) -> bool:
    """Whether a given name stands there, before a space or not."""
    return not _GIVEN.isdisjoint(re.split(r"[^A-Za-z]+", text))


EMAIL = re.compile(r"(?P<what>(?<![\w.+-])[\w.+-]{1,64}@[A-Za-z0-9-]+(?:\.[A-Za-z0-9-]+)+)")
URL = re.compile(
    r"(?P<what>\b(?:https?://|ftp://|www\.)[^\s<>\"')\]]*[^\s<>\"')\].,;:!?]"
    r"|(?<![A-Za-z0-9@._-])[A-Za-z0-9-]{2,}(?:\.[A-Za-z0-9-]{2,})*\.(?:com|org|net|edu|gov|info|co\.uk)\b(?:/[^\s<>\"')]*)?)",
    re.IGNORECASE,
)
STREET_LINE = re.compile(
    rf"\b(?P<what>\d{{1,5}}[A-Za-z]?\s+(?:[NSEW]\.?\s+)?(?:[A-Z][a-z]+\s+|\d+(?:st|nd|rd|th)\s+){{1,3}}{STREET}\b\.?"
    r"(?:,?\s+(?:Apt|Apartment|Unit|Suite|#)\.?\s*\w+)?)"
)
PLACE_CODE = re.compile(
    rf"\b(?P<what>(?:[A-Z][a-z]+\s)?[A-Z][a-z]+,\s+(?!MD\b(?!\s\d)){STATES}(?:\s+\d{{5}}(?:-\d{{4}})?)?)\b"
)
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
TITLED_NAME = re.compile(rf"{TITLED}(?P<what>(?:[A-Z]\.?\s+)?{SURNAME}(?:\s+{NO_SURNAME}{SURNAME})?)")
GIVEN_NAME = re.compile(
    rf"\b(?P<what>(?:{'|'.join(GIVEN.split())})\s+(?:[A-Z]\.\s+)?{NO_SURNAME}{SURNAME})(?!\s+(?:syndrome|disease|test))\b"
)
SIGNED_NAME = re.compile(rf"\b(?P<what>{SURNAME}(?:\s+[A-Z]\.)?\s+{SURNAME}),?\s+(?:M\.?D|R\.?N|Ph\.?D|D\.?O)\b")
LABELLED_NAME = re.compile(
    r"\b(?:[Nn]ame|NAME|PCP|Attending|Dictated by|[Mm]y name is|[Nn]amed)\s*:?\s+"
    rf"(?P<what>{SURNAME}(?:\s+{NO_SURNAME}{SURNAME})?)"
)

ONE, FOUR = digits(1), digits(4)
PATTERNS: dict[str, list[tuple[re.Pattern[str], Test]]] = {
    "email": [(EMAIL, has("@"))],
    "url": [(URL, hosts)],
    "address": [(STREET_LINE, ONE), (PLACE_CODE, has(", ")), (ZIP, FOUR), (POSTCODE, ONE), (BOX, has("ox ", "OX "))],
    "date": [(DATES, ONE), (SHORT_DATE, has("/")), (MONTH_DATE, ONE)],
    "number": [(SOCIAL, FOUR), (PHONE, FOUR), (RECORD, FOUR), (LONG_RUN, digits(7))],
    "name": [
        (TITLED_NAME, has("Dr", "Mr", "Ms", "Miss", "Prof", "Doctor", "Nurse")),
        (GIVEN_NAME, given),
        (SIGNED_NAME, has("D", "R.N", "RN")),
        (LABELLED_NAME, has(*_LABELS)),
    ],
}
