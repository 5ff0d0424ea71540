"""Measure all figures on the servers that the environment names, print them. Started by `tools.bench.own_servers`."""

import argparse
from pathlib import Path

import django

from tools.bench import PARTS
from tools.bench.clock import Took
from tools.bench.figures import Figures
from tools.bench.measurement_sizes import SIZES


def main() -> None:
    """Everything in one run; the database is empty and is thrown away afterwards."""
    parser = argparse.ArgumentParser()
    parser.add_argument("--size", choices=SIZES, default="whole")
    parser.add_argument("--study", type=Path, required=True)
    parser.add_argument("--only", action="extend", nargs="+", choices=PARTS, default=[])
    parser.add_argument("--json", action="store_true", help="a line a figure, and nothing else")
    parser.add_argument("--lenient", action="store_true", help="say what this commit lacks, and go on")
    options = parser.parse_args()
    django.setup()
    from django.core.management import call_command

    call_command("migrate", verbosity=0, interactive=False)
    call_command("collectstatic", verbosity=0, interactive=False)
    figures = Figures(as_json=options.json, lenient=options.lenient)
    _measure(SIZES[options.size], options.study, options.only or PARTS, figures)


def _measure(sizes, file: Path, parts, figures: Figures) -> None:
    from accounts.models import Person
    from tools.bench.machine import machine

    figures.show(machine(), "")
    if parts == ["memory"]:
        _memory(sizes, figures)
        return
    lead = Person.objects.create_user("lead@bench.invalid", role="researcher")
    for part in PARTS:
        if part in parts:
            with figures.perhaps(part):
                own = OWN_ROWS.get(part)
                took = own(sizes, lead, figures) if own else _timed(part, sizes, file, lead)
                if took or not own:
                    _rows(took, figures)


def _rows(took: dict[str, Took | None], figures: Figures) -> None:
    from tools.bench.table import laid_out, took_rows

    figures.took(took)
    figures.show(laid_out(took_rows(took)), "")


def _timed(part: str, sizes, file: Path, lead) -> dict[str, Took | None]:
    """The figures, by their words, of a part that needs no web server."""
    if part == "documents":
        from tools.bench.document_figures import gathering

        return gathering(sizes, lead)
    if part == "study":
        from tools.bench.metric_run_figures import scoring

        return scoring(file, lead)
    if part == "metrics":
        from tools.bench.metric_figures import battery
        from tools.bench.metric_run_figures import running

        return {**battery(), **running(lead)}
    if part == "statistics":
        from tools.bench.statistics_figures import judging

        return {**judging()}
    if part == "report":
        from tools.bench.report_figures import reporting

        return {**reporting(sizes, lead)}
    if part == "training":
        from tools.bench.pretrained_figures import pretrained
        from tools.bench.training_figures import training
        from tools.bench.training_memory_figures import many_pairs

        return training() | pretrained() | many_pairs(sizes.pairs)
    if part == "prompts":
        from tools.bench.prompt_figures import prompting

        return prompting(sizes, lead)
    from tools.bench.phrase_based_figures import phrases
    from tools.bench.phrase_memory_figures import many_phrases

    return {**phrases(), **many_phrases(sizes.pairs)}


def _annotation(sizes, lead, figures: Figures) -> dict[str, Took | None]:
    """Annotators at work on a campaign that was just imported."""
    from django.conf import settings

    from tools.bench.annotation_figures import annotating, importing
    from tools.bench.table import beside_others, laid_out
    from tools.bench.web_server import web_server

    campaign, imported = importing(sizes, lead)
    with web_server(Path(settings.DATA)) as (port, web):
        loads = annotating(campaign, sizes, port, web)
    _loads(loads, figures)
    figures.show(laid_out(beside_others(next(iter(loads.values())))), "")
    return imported


def _sizes(sizes, lead, figures: Figures) -> dict[str, Took | None]:
    """Annotators on a large campaign and on a small one."""
    from django.conf import settings

    from tools.bench.annotation_figures import compared, growing, make_campaigns
    from tools.bench.table import laid_out
    from tools.bench.web_server import web_server

    campaigns = make_campaigns(sizes, lead)
    with web_server(Path(settings.DATA)) as (port, web):
        grown = growing(campaigns, sizes, port, web)
    _loads(grown, figures)
    figures.show(laid_out(compared(grown)), "")
    return {}


def _export(sizes, lead, figures: Figures) -> dict[str, Took | None]:
    """The figures of exports over HTTP, and of releases."""
    from django.conf import settings

    from tools.bench.export_figures import exporting
    from tools.bench.web_server import web_server

    with web_server(Path(settings.DATA)) as (port, web):
        return exporting(sizes, lead, port, web, figures)


def _loads(loads, figures: Figures) -> None:
    from tools.bench.table import LOADS, laid_out, load_rows

    figures.tell([figure for name, load in loads.items() for figure in load.figures(name)])
    figures.show(laid_out([LOADS, *load_rows(loads)]), "")


def _memory(sizes, figures: Figures) -> None:
    """The memory of each process, idle, after a walk and with people at work."""
    from tools.bench.memory_figures import held_rows, memory
    from tools.bench.table import laid_out

    found = memory(sizes)
    figures.tell(found.figures())
    figures.show(laid_out(held_rows(found)), "")


def _marks(sizes, lead, figures: Figures) -> dict[str, Took | None]:
    """A mark by its key in a browser."""
    from tools.bench.marking_figures import marking, rows
    from tools.bench.table import laid_out

    found = marking(lead)
    figures.tell(found)
    figures.show(laid_out(rows(found)), "")
    return {}


def _simulations(sizes, lead, figures: Figures) -> dict[str, Took | None]:
    """How often claims are false, intervals cover and judgements are saved: no times."""
    from tools.bench.simulation_figures import simulated

    simulated(sizes.simulated, figures)
    return {}


OWN_ROWS = {"simulations": _simulations, "annotation": _annotation, "sizes": _sizes, "export": _export, "marks": _marks}

if __name__ == "__main__":
    main()
