"""The main comparisons of closed human studies: people alone, with a metric beside them, and when they were decided."""

from collections.abc import Mapping, Sequence
from typing import Any

from evaluation.imported_metrics import metric_of
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, interval_text, missing_content, number
from evaluation.tables._base import TableOrFigure

Json = Mapping[str, Any]

TITLE = "Main comparisons of human studies"
HEAD = ["Study", "System", "Less", "Difference", "People and metric", "Win rate", "p", "p, corrected", "Differs"]
NONE = "No closed human study has a main comparison."
DECIDED = "{study}: decided after {after} of {planned} answers."
UNDECIDED = "{study}: not decided after {answers} of {planned} answers."
ANY = "{study}: intervals and p hold at any moment; p is 1 / e, and e-BH says what differs."
TESTED = "{study}: 95% intervals of the difference by {test}."
NO_PAIR = "Nobody judged it and the baseline for one source, or the better end differs by direction."
WON = (
    "Win rate: how often a person put the system above the baseline for a source, ties as halves; each source counts "
    "once. 95% intervals over sources and people."
)
POWERED = (
    "{study}, people and metric: 95% intervals of PPI++ (cross-fitted) with {metric} as proxy, over the sources that "
    "the sample was drawn of; beside them people alone, with Student's t over sources."
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a human study and system."""
    studies = [study for study in snapshot.report["human_studies"] if study["compared"]]
    if not studies:
        return missing_content(TITLE, NONE)
    rows = [_row(study, compared) for study in studies for compared in study["compared"]]
    return Table(TITLE, HEAD, rows, [*_won_note(studies), *(said for study in studies for said in _said(study))])


def _won_note(studies: Sequence[Json]) -> list[str]:
    alone = any(row.get("win_rate") and not row.get("with_metric") for study in studies for row in study["compared"])
    return [WON] if alone else []


def _row(study: Json, compared: Json) -> list[Cell]:
    with_metric = compared.get("with_metric") or {}
    alone = _alone(compared, with_metric.get("difference"), at_any_moment=bool(study.get("decision")))
    powered = _powered(with_metric.get("difference"), 2)
    p = compared["corrected"]
    why = compared["undefined"]
    return [
        Cell(study["name"]), Cell(compared["system"]), Cell(study["comparison"]["baseline"]), alone, powered,
        _won(compared, with_metric.get("win_rate")), number(compared["p"], 3, why), number(p, 3, why),
        Cell("yes" if compared["differs"] else "no" if p is not None else DASH),
    ]  # fmt: skip


def _alone(compared: Json, powered: Json | None, *, at_any_moment: bool) -> Cell:
    """At any moment the confidence sequence; else that of people alone where the plan has a metric, or the test's."""
    low, high = compared.get("low"), compared.get("high")
    difference = None if low is None else compared["difference"]  # else older reports hold the statistic of the test
    if powered and (low is None or not at_any_moment):
        low, high = powered["alone_low"], powered["alone_high"]
    if difference is None and compared["mean"] is not None and compared["baseline"] is not None:
        difference = compared["mean"] - compared["baseline"]
    return number(
        difference, 2, compared["undefined"], small=interval_text(low, high, 2), parts={"low": low, "high": high}
    )


def _won(compared: Json, powered: Json | None) -> Cell:
    """With a metric beside people where the plan has one, else of people alone."""
    of = compared.get("win_rate")
    if powered or not of or of["mean"] is None:
        return _powered(powered, 3) if powered else number(None, why=NO_PAIR)
    parts = {"low": of["low"], "high": of["high"], "n": of["n"]}
    return number(of["mean"], 3, small=interval_text(of["low"], of["high"], 3), parts=parts)


def _powered(of: Json | None, digits: int) -> Cell:
    if not of or of["undefined"] or of["value"] is None:
        return number(None, why=of["undefined"] if of else "The plan has no metric beside people.")
    parts = {name: of[name] for name in ("low", "high", "alone_low", "alone_high", "weight", "saved")}
    people = interval_text(of["alone_low"], of["alone_high"], digits)
    beside = f"{interval_text(of['low'], of['high'], digits)}; people {people}"
    return number(of["value"], digits, small=beside, parts=parts)


def _said(study: Json) -> list[str]:
    said, decided, proxy = [], study.get("decision"), study["comparison"].get("proxy")
    if decided:
        line = DECIDED if decided["decided"] else UNDECIDED
        said += [line.format(study=study["name"], **decided), ANY.format(study=study["name"])]
    elif not proxy and any(compared.get("low") is not None for compared in study["compared"]):
        said.append(TESTED.format(study=study["name"], test=STATISTICS[study["comparison"]["test"]].label))
    if proxy:
        said.append(POWERED.format(study=study["name"], metric=metric_of(proxy).label))
    return said


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=14)
