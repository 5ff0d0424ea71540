"""What reading one file may take; an installation can say otherwise ([deploy.md](docs/deploy.md))."""

import os
import resource
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass
from typing import Self

from foundation.errors import UserError

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
    """Megabytes of memory, seconds of computation, megabytes of a file that is written on the way; and how many files
    are read at the same time on a machine."""

    memory: int = 512
    seconds: int = 20
    disk: int = 1024
    at_once: int = 4

    @classmethod
    def of(cls, variables: Mapping[str, str]) -> Self:
        """As the environment says."""
        said = {field: variables[name] for field, name in NAMES.items() if variables.get(name)}
        for field, value in said.items():
            if not (value.isdecimal() and 0 < int(value) < 10**6):
                raise UserError("It is a whole number above 0.", where=NAMES[field])
        return cls(**{field: int(value) for field, value in said.items()})

    def seconds_for(self, size: int) -> int:
        """Those of a file with so many bytes."""
        return self.seconds * max(1, -(-size // SIZE))

    def room_for(self, size: int) -> int:
        """The bytes that may come of a file with so many: whoever asks keeps them in its own memory."""
        return max(self.memory * MEGABYTE // 4, UNFOLDED * size)

    def hold(self) -> None:
        """Hold this process to them for good."""
        most = max(self.memory - PROGRAMS, 64) * MEGABYTE
        resource.setrlimit(resource.RLIMIT_DATA, (most, most))
        resource.setrlimit(resource.RLIMIT_FSIZE, (self.disk * MEGABYTE, self.disk * MEGABYTE))
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        open_files = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
        resource.setrlimit(resource.RLIMIT_NOFILE, (open_files, open_files))
        # where memory ends all the same, this process is the one that can be done without
        with suppress(OSError), open("/proc/self/oom_score_adj", "w") as adjusted:
            adjusted.write("1000")


def hold_time(seconds: int) -> None:
    """End this process when it has computed for so many seconds from now on."""
    used = sum(resource.getrusage(resource.RUSAGE_SELF)[:2])
    resource.setrlimit(resource.RLIMIT_CPU, (round(used) + seconds, resource.RLIM_INFINITY))


LIMITS = Limits.of(os.environ)
