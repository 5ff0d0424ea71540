"""`make lock`: write the exact versions, with the SHA-256 of their files, that everybody installs.

- requirements.lock: all of requirements.txt but PyTorch
- requirements-web.lock: the part of it that a web server needs, the lines of requirements.txt above its models
- requirements-cpu.lock: PyTorch for processors
- requirements-cuda.lock: PyTorch as it is in the usual registry, for NVIDIA GPUs, with the libraries that it brings
- tests/requirements.lock: the part of tests/requirements.txt that is not in requirements.lock

Each serves every Python and machine that `launcher/bootstrap.py` takes; packages that only some need have a marker.
Versions locked already stay as they are; `make lock ARGS=--upgrade` takes the newest that the requirements allow.
"""

import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path

from foundation.errors import UserError
from foundation.project import ROOT
from launcher.bootstrap import OLDEST
from launcher.exit_status import say_errors

BASE, WEB, CPU, CUDA = (ROOT / f"requirements{kind}.lock" for kind in ("", "-web", "-cpu", "-cuda"))
TESTS = ROOT / "tests" / "requirements.lock"
ALL = (BASE, WEB, TESTS, CPU, CUDA)
MODELS = "# The models"  # the heading of the packages that only workers need
# Packages that need PyTorch too (accelerate, peft) take it from PyTorch's own two files.
NOT_HERE = "torch; python_version < '3'\n"
HEADER = "# Written by `make lock`; see docs/upgrading.md.\n"
RUNTIME = re.compile(r"^nvidia-cuda-runtime==((\d+)\.\d+)", re.MULTILINE)
DRIVERS = {"12": 525, "13": 580}
"""The least NVIDIA driver for all versions of a CUDA (CUDA Toolkit's release notes, table 2, minor version
compatibility)."""
PINNED = re.compile(r"^([\w.-]+)==", re.MULTILINE)


def lock(arguments: list[str]) -> int:
    """Write the files, all of them or none; `arguments` go to uv."""
    with tempfile.TemporaryDirectory() as name:
        drafts = {file: Path(name, file.relative_to(ROOT).as_posix().replace("/", "-")) for file in ALL}
        for file, draft in drafts.items():
            draft.write_text(file.read_text() if file.exists() else "")  # what uv keeps to
        _write_drafts(drafts, arguments)
        for file, draft in drafts.items():
            text = draft.read_text()
            file.write_text(HEADER + (least_driver(text) if file == CUDA else "") + text)
    return 0


def least_driver(locked: str) -> str:
    """The line that names the least driver for the locked PyTorch; KeyError for a CUDA that is not listed above."""
    found = RUNTIME.search(locked)
    assert found, "PyTorch for GPUs brings CUDA's runtime"
    return f"# CUDA {found[1]}: needs NVIDIA's driver {DRIVERS[found[2]]} or newer.\n"


def _write_drafts(drafts: Mapping[Path, Path], arguments: list[str]) -> None:
    lines = (ROOT / "requirements.txt").read_text().splitlines()
    torch = [line for line in lines if line.startswith("torch")]
    base = f"--constraint={drafts[BASE]}"
    _compile([line for line in lines if line not in torch], BASE, drafts[BASE], arguments)
    heading = next(number for number, line in enumerate(lines) if line.startswith(MODELS))
    _compile(lines[:heading], WEB, drafts[WEB], [base, *arguments])
    theirs = [f"--no-emit-package={name}" for name in dict.fromkeys(PINNED.findall(drafts[BASE].read_text()))]
    tools = TESTS.with_suffix(".txt").read_text().splitlines()
    _compile(tools, TESTS, drafts[TESTS], [base, *theirs, *arguments])
    for file, backend in ((CPU, "cpu"), (CUDA, "")):
        _compile(torch, file, drafts[file], [base, *theirs, *arguments], backend)


def _compile(requirements: list[str], file: Path, draft: Path, options: list[str], backend: str = "") -> None:
    """Let uv write the draft of one file. RESTYLE_TORCH_WHEELS is a folder to take the wheels for processors from,
    without PyTorch's own index.
    """
    wheels = os.environ.get("RESTYLE_TORCH_WHEELS", "")
    if backend and wheels:
        requirements, options = (
            [f"{requirement.split('#')[0].strip()}+cpu" for requirement in requirements],
            [*options, f"-f{wheels}"],
        )
    elif backend:
        options = [*options, f"--torch-backend={backend}"]
    with tempfile.TemporaryDirectory() as folder:
        (source := Path(folder, "requirements.txt")).write_text("\n".join(requirements))
        if file in (BASE, WEB, TESTS):
            (dropped := Path(folder, "dropped.txt")).write_text(NOT_HERE)
            options = [*options, f"--overrides={dropped}"]
        command = ["uv", "pip", "compile", str(source), "--generate-hashes", "--no-header", "--no-annotate", "--quiet"]
        command += ["--universal", f"--python-version={'.'.join(map(str, OLDEST))}", f"--output-file={draft}"]
        done = subprocess.run([*command, *options], capture_output=True, text=True)
        if done.returncode:
            said = done.stderr.strip()
            raise UserError("{name} could not be written, and none was:\n{stderr}", name=file.name, stderr=said)


if __name__ == "__main__":
    sys.exit(say_errors(lambda: lock(sys.argv[1:])))
