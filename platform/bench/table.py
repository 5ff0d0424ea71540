"""The table, with what it is held against."""

from collections.abc import Sequence

from bench.annotation_load import Load
from bench.process_memory import Memory, total

# Measured the same way, beside PostgreSQL on two processors: annotations a second, processor time, export of 10,000.
OTHERS = [("Label Studio", "13/s", "134 ms", "21 s"), ("doccano", "22/s", "84 ms", "3.4 s"),
          ("Potato", "18/s", "57 ms", "0.35 s")]  # fmt: skip
SEVERAL = 4
AIM = ("the aim", "220/s", "6 ms", "0.3 s")
LOADS = ["people", "a second", "ask p50", "p95", "submit p50", "p95", "processor", "web", "database", "cache"]


def load_rows(loads: dict[str, Load]) -> list[list[str]]:
    """A row for each run of annotators."""
    return [
        [name, f"{one.rate:.0f}/s", *map(milliseconds, (*one.asking, *one.submitting)),
         *map(milliseconds, (one.processor, one.web, one.database, one.cache))]
        for name, one in loads.items()
    ]  # fmt: skip


def held_rows(memory: Memory) -> list[list[str]]:
    """A row for each role, with the MiB of each of its processes, and all together."""
    states = (memory.idle, memory.walked, memory.working)
    roles = sorted({role for state in states for role in state})
    head = ["MiB of each process (PSS)", "idle", f"after {memory.pages:,} pages", "at work"]
    rows = [[role, *(_mebibytes(state.get(role, [])) for state in states)] for role in roles]
    return [head, *rows, ["all together", *(f"{total(state):.0f}" for state in states)]]


def _mebibytes(of: Sequence[float]) -> str:
    """Many small ones as one sum."""
    if len(of) > SEVERAL:
        return f"{len(of)} with {sum(of):.0f}"
    return " + ".join(f"{one:.0f}" for one in of)


def milliseconds(value: float) -> str:
    return f"{value:.0f} ms" if value >= 20 else f"{value:.2g} ms"


def seconds(value: float) -> str:
    return f"{value:.3g} s"


def laid_out(rows: Sequence[Sequence[str]]) -> str:
    """Rows of cells under each other; the first column to the left, the others to the right."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join(_line(row, widths) for row in rows)


def _line(row: Sequence[str], widths: Sequence[int]) -> str:
    first, *others = zip(row, widths, strict=True)
    return "  ".join([first[0].ljust(first[1]), *(cell.rjust(width) for cell, width in others)]).rstrip()
