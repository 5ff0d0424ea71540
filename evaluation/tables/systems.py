"""Systems by human means and metric scores, the best system of each column marked."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from evaluation.comparability.better_ends import label_of_metric, measured
from evaluation.snapshot import CriterionJudgements, DirectedMetric, StudySnapshot
from evaluation.table_parts.aspects import metric_label
from evaluation.table_parts.columns import asks_of, name_cell
from evaluation.table_parts.contents import Cell, Table, interval_text, joined, mark_best, number, traced
from evaluation.tables._base import TableOrFigure

Json = Mapping[str, Any]


def make(snapshot: StudySnapshot) -> Table:
    """A row a system; human means with 95% interval and n, and metric scores."""
    systems = snapshot.report["systems"]
    criteria = list(systems[0]["human"]) if systems else []
    metrics = list(systems[0]["metrics"]) if systems else []
    variant = snapshot.report.get("variant", "raw")
    judged = snapshot.judgements[snapshot.variant]
    boards = snapshot.report.get("leaderboard", {"criteria": {}, "metrics": {}})
    columns = [_human(systems, name, variant, judged.get(name), boards["criteria"].get(name)) for name in criteria]
    columns += [_metric(systems, name, measured(snapshot, name), boards["metrics"].get(name)) for name in metrics]
    rows_of = {row.name: row for row in snapshot.systems}
    names = [
        name_cell(rows_of[system["name"]]) if system["name"] in rows_of else Cell(system["name"]) for system in systems
    ]
    counts = [_count(system) for system in systems]
    rows = [list(row) for row in zip(names, counts, *columns, strict=True)]
    better = [None, None, *[_end(judged.get(name)) for name in criteria]]
    return Table(
        "Systems",
        ["System", "Outputs", *criteria, *[metric_label(snapshot, name) for name in metrics]],
        rows,
        [*_over(boards), *_signatures(systems, metrics), *_reasons(systems)],
        [*better, *[measured(snapshot, name).better for name in metrics]],
    )


def _over(boards: Json) -> list[str]:
    """The sentences that systems are ranked over, if these are not all that each has."""
    heads_of: dict[str, list[str]] = {}
    for kind, names in (("criteria", str), ("metrics", label_of_metric)):
        for name, board in boards[kind].items():
            if board["note"]:
                heads_of.setdefault(board["note"], []).append(names(name))
    return [f"{', '.join(heads)}: {note}" for note, heads in heads_of.items()]


def _count(system: dict[str, Any]) -> Cell:
    missing = f"{system['missing']} missing" if system["missing"] else ""
    return Cell(str(system["outputs"]), system["outputs"], small=missing, parts={"missing": system["missing"]})


def _end(judged: CriterionJudgements | None) -> bool | None:
    """The better end of a criterion; of one whose judgements are gone, the high one."""
    return True if judged is None else judged.better


def _human(
    systems: list[dict[str, Any]], name: str, variant: str, judged: CriterionJudgements | None, board: Json | None
) -> list[Cell]:
    more = {"criterion": name} if judged is None else asks_of(judged)
    asks = [traced(system=system["name"], variant=variant, **more) for system in systems]
    cells = [_mean(system["human"][name], rows) for system, rows in zip(systems, asks, strict=True)]
    return _marked(systems, cells, _end(judged), board)


def _mean(mean: dict[str, Any], rows: dict[str, str]) -> Cell:
    small = joined(interval_text(mean["low"], mean["high"], 2), f"n = {mean['n']}" if mean["n"] else "")
    parts = {key: mean[key] for key in ("low", "high", "n")}
    return number(mean["mean"], 2, mean["undefined"], small=small, parts=parts, rows=rows)


def _metric(systems: list[dict[str, Any]], name: str, measure: DirectedMetric, board: Json | None) -> list[Cell]:
    scores = [(system["metrics"][name], traced(system=system["name"], **asks_of(measure))) for system in systems]
    cells = [number(score["score"], 2, score["undefined"], rows=rows) for score, rows in scores]
    return _marked(systems, cells, measure.better, board)


def _marked(
    systems: list[dict[str, Any]], cells: list[Cell], better: bool | None, board: Mapping[str, Any] | None
) -> list[Cell]:
    """The best of the ranked ones marked. Texts judged beside the systems compete with nobody, and come last."""
    if board is not None:
        rows = {row["system"]: row for row in board["rows"]}
        several = sum(row["ranked"] is not None for row in board["rows"]) > 1
        return [
            replace(cell, best=several and rows[system["name"]]["place"] == 1,
                    small=joined(cell.small, rows[system["name"]]["unranked"]))
            for system, cell in zip(systems, cells, strict=True)
        ]  # fmt: skip
    competing = sum(system["role"] == "system" for system in systems)
    return [*mark_best(cells[:competing], better), *cells[competing:]]


def _signatures(systems: list[dict[str, Any]], metrics: list[str]) -> list[str]:
    """Each metric's signature; where systems differ in it (in the number of references), each with its systems."""
    systems_of: dict[tuple[str, str], list[str]] = {}
    for name in metrics:
        for system in systems:
            if signature := system["metrics"][name]["signature"]:
                systems_of.setdefault((name, signature), []).append(system["name"])
    times = [name for name, _ in systems_of]
    return [
        f"{label_of_metric(name)}{f' ({chr(44).join(who)})' if times.count(name) > 1 else ''}: {signature}"
        for (name, signature), who in systems_of.items()
    ]


def _reasons(systems: list[dict[str, Any]]) -> list[str]:
    """Why a system has no number, a sentence for each reason."""
    names_of: dict[tuple[str, str], list[str]] = {}
    for system in systems:
        for name, score in system["metrics"].items():
            if score["undefined"]:
                names_of.setdefault((system["name"], score["undefined"]), []).append(label_of_metric(name))
        for name, mean in system["human"].items():
            if mean["undefined"]:
                names_of.setdefault((system["name"], mean["undefined"]), []).append(name)
    return [f"{system}, {', '.join(names)}: {why}" for (system, why), names in names_of.items()]


TABLE = TableOrFigure(title="Systems", make=make, kind="study", order=1)
