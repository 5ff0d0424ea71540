"""The machine that the figures were measured on."""

import os
import platform
from pathlib import Path

from django.db import connection


def machine() -> str:
    """One line: processors, memory, Python, PostgreSQL and the load of the machine before."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('server_version'), current_setting('fsync'), "
                       "current_setting('synchronous_commit')")  # fmt: skip
        version, fsync, commit = cursor.fetchone()
    memory = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") / 2**30
    return (
        f"{os.cpu_count()} processors ({_processor()}), {memory:.0f} GiB, Python {platform.python_version()}, "
        f"PostgreSQL {version} (fsync {fsync}, synchronous_commit {commit}), load {os.getloadavg()[0]:.1f} at the start"
    )


def _processor() -> str:
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    names = (line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    return next(names, platform.machine())
