"""What tests ask of a process that reads a file: functions of a module, by which it finds them."""

import importlib
import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryFile
from typing import BinaryIO

from foundation.errors import UserError
from foundation.translation import translatable, translate


def variables() -> dict[str, str]:
    return dict(os.environ)


def fill_memory(megabytes: int) -> int:
    return len(bytearray(megabytes << 20))


def say_and_abort(words: bytes) -> None:
    os.write(2, words)
    os.abort()


def leave(status: int) -> None:
    """By a name that goes to another process: coverage.py puts a function without one in the place of `os._exit`."""
    os._exit(status)


def compute_for_ever() -> None:
    while True:
        pass


def fill_disk(megabytes: int) -> None:
    with TemporaryFile() as file:
        for _ in range(megabytes):
            file.write(bytes(1 << 20))


def fail() -> None:
    raise ZeroDivisionError("of a library")


def refuse(count: int) -> None:
    raise UserError(translatable("There are {count:,} of them."), count=count, where="here")


def told(count: int) -> str:
    return translate(translatable("There are {count} of them."), count=count)


def counted(most: int, fails_at: int = -1) -> Iterator[int]:
    for number in range(most):
        if number == fails_at:
            raise UserError("It ends here.", where="there")
        yield number


def ends_after(count: int) -> Iterator[int]:
    yield from range(count)
    os._exit(0)


def lines(file: BinaryIO) -> Iterator[bytes]:
    yield from file


def size_of(path: Path) -> int:
    return path.stat().st_size


def texts(count: int, length: int) -> Iterator[str]:
    for number in range(count):
        yield str(number % 10) * length


def peak(pid: int | str = "self") -> int:
    """The most memory that a process has had since it began its program, or since `forget_peak`, in bytes."""
    status = Path(f"/proc/{pid}/status").read_text()
    return next(int(line.split()[1]) * 1024 for line in status.splitlines() if line.startswith("VmHWM:"))


def forget_peak(pid: int) -> None:
    """From now on `peak` is the most that the process has from now on (proc_pid_clear_refs(5))."""
    Path(f"/proc/{pid}/clear_refs").write_text("5")


def imported(name: str) -> list[str]:
    """The web's packages that come along with a module."""
    importlib.import_module(name)
    return sorted({each.partition(".")[0] for each in sys.modules} & {"django", "celery", "rest_framework", "psycopg"})
