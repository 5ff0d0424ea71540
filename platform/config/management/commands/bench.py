import os
import signal
import subprocess
import sys
from argparse import ArgumentParser
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from bench import PARTS
from bench.measurement_sizes import SIZES
from foundation.errors import UserError

STUDY = Path("..") / "shared" / "studies" / "amazon.toml"
PAGE = Path("docs") / "speed.md"
ROUNDS = 3


class Command(BaseCommand):
    help = "Measure speed on servers of its own in a folder that is thrown away; your data are not touched."

    def add_arguments(self, parser: ArgumentParser) -> None:
        quick = parser.add_mutually_exclusive_group()
        quick.add_argument("--size", choices=SIZES, default="whole", help="tiny: only to see that all is there")
        quick.add_argument("--quick", dest="size", action="store_const", const="quick", help="a tenth of the items")
        parser.add_argument("--study", type=Path, default=settings.ROOT / STUDY, help="the study file that is scored")
        parser.add_argument(
            "--only", action="extend", nargs="+", choices=PARTS, default=[], metavar="PART", help=", ".join(PARTS)
        )
        parser.add_argument("--json", action="store_true", help="a line of JSON a figure in place of the tables")
        parser.add_argument("--against", metavar="REV", help="measure this commit too, in alternation")
        parser.add_argument("--rounds", type=int, default=ROUNDS, help=f"of --against; {ROUNDS} where none are given")
        parser.add_argument("--same-packages", action="store_true", help="of --against: install none for that commit")
        parser.add_argument("--keep", type=Path, metavar="FILE", help="of --against: append what was measured to this")
        parser.add_argument("--write", type=Path, metavar="FILE", help="write what was kept into docs/speed.md")
        parser.add_argument("--strict", action="store_true", help="of --against: fail where something became worse")

    def handle(self, *, size: str, study: Path, only: Sequence[str], **options: Any) -> None:
        for number in (signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, lambda number, _frame: sys.exit(128 + number))  # so that the servers are stopped
        if options["write"]:
            self._write(options["write"])
            return
        chosen = ["--study", str(study.resolve()), "--size", size]
        parts = [part for part in PARTS if not only or part in only]
        if options["against"]:
            self._compare(parts, chosen, size=size, **options)
            return
        chosen += ["--json"] * options["json"]
        alone = [part for part in parts if part == "memory"]  # of a site with nothing but the demo
        for each in (alone, [part for part in parts if part not in alone]):
            if each:
                measure([*chosen, "--only", *each])

    def _write(self, file: Path) -> None:
        from bench.kept_results import Results, write_into

        try:
            write_into(settings.ROOT / PAGE, Results(file).lines())
        except UserError as error:
            raise CommandError(str(error)) from error

    def _compare(self, parts: list[str], chosen: list[str], *, size: str, **options: Any) -> None:
        """The table of both commits, in red what became worse."""
        from bench.kept_results import Results
        from bench.other_commit import Side
        from bench.ratios import HEAD, TOLERATED, row
        from bench.side_by_side import compared
        from bench.table import laid_out

        def keep(side: Side, part: str, told: list[dict[str, Any]]) -> None:
            if options["keep"]:
                Results(options["keep"]).keep(part, size, side.commit, told, older=side.older)

        worse = []
        try:
            for pairs in compared(
                options["against"], parts, chosen, options["rounds"], repository=settings.ROOT,
                same_packages=options["same_packages"], say=self.stderr.write, keep=keep,
            ):  # fmt: skip
                worse += [pair for pair in pairs if pair.worse]
                head, *lines = laid_out([HEAD, *map(row, pairs)]).splitlines()
                self.stdout.write(head)
                for pair, line in zip(pairs, lines, strict=True):
                    self.stdout.write(self.style.ERROR(line) if pair.worse else line)
        except UserError as error:
            raise CommandError(str(error)) from error
        more = f"{TOLERATED - 1:.0%}"
        if worse:
            self.stdout.write(f"\nMore than {more} slower or larger in every round:")
            self.stdout.write(self.style.ERROR(laid_out([HEAD, *map(row, worse)])))
        if worse and options["strict"]:
            raise CommandError(f"{len(worse)} figures are more than {more} worse.")


def measure(options: list[str]) -> None:
    """A run on servers of its own."""
    paths = os.pathsep.join(str(settings.ROOT / part) for part in ("", "platform"))
    command = [sys.executable, "-m", "bench.own_servers", *options]
    with subprocess.Popen(command, env={**os.environ, "PYTHONPATH": paths}, cwd=settings.ROOT) as process:  # noqa: S603
        try:
            status = process.wait()
        except BaseException:
            process.send_signal(signal.SIGTERM)  # it stops its servers
            process.wait()
            raise
    if status:
        raise CommandError("The bench did not come to its end; what stopped it stands above.")
