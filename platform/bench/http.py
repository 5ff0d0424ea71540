"""A lean HTTP client: one connection kept open, one request at a time, bodies of a stated length."""

import asyncio
from typing import NamedTuple


class Response(NamedTuple):
    """What came back; `head` is the raw header block."""

    status: int
    head: bytes
    body: bytes


class Connection(asyncio.Protocol):
    """A connection to the web server."""

    def __init__(self) -> None:
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Response] | None = None
        self._received = bytearray()

    @classmethod
    async def to(cls, host: str, port: int) -> "Connection":
        """An open connection."""
        _, protocol = await asyncio.get_running_loop().create_connection(cls, host, port)
        return protocol

    async def ask(self, request: bytes) -> Response:
        """Send a whole request and wait for its response; ConnectionError where the server hangs up."""
        assert self._transport is not None
        self._answer = asyncio.get_running_loop().create_future()
        self._transport.write(request)
        return await self._answer

    def close(self) -> None:
        """Hang up."""
        if self._transport:
            self._transport.close()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def connection_lost(self, error: Exception | None) -> None:
        if self._answer and not self._answer.done():
            self._answer.set_exception(error or ConnectionError("The web server hung up."))

    def data_received(self, data: bytes) -> None:
        self._received += data
        response = parse_response(self._received)
        if response and self._answer:
            self._received.clear()
            self._answer.set_result(response)


def parse_response(received: bytearray) -> Response | None:
    """The response, or None while some of it is still on its way."""
    end = received.find(b"\r\n\r\n")
    if end < 0:
        return None
    head = bytes(received[:end])
    length = header(head, b"content-length")
    body = bytes(received[end + 4 :])
    return Response(int(head[9:12]), head, body) if len(body) >= int(length or 0) else None


def header(head: bytes, name: bytes) -> bytes:
    """The value of the first header of that name, in lower case; empty where there is none."""
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        if key.lower() == name:
            return value.strip()
    return b""
