"""The logs of the launcher's children are kept to a size.

All processes of a child append to one file that they inherited open, even the lines that they print before any logging
is set up. So the launcher alone rotates the files, as logrotate's `copytruncate` does: it copies one, and truncates it.
Lines appended afterwards begin at the top; no process has to open the file again.
"""

import os
import shutil
import time
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

EVERY = 5.0  # seconds between two looks
BYTES, FILES = "RESTYLE_LOG_BYTES", "RESTYLE_LOG_FILES"
DEFAULTS = {BYTES: 10_000_000, FILES: 5}


class Rotation:
    """Looks after each `*.log` of a folder; `web.log.1` is the youngest of the former ones."""

    def __init__(self, folder: Path, environment: Mapping[str, str] = os.environ) -> None:
        self.folder = folder
        self.most, self.count = (_number(environment, name) for name in (BYTES, FILES))
        self.looked = 0.0

    def look_now_and_then(self) -> None:
        if time.monotonic() - self.looked > EVERY:
            self.looked = time.monotonic()
            self.look()

    def look(self) -> None:
        """Rotate files larger than `most`. A full disk does not stop the launcher."""
        for log in self.folder.glob("*.log"):
            with suppress(OSError):
                if log.stat().st_size > self.most:
                    self._turn_over(log)

    def _turn_over(self, log: Path) -> None:
        for number in range(self.count - 1, 0, -1):
            with suppress(FileNotFoundError):
                self._former(log, number).replace(self._former(log, number + 1))
        if self.count:
            shutil.copy2(log, self._former(log, 1))
        os.truncate(log, 0)

    def _former(self, log: Path, number: int) -> Path:
        return log.with_name(f"{log.name}.{number}")


def _number(environment: Mapping[str, str], name: str) -> int:
    given = environment.get(name, "")
    return int(given) if given.isascii() and given.isdigit() and len(given) < 15 else DEFAULTS[name]
