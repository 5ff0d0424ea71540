"""Measure all figures on the servers that the environment names, and print the table. Started by `manage.py bench`."""

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path

import django

from bench import PARTS
from bench.clock import Took


def main() -> None:
    """Everything in one run; the database is empty and is thrown away afterwards."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--study", type=Path, required=True)
    parser.add_argument("--only", nargs="+", choices=PARTS, default=PARTS)
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command

    from bench.measurement_sizes import QUICK, WHOLE

    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    _measure(QUICK if options.quick else WHOLE, options.study, options.only)


def _measure(sizes, file: Path, parts) -> None:
    from accounts.models import Person
    from bench.machine import machine
    from bench.table import laid_out, seconds

    _print(machine(), "")
    if parts == ["memory"]:
        _memory(sizes)
        return
    lead = Person.objects.create_user("lead@bench.invalid", role="researcher")
    if "annotation" in parts:
        _annotation(sizes, lead)
    rows = [
        [words, *(("-", "-") if took is None else map(seconds, took))]
        for part in PARTS
        if part in parts and part != "annotation"
        for words, took in _timed(part, sizes, file, lead)
    ]
    if rows:
        _print(laid_out([["", "on the clock", "processor"], *rows]))


def _timed(part: str, sizes, file: Path, lead) -> Iterator[tuple[str, Took | None]]:
    """The figures, by their words, of a part that is no load of annotators."""
    from bench.metric_figures import battery
    from bench.metric_run_figures import scoring
    from bench.metric_run_jobs import running
    from bench.phrase_based_figures import phrases
    from bench.phrase_memory_figures import many_phrases
    from bench.pretrained_figures import pretrained
    from bench.report_figures import reporting
    from bench.statistics_figures import judging
    from bench.training_figures import training
    from bench.training_memory_figures import many_pairs

    if part == "study":
        yield from scoring(file, lead).items()
    if part == "metrics":
        yield from (battery() | running(lead)).items()
    if part == "statistics":
        yield from judging().items()
    if part == "report":
        yield from reporting(sizes, lead).items()
    if part == "training":
        yield from (training() | pretrained() | many_pairs(sizes.pairs)).items()
    if part == "phrases":
        yield from (phrases() | many_phrases(sizes.pairs)).items()


def _annotation(sizes, lead) -> None:
    """Annotators at work, and what is imported and exported beside them."""
    from django.conf import settings

    from bench.annotation_figures import annotating
    from bench.campaign_size_figures import compared, growing, make_campaigns
    from bench.document_figures import gathering
    from bench.export_figures import exporting
    from bench.import_figures import importing
    from bench.table import LOADS, laid_out, load_rows
    from bench.web_server import web_server

    imported = importing(sizes, lead)
    gathered = gathering(sizes, lead)
    campaigns = make_campaigns(sizes, lead)
    with web_server(Path(settings.DATA)) as (port, web):
        loads = annotating(imported.campaign, sizes, port, web)
        grown = growing(campaigns, sizes, port, web)
        exported = exporting(sizes, lead, port, list(campaigns.values())[-1])
    _print(laid_out([LOADS, *load_rows(loads), *load_rows(grown)]), "", laid_out(compared(grown)), "")
    _print(laid_out(_rows(sizes, imported, gathered, exported)), "")
    _print(laid_out(_beside_others(sizes, loads, exported)), "")


def _memory(sizes) -> None:
    """What each process holds, idle, after a walk and with people at work."""
    from bench.memory_figures import memory
    from bench.table import held_rows, laid_out

    _print(laid_out(held_rows(memory(sizes))), "")


def _rows(sizes, imported, gathered, exported) -> list[list[str]]:
    """What is imported and exported: a line of words and a time each."""
    from bench.table import seconds

    count = f"{sizes.items:,}"
    return [
        [f"import of {count} sentences and outputs", seconds(imported.texts)],
        [f"campaign of {count} items, 3 people each", seconds(imported.items)],
        [f"import of {sizes.large:,} sentences of documents, split and flagged", seconds(gathered.imported)],
        [f"concepts of {sizes.linked:,} sentences linked", seconds(gathered.linked)],
        *_raw_rows(sizes.items, exported.raw),
        *_raw_rows(sizes.large, exported.raw_many),
        [f"export of {count} rewrites, JSON lines over HTTP, {exported.bytes / 1e6:.1f} MB", seconds(exported.gold)],
        *[
            [
                f"release of {one.rows:,} answers, JSON lines and datasheet, {one.grew:.0f} MiB at most",
                seconds(one.took),
            ]
            for one in exported.released
        ],
        [f"{count} answers read for a report", seconds(exported.ratings)],
    ]


def _raw_rows(count: int, took: dict[str, float]) -> list[list[str]]:
    from bench.table import seconds

    return [[f"export of {count:,} ratings, {form}, over HTTP", seconds(one)] for form, one in took.items()]


def _beside_others(sizes, loads, exported) -> list[list[str]]:
    from bench.table import AIM, OTHERS, seconds

    best = next(iter(loads.values()))
    ours = f"Restyle (export of {sizes.items:,} ratings)"
    return [
        ["", "annotations", "processor time of one", "export"],
        *map(list, (*OTHERS, AIM)),
        [ours, f"{best.rate:.0f}/s", f"{best.processor:.1f} ms", seconds(exported.raw["jsonl"])],
    ]


def _print(*lines: str) -> None:
    sys.stdout.write("\n".join(lines) + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main()
