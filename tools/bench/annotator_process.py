"""The annotators, a process of their own: `python -m tools.bench.annotator_process` reads a task, prints the times.

They are one thread, so that they take little of the processors that the servers need; their time is not counted.
"""

import asyncio
import itertools
import json
import re
import sys
import time
from dataclasses import asdict, dataclass, field
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode
from uuid import UUID

# How annotators speak to the web server: as a browser does, with pages and forms, or as a program, with JSON.

HIDDEN = re.compile(rb'<input type="hidden" name="(\w+)" value="([^"]*)">')
SCALE = re.compile(rb'<input type="radio" name="(rating-[^"]+)" value="([^"]+)"')
COOKIE = re.compile(rb"(?i)\r\nset-cookie: *(csrftoken=[^;]+)")


class NoItemError(Exception):
    """The page or answer holds no item to rate."""


class Browser:
    """The work page and its form, posted as htmx does; the answer is the next item, so the page is opened seldom.

    `secret` is the value of a session cookie.
    """

    page_every = 20  # items between two openings of the whole page, as by somebody who comes back

    def __init__(self, host: str, path: str, secret: str, random: Random) -> None:
        self._host, self._path, self._session, self._random = host, path, secret, random
        self._csrf = ""
        self._frames: dict[str, list[str]] = {}  # as `js/annotation/frames.js` keeps them

    def asking(self) -> bytes:
        """The request for the page."""
        return self._request("GET", "")

    def asked(self, head: bytes) -> None:
        """Keep the cookie that came with the page."""
        self._csrf = csrf_cookie(head) or self._csrf

    def submitting(self, page: bytes) -> bytes:
        """The request that answers the page's item."""
        form = fill_in(self._put_together(page), self._random)
        htmx = ["HX-Request: true", "HX-Target: work", f"Origin: http://{self._host}"]
        htmx.append(f"X-Frames: {' '.join(self._frames) or 'none'}")
        kind = "Content-Type: application/x-www-form-urlencoded"
        return self._request("POST", "submit/", [*htmx, f"X-CSRFToken: {self._csrf.partition('=')[2]}", kind], form)

    def _put_together(self, page: bytes) -> bytes:
        """The HTML of a page or an item; commits before X-Frames send nothing else."""
        if not page.startswith(b"{"):
            return page
        told = json.loads(page)
        self._frames |= told["frames"]
        return self._filled(told["item"]).encode()

    def _filled(self, part: str | dict[str, Any]) -> str:
        if isinstance(part, str):
            return part
        values = [*map(self._filled, part["values"]), ""]
        return "".join(itertools.chain(*zip(self._frames[part["frame"]], values, strict=True)))

    def _request(self, method: str, act: str, lines: list[str] | None = None, body: bytes = b"") -> bytes:
        cookies = f"sessionid={self._session}" + (f"; {self._csrf}" if self._csrf else "")
        common = [
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0",
            "Accept: text/html, */*",
            "Accept-Language: en-US,en;q=0.5",
            "Accept-Encoding: gzip, deflate",
            f"Cookie: {cookies}",
        ]
        return request(method, self._host, self._path + act, [*common, *(lines or [])], body)


class Program:
    """The API; asking and submitting are two requests. `secret` is a token."""

    page_every = 1

    def __init__(self, host: str, path: str, secret: str, random: Random) -> None:
        self._host, self._path, self._random = host, path, random
        self._lines = [f"Authorization: Token {secret}", "Content-Type: application/json"]

    def asking(self) -> bytes:
        """The request for an item."""
        return request("POST", self._host, self._path + "next/", self._lines, b"{}")

    def asked(self, head: bytes) -> None:
        """Nothing is kept."""

    def submitting(self, body: bytes) -> bytes:
        """The request that answers the item."""
        return request("POST", self._host, self._path + "answers/", self._lines, rate(body, self._random))


WAYS: dict[str, type[Browser] | type[Program]] = {"browser": Browser, "program": Program}


def request(method: str, host: str, path: str, lines: list[str], body: bytes) -> bytes:
    """A whole HTTP request."""
    length = [f"Content-Length: {len(body)}"] if method == "POST" else []
    head = "\r\n".join([f"{method} {path} HTTP/1.1", f"Host: {host}", *lines, *length])
    return head.encode() + b"\r\n\r\n" + body


def fill_in(page: bytes, random: Random) -> bytes:
    """The page's form with a level drawn for each scale, as a browser posts it."""
    fields = {name.decode(): value.decode() for name, value in HIDDEN.findall(page)}
    levels: dict[str, list[str]] = {}
    for name, value in SCALE.findall(page):
        levels.setdefault(name.decode(), []).append(value.decode())
    if not levels:
        raise NoItemError(page[:2000].decode())
    drawn = {name: random.choice(values) for name, values in levels.items()}
    return urlencode({**fields, "seconds": "1.0", **drawn}).encode()


