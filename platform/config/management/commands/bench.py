import os
import shutil
import signal
import subprocess
import sys
import tempfile
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from bench import PARTS
from embedded import servers

STUDY = Path("..") / "shared" / "studies" / "amazon.toml"


class Command(BaseCommand):
    help = "Measure speed on servers of its own in a folder that is thrown away; your data are not touched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--quick", action="store_true", help="a tenth of the items, and shorter runs")
        parser.add_argument("--study", type=Path, default=settings.ROOT / STUDY, help="the study file that is scored")
        parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS, metavar="PART", help=", ".join(PARTS))

    def handle(self, *, quick: bool, study: Path, only: Sequence[str], **options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _frame: sys.exit(128 + number))  # so that the servers are stopped
        os.environ.pop("SECRET_KEY", None)  # that of the user's own data
        chosen = ["--study", str(study.resolve()), *["--quick"] * quick]
        alone = [part for part in only if part == "memory"]  # of a site with nothing but the demo
        for parts in (alone, [part for part in only if part not in alone]):
            if parts:
                measure([*chosen, "--only", *parts])


def measure(options: list[str]) -> None:
    """A run on servers of its own."""
    for name in ("DATABASE_URL", "REDIS_URL", "RESTYLE_EMBEDDED", "RESTYLE_DATA"):
        os.environ.pop(name, None)  # those of the user's own data, or of the run before
    data = Path(tempfile.mkdtemp(prefix="restyle-bench-"))
    try:
        with servers(data):
            paths = os.pathsep.join(str(settings.ROOT / part) for part in ("", "platform"))
            command = [sys.executable, "-m", "bench", *options]
            done = subprocess.run(command, env={**os.environ, "PYTHONPATH": paths}, cwd=settings.ROOT)  # noqa: S603
    finally:
        shutil.rmtree(data, ignore_errors=True)
    if done.returncode:
        raise CommandError("The bench did not come to its end; what stopped it stands above.")
