"""Two commits measured in alternation, in one sitting, by the same bench: part by part, each on servers of its own."""

import json
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from tools.bench.other_commit import Side, head, installed
from tools.bench.ratios import Pair

Run = Callable[[Side, str], list[dict[str, Any]]]  # a part of a side: the lines that its bench told
Keep = Callable[[Side, str, list[dict[str, Any]]], None]
Said = Callable[[str], None]


def compared(
    revision: str, parts: Sequence[str], options: list[str], rounds: int, *, repository: Path, same_packages: bool,
    say: Said, keep: Keep | None = None,
) -> Iterator[list[Pair]]:  # fmt: skip
    """Part by part each figure of both, over all rounds; `keep` is given what each run told as soon as it did."""
    with tempfile.TemporaryDirectory(prefix="restyle-against-") as name:
        folder = Path(name)
        folder.chmod(0o711)  # the account of the database passes through
        old, packages = installed(revision, repository, folder, same_packages=same_packages)
        say(packages)
        new = Side(repository, Path(sys.executable), commit=head(repository))

        def run(side: Side, part: str) -> list[dict[str, Any]]:
            told = measured(side, [*options, "--only", part])
            if keep:
                keep(side, part, told)
            return told

        yield from alternated(old, new, parts, rounds, run, say)


def alternated(old: Side, new: Side, parts: Sequence[str], rounds: int, run: Run, say: Said) -> Iterator[list[Pair]]:
    """Old, new, new, old and so on, so that what grows or falls with the day falls on both."""
    for part in parts:
        found: dict[str, Pair] = {}
        for turn in range(rounds):
            say(f"{part}, round {turn + 1} of {rounds}")
            for side in (old, new) if turn % 2 == 0 else (new, old):
                for line in run(side, part):
                    _keep(found, line, older=side is old)
        yield list(found.values())


def _keep(found: dict[str, Pair], line: dict[str, Any], *, older: bool) -> None:
    pair = found.setdefault(line["name"], Pair(line["name"]))
    if "missing" in line:
        pair.missing = line["missing"]
        return
    pair.unit = line["unit"]
    (pair.old if older else pair.new).append(line["value"])


def measured(side: Side, options: list[str]) -> list[dict[str, Any]]:
    """What a side's bench tells of a part. Where the older one fails as a whole, that is what it tells."""
    command = side.command(["--json", *options])
    with subprocess.Popen(
        command, cwd=side.root, env=side.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        try:
            out, complaints = process.communicate()
        except BaseException:
            process.send_signal(signal.SIGTERM)  # it stops its servers
            process.wait()
            raise
    told = list(_lines(out))
    if process.returncode:
        last = (complaints.strip().splitlines() or ["no word of why"])[-1]
        if not side.older:
            raise UserError("The bench did not come to its end:\n{complaints}", complaints=complaints[-4000:])
        told.append({"name": options[-1], "missing": last})
    return told


def _lines(out: str) -> Iterator[dict[str, Any]]:
    for line in out.splitlines():
        with suppress(json.JSONDecodeError):
            if isinstance(told := json.loads(line), dict):
                yield told
