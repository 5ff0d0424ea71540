"""httpx's client of an endpoint, for what is larger than a chat completion: files, and batches of prompts.

The endpoint is not trusted: a limit of bytes, nothing compressed, only our headers. Another thread can end a wait, at
any point of a call.
"""

import logging
import socket
import weakref
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx2

from modelserving.prompting.connection import LONGEST_CONNECT, MOST_BYTES, Encoded, TooMuch, trusted
from modelserving.prompting.endpoints import Endpoint

MOST_OF_A_FILE = 1_000_000_000  # bytes of the answers of a batch
SENT = ("host", "content-type", "content-length", "accept", "user-agent", "connection")
for _logger in ("openai", "httpx2", "httpcore2"):  # at a lower level they write prompts, which are a study's texts
    logging.getLogger(_logger).setLevel(logging.WARNING)


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


class BoundedTransport(httpx2.BaseTransport):
    """One connection, kept between calls. `key` is sent to this address only."""

    def __init__(self, key: str) -> None:
        self._key = key
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        self._inner = httpx2.HTTPTransport(verify=trusted(), trust_env=False, limits=limits, retries=0)
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


class BoundedClient:
    """A client of an endpoint. `timeout` limits each wait for bytes; `abort` ends a whole call."""

    def __init__(self, endpoint: Endpoint, timeout: float) -> None:
        self.endpoint = endpoint
        self.transport = BoundedTransport(endpoint.key)
        waits = httpx2.Timeout(timeout, connect=min(timeout, LONGEST_CONNECT))
        self.http = httpx2.Client(
            transport=self.transport, follow_redirects=False, trust_env=False, timeout=waits,
            headers={"accept": "application/json", "user-agent": "restyle"},
        )  # fmt: skip
        # A client that is dropped after a failure, or with its model, leaves no open socket behind.
        self.close = weakref.finalize(self, self.http.close)

    def abort(self) -> None:
        """End the call that is under way, from another thread."""
        self.transport.abort()
