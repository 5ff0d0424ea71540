#!/usr/bin/env python3
"""Run one of Restyle's commands, with the database and the queue that it needs: `./manage.py help` lists them."""

import os
import sys
from importlib.util import find_spec
from pathlib import Path

ROOT = Path(__file__).resolve().parent


def main() -> int:
    """Run the command that was typed; its exit status."""
    python = ROOT / ".venv" / "bin" / "python"
    if find_spec("django") is None:
        if Path(sys.prefix) == ROOT / ".venv" or not python.exists():
            sys.stderr.write("Restyle is not installed here yet: type `make run` first.\n")
            return 1
        os.execv(python, [str(python), *sys.argv])  # noqa: S606 (our own interpreter)
    sys.path[:0] = [str(ROOT), str(ROOT / "platform")]
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from launcher.django_command import run_command

    return run_command(sys.argv)


if __name__ == "__main__":
    sys.exit(main())
