"""The sync half of the client, made of its async half word by word, so that each method is written once."""

import re
import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

from foundation.project import ROOT

ASYNC = ROOT / "client/restyle/_async"
SYNC = ROOT / "client/restyle/_sync"
MADE = "# Made by `python -m tools.client` of the file of this name in _async: change that one.\n"
WORDS = (
    (r"\bawait ", ""),
    (r"\basync (def|for|with)\b", r"\1"),
    (r"\basynccontextmanager\b", "contextmanager"),
    (r"\bAsync(Base\w+|\w+)", r"\1"),
    (r"\b_async\b", "_sync"),
    (r"__a(iter|next|enter|exit)__", r"__\1__"),
    (r"\b(a)(close|read|iter_bytes|iter_lines)\b", r"\2"),
    (r"\bsleep_async\b", "sleep"),
    (r"(?m)^(\"\"\".*)\basync\b", r"\1sync"),
)


def sync_of(source: str) -> str:
    """The sync form of a module of `_async`."""
    for pattern, word in WORDS:
        source = re.sub(pattern, word, source)
    return source


def sync_half() -> dict[Path, str]:
    """The files of `_sync` as they should be, in their usual form."""
    with TemporaryDirectory() as folder:
        for path in ASYNC.glob("*.py"):
            Path(folder, path.name).write_text(MADE + sync_of(path.read_text(encoding="utf-8")), encoding="utf-8")
        for command in (["check", "--select", "I", "--fix"], ["format"]):
            line = [sys.executable, "-m", "ruff", *command, "--quiet", "--config", "pyproject.toml", folder]
            subprocess.run(line, check=True, cwd=ROOT)  # imports are sorted anew, since names have changed
        return {SYNC / path.name: path.read_text(encoding="utf-8") for path in sorted(Path(folder).glob("*.py"))}


def write_sync_half() -> list[Path]:
    SYNC.mkdir(exist_ok=True)
    made = sync_half()
    for path in set(SYNC.glob("*.py")) - set(made):
        path.unlink()
    for path, text in made.items():
        path.write_text(text, encoding="utf-8")
    return list(made)
