"""The report as one JSON object; its form is in `docs/report.md`."""

from typing import Any

from threadpoolctl import threadpool_limits

from evaluation.recording import Gathered
from evaluation.reporting.agreement import agreement
from evaluation.reporting.correlations import correlations
from evaluation.reporting.families import families
from evaluation.reporting.leaderboard import leaderboard
from evaluation.reporting.sums import draws_of
from evaluation.reporting.systems import systems
from evaluation.reporting.trust import trust

Json = dict[str, Any]


def build_report(gathered: Gathered) -> Json:
    """All of it, from a study that was gathered once."""
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return _build(gathered)


def _build(gathered: Gathered) -> Json:
    record = gathered.record
    rows, draws = systems(gathered), draws_of(record)
    agreeing = correlations(record, draws)
    return {
        "study": record.study,
        "variant": record.variant,
        "systems": rows,
        "families": families(record, rows),
        "agreement": agreement(gathered),
        "raters": _raters(gathered),
        "correlations": agreeing,
        "leaderboard": leaderboard(record, draws, rows),
        "trust": trust(record, agreeing),
    }


def _raters(gathered: Gathered) -> Json:
    """How many people judged, and whom the filtered judgements are without: by number, since a report names nobody."""
    workers = gathered.record.workers
    out = [{"rater": number, "why": why} for number, why in enumerate(workers.left_out, 1) if why]
    return {"count": len(workers.names), "left_out": out}
