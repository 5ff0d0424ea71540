"""The program of a side process: it answers the questions of a web process (`foundation.side_process`)."""

import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from multiprocessing.connection import Connection
from typing import Any

from foundation.errors import UserError
from foundation.side_process import CALL, DONE, FAILED, MADE, MORE, REFUSED

IDLE = 5.0  # seconds without a question: it holds 60 MiB, and is there again in a second


def answer_all(connection: "Connection[Any, Any]") -> None:
    """Answer until the asking process is gone, or asks nothing for a while."""
    while connection.poll(IDLE):
        kind, function, *given = _told(connection)
        if kind == CALL:
            connection.send(_answer(partial(function, *given[0], **given[1])))
        else:
            connection.send(_made(connection, function))


def _answer(work: Callable[[], Any]) -> tuple[Any, ...]:
    try:
        return DONE, work()
    except UserError as error:
        return REFUSED, error.sentence, error.where
    except Exception as error:
        plain = ValueError(str(error)) if isinstance(error, ValueError) else None
        return FAILED, plain, traceback.format_exc()


def _made(connection: "Connection[Any, Any]", function: Callable[[Iterable[Any]], Iterator[bytes]]) -> tuple[Any, ...]:
    """Send all that it yields; the last message is left to the caller."""

    def send_all() -> None:
        for piece in function(_items(connection)):
            connection.send((MADE, piece))
            _told(connection)

    return _answer(send_all)


def _items(connection: "Connection[Any, Any]") -> Iterator[Any]:
    while True:
        connection.send((MORE,))
        batch = _told(connection)
        if not batch:
            return
        yield from batch


def _told(connection: "Connection[Any, Any]") -> Any:
    try:
        return connection.recv()
    except (EOFError, OSError):  # who asked wants no more of it
        raise SystemExit from None


if __name__ == "__main__":
    with Connection(int(sys.argv[1])) as own:
        answer_all(own)
