"""Two commits measured in alternation, in one sitting, by the same bench: part by part, each on servers of its own."""

import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tarfile
import tempfile
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from tools.bench import OLDER
from tools.bench.kept_results import Pair

# Another commit, installed in a folder that is thrown away, to be measured by this commit's bench.

REQUIREMENTS = ("requirements.lock", "requirements.txt")  # they name the packages; the lock where there is one
SOURCE_ROOTS = ("", "platform")


@dataclass
class Side:
    """A commit to be measured: the folder of its files, the Python that has its packages, and whether it is another.

    `commit` begins its hash, where it is known.
    """

    root: Path
    python: Path
    older: bool = False
    commit: str = ""

    def command(self, options: list[str]) -> list[str]:
        """The command line of its bench on servers of its own."""
        lenient = ["--lenient"] if self.older else []
        return [str(self.python), "-P", "-m", "tools.bench.own_servers", *options, *lenient]

    def environment(self) -> dict[str, str]:
        """Its modules, with this commit's bench before its own."""
        paths = [str(self.root / part) for part in SOURCE_ROOTS]
        if self.older:
            paths.insert(0, str(_overlay(self.root)))
        changed = {"PYTHONPATH": os.pathsep.join(paths), "DJANGO_SETTINGS_MODULE": "config.settings"}
        # The modules of this process's own commit are not to be found by a process that is started in its folder.
        return {**os.environ, **changed, "PYTHONSAFEPATH": "1", **({OLDER: "1"} if self.older else {})}


def installed(revision: str, repository: Path, folder: Path, *, same_packages: bool) -> tuple[Side, str]:
    """The commit's files under `folder` with this bench beside them, and a sentence about its packages."""
    commit = _git(repository, "rev-parse", "--verify", "--quiet", f"{revision}^{{commit}}").decode().strip()
    root = folder / "commit"
    with tarfile.open(fileobj=io.BytesIO(_git(repository, "archive", commit))) as files:
        files.extractall(root, filter="data")
    tools = Path(__file__).parents[1]
    shutil.copytree(tools, _overlay(root) / "tools", ignore=shutil.ignore_patterns("__pycache__"))
    python, packages = _packages(root, repository, same_packages=same_packages)
    # Modules compiled at their first import would be held in memory, and counted.
    subprocess.run([python, "-m", "compileall", "-q", "-x", "tests", root, _overlay(root)], check=False)
    return Side(root, python, older=True, commit=commit[:8]), f"{revision} is {commit[:8]}, with {packages}."


def head(repository: Path) -> str:
    """The beginning of the hash of the commit that is checked out."""
    return _git(repository, "rev-parse", "HEAD").decode()[:8]


def _overlay(root: Path) -> Path:
    return root.parent / "this-bench"


def _packages(root: Path, repository: Path, *, same_packages: bool) -> tuple[Path, str]:
    """A Python with the commit's packages: this one, or one that the commit installs as it always does."""
    if same_packages:
        return Path(sys.executable), "the packages that are installed here, as it was told to"
    if all(_text(root / name) == _text(repository / name) for name in REQUIREMENTS):
        return Path(sys.executable), "the packages that are installed here, which are its own"
    bootstrap = next(iter(sorted(root.glob("platform/**/bootstrap.py"))), None)
    if bootstrap is None:
        raise UserError("That commit cannot install itself: give --same-packages to measure it with those of this one.")
    environment = {name: value for name, value in os.environ.items() if not name.startswith("PYTHON")}
    outside = Path(sys.base_prefix) / "bin" / f"python{sys.version_info.major}.{sys.version_info.minor}"
    done = subprocess.run([outside, bootstrap, "true"], cwd=root, env=environment)
    if done.returncode:
        raise UserError("That commit's packages could not be installed; what stopped it stands above.")
    return root / ".venv" / "bin" / "python", "packages of its own, as its requirements are others"


def _text(path: Path) -> bytes:
    return path.read_bytes() if path.is_file() else b""


def _git(repository: Path, *arguments: str) -> bytes:
    done = subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True)  # noqa: S607
    if done.returncode:
        raise UserError("There is no such commit here: --against takes a commit, a tag or a branch of this clone.")
    return done.stdout


Run = Callable[[Side, str], list[dict[str, Any]]]  # a part of a side: the lines that its bench told
Keep = Callable[[Side, str, list[dict[str, Any]]], None]
Said = Callable[[str], None]


def compared(
    revision: str, parts: Sequence[str], options: list[str], rounds: int, *, repository: Path, same_packages: bool,
    say: Said, keep: Keep | None = None,
) -> Iterator[list[Pair]]:  # fmt: skip
    """Part by part each figure of both, over all rounds; `keep` is given the figures of each run at once."""
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
    """Old, new, new, old and so on, so that drifts over the day fall on both."""
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
    """The figures that a side's bench tells of a part. Where the older one fails as a whole, it tells the failure."""
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
