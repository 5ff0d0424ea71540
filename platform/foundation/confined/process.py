"""The side that wants a file read: questions to the process that reads it, and the sentence about its end."""

import io
import logging
import os
import pickle
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Any, ParamSpec, Self, TypeVar

from foundation.confined.messages import (
    CALL,
    FAILED,
    FOUND,
    ITEMS,
    LARGE,
    LIMITS,
    MEGABYTE,
    MORE,
    NAMES,
    NEXT,
    REFUSED,
    Question,
    receive,
    send,
)
from foundation.confined.turns import Turn
from foundation.errors import UserError

Given = ParamSpec("Given")
Found = TypeVar("Found")
Item = TypeVar("Item")

PATIENCE = 3
"""How many times the seconds of computation somebody waits, since processors are shared."""
LEAST, AT_ONCE = 0.01, 0.1
"""Seconds for an answer that is late, and for one that nobody wants any more."""
VARIABLES = ("PATH", "HOME", "LANG", "LC_", "TMPDIR", "TZ", "VIRTUAL_ENV", "LD_", "PYTHON", "COV", *NAMES.values())
"""The variables that a process gets, by how they begin: none that holds a secret."""
OUT_OF_MEMORY = (b"memory allocation of", b"bad_alloc", b"MemoryError", b"ut of memory")
logger = logging.getLogger(__name__)
_inside = sys.platform != "linux"


def call_as_it_is() -> None:
    """From now on functions are called in this process: it is confined itself."""
    global _inside
    _inside = True


def confines() -> bool:
    """Whether there is a process beside this one for a file."""
    return not _inside


def confined(function: Callable[Given, Found], *args: Given.args, **kwargs: Given.kwargs) -> Found:
    """The result of the function. Sentences about the end of its process name the first file that it is given."""
    with Confined(_name(args)) as process:
        return process.call(function, *args, **kwargs)


def confined_items(
    function: Callable[Given, Iterator[Item]], *args: Given.args, **kwargs: Given.kwargs
) -> Iterator[Item]:
    """The items that the generator yields."""
    with Confined(_name(args)) as process:
        yield from process.items(function, *args, **kwargs)


def _name(args: tuple[Any, ...]) -> str:
    return next((name for one in args if isinstance(name := getattr(one, "name", None), str)), "")


class Confined:
    """A process for one file; sentences about its end name the file as `where`."""

    def __init__(self, where: str = "") -> None:
        self.where = where
        self._process: _Process | None = None
        self._held: Turn | None = None
        self._seconds, self._left = LIMITS.seconds, 0.0
        self._size = self._room = 0
        self.received = 0  # bytes, in all answers
        self._waits = False
        self._turn = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def call(self, function: Callable[..., Found], *args: Any, **kwargs: Any) -> Found:
        """The result of the function in the process."""
        if _inside:
            return function(*args, **kwargs)
        found: Found = self._ask(CALL, function, args, kwargs)[0][0]
        return found

    def items(self, function: Callable[..., Iterator[Item]], *args: Any, **kwargs: Any) -> Iterator[Item]:
        """The items that the generator yields in the process. It makes the next batch while one is used here.

        A file with a method `reached` is told how far it was read.
        """
        if _inside:
            yield from function(*args, **kwargs)
            return
        (items, more, places), files = self._ask(ITEMS, function, args, kwargs)
        turn = self._turn
        while True:
            if more:
                self._send(pickle.dumps((MORE,)))
            for file, place in zip(files, places, strict=False):
                if hasattr(file, "reached"):
                    file.reached(place)
            yield from items
            if not more:
                return
            if turn != self._turn:
                raise RuntimeError("Something else was asked of the process before all items were read.")
            try:
                items, more, places = self._answer()
            except _EndedByItself:
                raise self._unreadable() from None

    def close(self) -> None:
        """Leave it to the next file, unless it is still at this one."""
        if self._process is None:
            return
        try:
            if self._waits:
                self._left = min(self._left, AT_ONCE)
                self._answer()
            self._send(pickle.dumps((NEXT,)))
        except Exception:  # whatever it is: nobody waits for it
            self._drop()
        else:
            _idle.keep(self._process)
            self._process = None
            self._waits = False
            self._end_turn()

    def _drop(self) -> None:
        if self._process is not None:
            self._process.end()
        self._process, self._waits = None, False
        self._end_turn()

    def _end_turn(self) -> None:
        if self._held is not None:
            self._held.end()
            self._held = None

    def _ask(self, kind: str, function: Any, args: Any, kwargs: Any) -> tuple[list[Any], list[Any]]:
        """The first answer, and the open files that the question named."""
        if self._waits:
            self._answer()  # to what nobody waits for any more
        question = Question(kind, function, args, kwargs)
        self._turn += 1
        try:
            self._size = max(self._size, question.size)
            self._seconds = LIMITS.seconds_for(self._size)
            kept = self._process is None
            try:
                return self._put(question), question.files
            except _EndedByItself:
                if kept:  # it had no work for a while and ended meanwhile; another one has work at once
                    return self._put(question), question.files
                raise
        except _EndedByItself:
            raise self._unreadable() from None
        finally:
            question.close()

    def _put(self, question: Question) -> list[Any]:
        self._left = float(self._seconds * PATIENCE)
        self._room = LIMITS.room_for(self._size)
        if self._process is None:
            self._held = self._held or Turn()
            self._process = _idle.take()
        self._send(pickle.dumps(self._seconds))
        self._send(question.data, question.descriptors)
        return self._answer()

    def _send(self, data: bytes | memoryview, descriptors: Sequence[int] = ()) -> None:
        assert self._process is not None
        self._waits = True
        try:
            self._process.data.settimeout(max(self._left, LEAST))
            send(self._process.data, data, descriptors)
        except OSError:
            raise self._end() from None

    def _answer(self) -> list[Any]:
        assert self._process is not None
        began = time.monotonic()
        try:
            self._process.data.settimeout(max(self._left, LEAST))
            data, _ = receive(self._process.data, self._room)
            answer: list[Any] = list(pickle.loads(data))  # noqa: S301  (our own process)
        except OverflowError:
            self._drop()
            raise self._unfolded() from None
        except TimeoutError:
            self._drop()
            raise self._too_long() from None
        except (EOFError, OSError):
            raise self._end() from None
        self._waits = False
        self._left -= time.monotonic() - began  # work here between two answers does not count as its time
        self._room -= len(data)
        self.received += len(data)
        kind = answer.pop(0)
        if kind in (FOUND, ITEMS):
            return answer
        if kind == REFUSED:
            error: UserError = answer[0]
            raise error
        if kind == LARGE:
            raise self._too_large()
        assert kind == FAILED
        logger.error("A file could not be read: %s\n%s", self.where, answer[0])
        raise self._unreadable()

    def _end(self) -> Exception:
        """The reason of its end, by its status and its last output."""
        assert self._process is not None
        code, words = self._process.ended()
        self._drop()
        if code == 0:
            return _EndedByItself()
        if code == -signal.SIGXCPU:
            return self._too_long()
        if code in (-signal.SIGKILL, -signal.SIGXFSZ) or any(each in words for each in OUT_OF_MEMORY):
            return self._too_large()
        logger.error("Who read a file ended with %s: %s\n%s", code, self.where, words.decode(errors="replace"))
        return self._unreadable()

    def _too_large(self) -> UserError:
        return UserError(
            "reading it takes more than {memory} MB of memory, the limit; split it into smaller files.",
            memory=LIMITS.memory,
            where=self.where,
        )

    def _unfolded(self) -> UserError:
        return UserError(
            "it unpacks to more than {room} MB, the limit for a file of its size; split it into smaller files.",
            room=LIMITS.room_for(self._size) // MEGABYTE,
            where=self.where,
        )

    def _too_long(self) -> UserError:
        return UserError(
            "reading it takes more than {seconds} seconds, the limit; split it into smaller files.",
            seconds=self._seconds,
            where=self.where,
        )

    def _unreadable(self) -> UserError:
        return UserError("the reader of such files failed; the file may be damaged.", where=self.where)


