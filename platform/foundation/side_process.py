"""Heavy computation outside the web process: a function runs in a side process, which ends when it is idle.

    in_side_process(STATISTICS["mann_whitney"].compare, low, high)
    stream_in_side_process(written, rows)

A web process lives for weeks: it keeps for good the modules that it imports for one page, and there are several of
them. So it asks a process beside it, which starts with the first question and answers the next ones at once. Everywhere
else (in workers, commands, notebooks and tests) the function is called directly.

A function is known by its module and name; it needs no database, and its arguments and results can be pickled.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable, Iterator
from itertools import islice
from multiprocessing import Pipe
from typing import Any, ParamSpec, TypeVar

from foundation.errors import UserError

Given = ParamSpec("Given")
Found = TypeVar("Found")
Item = TypeVar("Item")

LIMIT = 60.0  # seconds that an answer may take
BATCH = 500  # items of a stream that are sent at once
CALL, STREAM = "call", "stream"
DONE, MADE, MORE, REFUSED, FAILED = "done", "made", "more", "refused", "failed"
_used = False


def use_side_process() -> None:
    """From now on this process asks the one beside it: a web server's says so when it starts."""
    global _used
    _used = True


def in_side_process(function: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs) -> Found:
    """The result of the function. A UserError is its own, or says that it took more than LIMIT seconds."""
    if not _used:
        return function(*args, **kwargs)
    found: Found = _shared.call(function, args, kwargs)
    return found


def in_process_of_its_own(function: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs) -> Found:
    """The same in a process that ends afterwards: for functions that import much and are called seldom."""
    if not _used:
        return function(*args, **kwargs)
    process = SideProcess()
    try:
        found: Found = process.call(function, args, kwargs)
    finally:
        process.end()
    return found


def stream_in_side_process(
    function: Callable[[Iterable[Item]], Iterator[bytes]], items: Iterable[Item]
) -> Iterator[bytes]:
    """The bytes that the generator `function(items)` yields; items are sent a batch at a time, as it asks for them."""
    if not _used:
        yield from function(items)
        return
    process = SideProcess()
    try:
        yield from process.stream(function, iter(items))
    finally:
        process.end()


class SideProcess:
    """The process beside this one, started when it is asked."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._lock = threading.Lock()

    def call(self, function: Any, args: Any, kwargs: Any) -> Any:
        """Ask one question at a time, and once more where the process had ended, as it does when it is idle."""
        with self._lock:
            try:
                return self._ask((CALL, function, args, kwargs))
            except (EOFError, OSError):
                self.end()
            try:
                return self._ask((CALL, function, args, kwargs))
            except (EOFError, OSError) as error:
                self.end()
                raise RuntimeError("The process beside this one ended before it had answered.") from error

    def stream(self, function: Any, items: Iterator[Any]) -> Iterator[bytes]:
        """The bytes that the function yields for the items."""
        answer = self._ask((STREAM, function))
        while answer is not None:
            if answer == MORE:
                answer = self._ask(list(islice(items, BATCH)))
            else:
                yield answer
                answer = self._ask(MORE)

    def end(self) -> None:
        """End it, even in the middle of work."""
        if self._process is not None:
            self._connection.close()
            self._process.kill()
            self._process = None

    def _ask(self, question: Any) -> Any:
        if self._process is None or self._process.poll() is not None:
            self._start()
        self._connection.send(question)
        if not self._connection.poll(LIMIT):
            self.end()
            raise UserError("This takes more than {limit:.0f} seconds, which is too long for a page.", limit=LIMIT)
        kind, *answer = self._connection.recv()
        if kind == REFUSED:
            raise UserError(answer[0], where=answer[1])
        if kind == FAILED:
            raise answer[0] if isinstance(answer[0], ValueError) else RuntimeError(answer[1])
        return answer[0] if answer else {DONE: None, MORE: MORE}[kind]

    def _start(self) -> None:
        self._connection, other = Pipe()
        command = [sys.executable, "-P", "-m", "foundation.side_process_main", str(other.fileno())]
        variables = {**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "OMP_NUM_THREADS": "1"}
        with other:
            self._process = subprocess.Popen(  # noqa: S603 (our own program)
                command, env=variables, stdin=subprocess.DEVNULL, pass_fds=[other.fileno()]
            )
        threading.Thread(target=self._process.wait, daemon=True).start()  # so that its end leaves nothing behind


_shared = SideProcess()
