"""Requests and answers, without sending anything: addresses, keys, retries, errors.

`_async` and `_sync` send. A request is sent again where the network or the site failed; every write bears an
`Idempotency-Key`, by which the site does it once and gives its first answer again.
"""

import json
import random
import uuid
from collections.abc import Mapping
from dataclasses import dataclass, field
from email.utils import parsedate_to_datetime
from pathlib import Path
from time import time
from typing import Any

import httpx

from restyle.errors import BY_STATUS, NotRestyle, Refused, RestyleError, SiteFailed

SPOKEN = "0.2"
"""The version of the API that this client was written for."""
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
AGAIN = frozenset({425, 429, 502, 503, 504})
"""Statuses after which the same request may fare better."""
LONGEST_WAIT = 30.0  # seconds between two tries
PAGE = 500  # rows of a page of a list


@dataclass(frozen=True)
class Patience:
    """How long to wait, in seconds, and how often to ask again."""

    connect: float = 10.0
    answer: float = 120.0  # without a byte
    tries: int = 8
    tries_at_first: int = 3  # before the site has answered anything: its address may be wrong
    first_wait: float = 0.5  # doubled with each try
    away: float = 600.0  # that a site may be away while a job of it is waited for

    def timeout(self) -> httpx.Timeout:
        return httpx.Timeout(self.answer, connect=self.connect)

    def wait_before(self, tried: int, answer: httpx.Response | None = None) -> float:
        """Seconds before the next try: those that the site asks for, else twice the last ones, in part by chance."""
        asked = _retry_after(answer) if answer is not None else None
        if asked is not None:
            return min(LONGEST_WAIT, asked)
        return min(LONGEST_WAIT, self.first_wait * 2.0 ** (tried - 1)) * random.uniform(0.5, 1.0)  # noqa: S311


@dataclass(frozen=True)
class Call:
    """A request: `path` begins below /api/. `files` are pairs of a field and a file, which is read anew at each try."""

    method: str
    path: str
    query: Mapping[str, Any] = field(default_factory=dict)
    body: Any = None
    files: tuple[tuple[str, "Upload"], ...] = ()
    key: str = ""

    def headers(self) -> dict[str, str]:
        return {"Idempotency-Key": self.key} if self.key else {}


@dataclass(frozen=True)
class Upload:
    """A file to send: its name, and its bytes or the place where they are."""

    name: str
    content: bytes | Path

    def opened(self) -> tuple[str, Any]:
        return self.name, self.content if isinstance(self.content, bytes) else self.content.open("rb")


def upload_of(file: Any) -> Upload:
    """A path, bytes, rows, or a data frame of pandas or polars, as a file."""
    from restyle.frames import csv_of

    if isinstance(file, str | Path):
        path = Path(file).expanduser()
        if not path.is_file():
            raise RestyleError(f"There is no file {path}." if not path.exists() else f"{path} is not a file.")
        return Upload(path.name, path)
    if isinstance(file, bytes | bytearray):
        return Upload("table.csv", bytes(file))
    return Upload("table.csv", csv_of(file))


def call_of(method: str, path: str, *, query: Any = None, body: Any = None, files: Any = None, key: str = "") -> Call:
    """A call, with a fresh key where it writes and none is given."""
    method = method.upper()
    given = {name: value for name, value in (query or {}).items() if value is not None}
    sent = tuple((name, upload_of(file)) for name, file in (files or []))
    key = key or ("" if method in SAFE else str(uuid.uuid4()))
    return Call(method, path.lstrip("/").removeprefix("api/"), given, body, sent, key)


def form_of(body: Mapping[str, Any] | None) -> dict[str, Any]:
    """The fields of a form with files: lists repeat their field, objects are JSON."""
    form: dict[str, Any] = {}
    for name, value in (body or {}).items():
        if isinstance(value, dict):
            form[name] = json.dumps(value, ensure_ascii=False)
        elif isinstance(value, bool):
            form[name] = "true" if value else "false"
        elif value is not None:
            form[name] = value
    return form


def error_of(answer: httpx.Response, site: str) -> RestyleError | None:
    """The error that an answer is, None where it is none. The body must have been read."""
    if answer.is_redirect:
        where = answer.headers.get("Location", "")
        return NotRestyle(f"{site} sends on to {where}: name that address in its place, `restyle login` keeps it.")
    said = _json_of(answer)
    if answer.is_success:
        return None if "X-Restyle" in answer.headers else _stranger(answer, site)
    if "X-Restyle" not in answer.headers and not (isinstance(said, dict) and "detail" in said):
        if answer.status_code < 500:
            return _stranger(answer, site)
        return SiteFailed(f"{site} is not up: {_status(answer)}.", answer.status_code)
    detail = said.get("detail") if isinstance(said, dict) else None
    if answer.status_code >= 500:
        sentence = f"{site} failed: {detail or _status(answer)}."
        return SiteFailed(sentence.replace("..", "."), answer.status_code)
    kind = BY_STATUS.get(answer.status_code, Refused)
    fields = said.get("fields") if isinstance(said, dict) else None
    sentence = str(detail or f"{site} refused: {_status(answer)}.")
    return kind(sentence, answer.status_code, fields if isinstance(fields, dict) else None)


def content_of(answer: httpx.Response) -> Any:
    """The JSON of an answer, its text where it is not JSON, None where it is empty."""
    if not answer.content:
        return None
    return answer.json() if "json" in answer.headers.get("Content-Type", "") else answer.text


def _stranger(answer: httpx.Response, site: str) -> NotRestyle:
    kind = answer.headers.get("Content-Type", "something").partition(";")[0]
    return NotRestyle(f"{site} is not a Restyle site: it answers with {kind} ({_status(answer)}).")


def _status(answer: httpx.Response) -> str:
    return f"{answer.status_code} {answer.reason_phrase}".strip()


def _json_of(answer: httpx.Response) -> Any:
    try:
        return answer.json()
    except ValueError:
        return None


def _retry_after(answer: httpx.Response) -> float | None:
    text = answer.headers.get("Retry-After", "")
    if text.isdecimal():
        return float(text)
    try:
        return max(0.0, parsedate_to_datetime(text).timestamp() - time())
    except (TypeError, ValueError):
        return None
