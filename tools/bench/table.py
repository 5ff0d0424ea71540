"""The table, with published figures beside it."""

from collections.abc import Mapping, Sequence

from tools.bench.annotation_load import Load
from tools.bench.clock import Took

# Measured the same way, beside PostgreSQL on two processors: annotations a second and the processor time of one.
OTHERS = [("Label Studio", "13/s", "134 ms"), ("doccano", "22/s", "84 ms"), ("Potato", "18/s", "57 ms")]
AIM = ("the aim", "500/s", "3.5 ms")
LOADS = ["people", "a second", "ask p50", "p95", "submit p50", "p95", "processor", "web", "database", "cache"]


def load_rows(loads: dict[str, Load]) -> list[list[str]]:
    """A row for each run of annotators."""
    return [
        [name, f"{one.rate:.0f}/s", *map(milliseconds, (*one.asking, *one.submitting)),
         *map(milliseconds, (one.processor, one.web, one.database, one.cache))]
        for name, one in loads.items()
    ]  # fmt: skip


def beside_others(best: Load) -> list[list[str]]:
    """The load of those who push, beside the figures of others."""
    ours = ["Restyle", f"{best.rate:.0f}/s", f"{best.processor:.1f} ms"]
    return [["", "annotations", "processor time of one"], *map(list, (*OTHERS, AIM)), ours]


def took_rows(took: Mapping[str, Took | None]) -> list[list[str]]:
    """A row for each figure; a rate or the most memory where it has one."""
    head = ["", "on the clock", "processor", "a second", "MiB at most"]
    return [head, *([words, *(_cells(each) if each else ["-", "-", "", ""])] for words, each in took.items())]


def _cells(took: Took) -> list[str]:
    rate = f"{took.count / took.wall:,.0f}" if took.count else ""
    return [seconds(took.wall), seconds(took.processor), rate, "" if took.peak is None else f"{took.peak:,.0f}"]


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
