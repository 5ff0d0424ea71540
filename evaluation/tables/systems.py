"""Systems by human means and metric scores, the best system of each column marked."""

from typing import Any

from evaluation.metrics import METRICS
from evaluation.tables._base import RANK, Cell, Exhibit, Table, interval_text, joined, mark_best, number, traced
from evaluation.tables._parts import metric_label
from evaluation.tables._record import Record

LOWER_IS_BETTER = {RANK}


def make(record: Record) -> Table:
    """A row a system; human means with 95% interval and n, and metric scores."""
    systems = record.report["systems"]
    criteria = list(systems[0]["human"]) if systems else []
    metrics = list(systems[0]["metrics"]) if systems else []
    variant = record.report.get("variant", "raw")
    columns = [_human(systems, name, variant) for name in criteria] + [_metric(systems, name) for name in metrics]
    names = [Cell(system["name"]) for system in systems]
    counts = [_count(system) for system in systems]
    rows = [list(row) for row in zip(names, counts, *columns, strict=True)]
    better = [None, None, *[name not in LOWER_IS_BETTER for name in criteria]]
    return Table(
        "Systems",
        ["System", "Outputs", *criteria, *[metric_label(record, name) for name in metrics]],
        rows,
        [*_signatures(systems, metrics), *_reasons(systems)],
        [*better, *[METRICS[name].higher_is_better for name in metrics]],
    )


def _count(system: dict[str, Any]) -> Cell:
    missing = f"{system['missing']} missing" if system["missing"] else ""
    return Cell(str(system["outputs"]), system["outputs"], small=missing, parts={"missing": system["missing"]})


def _human(systems: list[dict[str, Any]], name: str, variant: str) -> list[Cell]:
    asks = [traced(system=system["name"], criterion=name, variant=variant) for system in systems]
    cells = [_mean(system["human"][name], rows) for system, rows in zip(systems, asks, strict=True)]
    return _marked(systems, cells, name not in LOWER_IS_BETTER)


def _mean(mean: dict[str, Any], rows: dict[str, str]) -> Cell:
    small = joined(interval_text(mean["low"], mean["high"], 2), f"n = {mean['n']}" if mean["n"] else "")
    parts = {key: mean[key] for key in ("low", "high", "n")}
    return number(mean["mean"], 2, mean["undefined"], small=small, parts=parts, rows=rows)


def _metric(systems: list[dict[str, Any]], name: str) -> list[Cell]:
    scores = [(system["metrics"][name], traced(system=system["name"], metric=name)) for system in systems]
    cells = [number(score["score"], 2, score["undefined"], rows=rows) for score, rows in scores]
    return _marked(systems, cells, METRICS[name].higher_is_better)


def _marked(systems: list[dict[str, Any]], cells: list[Cell], better: bool | None) -> list[Cell]:
    """The best of the systems; what was judged beside them competes with nobody, and stands after them."""
    competing = sum(system["role"] == "system" for system in systems)
    return [*mark_best(cells[:competing], better), *cells[competing:]]


def _signatures(systems: list[dict[str, Any]], metrics: list[str]) -> list[str]:
    """Each metric's signature; where systems differ in it (in the number of references), each with its systems."""
    found: dict[tuple[str, str], list[str]] = {}
    for name in metrics:
        for system in systems:
            if signature := system["metrics"][name]["signature"]:
                found.setdefault((name, signature), []).append(system["name"])
    times = [name for name, _ in found]
    return [
        f"{METRICS[name].label}{f' ({chr(44).join(who)})' if times.count(name) > 1 else ''}: {signature}"
        for (name, signature), who in found.items()
    ]


def _reasons(systems: list[dict[str, Any]]) -> list[str]:
    """Why a system has no number, a sentence for each reason."""
    found: dict[tuple[str, str], list[str]] = {}
    for system in systems:
        for name, score in system["metrics"].items():
            if score["undefined"]:
                found.setdefault((system["name"], score["undefined"]), []).append(METRICS[name].label)
        for name, mean in system["human"].items():
            if mean["undefined"]:
                found.setdefault((system["name"], mean["undefined"]), []).append(name)
    return [f"{system}, {', '.join(names)}: {why}" for (system, why), names in found.items()]


TABLE = Exhibit(title="Systems", make=make, kind="study", order=1)
