"""One connection to an endpoint; it makes one request at a time."""

import json
import logging
import socket
import ssl
import weakref
from collections.abc import Iterator, Mapping
from contextlib import suppress
from functools import cache
from typing import Any

import httpx2

from modelserving.prompting.calls import Failure, of_status
from modelserving.prompting.cleaning import DECLINED
from modelserving.prompting.endpoints import Endpoint
from modelserving.run_context import WITHHELD, Answer

# HTTP to an endpoint that is not trusted: a limit of bytes, nothing compressed, only our headers.
#
# Another thread can end its wait, at any point of a call.

MOST_BYTES, MOST_OF_A_FILE = 2_000_000, 1_000_000_000  # of an answer, and of the answers of a batch
SENT = ("host", "content-type", "content-length", "accept", "user-agent", "connection")
LONGEST_CONNECT = 10.0  # seconds


class TooMuch(Exception):
    """The answer is longer than the limit."""


class Encoded(Exception):
    """The answer is compressed, though it was asked for uncompressed."""


class BoundedStream(httpx2.SyncByteStream):
    """The bytes of an answer, up to the limit."""

    def __init__(self, inner: Any, most: int) -> None:
        self._inner, self._most = inner, most

    def __iter__(self) -> Iterator[bytes]:
        left = self._most
        for part in self._inner:
            left -= len(part)
            if left < 0:
                raise TooMuch
            yield part

    def close(self) -> None:
        self._inner.close()


@cache
def _trusted() -> ssl.SSLContext:
    """The certificates that are trusted, read once a process: that takes as long as forty calls."""
    return httpx2.create_ssl_context(trust_env=False)


class BoundedTransport(httpx2.BaseTransport):
    """One connection, kept between calls. `key` is sent to this address only."""

    def __init__(self, key: str) -> None:
        self._key = key
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        self._inner = httpx2.HTTPTransport(verify=_trusted(), trust_env=False, limits=limits, retries=0)
        self._socket: socket.socket | None = None
        self.most = MOST_BYTES
        self._aborted = False

    def handle_request(self, request: httpx2.Request) -> httpx2.Response:
        headers = [(name, value) for name, value in request.headers.items() if name.lower() in SENT]
        headers.append(("accept-encoding", "identity"))
        if self._key:
            headers.append(("authorization", f"Bearer {self._key}"))
        extensions = {**request.extensions, "trace": self._trace}
        bare = httpx2.Request(
            request.method, request.url, headers=headers, stream=request.stream, extensions=extensions
        )
        response = self._inner.handle_request(bare)
        if response.headers.get("content-encoding", "identity").strip().lower() not in ("", "identity"):
            response.close()
            raise Encoded
        return httpx2.Response(
            response.status_code, headers=response.headers, stream=BoundedStream(response.stream, self.most),
            extensions=response.extensions,
        )  # fmt: skip

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Remember the socket of the connection when httpcore tells of one."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            stream = info.get("return_value")
            self._socket = stream.get_extra_info("socket") if stream is not None else None
            if self._aborted:
                self.abort()

    def abort(self) -> None:
        """End the connection for good; a thread that waits for it gets an error of the connection."""
        self._aborted = True
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        self._inner.close()


LONGEST_NAME = 200
LONGEST_TEXT = 200_000  # characters of an answer
for _logger in ("openai", "httpx2", "httpcore2"):  # at a lower level they write prompts, which are a study's texts
    logging.getLogger(_logger).setLevel(logging.WARNING)


class Connection:
    """Asks an endpoint for chat completions. `timeout` limits each wait for bytes; `abort` ends a whole call."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self.endpoint = endpoint
        self.transport = BoundedTransport(endpoint.key)
        waits = httpx2.Timeout(timeout, connect=min(timeout, LONGEST_CONNECT))
        self.http = httpx2.Client(
            transport=self.transport, follow_redirects=False, trust_env=False, timeout=waits,
            headers={"accept": "application/json", "user-agent": "restyle"},
        )  # fmt: skip
        # A connection that is dropped after a failure, or with its model, leaves no open socket behind.
        self.close = weakref.finalize(self, self.http.close)

    def ask(self, request: Mapping[str, Any]) -> Answer:
        """The answer to a request of the chat completions; a Failure where there is none."""
        name = self.endpoint.name
        try:  # without OpenAI's client, which takes four times as long to make and read what is two fields here
            got = self.http.post(f"{self.endpoint.url}/chat/completions", json=dict(request))
        except httpx2.TimeoutException:
            raise Failure(f"The endpoint {name} does not answer in time.", True) from None
        except (httpx2.HTTPError, OSError, TooMuch, Encoded) as error:
            raise of_connection(name, error) from None
        if got.status_code != 200:
            raise of_status(name, self.endpoint.key, got.status_code, got.headers, got.content)
        return self.answer(got.content)

    def answer(self, body: bytes) -> Answer:
        """The answer in the body of a chat completion."""
        return answer_in(self.endpoint.name, body)

    def abort(self) -> None:
        """End the call that is under way, from another thread."""
        self.transport.abort()


def of_connection(name: str, cause: BaseException | None) -> Failure:
    """The failure of a call whose connection broke, or never was."""
    if isinstance(cause, TooMuch):
        return Failure(f"The endpoint {name} answers with more than an answer can be.")
    if isinstance(cause, Encoded):
        return Failure(f"The endpoint {name} answers in a form that was not asked for.")
    if isinstance(cause, httpx2.ConnectError | httpx2.UnsupportedProtocol | OSError):
        return Failure(f"The endpoint {name} cannot be reached.", True, free=True)
    return Failure(f"The endpoint {name} broke off its answer.", True)


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
