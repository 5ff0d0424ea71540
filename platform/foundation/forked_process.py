"""Work done in a process of its own beside this one, on all that this one has in memory.

    with run_forked(lambda: dumped(half(data))) as found:
        other = rest(data)
        first = loaded(found())

The process begins as a copy of this one, so nothing is sent to it; what it finds comes back as bytes. It must leave
alone what both share: connections, files that are open.
"""

import os
import signal
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import BinaryIO

DONE, FAILED = b"+", b"-"


@contextmanager
def run_forked(work: Callable[[], bytes]) -> Iterator[Callable[[], bytes]]:
    """What `work` returns, by the call that is yielded; it waits, and raises RuntimeError where the work failed.

    The process is gone when the block is left, however that comes about.
    """
    reader, writer = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of threads beside: the copy asks for none of their locks
        child = os.fork()
    if child == 0:
        os.close(reader)  # else it would wait for its own reading, where this process is killed
        _do(work, writer)
    os.close(writer)
    try:
        with open(reader, "rb") as pipe:
            yield lambda: _answer(pipe)
    finally:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)


def _do(work: Callable[[], bytes], writer: int) -> None:
    """In the copy: the work, and an end without all that this process would do at its own."""
    try:
        with open(writer, "wb") as pipe:
            try:
                pipe.write(DONE + work())
            except BaseException:
                pipe.write(FAILED + traceback.format_exc().encode())
    finally:
        os._exit(0)


def _answer(pipe: BinaryIO) -> bytes:
    kind, answer = pipe.read(1), pipe.read()
    if kind != DONE:
        raise RuntimeError(f"The process beside this one failed:\n{answer.decode() or 'It was killed.'}")
    return answer
