"""The annotators, a process of their own: `python -m bench.annotator_process` reads a task and prints what it took.

They are one thread, so that they take little of the processors that the servers need; what they take is not counted.
"""

import asyncio
import itertools
import json
import sys
import time
from dataclasses import asdict, dataclass, field
from random import Random

from bench.browser_and_api_clients import WAYS
from bench.http import Connection, Response


@dataclass
class Task:
    """Who works where, in which of `WAYS`, and for how long: seconds. There is a person for each secret."""

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
    """Of each request within the time that is measured the seconds, and the bytes that came."""

    asking: list[tuple[float, int]] = field(default_factory=list)
    submitting: list[tuple[float, int]] = field(default_factory=list)


async def annotate(task: Task, number: int, taken: Taken, until: float) -> None:
    """One person at work until the clock shows `until`."""
    random = Random(number)  # noqa: S311 (which level is no secret)
    way = WAYS[task.way](f"{task.host}:{task.port}", task.path, task.secrets[number], random)
    connection = await Connection.to(task.host, task.port)
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
