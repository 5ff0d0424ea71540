"""A folder for a rented machine with PyTorch and transformers: code, texts, the wheels that it lacks, and a script.

`sh FOLDER/hour.sh` does the checks for at most nine minutes and leaves their rows in FOLDER/out; called again, it goes
on with those that are missing. Nothing is asked of a network there.
"""

import shutil
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

from tools.gpucheck.settings import ROOT, TEXTS

SHAKESPEARE = ROOT.parent / "shared" / "data" / "shakespeare"
CODE = ("modelserving", "evaluation", "tools", "platform/foundation", "platform/corpora", "platform/launcher")
LEFT_OUT = ("__pycache__", "migrations", "locale", "static", "templates", "bench")
LACKING = (
    "colorama", "lxml", "nltk", "portalocker", "rapidfuzz", "sacrebleu", "sentencex", "simplemma", "tabulate", "peft",
    "accelerate", "psutil",
)  # fmt: skip
"""What the checks import beside PyTorch, transformers, and what these bring."""
PYTHONS = ("3.11", "3.12", "3.13")
PLATFORMS = ("manylinux2014_x86_64", "manylinux_2_28_x86_64")
LARGEST = 60_000_000  # bytes
SECONDS, OF_ONE = 540, 150
SCRIPT = f"""#!/bin/sh
# At most {SECONDS // 60} minutes: the checks that have no row yet. Arguments go to gpucheck: sh hour.sh --device cpu
cd "$(dirname "$0")" || exit 1
PYTHON=${{PYTHON:-python3}}
[ -d site ] || [ ! -d wheels ] ||
  $PYTHON -m pip install --quiet --no-index --no-deps --find-links wheels --target site -r wheels.txt || exit 1
export {TEXTS}="$PWD/texts" PYTHONPATH="$PWD:$PWD/platform:$PWD/site"
exec timeout --signal=TERM {SECONDS} $PYTHON -m tools.gpucheck --out out --seconds {OF_ONE} "$@"
"""


def write_bundle(folder: Path, texts: Path, wheels: bool) -> int:
    """Write the folder, which must not exist; 1 with a sentence where it cannot be made, or is larger than 60 MB."""
    if folder.exists() or not texts.is_dir():
        print(f"{folder} exists already." if folder.exists() else f"There are no texts in {texts}.", file=sys.stderr)
        return 1
    for part in CODE:
        shutil.copytree(ROOT / part, folder / part, ignore=shutil.ignore_patterns(*LEFT_OUT))
    (folder / "texts").mkdir()
    for path in texts.glob("*.txt"):
        shutil.copy(path, folder / "texts")
    (folder / "hour.sh").write_text(SCRIPT, encoding="utf-8")
    if wheels:
        _fetch_wheels(folder)
    size = sum(path.stat().st_size for path in folder.rglob("*") if path.is_file())
    print(f"{folder}: {size / 1e6:.1f} MB; there: sh hour.sh")
    if size > LARGEST:
        print(f"It is larger than {LARGEST // 1_000_000} MB.", file=sys.stderr)
    return int(size > LARGEST)


def _fetch_wheels(folder: Path) -> None:
    """The versions that are installed here, for each Python that the machine may have."""
    pinned = [f"{name}=={version(name)}" for name in LACKING]
    (folder / "wheels.txt").write_text("\n".join(pinned) + "\n", encoding="utf-8")
    for python in PYTHONS:
        command = [
            sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--dest",
            str(folder / "wheels"), "--python-version", python,
            *(f"--platform={one}" for one in PLATFORMS), *pinned,
        ]  # fmt: skip
        subprocess.run(command, check=True)
