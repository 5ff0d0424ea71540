"""The annotators, a process of their own: `python -m config.bench.annotators` reads a task and prints what it took.

Each annotator is a browser with a session: it opens the work page, fills the form in and posts it as htmx does; the
answer brings the next item. Every so often it opens the page anew, as somebody does who comes back.
"""

import asyncio
import itertools
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from random import Random

from config.bench.http import Connection, Response
from config.bench.pages import csrf_cookie, fill_in

PAGE_EVERY = 20  # items between two openings of the whole page


@dataclass
class Task:
    """Who works where, and for how long; seconds. Each session is the value of a session cookie."""

    host: str
    port: int
    path: str
    sessions: list[str]
    think: float
    warm_up: float
    measure: float


@dataclass
class Taken:
    """Seconds of each request within the time that is measured."""

    asking: list[float] = field(default_factory=list)
    submitting: list[float] = field(default_factory=list)


class Annotator:
    """One person at one browser."""

    def __init__(self, task: Task, number: int) -> None:
        self._task, self._random = task, Random(number)  # noqa: S311 (which level is no secret)
        self._first = 1 + number % PAGE_EVERY  # so that not all open the page at the same time
        self._cookie = f"sessionid={task.sessions[number]}"
        self._csrf = ""

    async def work(self, taken: Taken, until: float) -> None:
        """Answer items until the clock shows `until`."""
        connection = await Connection.to(self._task.host, self._task.port)
        if self._task.think:
            await asyncio.sleep(self._random.random() * self._task.think)
        stretches = itertools.chain([self._first], itertools.repeat(PAGE_EVERY))
        while time.perf_counter() < until:
            page = await self._ask(connection, taken)
            for _ in range(next(stretches)):
                if self._task.think:
                    await asyncio.sleep(self._task.think)
                page = await self._submit(connection, page, taken)
                if time.perf_counter() >= until:
                    break
        connection.close()

    async def _ask(self, connection: Connection, taken: Taken) -> bytes:
        response = await _timed(connection, self._request("GET", ""), taken.asking)
        self._csrf = csrf_cookie(response.head) or self._csrf
        return response.body

    async def _submit(self, connection: Connection, page: bytes, taken: Taken) -> bytes:
        form = fill_in(page, self._random)
        if form is None:
            raise SystemExit(f"There is no item left, or the page is no work page:\n{page[:2000].decode()}")
        request = self._request("POST", "submit/", form)
        return (await _timed(connection, request, taken.submitting)).body

    def _request(self, method: str, act: str, body: bytes = b"") -> bytes:
        lines = [
            f"{method} {self._task.path}{act} HTTP/1.1",
            f"Host: {self._task.host}:{self._task.port}",
            "User-Agent: Mozilla/5.0 (X11; Linux x86_64) Gecko/20100101 Firefox/140.0",
            "Accept: text/html, */*",
            "Accept-Language: en-US,en;q=0.5",
            "Accept-Encoding: gzip, deflate",
            f"Cookie: {self._cookie}" + (f"; {self._csrf}" if self._csrf else ""),
        ]
        if method == "POST":
            lines += [
                "HX-Request: true",
                "HX-Target: work",
                f"Origin: http://{self._task.host}:{self._task.port}",
                f"X-CSRFToken: {self._csrf.partition('=')[2]}",
                "Content-Type: application/x-www-form-urlencoded",
                f"Content-Length: {len(body)}",
            ]
        return "\r\n".join(lines).encode() + b"\r\n\r\n" + body


async def _timed(connection: Connection, request: bytes, times: list[float]) -> Response:
    began = time.perf_counter()
    response = await connection.ask(request)
    times.append(time.perf_counter() - began)
    if response.status != 200:
        raise SystemExit(f"The web server answered {response.status}:\n{response.body[:2000].decode()}")
    return response


async def work(task: Task) -> Taken:
    """All annotators side by side; says `begin` and `end` around the time that is measured."""
    begin = time.perf_counter() + task.warm_up
    until = begin + task.measure
    taken = Taken()
    everybody = asyncio.gather(*(Annotator(task, n).work(taken, until) for n in range(len(task.sessions))))
    clock = asyncio.create_task(_clock(begin, until, taken))
    await everybody
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
