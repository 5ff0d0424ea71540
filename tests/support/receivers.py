"""An HTTP server of the outside world on this machine, for what the site sends.

    with receiver() as served:
        send("POST", served.url, ...)

`served.requests` has what came in. `served.behave` takes the place of its answer 204, for servers that misbehave.
"""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any


@dataclass
class Came:
    """A request that came in."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Receiver:
    port: int
    requests: list[Came] = field(default_factory=list)
    behave: Callable[["Handler", Came], None] | None = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/in?from=restyle"


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def _answer(self) -> None:
        served: Receiver = self.server.served  # type: ignore[attr-defined]
        headers = {name.lower(): value for name, value in self.headers.items()}
        body = self.rfile.read(int(headers.get("content-length", 0)))
        came = Came(self.command, self.path, headers, body)
        served.requests.append(came)
        if served.behave:
            served.behave(self, came)
        else:
            self.reply(204)

    def __getattr__(self, name: str) -> Any:
        if name.startswith("do_"):  # of every method
            return self._answer
        raise AttributeError(name)

    def reply(self, status: int, body: bytes = b"", **headers: str) -> None:
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name.replace("_", "-"), value)
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *arguments: Any) -> None:
        """A test prints what it needs."""


@cache
def _reserved() -> socket.socket:
    """A port that is this test run's own: processes beside the tests know it."""
    held = socket.socket()
    held.bind(("127.0.0.1", 0))
    return held


def shared_crowd_site() -> dict[str, str]:
    """The settings of processes beside the tests: crowd sites and receivers are on this machine."""
    url = f"http://127.0.0.1:{_reserved().getsockname()[1]}"
    return {"RESTYLE_PROLIFIC_URL": url, "RESTYLE_MTURK_URL": url, "RESTYLE_OUTGOING_PRIVATE": "1"}


@contextmanager
def receiver(
    handler: type[Handler] = Handler, *, made: Any = Receiver, shared: bool = False, **state: Any
) -> Iterator[Any]:
    """A server that ends with the block; a `shared` one is at the port that processes beside the tests know."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), handler, bind_and_activate=not shared)
    if shared:
        server.socket.close()
        server.socket, server.server_address = _reserved().dup(), _reserved().getsockname()
        server.server_activate()
    server.daemon_threads = True
    server.served = made(server.server_address[1], **state)  # type: ignore[attr-defined]
    threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
    try:
        yield server.served  # type: ignore[attr-defined]
    finally:
        server.shutdown()
        server.server_close()
