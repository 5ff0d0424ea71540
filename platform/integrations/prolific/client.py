"""Requests to Prolific's API (https://docs.prolific.com/api-reference): JSON, a token, and errors in words."""

from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any

import orjson
from django.conf import settings

from foundation.project import version
from integrations.failures import ServiceError
from integrations.outgoing import Reply, send

SECONDS, MOST = 20, 5_000_000
MOST_PAGES = 1_000
TOLD = 300  # characters of the site's own words
BUSY = frozenset({408, 425, 429})


class ProlificClient:
    """One account's requests. Each raises ServiceError, which says whether another try can help."""

    def __init__(self, token: str) -> None:
        self._token = token

    def get(self, path: str) -> Any:
        return self._ask("GET", path)

    def post(self, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return self._ask("POST", path, body)

    def pages(self, path: str) -> Iterator[Any]:
        """All results of a list, page by page."""
        for number in range(1, MOST_PAGES + 1):
            mark = "&" if "?" in path else "?"
            answer = self.get(f"{path}{mark}page={number}&page_size=100")
            results = field(answer, "results", list)
            yield from results
            if not results or not (answer.get("_links") or {}).get("next", {}).get("href"):
                return

    def told(self, path: str, body: Mapping[str, Any]) -> tuple[Any, Mapping[str, str]]:
        """The answer of a POST with its headers."""
        reply = self._send("POST", path, body)
        return _json(reply), reply.headers

    def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        return _json(self._send(method, path, body))

    def _send(self, method: str, path: str, body: Mapping[str, Any] | None) -> Reply:
        headers = {
            "Authorization": f"Token {self._token}", "Accept": "application/json", "User-Agent": f"Restyle/{version()}",
            "Content-Type": "application/json",
        }  # fmt: skip
        content = orjson.dumps(body) if body is not None else b""
        reply = send(
            method, f"{settings.PROLIFIC_URL}/api/v1/{path}", headers=headers, body=content, seconds=SECONDS, most=MOST,
            trusted=True,
        )  # fmt: skip
        if 200 <= reply.status < 300:
            return reply
        raise _failure(reply)


def field(answer: Any, name: str, kind: type) -> Any:
    """A field of an answer, which must be of this kind: a half answer is no answer."""
    value = answer.get(name) if isinstance(answer, dict) else None
    if not isinstance(value, kind):
        raise ServiceError("Prolific gave an answer without {name}.", permanent=False, status=200, name=name)
    return value


def _json(reply: Reply) -> Any:
    try:
        return orjson.loads(reply.body) if reply.body else {}
    except orjson.JSONDecodeError:
        raise ServiceError("Prolific gave half an answer.", permanent=False, status=reply.status) from None


def _failure(reply: Reply) -> ServiceError:
    if reply.status in (401, 403):
        return ServiceError("Prolific does not accept the token for this.", permanent=True, status=reply.status)
    if reply.status in BUSY or reply.status >= 500:
        after = reply.headers.get("retry-after", "")
        seconds = float(after) if after.isascii() and after.isdigit() and len(after) < 7 else None
        return ServiceError("Prolific is busy.", permanent=False, status=reply.status, after=seconds)
    return ServiceError("Prolific says: {words}", permanent=True, status=reply.status, words=_words(reply))


def _words(reply: Reply) -> str:
    """The site's own words about an error, in whichever of its forms."""
    told: Any = None
    with suppress(orjson.JSONDecodeError):
        told = orjson.loads(reply.body)
    error = told.get("error", told) if isinstance(told, dict) else told
    detail = (error.get("detail") or error.get("title")) if isinstance(error, dict) else error
    words = detail if isinstance(detail, str) else orjson.dumps(detail).decode() if detail else f"{reply.status}"
    return words[:TOLD].rstrip(".") + "."
