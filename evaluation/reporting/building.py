"""The report as one JSON object, and its tables; its form is in `docs/report.md`.

Two processes work beside each other: one on what correlates, the other on the leaderboard and on all tables that ask
for nothing of the report.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
from threadpoolctl import threadpool_limits

from evaluation.recording.gathering import Gathered
from evaluation.reporting.agreement import agreement
from evaluation.reporting.correlations import correlations
from evaluation.reporting.families import families
from evaluation.reporting.leaderboard import leaderboard
from evaluation.reporting.sums import draws_of
from evaluation.reporting.systems import systems
from evaluation.reporting.trust import trust
from evaluation.resampling.bootstrap import Bootstrap
from evaluation.snapshot.study import StudySnapshot
from evaluation.table_building.build import tables_before, tables_json
from foundation.forked_process import run_forked

Json = dict[str, Any]


def build_report(gathered: Gathered, human_studies: Sequence[Json] = ()) -> tuple[Json, Json]:
    """All of it, and the tables and figures by name, from a study that was gathered once."""
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return _build(gathered, human_studies)


def _build(gathered: Gathered, human_studies: Sequence[Json]) -> tuple[Json, Json]:
    record = gathered.record
    rows, draws = systems(gathered), draws_of(record)
    with run_forked(lambda: _beside(record, draws, rows)) as found:
        agreeing = correlations(record, draws)
        report = {
            "study": record.study,
            "variant": record.variant,
            "split": record.split,
            "units": len(record.units.ids),
            "systems": rows,
            "families": families(record, rows),
            "agreement": agreement(gathered),
            "raters": _raters(gathered),
            "correlations": agreeing.entries,
            "trust": trust(record, agreeing, draws),
            "human_studies": list(human_studies),
        }
        beside = orjson.loads(found())
    report["leaderboard"] = beside["leaderboard"]
    return report, tables_json(replace(record, report=report), beside["tables"])


def _beside(record: StudySnapshot, draws: Bootstrap, rows: Sequence[Json]) -> bytes:
    found = {"leaderboard": leaderboard(record, draws, rows), "tables": tables_before(record)}
    return orjson.dumps(found, option=orjson.OPT_SERIALIZE_NUMPY)


def _raters(gathered: Gathered) -> Json:
    """How many people judged, and whom the filtered judgements are without: by number, since a report names nobody."""
    workers = gathered.record.workers
    out = [{"rater": number, "why": why} for number, why in enumerate(workers.left_out, 1) if why]
    return {"count": len(workers.names), "left_out": out}
