"""What comparisons of two commits measured, kept as lines of JSON, and the section of docs/speed.md made of them."""

import json
import os
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from tools.bench.ratios import TOLERATED, Pair, spread

BEGIN, END = "<!-- Written by `make bench`: begin -->\n", "<!-- Written by `make bench`: end -->\n"
HEAD = "| | unit | {older} | {newer} | times, worse over 1 |\n| --- | --- | --- | --- | --- |\n"


class Results:
    """A file that grows with each run, so that a comparison may be measured a part at a time."""

    def __init__(self, file: Path) -> None:
        self.file = file

    def keep(self, part: str, size: str, commit: str, lines: Iterable[dict[str, Any]], *, older: bool) -> None:
        """Append what was told of a part, with the hour and how busy the machine is."""
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
    """Markdown: a table a part and size, with when each was measured, and what became worse in bold."""
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
    return f"{told}:\n\n{HEAD.format(older=older, newer=newer)}{lines}"


def _commits(rows: Sequence[dict[str, Any]], *, older: bool) -> list[str]:
    return list(dict.fromkeys(row["commit"] for row in rows if row["older"] is older))


def _line(pair: Pair) -> str:
    if pair.missing and not pair.old:
        return f"| {pair.name} | | | | not comparable |\n"
    ratios = spread(pair.ratios)
    strong = f"**{ratios}**" if pair.ratios and min(pair.ratios) > TOLERATED else ratios
    return f"| {pair.name} | {pair.unit} | {spread(pair.old)} | {spread(pair.new)} | {strong} |\n"
