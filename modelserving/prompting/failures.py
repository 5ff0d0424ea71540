"""What goes wrong with a call, in one sentence, and whether it may pass. Neither keys nor addresses are in it."""

import email.utils
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

LONGEST_REASON = 200  # characters of a server's own words
SHORTEST_SECRET = 5  # characters of a key that may not stand in what is told
PERMANENT = {
    400: "The endpoint {name} refused the request",
    401: "The endpoint {name} does not accept its key; whoever runs the site sets it",
    402: "The endpoint {name} asks to be paid first",
    403: "The endpoint {name} does not allow this to its key",
    404: "The endpoint {name} has no such model or no such address",
    413: "The prompt is too long for the endpoint {name}",
    422: "The endpoint {name} refused the request",
}
PASSING = (408, 409, 425, 429)
REASONED = (400, 404, 413, 422)


@dataclass
class Failure(Exception):
    """A call that failed. `passes` where it may be tried again, after `wait` seconds where the server said so."""

    sentence: str
    passes: bool = False
    wait: float | None = None

    def __str__(self) -> str:
        return self.sentence


def of_status(name: str, key: str, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """The failure that an answer of another status than 200 is."""
    if status == 429:
        return Failure(f"The endpoint {name} limits how much it is asked.", True, _wait(headers))
    if status in PASSING or status >= 500:
        return Failure(f"The endpoint {name} is in trouble: status {status}.", True, _wait(headers))
    if 300 <= status < 400:
        return Failure(f"The endpoint {name} sends us elsewhere, where we do not go: status {status}.")
    said = PERMANENT.get(status, f"The endpoint {name} answers with status {status}").format(name=name)
    reason = _reason(body, key) if status in REASONED else ""
    return Failure(f"{said}: {reason}." if reason else f"{said}.")


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds of Retry-After, which is a number or a date."""
    given = headers.get("retry-after", "").strip()
    if given.replace(".", "", 1).isdecimal() and len(given) < 12:
        return float(given)
    date = email.utils.parsedate_tz(given)
    return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None


def _reason(body: bytes, key: str) -> str:
    """The server's own words, where they have nothing of the key in them."""
    try:
        said: Any = json.loads(body)
        error = said.get("error", said)
        words = error.get("message", "") if isinstance(error, dict) else error
    except (ValueError, AttributeError, RecursionError):
        return ""
    if not isinstance(words, str) or _shows(words, key):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    return line[:LONGEST_REASON].rstrip(". ")


def _shows(words: str, key: str) -> bool:
    pieces = (key[at : at + SHORTEST_SECRET] for at in range(max(1, len(key) - SHORTEST_SECRET + 1)))
    return bool(key) and any(piece in words for piece in pieces)
