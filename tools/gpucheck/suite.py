"""The checks one after the other, each in a process of its own; each row is kept as soon as it is there."""

import argparse
import json
import os
import shutil
import signal
import subprocess
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from tools.gpucheck.bundle import SHAKESPEARE, write_bundle
from tools.gpucheck.settings import CHECKS, ROOT, CheckSettings

# The rows of the checks as gpucheck.json and, for reading, gpucheck.md.

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
    """A table of the checks, then the findings of each."""
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


LAST_LINES = 20


def run(arguments: list[str]) -> int:
    """Run the checks that the arguments ask for; 0 where no row says that a check failed."""
    given = _parser().parse_args(arguments)
    if given.bundle:
        return write_bundle(given.bundle, given.texts, given.wheels)
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # which ends the check's process too
    device = given.device or _best_device()
    small = device == "cpu" if given.small is None else given.small
    given.out.mkdir(parents=True, exist_ok=True)
    rows = read_rows(given.out)
    for name in given.only or CHECKS:
        if not given.only and _known(rows.get(name), device, small):
            print(f"{name}: {rows[name]['status']} before", flush=True)
            continue
        print(f"{name} ...", end=" ", flush=True)
        rows[name] = _row(CheckSettings(name, device, small, given.out / "work" / name), given.seconds)
        write_rows(given.out, rows)
        print(shown(rows[name]), flush=True)
    shutil.rmtree(given.out / "work", ignore_errors=True)
    return int(any(row["status"] == "failed" for row in rows.values()))


def _parser() -> argparse.ArgumentParser:
    listed = "\n".join(f"  {name:16} {check.what}" for name, check in CHECKS.items())
    parser = argparse.ArgumentParser(
        prog="python -m tools.gpucheck",
        description="Check a GPU and measure models on it. Checks that have passed or were skipped before are kept.",
        epilog=f"checks:\n{listed}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument("--out", type=Path, help="folder of gpucheck.json and gpucheck.md")
    wanted.add_argument("--bundle", type=Path, help="write a folder for a rented machine, and check nothing here")
    parser.add_argument("--texts", type=Path, default=SHAKESPEARE, help="of a bundle: Shakespeare's pairs")
    parser.add_argument("--no-wheels", dest="wheels", action="store_false", help="of a bundle: without packages")
    parser.add_argument(
        "--only", action="extend", nargs="+", choices=list(CHECKS), metavar="NAME", help="these, done before or not"
    )
    parser.add_argument("--device", default="", help="cpu, or cuda:0 and so on; by default the first GPU if any")
    sizes = parser.add_mutually_exclusive_group()
    sizes.add_argument("--small", action="store_true", default=None, help="small sizes; the default on a CPU")
    sizes.add_argument("--full", action="store_false", dest="small", help="real sizes; the default on a GPU")
    parser.add_argument("--seconds", type=float, default=900.0, help="that a check may take; 900")
    return parser


def _best_device() -> str:
    import torch

    return "cuda:0" if torch.cuda.is_available() else "cpu"


def _known(row: dict[str, Any] | None, device: str, small: bool) -> bool:
    return row is not None and row["status"] != "failed" and (row["device"], row["small"]) == (device, small)


def _row(settings: CheckSettings, seconds: float) -> dict[str, Any]:
    """The row that the check's process wrote, or the way in which it ended."""
    shutil.rmtree(settings.folder, ignore_errors=True)
    settings.folder.mkdir(parents=True)
    result, log = settings.folder / "row.json", settings.folder / "output.txt"
    command = [sys.executable, "-m", "tools.gpucheck.child", settings.dumped(), str(result)]
    row = {"status": "failed", "found": {}, "seconds": seconds}
    try:
        status = _status(command, log, seconds)
        row["said"] = f"Its process ended with status {status}:\n{_end_of(log)}"
    except subprocess.TimeoutExpired:
        row["said"] = f"It was not done after {seconds:.0f} seconds (--seconds):\n{_end_of(log)}"
    if result.exists():
        row |= json.loads(result.read_text(encoding="utf-8"))
    return {**row, "device": settings.device, "small": settings.small, "at": datetime.now(UTC).isoformat()}


def _status(command: list[str], log: Path, seconds: float) -> int:
    """The exit status of a process with a time limit; all that it started ends with it, however it ends."""
    with log.open("wb") as output:
        process = subprocess.Popen(
            command, stdout=output, stderr=subprocess.STDOUT, cwd=ROOT, env=_environment(), start_new_session=True
        )
        try:
            return process.wait(seconds)
        finally:
            with suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()


def _environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, [str(ROOT), str(ROOT / "platform"), os.environ.get("PYTHONPATH", "")]))
    return {**os.environ, "PYTHONPATH": path, "HF_HUB_OFFLINE": "1", "TOKENIZERS_PARALLELISM": "false"}


def _end_of(log: Path) -> str:
    return "\n".join(log.read_text(encoding="utf-8", errors="replace").splitlines()[-LAST_LINES:])
