"""The program that reads files from outside, one after the other, within its limits."""

import errno
import os
import pickle
import select
import socket
import sys
import traceback
from collections.abc import Callable, Iterator
from functools import partial
from io import BytesIO
from itertools import islice
from typing import Any, BinaryIO

from foundation import translation
from foundation.confined import process
from foundation.confined.messages import (
    CALL,
    FAILED,
    FOUND,
    ITEMS,
    LARGE,
    LIMITS,
    MEGABYTE,
    MORE,
    NEXT,
    REFUSED,
    Unpickler,
    hold_time,
    receive,
    send,
)
from foundation.errors import UserError

RESTS = ((60, 20.0), (200, 4.0))
"""Megabytes up to which it waits for the next file, and so many seconds; where it is larger it ends at once."""
SMALL, LARGEST = 256 * 1024, 1024 * 1024
MOST = 2000
"""Items that are sent at once, and the bytes that they may have: as many as fit in, found on the way."""


class Reader:
    """Answers questions about a file, then about the next one."""

    def __init__(self, connection: socket.socket) -> None:
        self.connection = connection
        self.opened: list[BinaryIO] = []

    def run(self) -> None:
        """Answer until the asking process is gone, or asks nothing for a while."""
        asked: tuple[Any, ...] | None = None
        while asked := asked or self._question():
            kind, function, args, kwargs = asked
            asked, work = None, partial(function, *args, **kwargs)
            if kind == CALL:
                self._say(_outcome(partial(_found, work)))
            else:
                asked = self._send_items(work)

    def _question(self) -> tuple[Any, ...] | None:
        """The next one, once the time that it may take is known; () asks for more items, None is the end."""
        while True:
            try:
                data, descriptors = receive(self.connection)
            except (EOFError, OSError):
                return None
            told = Unpickler(BytesIO(data), descriptors, self.opened).load()
            for descriptor in descriptors:
                os.close(descriptor)
            if isinstance(told, int):
                hold_time(told)
            elif told == (NEXT,):
                if not self._rest():
                    return None
            else:
                return () if told == (MORE,) else tuple(told)

    def _rest(self) -> bool:
        """Let go of a file; whether there is another one before long."""
        for file in self.opened:
            file.close()
        self.opened.clear()
        held = _resident()
        rest = next((seconds for megabytes, seconds in RESTS if held < megabytes * MEGABYTE), 0.0)
        return bool(select.select([self.connection], [], [], rest)[0])

    def _send_items(self, work: Callable[[], Iterator[Any]]) -> tuple[Any, ...] | None:
        """Send all that the generator yields; another question on the way is returned."""
        items, ended, count = _items(work), (), 1
        while True:
            batch: list[Any] = []
            ended = ended or _outcome(partial(_take, items, count, batch))
            if ended and not batch:
                self._say(ended)
                return None
            more = bool(ended) or len(batch) == count
            size = self._say((ITEMS, batch, more, [file.tell() for file in self.opened]))
            if not more:
                return None
            count = min(count * 4, MOST) if size < SMALL else max(count // 4, 1) if size > LARGEST else count
            asked = self._question()
            if asked != ():
                return asked

    def _say(self, answer: tuple[Any, ...]) -> int:
        data = pickle.dumps(answer, pickle.HIGHEST_PROTOCOL)
        send(self.connection, data)
        return len(data)


def _found(work: Callable[[], Any]) -> tuple[Any, ...]:
    return FOUND, work()


def _items(work: Callable[[], Iterator[Any]]) -> Iterator[Any]:
    """The items; an error before the first one is raised at it."""
    yield from work()


def _take(items: Iterator[Any], count: int, batch: list[Any]) -> tuple[Any, ...]:
    """The next items into the batch, also those before an error."""
    batch.extend(islice(items, count))
    return ()


def _outcome(work: Callable[[], tuple[Any, ...]]) -> tuple[Any, ...]:
    """The result of the work, or the message about its end."""
    try:
        return work()
    except UserError as error:
        return REFUSED, error
    except MemoryError:
        return (LARGE,)
    except OSError as error:
        return (LARGE,) if error.errno in (errno.EFBIG, errno.ENOMEM) else (FAILED, traceback.format_exc())
    except Exception:
        return FAILED, traceback.format_exc()


def _resident() -> int:
    with open("/proc/self/statm") as counts:
        return int(counts.read().split()[1]) * os.sysconf("SC_PAGE_SIZE")


if __name__ == "__main__":
    process.call_as_it_is()
    translation.translate_when_read()
    LIMITS.hold()
    with socket.socket(fileno=int(sys.argv[1])) as own:
        Reader(own).run()
