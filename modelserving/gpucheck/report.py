"""The rows of the checks as gpucheck.json and, for reading, gpucheck.md."""

import json
from pathlib import Path
from typing import Any

from modelserving.gpucheck.names import CHECKS

FORMAT = "restyle gpucheck 1"
FILE, TABLE = "gpucheck.json", "gpucheck.md"
Rows = dict[str, dict[str, Any]]


def read_rows(folder: Path) -> Rows:
    """The rows that are there; none where the file is missing or something else."""
    try:
        said = json.loads((folder / FILE).read_text(encoding="utf-8"))
        return dict(said["checks"]) if said["format"] == FORMAT else {}
    except (OSError, ValueError, KeyError, TypeError):
        return {}


def write_rows(folder: Path, rows: Rows) -> None:
    """Both files, in the order of the checks."""
    ordered = {name: rows[name] for name in CHECKS if name in rows}
    draft = folder / f".{FILE}"
    draft.write_text(json.dumps({"format": FORMAT, "checks": ordered}, indent=1, ensure_ascii=False), encoding="utf-8")
    draft.replace(folder / FILE)
    (folder / TABLE).write_text(markdown(ordered), encoding="utf-8")


def shown(row: dict[str, Any]) -> str:
    """A row in a line."""
    said = f": {row['said'].splitlines()[0]}" if row["said"] else ""
    return f"{row['status']} in {row['seconds']:.0f} s{said}"


def markdown(rows: Rows) -> str:
    """A table of the checks, then what each found."""
    machine = rows.get("machine", {}).get("found", {})
    lines = [
        f"# {machine.get('device name', 'A machine')}",
        "",
        "| check | what | device | outcome |",
        "|---|---|---|---|",
    ]
    for name, row in rows.items():
        size = ", small" if row["small"] else ""
        lines.append(f"| `{name}` | {CHECKS[name].what} | {row['device']}{size} | {_cell(shown(row))} |")
    for name, row in rows.items():
        if row["found"]:
            lines += ["", f"## {name}", "", "| | |", "|---|---|"]
            lines += [f"| {_cell(key)} | {_cell(value)} |" for key, value in _flat(row["found"])]
    return "\n".join(lines) + "\n"


def _flat(found: dict[str, Any], before: str = "") -> list[tuple[str, Any]]:
    rows: list[tuple[str, Any]] = []
    for key, value in found.items():
        name = f"{before}{key}"
        rows += _flat(value, f"{name}: ") if isinstance(value, dict) else [(name, value)]
    return rows


def _cell(value: object) -> str:
    text = f"{value:.4g}" if isinstance(value, float) else str(value)
    return text.replace("|", "\\|").replace("\n", " ")
