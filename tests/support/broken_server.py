"""A server that does as it is told, a step for each request: it answers, breaks off, or is silent."""

import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from urllib.parse import urlsplit

HEAD = "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\n{headers}Connection: close\r\n\r\n"
Step = Callable[[socket.socket], None]


@dataclass
class BrokenServer:
    """`asked` holds each request as it came, head and body."""

    url: str
    asked: list[str] = field(default_factory=list)

    def keys(self) -> list[str]:
        """The idempotency keys of the requests."""
        lines = [line for one in self.asked for line in one.splitlines()]
        return [line.partition(": ")[2] for line in lines if line.lower().startswith("idempotency-key")]


def answers(
    body: str, status: str = "200 OK", kind: str = "application/json", headers: str = "X-Restyle: 1\r\n"
) -> Step:
    """A whole answer."""
    return breaks_off(body, len(body.encode()), status, kind, headers)


def breaks_off(
    body: str, sent: int, status: str = "200 OK", kind: str = "application/json", headers: str = "X-Restyle: 1\r\n"
) -> Step:
    """The first `sent` bytes of an answer."""

    def step(connection: socket.socket) -> None:
        content = body.encode()
        head = HEAD.format(status=status, kind=kind, length=len(content), headers=headers)
        connection.sendall(head.encode() + content[:sent])

    return step


def dies(connection: socket.socket) -> None:
    """It ends without a word, as a process that is killed."""


def is_silent(connection: socket.socket) -> None:
    """It reads and says nothing until the other side gives up."""
    connection.settimeout(5)
    connection.recv(1)


@contextmanager
def broken_server(*steps: Step) -> Iterator[BrokenServer]:
    """It listens for as many requests as there are steps."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        server = BrokenServer(f"http://127.0.0.1:{listening.getsockname()[1]}")
        thread = threading.Thread(target=_serve, args=(listening, server, steps), daemon=True)
        thread.start()
        yield server
        listening.close()


def _serve(listening: socket.socket, server: BrokenServer, steps: tuple[Step, ...]) -> None:
    for step in steps:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            server.asked.append(_read(connection))
            step(connection)


def _read(connection: socket.socket) -> str:
    return _read_bytes(connection).decode("utf-8", "replace")


def _read_bytes(connection: socket.socket) -> bytes:
    """A request with its body, by its length."""
    said = b""
    while b"\r\n\r\n" not in said:
        said += connection.recv(65536)
    head, _, body = said.partition(b"\r\n\r\n")
    lengths = [line.split(b":")[1] for line in head.split(b"\r\n") if line.lower().startswith(b"content-length")]
    while lengths and len(body) < int(lengths[0]):
        body += connection.recv(65536)
    return head + b"\r\n\r\n" + body


@contextmanager
def losing_answers(site: str, lost: int) -> Iterator[tuple[str, list[str]]]:
    """A proxy before a site that hands each request on, and breaks off instead of giving the first answers back.

    It gives its address, and the method and path of each request.
    """
    asked: list[str] = []
    there = urlsplit(site)

    def hand_on(connection: socket.socket) -> None:
        said = _read_bytes(connection).replace(b"HTTP/1.1\r\n", b"HTTP/1.1\r\nConnection: close\r\n", 1)
        asked.append(said.split(b" HTTP/")[0].decode())
        with socket.create_connection((there.hostname or "", there.port or 80)) as server:
            server.sendall(said)
            answer = b"".join(iter(lambda: server.recv(65536), b""))
        if len(asked) > lost:
            connection.sendall(answer)

    with socket.create_server(("127.0.0.1", 0)) as listening:
        threading.Thread(target=_accept, args=(listening, hand_on), daemon=True).start()
        yield f"http://127.0.0.1:{listening.getsockname()[1]}", asked


def _accept(listening: socket.socket, step: Step) -> None:
    while True:
        try:
            connection, _ = listening.accept()
        except OSError:
            return
        with connection:
            step(connection)