class _EndedByItself(Exception):
    """The process had no work for a while."""


class _Process:
    """The process itself, and its last output."""

    def __init__(self) -> None:
        self.data, other = socket.socketpair()
        self.said: IO[bytes] = TemporaryFile()  # noqa: SIM115  closed in the end
        command = [sys.executable, "-P", "-m", "foundation.confined.reader", str(other.fileno())]
        variables = {name: value for name, value in os.environ.items() if name.startswith(VARIABLES)}
        variables |= {"PYTHONPATH": os.pathsep.join(filter(None, sys.path)), "ARROW_DEFAULT_MEMORY_POOL": "system"}
        variables |= {"OMP_NUM_THREADS": "1", "ARROW_IO_THREADS": "1", "MALLOC_ARENA_MAX": "1"}
        with other:
            self.process = subprocess.Popen(  # noqa: S603  (our own program)
                command, env=variables, stdin=subprocess.DEVNULL, stdout=self.said, stderr=self.said,
                pass_fds=[other.fileno()],
            )  # fmt: skip
        threading.Thread(target=self.process.wait, daemon=True).start()  # so that its end leaves nothing behind

    def waits(self) -> bool:
        """Whether it is there: then there is nothing to read of it, and no end."""
        self.data.setblocking(False)
        try:
            return bool(self.data.recv(1, socket.MSG_PEEK))
        except BlockingIOError:
            return True
        except OSError:
            return False

    def ended(self) -> tuple[int, bytes]:
        """Its status, as `subprocess` has it, and its last output."""
        try:
            code = self.process.wait(5)
        except subprocess.TimeoutExpired:
            code = -signal.SIGKILL
        self.said.seek(max(self.said.seek(0, io.SEEK_END) - 4000, 0))
        return code, self.said.read()

    def end(self) -> None:
        """End it, even in the middle of work."""
        self.process.kill()
        self.process.wait()
        self.data.close()
        self.said.close()


class _Idle:
    """Processes that wait for a file, the one that worked last first; each ends by itself after a while."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._kept: list[_Process] = []
        self._pid = os.getpid()

    def take(self) -> _Process:
        with self._lock:
            if self._pid != os.getpid():  # a copy of a process has none of its children
                self._kept, self._pid = [], os.getpid()
            kept, self._kept = self._kept, []
            living = [one for one in kept if one.waits()]
            self._kept = living[:-1]
        for one in kept:
            if one not in living:
                one.end()
        return living[-1] if living else _Process()

    def keep(self, process: _Process) -> None:
        with self._lock:
            self._kept.append(process)


_idle = _Idle()
