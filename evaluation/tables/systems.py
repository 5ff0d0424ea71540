"""Systems by human means and metric scores, the best of each column marked."""

from typing import Any

from evaluation.metrics import METRICS
from evaluation.tables._base import Cell, Report, Table, TableMaker, mark_best, number

LOWER_IS_BETTER = {"rank"}


def make(report: Report) -> Table:
    """A row a system; human means with 95% interval and n behind them, metric scores with their signatures."""
    systems = report["systems"]
    criteria = list(systems[0]["human"]) if systems else []
    metrics = list(systems[0]["metrics"]) if systems else []
    columns = [_human(systems, name) for name in criteria] + [_metric(systems, name) for name in metrics]
    names = [Cell(system["name"]) for system in systems]
    counts = [_count(system) for system in systems]
    rows = [list(row) for row in zip(names, counts, *columns, strict=True)]
    head = ["System", "Outputs", *criteria, *[METRICS[name].label for name in metrics]]
    return Table("Systems", head, rows, tuple(_signatures(systems, metrics)))


def _count(system: dict[str, Any]) -> Cell:
    missing = f"{system['missing']} missing" if system["missing"] else ""
    text = f"{system['outputs']} ({missing})" if missing else str(system["outputs"])
    return Cell(text, system["outputs"], note=missing)


def _human(systems: list[dict[str, Any]], name: str) -> list[Cell]:
    cells = [_mean(system["human"][name]) for system in systems]
    return mark_best(cells, name not in LOWER_IS_BETTER)


def _mean(mean: dict[str, Any]) -> Cell:
    if mean["low"] is None:
        return number(mean["mean"], 2, mean["undefined"], f"n = {mean['n']}")
    note = f"95% interval {mean['low']:.2f} to {mean['high']:.2f}, n = {mean['n']}"
    return number(mean["mean"], 2, note=note)


def _metric(systems: list[dict[str, Any]], name: str) -> list[Cell]:
    scores = [system["metrics"][name] for system in systems]
    cells = [number(score["score"], 2, score["undefined"], score["signature"]) for score in scores]
    return mark_best(cells, METRICS[name].higher_is_better)


def _signatures(systems: list[dict[str, Any]], metrics: list[str]) -> list[str]:
    found = {}
    for name in metrics:
        for system in systems:
            if signature := system["metrics"][name]["signature"]:
                found.setdefault(name, f"{METRICS[name].label}: {signature}")
    return list(found.values())


TABLE = TableMaker("Systems", make)
