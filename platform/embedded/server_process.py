"""Running a server's program as its account, and saying in one sentence why it failed."""

import errno
import os
import shutil
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import psutil

from embedded.folders import Account
from foundation.errors import UserError

LAST_LINES = 8
FULL = 1_000_000  # bytes; with less than this left nothing starts


def run_as(account: Account | None) -> dict[str, Any]:
    """Arguments for subprocess: the account, a folder that every account may enter, no PG* variable, plain English."""
    environment = {key: value for key, value in os.environ.items() if not key.startswith(("PG", "LC_"))}
    arguments: dict[str, Any] = {"env": environment | {"LC_ALL": "C"}, "cwd": "/", "stdin": subprocess.DEVNULL}
    if account:
        arguments |= {"user": account.uid, "group": account.gid, "extra_groups": []}
    return arguments


def last_lines(path: Path, count: int = LAST_LINES) -> str:
    """The last lines of a log, or the empty string."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, path.stat().st_size - 8192))
            return "\n".join(file.read().decode("utf-8", "replace").splitlines()[-count:])
    except OSError:
        return ""


class DiskFull(UserError):
    """A server cannot run until there is space again."""


def failure(program: str, data: Path, output: str) -> UserError:
    """The error for a program that did not start: a cause that the user can put right, or the end of its output."""
    if disk_is_full(data, output):
        return DiskFull(
            "The disk is full: {program} cannot write. Free some space and start again.",
            program=program,
            where=str(data),
        )
    if "could not map anonymous shared memory" in output or "Cannot allocate memory" in output:
        return UserError("This machine has too little free memory to start {program}.", program=program)
    tail = "\n".join(output.strip().splitlines()[-LAST_LINES:])
    return UserError(
        "{program} did not start; the end of its log ({data}) is:\n{tail}",
        program=program,
        data=data / "logs",
        tail=tail,
    )


@contextmanager
def blaming_a_full_disk(data: Path) -> Iterator[None]:
    """An error in the block is put down to a full disk, if it was full before: there may be space by now."""
    full = disk_is_full(data, "")
    try:
        yield
    except UserError as error:
        if not full or isinstance(error, DiskFull):
            raise
        sentence = "The disk was full when the servers were started. Free some space and start again."
        raise DiskFull(sentence, where=str(data)) from error


def disk_is_full(data: Path, output: str) -> bool:
    """Whether a program failed for want of space: it says so, or there was no room to say it."""
    if os.strerror(errno.ENOSPC) in output or "Check free disk space" in output:
        return True
    return data.exists() and shutil.disk_usage(data).free < FULL


def alive(pid: int, program: str) -> bool:
    """Whether `pid` is a living process of `program`; a number that another process got since does not count."""
    try:
        process = psutil.Process(pid)
        return process.status() != psutil.STATUS_ZOMBIE and program in process.name()
    except psutil.NoSuchProcess:
        return False