def rate(answer: bytes, random: Random) -> bytes:
    """A level drawn for each criterion of the item's one output, as JSON."""
    work = json.loads(answer)["work"]
    if work is None:
        raise NoItemError(answer.decode())
    criteria = [one for group in work["item"]["groups"] for one in group["criteria"]]
    drawn = {criterion["name"]: random.choice(criterion["levels"])["value"] for criterion in criteria}
    key = UUID(int=random.getrandbits(128), version=4)
    said = {"slot": work["slot"], "lease": work["lease"], "key": str(key), "content": {"ratings": [drawn]}}
    return json.dumps({**said, "seconds": 1.0}).encode()


def csrf_cookie(head: bytes) -> str:
    """The cookie against forged requests that a response set, as name=value; empty where it set none."""
    found = COOKIE.search(head)
    return found[1].decode() if found else ""


class Response(NamedTuple):
    """The server's response; `head` is the raw header block."""

    status: int
    head: bytes
    body: bytes


class Connection(asyncio.Protocol):
    """A connection to the web server, opened again where the server has closed it, as browsers do."""

    def __init__(self, host: str, port: int) -> None:
        self._host, self._port = host, port
        self._transport: asyncio.Transport | None = None
        self._answer: asyncio.Future[Response] | None = None
        self._received = bytearray()

    async def ask(self, request: bytes) -> Response:
        """Send a whole request and wait for its response; ConnectionError where the server hangs up.

        One that was closed before any of the response came is sent once more: a web worker that is replaced closes the
        connections at which it has nothing to answer.
        """
        is_new = self._transport is None or self._transport.is_closing()
        try:
            return await self._ask(request)
        except ConnectionError:
            if is_new or self._received:
                raise
            return await self._ask(request)

    async def _ask(self, request: bytes) -> Response:
        if self._transport is None or self._transport.is_closing():
            await asyncio.get_running_loop().create_connection(lambda: self, self._host, self._port)
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


@dataclass
class Task:
    """A load: its place, one of `WAYS`, its people and its seconds. There is a person for each secret."""

    way: str
    host: str
    port: int
    path: str
    secrets: list[str]
    think: float
    warm_up: float
    measure: float


@dataclass
class Taken:
    """The seconds of each request within the measured time, and the bytes that came."""

    asking: list[tuple[float, int]] = field(default_factory=list)
    submitting: list[tuple[float, int]] = field(default_factory=list)


async def annotate(task: Task, number: int, taken: Taken, until: float) -> None:
    """One person at work until the clock shows `until`."""
    random = Random(number)  # noqa: S311 (which level is no secret)
    way = WAYS[task.way](f"{task.host}:{task.port}", task.path, task.secrets[number], random)
    connection = Connection(task.host, task.port)
    await asyncio.sleep(random.random() * task.think)
    first = 1 + number % way.page_every  # so that not all open the page at the same time
    for stretch in itertools.chain([first], itertools.repeat(way.page_every)):
        got = await _timed(connection, way.asking(), taken.asking)
        way.asked(got.head)
        for _ in range(stretch):
            await asyncio.sleep(task.think)
            got = await _timed(connection, way.submitting(got.body), taken.submitting)
            if time.perf_counter() >= until:
                connection.close()
                return


async def _timed(connection: Connection, request: bytes, taken: list[tuple[float, int]]) -> Response:
    began = time.perf_counter()
    response = await connection.ask(request)
    taken.append((time.perf_counter() - began, len(response.body)))
    if response.status != 200:
        raise SystemExit(f"The web server answered {response.status}:\n{response.body[:2000].decode()}")
    return response


async def work(task: Task) -> Taken:
    """All annotators side by side; says `begin` and `end` around the time that is measured."""
    begin = time.perf_counter() + task.warm_up
    until = begin + task.measure
    taken = Taken()
    clock = asyncio.create_task(_clock(begin, until, taken))
    await asyncio.gather(*(annotate(task, number, taken, until) for number in range(len(task.secrets))))
    return await clock


async def _clock(begin: float, until: float, taken: Taken) -> Taken:
    await asyncio.sleep(begin - time.perf_counter())
    taken.asking.clear()
    taken.submitting.clear()
    _say("begin")
    await asyncio.sleep(until - time.perf_counter())
    _say("end")
    return Taken(list(taken.asking), list(taken.submitting))


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    _say(json.dumps(asdict(asyncio.run(work(Task(**json.loads(sys.stdin.readline())))))))
