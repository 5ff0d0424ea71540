"""What is said between the processes: frames of pickled bytes, with open files beside them."""

import os
import pickle
import socket
import struct
from collections.abc import Sequence
from io import BytesIO, UnsupportedOperation
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryFile
from typing import Any, BinaryIO

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
    """What is asked, as bytes and the open files that they name; `size` are the bytes of all files."""

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
        """Let go of what was copied for it."""
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
