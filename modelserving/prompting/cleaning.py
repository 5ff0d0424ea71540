"""An answer as an output: one line; and where it is asked for, without what models put around a rewrite."""

import re

QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`"}
OPENING = re.compile(
    r"(?:sure|certainly|of course|here(?: is|'s|’s)|rewritten)\b[^\n]{0,200}?:\s*(?=\S)", re.IGNORECASE
)


def one_line(text: str) -> str:
    """The text with each run of white space as one space."""
    return " ".join(text.split())


def unwrapped(text: str) -> str:
    """The text without an opening such as 'Here is ...:', and quotation marks around.

    What stands inside is left alone: marks are taken off only as a pair around the whole.
    """
    bare = text.strip()
    found = OPENING.match(bare)
    bare = bare[found.end() :].strip() if found else bare
    closing = QUOTES.get(bare[:1])
    if closing and len(bare) > 1 and bare.endswith(closing) and closing not in bare[1:-1]:
        return bare[1:-1].strip()
    return bare
