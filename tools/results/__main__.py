"""`make results ARGS="asset --models seq2seq,pbmt"`: make the runs that are not there yet, then write the tables."""

import argparse
import os
import sys
from importlib import import_module
from pathlib import Path

from foundation.errors import UserError
from tools.results import EXPERIMENTS

ROOT = Path(__file__).parents[2]
DATA = {"shakespeare_unpaired": "shakespeare", "instruct": "shakespeare", "preferences": "amazon"}
"""The folder of texts of an experiment that has another name."""
DOCUMENT, RUNS = ROOT / "docs" / "results.md", ROOT / "docs" / "results"


def main(arguments: list[str] | None = None) -> None:
    """Run an experiment; runs made before under the same options are not made again."""
    chosen = _parser().parse_args(arguments)
    os.environ["OMP_NUM_THREADS"] = os.environ["NUMBA_NUM_THREADS"] = str(chosen.threads)  # before numpy is loaded
    try:
        for name in [chosen.experiment] if chosen.experiment else EXPERIMENTS:
            _run(name, chosen)
    except UserError as error:
        sys.exit(str(error))


def _run(name: str, chosen: argparse.Namespace) -> None:
    from tools.results import captions, captions_table, parallel_table
    from tools.results.resumable_training import RunEnvironment
    from tools.results.run_store import RunStore
    from tools.results.table_rows import put_between_markers

    parallel = None if name == "captions" else import_module(f"tools.results.{name}").EXPERIMENT
    store = RunStore(chosen.runs / name)
    place = RunEnvironment(chosen.work / name, chosen.device, not chosen.untrained, not chosen.unjudged)
    models, given = [one for one in chosen.models.split(",") if one], dict(map(_setting, chosen.set))
    if chosen.again:
        store.forget()
    if not chosen.tables:
        place.work.mkdir(parents=True, exist_ok=True)
        run = parallel.run if parallel else captions.run
        run(chosen.data / DATA.get(name, name), store, place, models, given)
    if not chosen.unjudged:
        table = parallel_table.table(parallel, store) if parallel else captions_table.table(store)
        put_between_markers(chosen.document, name, table)


def _setting(text: str) -> tuple[str, bool | int | float | str]:
    """'epochs=3' as a key and a value of the kind that it looks like."""
    key, _, value = text.partition("=")
    if value in ("true", "false"):
        return key, value == "true"
    for kind in (int, float):
        try:
            return key, kind(value)
        except ValueError:
            continue
    return key, value


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="tools.results", description=__doc__)
    parser.add_argument("experiment", nargs="?", choices=EXPERIMENTS, help="all of them where none is named")
    parser.add_argument("--models", default="", help="only these, with commas between")
    parser.add_argument(
        "--set", action="extend", nargs="+", default=[], metavar="OPTION=VALUE", help="for the models that have it"
    )
    parser.add_argument("--again", action="store_true", help="forget the runs that are there")
    parser.add_argument("--tables", action="store_true", help="only write the tables, from the runs that are there")
    parser.add_argument(
        "--unjudged", action="store_true", help="train and write only: another machine judges what is below --work"
    )
    parser.add_argument("--untrained", action="store_true", help="judge what is below --work, and train nothing")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu, or cuda:0 for networks")
    parser.add_argument("--data", type=Path, default=ROOT.parent / "shared" / "data")
    parser.add_argument("--runs", type=Path, default=RUNS, help="where the runs' JSON files are kept")
    parser.add_argument("--document", type=Path, default=DOCUMENT)
    parser.add_argument("--work", type=Path, default=Path(os.environ.get("RESTYLE_DATA", ROOT / ".data")) / "results")
    return parser


if __name__ == "__main__":
    main()
