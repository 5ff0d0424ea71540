"""One connection to an endpoint for chat completions; it makes one request at a time."""

import json
import select
import socket
import ssl
import weakref
from collections.abc import Mapping
from contextlib import suppress
from functools import cache
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any, NamedTuple, cast
from urllib.parse import urlsplit

from modelserving.prompting.calls import Failure, of_status
from modelserving.prompting.cleaning import DECLINED
from modelserving.prompting.endpoints import Endpoint
from modelserving.run_context import WITHHELD, Answer

MOST_BYTES = 2_000_000  # of an answer
LONGEST_CONNECT = 10.0  # seconds
LONGEST_NAME = 200
LONGEST_TEXT = 200_000  # characters of an answer


class TooMuch(Exception):
    """The answer is longer than the limit."""


class Encoded(Exception):
    """The answer is compressed, though it was asked for uncompressed."""


class Unreachable(Exception):
    """There is no connection, so nothing was sent."""


@cache
def trusted() -> ssl.SSLContext:
    """The certificates that are trusted, read once a process: that takes as long as forty calls."""
    import httpx2

    return httpx2.create_ssl_context(trust_env=False)


class Got(NamedTuple):
    """A whole answer over HTTP; names of headers are in lower case."""

    status: int
    headers: Mapping[str, str]
    body: bytes


class Connection:
    """Asks an endpoint for chat completions. `timeout` limits each wait for bytes; `abort` ends a whole call.

    By Python's own client, as what is asked is one request after the other on one connection: it takes a third of the
    processor time of httpx. The endpoint is not trusted: its answer has a limit of bytes and is not compressed. It gets
    no headers but ours, and is followed nowhere.
    """

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self.endpoint, self.timeout = endpoint, timeout
        address, connect = urlsplit(endpoint.url), min(timeout, LONGEST_CONNECT)
        host, port = address.hostname or "", address.port
        self._path = f"{address.path}/chat/completions"
        self._http = (
            HTTPSConnection(host, port, timeout=connect, context=trusted())
            if address.scheme == "https"
            else HTTPConnection(host, port, timeout=connect)
        )
        self._headers = {"accept": "application/json", "content-type": "application/json", "user-agent": "restyle"}
        if endpoint.key:
            self._headers["authorization"] = f"Bearer {endpoint.key}"
        self._socket: socket.socket | None = None
        self._aborted = False
        # A connection that is dropped after a failure, or with its model, leaves no open socket behind.
        self.close = weakref.finalize(self, self._http.close)

    def ask(self, request: Mapping[str, Any]) -> Answer:
        """The answer to a request of the chat completions; a Failure where there is none."""
        name = self.endpoint.name
        body = json.dumps(request, ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode()
        try:
            got = self._exchange(body)
        except Exception as error:
            self._http.close()
            raise _of_connection(name, error) from None
        if got.status != 200:
            raise of_status(name, self.endpoint.key, got.status, got.headers, got.body)
        return answer_in(name, got.body)

    def _exchange(self, body: bytes) -> Got:
        self._connect()
        self._http.request("POST", self._path, body, self._headers)
        with self._http.getresponse() as response:
            if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
                raise Encoded
            read = response.read(MOST_BYTES + 1)
            if len(read) > MOST_BYTES:
                raise TooMuch
            if response.length:  # of a body that ended early
                raise HTTPException
            headers = {name.lower(): value for name, value in response.headers.items()}
            return Got(response.status, headers, read)

    def _connect(self) -> None:
        """Connect anew where there is no connection, or the endpoint has ended it meanwhile."""
        if self._socket is not None and self._http.sock is not None and _has_news(self._socket):
            self._http.close()
        if self._http.sock is None:
            try:
                self._http.connect()
            except TimeoutError:
                raise
            except OSError as error:
                raise Unreachable from error
            self._socket = cast(socket.socket, self._http.sock)
            self._socket.settimeout(self.timeout)
        if self._aborted:
            raise ConnectionAbortedError

    def abort(self) -> None:
        """End the call that is under way, from another thread, for good; that one gets an error of the connection."""
        self._aborted = True
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)


