"""The memory of processes, by what they do.

A process is counted with its proportional set size (PSS): its own pages, and of those that it shares its part, so that
the sum is what all of them take of the machine.
"""

from collections import defaultdict
from dataclasses import dataclass, field

import psutil

from tools.bench.figures import Figure

MEBIBYTE = 2**20
Held = dict[str, list[float]]  # by role the MiB of each process


@dataclass
class Memory:
    """What the processes held: at rest, after `pages` had been opened, and at the end of a load."""

    idle: Held = field(default_factory=dict)
    walked: Held = field(default_factory=dict)
    working: Held = field(default_factory=dict)
    pages: int = 0

    def figures(self) -> list[Figure]:
        """Each state as a whole, and each role in it."""
        states = {"idle": self.idle, "after a walk through all pages": self.walked, "at work": self.working}
        return [
            Figure(f"memory {words}: {whose}", mebibytes, "MiB")
            for words, state in states.items()
            for whose, mebibytes in {"all together": total(state), **{role: sum(state[role]) for role in state}}.items()
        ]


def held(pids: list[int]) -> Held:
    """The MiB of these processes and of all that they started, by role."""
    found: Held = defaultdict(list)
    for pid in dict.fromkeys(pids):
        first = psutil.Process(pid)
        for one in [first, *first.children(recursive=True)]:
            try:
                found[role(one.cmdline(), one.name())].append(one.memory_full_info().pss / MEBIBYTE)
            except psutil.NoSuchProcess:
                continue
    return dict(found)


ROLES = {
    "foundation.side_process_main": "beside the web",
    "foundation.confined.reader": "reads files",
    "launcher.job_watchdog": "watchdog",
    "launcher": "launcher",
    "granian": "web",
    "beat": "beat",
    "postgres": "database",
    "redis-server": "queue",
}


OURS = "restyle-"


def role(command: list[str], name: str) -> str:
    """What a process is: by the name that the launcher gave it, or else by its command line."""
    line = " ".join(command)
    if name.startswith(OURS) and "foundation.side_process_main" not in line:
        short = name.removeprefix(OURS)
        return "watchdog" if "watchdog".startswith(short) else short  # Linux cuts names to 15 letters
    if "-n" in command:
        return f"worker {command[command.index('-n') + 1].partition('@')[0]}"
    return next((role for part, role in ROLES.items() if part in line), name)


def total(of: Held) -> float:
    """MiB of all of them."""
    return sum(map(sum, of.values()))
