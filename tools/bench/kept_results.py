"""Results of comparisons of two commits: ratios, kept as lines of JSON, and the section of docs/speed.md on them."""

import json
import os
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from statistics import median
from typing import Any

from foundation.errors import UserError
from tools.bench.figures import FASTER

# Two commits' figures beside each other: ratios with their spread over the rounds, and the figures that became worse.

TOLERATED = 1.05  # beyond it something is slower or larger


@dataclass
class Pair:
    """A figure of both commits, a number a round; `missing` says why the older one has none."""

    name: str
    unit: str = ""
    old: list[float] = field(default_factory=list)
    new: list[float] = field(default_factory=list)
    missing: str = ""

    @property
    def ratios(self) -> list[float]:
        """The ratio of new to old, round by round; more than 1 is worse in every unit."""
        pairs = [(old, new) for old, new in zip(self.old, self.new, strict=False) if old > 0 and new > 0]
        return [old / new if self.unit.endswith(FASTER) else new / old for old, new in pairs]

    @property
    def worse(self) -> bool:
        """Whether it is worse in every round: noise goes in both directions."""
        return bool(self.ratios) and min(self.ratios) > TOLERATED


HEAD = ("", "unit", "old", "new", "worse if over 1")


def row(pair: Pair) -> list[str]:
    """The cells of a figure."""
    if pair.missing:
        return [pair.name, "", "", "", f"not comparable: {pair.missing}"]
    if not pair.old or not pair.new:
        return [pair.name, pair.unit, spread(pair.old), spread(pair.new), "one side only"]
    return [pair.name, pair.unit, spread(pair.old), spread(pair.new), spread(pair.ratios)]


def spread(values: Sequence[float]) -> str:
    """The median, with the least and the most where they are not the same."""
    if not values:
        return "-"
    middle, least, most = (number(value) for value in (median(values), min(values), max(values)))
    return middle if least == most else f"{middle} ({least}..{most})"


def number(value: float) -> str:
    """Three digits that say something."""
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.3g}"


BEGIN, END = "<!-- Written by `make bench`: begin -->\n", "<!-- Written by `make bench`: end -->\n"
TABLE_HEAD = "| | unit | {older} | {newer} | times, worse over 1 |\n| --- | --- | --- | --- | --- |\n"


class Results:
    """A file that grows with each run, so that a comparison may be measured a part at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def keep(self, part: str, size: str, commit: str, lines: Iterable[dict[str, Any]], *, older: bool) -> None:
        """Append the figures of a part, with the hour and the load of the machine."""
        about = {
            "part": part, "size": size, "older": older, "commit": commit, "load": round(os.getloadavg()[0], 1),
            "at": datetime.now(UTC).isoformat(timespec="minutes"),
        }  # fmt: skip
        with self.file.open("a") as rows:
            rows.writelines(json.dumps({**about, **line}) + "\n" for line in lines)

    def lines(self) -> list[dict[str, Any]]:
        """All that was kept, in the order of the runs."""
        try:
            return [json.loads(line) for line in self.file.read_text().splitlines()]
        except (OSError, json.JSONDecodeError) as error:
            raise UserError(
                "This is no file of kept measurements: {error}", error=error, where=str(self.file)
            ) from None


def section(rows: Sequence[dict[str, Any]]) -> str:
    """Markdown: a table for each part and size, with the time of measurement, and worse figures in bold."""
    groups: dict[tuple[str, str], list[dict[str, Any]]] = {}
    for row in rows:
        groups.setdefault((row["part"], row["size"]), []).append(row)
    return "\n".join(_table(part, size, group) for (part, size), group in groups.items())


def write_into(page: Path, rows: Sequence[dict[str, Any]]) -> None:
    """Put the section in the place of the one that the page has."""
    before, begin, rest = page.read_text().partition(BEGIN)
    _, end, after = rest.partition(END)
    if not (begin and end):
        raise UserError("The page has no place for what was measured: {begin}", begin=BEGIN.strip(), where=str(page))
    page.write_text(f"{before}{begin}\n{section(rows)}\n{end}{after}")


def _table(part: str, size: str, rows: Sequence[dict[str, Any]]) -> str:
    pairs: dict[str, Pair] = {}
    for row in rows:
        pair = pairs.setdefault(row["name"], Pair(row["name"], row.get("unit", "")))
        if "missing" in row:
            pair.missing = row["missing"]
        else:
            pair.unit = row["unit"]
            (pair.old if row["older"] else pair.new).append(row["value"])
    older, newer = (" and ".join(_commits(rows, older=older)) or "-" for older in (True, False))
    hours, loads = sorted({row["at"] for row in rows}), [row["load"] for row in rows]
    when = hours[0] if len(hours) == 1 else f"{hours[0]} to {hours[-1]}"
    told = f"**{part}**, {size} size, {when}, load {min(loads)} to {max(loads)}"
    lines = "".join(_line(pair) for pair in pairs.values())
    return f"{told}:\n\n{TABLE_HEAD.format(older=older, newer=newer)}{lines}"


def _commits(rows: Sequence[dict[str, Any]], *, older: bool) -> list[str]:
    return list(dict.fromkeys(row["commit"] for row in rows if row["older"] is older))


def _line(pair: Pair) -> str:
    if pair.missing and not pair.old:
        return f"| {pair.name} | | | | not comparable: {pair.missing} |\n"
    ratios = spread(pair.ratios)
    strong = f"**{ratios}**" if pair.ratios and min(pair.ratios) > TOLERATED else ratios
    return f"| {pair.name} | {pair.unit} | {spread(pair.old)} | {spread(pair.new)} | {strong} |\n"