def _has_news(idle: socket.socket) -> bool:
    """Whether something comes on an idle connection: its end, mostly."""
    poll = select.poll()
    poll.register(idle, select.POLLIN)
    return bool(poll.poll(0))


def _of_connection(name: str, cause: Exception) -> Exception:
    """The failure of a call whose connection broke, or never was; another error stays as it is."""
    if isinstance(cause, TimeoutError):
        return Failure(f"The endpoint {name} does not answer in time.", True)
    if isinstance(cause, Unreachable):
        return Failure(f"The endpoint {name} cannot be reached.", True, free=True)
    if isinstance(cause, HTTPException | OSError):
        return Failure(f"The endpoint {name} broke off its answer.", True)
    return of_answer(name, cause) if isinstance(cause, TooMuch | Encoded) else cause


def of_answer(name: str, cause: TooMuch | Encoded) -> Failure:
    """The failure of an answer that is too long or compressed."""
    if isinstance(cause, TooMuch):
        return Failure(f"The endpoint {name} answers with more than an answer can be.")
    return Failure(f"The endpoint {name} answers in a form that was not asked for.")


def answer_in(name: str, body: bytes) -> Answer:
    """The answer in a chat completion; a Failure where the body is not one."""
    lies = Failure(f"The endpoint {name} answers with something that is no chat completion.")
    try:
        said = json.loads(body)
        choice = said["choices"][0]
        message = choice["message"]
        text = message.get("content")
        if isinstance(text, list):
            text = _text_of_parts(text)
        declined = text is None and message.get("refusal")
        text = message.get("refusal") if text is None else text
        if not text and (message.get("reasoning_content") or message.get("reasoning")):
            text = "<think>"  # a server that tells thoughts apart: this one has come to no answer
        used = said.get("usage") or {}
        finish = choice.get("finish_reason") or ""
        answer = Answer(
            text="" if text is None else text, model=said.get("model") or "",
            finish=DECLINED if declined and finish != WITHHELD else finish,
            input=used.get("prompt_tokens", 0), output=used.get("completion_tokens", 0), cached=_cached(used),
        )  # fmt: skip
    except (ValueError, KeyError, IndexError, TypeError, AttributeError, RecursionError):
        raise lies from None
    whole = all(type(count) is int and 0 <= count < 2**31 for count in (answer.input, answer.output))
    if not whole or not all(isinstance(part, str) for part in (answer.text, answer.model, answer.finish)):
        raise lies
    if len(answer.model) > LONGEST_NAME or len(answer.finish) > LONGEST_NAME or len(answer.text) > LONGEST_TEXT:
        raise lies
    return Answer(
        _storable(answer.text), _storable(answer.model), _storable(answer.finish), answer.input, answer.output,
        cached=min(answer.cached, answer.input),
    )  # fmt: skip


def _cached(used: Mapping[str, Any]) -> int:
    """The prompt's tokens that the server read from its cache: OpenAI's field (vLLM's too), or DeepSeek's; else 0."""
    told = (used.get("prompt_tokens_details") or {}).get("cached_tokens") or used.get("prompt_cache_hit_tokens") or 0
    return told if type(told) is int and told > 0 else 0


def _text_of_parts(parts: list[Any]) -> str | None:
    """The text of an answer in parts, the form in which Mistral's models send thoughts: its parts of type text.

    An open thought if only other parts came, and None if none came.
    https://docs.mistral.ai/capabilities/reasoning
    """
    texts = [part if isinstance(part, str) else part["text"] for part in parts if _is_text(part)]
    return "".join(texts) if texts else "<think>" if parts else None


def _is_text(part: Any) -> bool:
    return isinstance(part, str) or part["type"] in ("text", "output_text")


def _storable(text: str) -> str:
    """The text without NUL and half surrogate pairs, which PostgreSQL and UTF-8 cannot hold."""
    return text.replace("\0", "").encode("utf-8", "replace").decode()
