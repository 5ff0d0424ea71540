"""The messages between the processes: frames of pickled bytes, with open files beside them."""

import os
import pickle
import resource
import socket
import struct
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from io import BytesIO, UnsupportedOperation
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO, Self

from foundation.errors import UserError

# The limits of reading one file; an installation can set others ([deploy.md](docs/deploy.md)).

MEGABYTE = 2**20
SIZE = 50 * MEGABYTE
"""The bytes of a file that the seconds are for; a larger one, which comes by a command line, has as many more."""
PROGRAMS = 96
"""Megabytes of the memory that libraries take as they lie on the disk; the kernel's limit counts all but these."""
UNFOLDED = 10
"""How many times its bytes may come of a larger file."""
NAMES = {
    "memory": "RESTYLE_FILE_MEMORY",
    "seconds": "RESTYLE_FILE_SECONDS",
    "disk": "RESTYLE_FILE_DISK",
    "at_once": "RESTYLE_FILES_AT_ONCE",
}


@dataclass(frozen=True)
class Limits:
    """Megabytes of memory, seconds of computation, megabytes of a file that is written meanwhile; and how many files
    are read at the same time on a machine."""

    memory: int = 512
    seconds: int = 20
    disk: int = 1024
    at_once: int = 4

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self:
        """The limits that the environment sets."""
        said = {field: variables[name] for field, name in NAMES.items() if variables.get(name)}
        for field, value in said.items():
            if not (value.isdecimal() and 0 < int(value) < 10**6):
                raise UserError("The value must be a whole number above 0.", where=NAMES[field])
        return cls(**{field: int(value) for field, value in said.items()})

    def seconds_for(self, size: int) -> int:
        """The seconds for a file with that many bytes."""
        return self.seconds * max(1, -(-size // SIZE))

    def room_for(self, size: int) -> int:
        """The most bytes of results from a file with that many: the process that asks keeps them in its own memory."""
        return max(self.memory * MEGABYTE // 4, UNFOLDED * size)

    def hold(self) -> None:
        """Set these limits for this process for good."""
        most = max(self.memory - PROGRAMS, 64) * MEGABYTE
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.disk * MEGABYTE, self.disk * MEGABYTE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
        # where memory ends all the same, the kernel ends this process first
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as adjusted:
            adjusted.write("1000")


def hold_time(seconds: int) -> None:
    """End this process when it has computed for that many seconds from now on."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (round(used) + seconds, resource.RLIM_INFINITY))


LIMITS = Limits.of(os.environ)

CALL, ITEMS, MORE, NEXT = "call", "items", "more", "next"
FOUND, REFUSED, LARGE, FAILED = "found", "refused", "large", "failed"
HEAD = struct.Struct(">QB")
MOST_FILES = 16


def send(connection: socket.socket, data: bytes | memoryview, files: Sequence[int] = ()) -> None:
    """A frame, and open files."""
    head = HEAD.pack(len(data), len(files))
    if files:
        socket.send_fds(connection, [head], list(files))
        connection.sendall(data)
    elif len(data) < 1 << 16:
        connection.sendall(head + bytes(data))
    else:
        connection.sendall(head)
        connection.sendall(data)


def receive(connection: socket.socket, most: int = 1 << 40) -> tuple[bytearray, list[int]]:
    """The next frame and the open files beside it.

    EOFError where the other side is gone, OverflowError where the frame has more than `most` bytes.
    """
    head, files, *_ = socket.recv_fds(connection, HEAD.size, MOST_FILES)
    while 0 < len(head) < HEAD.size:
        head += _some(connection, HEAD.size - len(head))
    if not head:
        raise EOFError
    size = HEAD.unpack(head)[0]
    if size > most:
        raise OverflowError
    data = bytearray(size)
    view = memoryview(data)
    while view:
        count = connection.recv_into(view)
        if not count:
            raise EOFError
        view = view[count:]
    return data, files


def _some(connection: socket.socket, size: int) -> bytes:
    if not (data := connection.recv(size)):
        raise EOFError
    return data


class Question:
    """A question, as bytes and the open files that they name; `size` are the bytes of all files."""

    def __init__(self, *parts: Any) -> None:
        self.files: list[Any] = []
        self.descriptors: list[int] = []
        self.size = 0
        self._held: list[BinaryIO] = []
        buffer = BytesIO()
        _Pickler(buffer, self).dump(parts)
        self.size += buffer.tell()
        self.data = buffer.getbuffer()

    def hand_over(self, file: Any) -> int:
        """The number under which the other process finds an open file."""
        self.descriptors.append(self._descriptor(file))
        self.files.append(file)
        self.size += os.fstat(self.descriptors[-1]).st_size
        return len(self.files) - 1

    def close(self) -> None:
        """Close the copies of files that were made for it."""
        for held in self._held:
            held.close()

    def _descriptor(self, file: Any) -> int:
        try:
            if hasattr(file, "flush"):
                file.flush()
            descriptor: int = file.fileno()
        except (AttributeError, UnsupportedOperation):  # it is in memory, or comes from elsewhere
            held = TemporaryFile()  # noqa: SIM115  closed with the question
            self._held.append(held)
            if hasattr(file, "seek"):
                file.seek(0)
            copyfileobj(file, held, 1 << 20)
            held.flush()
            return held.fileno()
        return descriptor


class _Pickler(pickle.Pickler):
    def __init__(self, buffer: Any, question: Question) -> None:
        super().__init__(buffer, pickle.HIGHEST_PROTOCOL)
        self.question = question

    def persistent_id(self, value: Any) -> int | None:
        if isinstance(value, Path):
            self.question.size += _size(value)
        elif hasattr(value, "read") and not isinstance(value, type):
            return self.question.hand_over(value)
        return None


def _size(path: Path) -> int:
    if path.is_dir():
        return sum(one.stat().st_size for one in path.rglob("*") if one.is_file())
    return path.stat().st_size if path.is_file() else 0


class Unpickler(pickle.Unpickler):
    """Reads a question; its open files are opened anew, each at its beginning and with a place of its own."""

    def __init__(self, data: Any, descriptors: Sequence[int], opened: list[BinaryIO]) -> None:
        super().__init__(data)
        self.descriptors, self.opened = descriptors, opened

    def persistent_load(self, number: int) -> BinaryIO:
        file = open(f"/proc/self/fd/{self.descriptors[number]}", "rb")  # noqa: SIM115  until the next file
        self.opened.append(file)
        return file
