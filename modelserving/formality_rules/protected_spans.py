"""Addresses and numbers are put aside while rules work on the rest, and come back as they were."""

import re

HOLDER = "\ue000"  # a private-use character: no letter, no punctuation, so no rule has a say in it

URL = r"(?:https?://|www\.)[^\s\ue000]*[^\s\ue000.,!?;:'\")\]]"
LABEL = r"-*+\w++(?>(?:-++\w++)*)"
ENDS = r"(?:(?<=\.com)|(?<=\.org)|(?<=\.net)|(?<=\.edu)|(?<=\.gov)|(?<=\.info)|(?<=\.co\.uk))"
DOMAIN = rf"(?<![\w@.-]){LABEL}(?>(?:\.{LABEL})+){ENDS}(?![.-]*\w)(?:/[^\s\ue000]*[\w/])?"
# The looks behind keep long runs of one character from being tried from each of its places.
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
