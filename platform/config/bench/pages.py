"""What an annotator does with the work page, at the level of its HTML form."""

import re
from random import Random
from urllib.parse import urlencode

HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)">')
SCALE = re.compile(rb'<input type="radio" name="(rating-[^"]+)" value="([^"]+)"')
COOKIE = re.compile(rb"(?i)\r\nset-cookie: *(csrftoken=[^;]+)")


def fill_in(page: bytes, random: Random) -> bytes | None:
    """The page's form with a level drawn for each scale, as a browser posts it; None where there is no item."""
    fields = {name.decode(): value.decode() for name, value in HIDDEN.findall(page)}
    levels: dict[str, list[str]] = {}
    for name, value in SCALE.findall(page):
        levels.setdefault(name.decode(), []).append(value.decode())
    if not levels:
        return None
    drawn = {name: random.choice(values) for name, values in levels.items()}
    return urlencode({**fields, "seconds": "1.0", **drawn}).encode()


def csrf_cookie(head: bytes) -> str:
    """The cookie against forged requests that a response set, as name=value; empty where it set none."""
    found = COOKIE.search(head)
    return found[1].decode() if found else ""
