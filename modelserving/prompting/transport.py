"""HTTP to an endpoint that is not trusted: no more than so many bytes, nothing compressed, no headers but ours.

What it waits for can be ended from another thread, at any point of a call.
"""

import socket
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import httpx2

MOST_BYTES = 2_000_000  # of an answer
SENT = ("host", "content-type", "content-length", "accept", "user-agent", "connection")
LONGEST_CONNECT = 10.0  # seconds


class TooMuch(Exception):
    """The answer is longer than any that is read."""


class Encoded(Exception):
    """The answer is compressed, though it was asked for as it is."""


class BoundedStream(httpx2.SyncByteStream):
    """The bytes of an answer, as far as they may go."""

    def __init__(self, inner: Any) -> None:
        self._inner = inner

    def __iter__(self) -> Iterator[bytes]:
        left = MOST_BYTES
        for part in self._inner:
            left -= len(part)
            if left < 0:
                raise TooMuch
            yield part

    def close(self) -> None:
        self._inner.close()


class BoundedTransport(httpx2.BaseTransport):
    """One connection, that is kept between calls. `key` is sent to this address and nowhere else."""

    def __init__(self, key: str) -> None:
        self._key = key
        limits = httpx2.Limits(max_connections=1, max_keepalive_connections=1)
        self._inner = httpx2.HTTPTransport(trust_env=False, limits=limits, retries=0)
        self._socket: socket.socket | None = None
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
            response.status_code, headers=response.headers, stream=BoundedStream(response.stream),
            extensions=response.extensions,
        )  # fmt: skip

    def _trace(self, event: str, info: dict[str, Any]) -> None:
        """Remember the socket of the connection: httpcore tells when it has one."""
        if event in ("connection.connect_tcp.complete", "connection.start_tls.complete"):
            stream = info.get("return_value")
            self._socket = stream.get_extra_info("socket") if stream is not None else None
            if self._aborted:
                self.abort()

    def abort(self) -> None:
        """End what is waited for, for good; the thread that waits gets an error of the connection."""
        self._aborted = True
        if self._socket is not None:
            with suppress(OSError):
                socket.socket.shutdown(self._socket, socket.SHUT_RDWR)

    def close(self) -> None:
        self._inner.close()
