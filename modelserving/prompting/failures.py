"""What goes wrong with a call, in one sentence, and whether it may pass. Neither keys nor addresses are in it."""

import email.utils
import json
import re
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from modelserving.run_context import FILTERED, TOO_LONG

LONGEST_REASON = 200  # characters of a server's own words
LONGEST_WORDS = 4_000  # characters of them that are looked through
SHORTEST_SECRET = 5  # characters of a key that may not stand in what is told
PERMANENT = {
    400: "The endpoint {name} refused the request",
    401: "The endpoint {name} does not accept its key; whoever runs the site sets it",
    402: "The endpoint {name} asks to be paid first",
    403: "The endpoint {name} does not allow this to its key",
    404: "The endpoint {name} has no such model or no such address",
    422: "The endpoint {name} refused the request",
}
PASSING = (408, 409, 425, 429)
UNTOUCHED = (409, 425, 503, 529)  # those of them that say that nothing was worked on
REASONED = (400, 404, 413, 422)
# What servers call a prompt that is too long, or one that their filter does not let through: codes and types of
# OpenAI, Azure, llama.cpp, DashScope; vLLM and text-generation-inference have words alone.
OF_LENGTH = frozenset({"context_length_exceeded", "exceed_context_size_error", "string_above_max_length"})
OF_FILTER = frozenset(
    {"content_filter", "content_policy_violation", "responsibleaipolicyviolation", "data_inspection_failed"}
)
WORDS_OF_LENGTH = re.compile(
    r"maximum context length|context length is only|context (?:size|window|length)|maximum model length"
    r"|prompt is too long|prompt \(.{0,40}\) is too long|inputs.{0,60} tokens .{0,60}must be",
    re.IGNORECASE,
)
SAID = {
    TOO_LONG: "The prompt is too long for the endpoint {name}",
    FILTERED: "The filter of the endpoint {name} refused the prompt",
}


@dataclass
class Failure(Exception):
    """A call that failed. `passes` where it may be tried again, after `wait` seconds where the server said so.

    `free` where it certainly costs nothing. `alone` (TOO_LONG or FILTERED) where it is this prompt's; others may do.
    """

    sentence: str
    passes: bool = False
    wait: float | None = None
    free: bool = False
    alone: str = ""

    def __str__(self) -> str:
        return self.sentence


def of_status(name: str, key: str, status: int, headers: Mapping[str, str], body: bytes) -> Failure:
    """The failure that an answer of another status than 200 is."""
    error = _error_in(body)
    if alone := _alone(status, error):
        return Failure(_with_reason(SAID[alone].format(name=name), error, key), free=True, alone=alone)
    if status == 429:
        return Failure(f"The endpoint {name} limits how much it is asked.", True, _wait(headers), free=True)
    if status in PASSING or status >= 500:
        return Failure(
            f"The endpoint {name} is in trouble: status {status}.", True, _wait(headers), status in UNTOUCHED
        )
    if 300 <= status < 400:
        sentence = f"The endpoint {name} sends us elsewhere, where we do not go: status {status}."
        return Failure(sentence, free=True)
    said = PERMANENT.get(status, f"The endpoint {name} answers with status {status}").format(name=name)
    return Failure(_with_reason(said, error if status in REASONED else "", key), free=True)


def _alone(status: int, error: Any) -> str:
    """Whether it is this prompt that is refused: TOO_LONG, FILTERED, or "" where it is not."""
    named = error if isinstance(error, dict) else {"message": error}
    inner = named.get("innererror")
    codes = {str(named.get("code")).lower(), str(named.get("type")).lower()}
    codes.add(str(inner.get("code")).lower() if isinstance(inner, dict) else "")
    if codes & OF_LENGTH or status == 413:
        return TOO_LONG
    if status not in (400, 422):
        return ""
    if codes & OF_FILTER:
        return FILTERED
    words = named.get("message")
    return TOO_LONG if isinstance(words, str) and WORDS_OF_LENGTH.search(words[:LONGEST_WORDS]) else ""


def _wait(headers: Mapping[str, str]) -> float | None:
    """Seconds of Retry-After, which is a number or a date."""
    given = headers.get("retry-after", "").strip()
    if given.replace(".", "", 1).isdecimal() and len(given) < 12:
        return float(given)
    date = email.utils.parsedate_tz(given)
    return max(0.0, email.utils.mktime_tz(date) - time.time()) if date else None


def _error_in(body: bytes) -> Any:
    """What the body says of the error: an object, a text, or "" where it says none."""
    try:
        said: Any = json.loads(body)
        error = said.get("error", said)
    except (ValueError, AttributeError, RecursionError):
        return ""
    if isinstance(error, str) and isinstance(said, dict):
        return {**said, "message": error}
    return error


def _with_reason(said: str, error: Any, key: str) -> str:
    """The sentence with the server's own words, where they have nothing of the key in them."""
    words = error.get("message", "") if isinstance(error, dict) else error
    if not isinstance(words, str) or _shows(words, key):
        return f"{said}."
    line = " ".join("".join(c if c.isprintable() else " " for c in words).split())
    reason = line[:LONGEST_REASON].rstrip(". ")
    return f"{said}: {reason}." if reason else f"{said}."


def _shows(words: str, key: str) -> bool:
    pieces = (key[at : at + SHORTEST_SECRET] for at in range(max(1, len(key) - SHORTEST_SECRET + 1)))
    return bool(key) and any(piece in words for piece in pieces)
