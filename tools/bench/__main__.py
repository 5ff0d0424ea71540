"""`make bench`: measure speed on servers of its own in a folder that is thrown away; your data are not touched."""

import argparse
import os
import signal
import subprocess
import sys
from functools import partial
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from foundation.project import ROOT
from launcher.exit_status import say_errors
from tools.bench import PARTS
from tools.bench.measurement_sizes import SIZES

STUDY = ROOT.parent / "shared" / "studies" / "amazon.toml"
PAGE = ROOT / "docs" / "speed.md"
ROUNDS = 3
RED, USUAL = "\033[31;1m", "\033[0m"


def main(arguments: list[str]) -> int:
    """Measure, compare or write, as the arguments say; the exit status."""
    options = _parser().parse_args(arguments)
    for number in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, lambda number, _frame: sys.exit(128 + number))  # so that the servers are stopped
    chosen = ["--study", str(options.study.resolve()), "--size", options.size]
    parts = [part for part in PARTS if not options.only or part in options.only]
    if options.write:
        _write(options.write)
    elif options.against:
        _compare(parts, chosen, options)
    else:
        alone = [part for part in parts if part == "memory"]  # of a site with nothing but the demo
        for each in (alone, [part for part in parts if part not in alone]):
            if each:
                measure([*chosen, *["--json"] * options.json, "--only", *each])
    return 0


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tools.bench", description=__doc__)
    quick = parser.add_mutually_exclusive_group()
    quick.add_argument("--size", choices=SIZES, default="whole", help="tiny: only to see that all is there")
    quick.add_argument("--quick", dest="size", action="store_const", const="quick", help="a tenth of the items")
    parser.add_argument("--study", type=Path, default=STUDY, help="the study file that is scored")
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
    return parser


def _write(file: Path) -> None:
    from tools.bench.kept_results import Results, write_into

    write_into(PAGE, Results(file).lines())


def _compare(parts: list[str], chosen: list[str], options: argparse.Namespace) -> None:
    """The table of both commits, with worse figures in red."""
    from tools.bench.kept_results import HEAD, TOLERATED, Results, row
    from tools.bench.side_by_side import Side, compared
    from tools.bench.table import laid_out

    def keep(side: Side, part: str, told: list[dict[str, Any]]) -> None:
        if options.keep:
            Results(options.keep).keep(part, options.size, side.commit, told, older=side.older)

    worse = []
    for pairs in compared(
        options.against, parts, chosen, options.rounds, repository=ROOT, same_packages=options.same_packages,
        say=partial(_say, sys.stderr), keep=keep,
    ):  # fmt: skip
        worse += [pair for pair in pairs if pair.worse]
        head, *lines = laid_out([HEAD, *map(row, pairs)]).splitlines()
        _say(sys.stdout, head)
        for pair, line in zip(pairs, lines, strict=True):
            _say(sys.stdout, _red(line) if pair.worse else line)
    more = f"{TOLERATED - 1:.0%}"
    if worse:
        _say(sys.stdout, f"\nMore than {more} slower or larger in every round:")
        _say(sys.stdout, _red(laid_out([HEAD, *map(row, worse)])))
    if worse and options.strict:
        raise UserError("{count} figures are more than {more} worse.", count=len(worse), more=more)


def _say(stream: Any, line: str) -> None:
    stream.write(f"{line}\n")
    stream.flush()


def _red(text: str) -> str:
    return f"{RED}{text}{USUAL}" if sys.stdout.isatty() else text


def measure(options: list[str]) -> None:
    """A run on servers of its own."""
    paths = os.pathsep.join(str(ROOT / part) for part in ("", "platform"))
    environment = {**os.environ, "PYTHONPATH": paths, "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tools.bench.own_servers", *options]
    with subprocess.Popen(command, env=environment, cwd=ROOT) as process:
        try:
            status = process.wait()
        except BaseException:
            process.send_signal(signal.SIGTERM)  # it stops its servers
            process.wait()
            raise
    if status:
        raise UserError("The bench did not come to its end; what stopped it stands above.")


if __name__ == "__main__":
    sys.exit(say_errors(partial(main, sys.argv[1:])))
