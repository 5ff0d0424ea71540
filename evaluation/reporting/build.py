"""The report as one JSON object, and its tables; its form is in `docs/report.md`.

Two processes work beside each other: one on what correlates, the other on the leaderboard and on all tables that ask
for nothing of the report.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import orjson
from threadpoolctl import threadpool_limits

from evaluation.reporting.correlations import correlations
from evaluation.reporting.leaderboard_numbers import leaderboard
from evaluation.reporting.rater_agreement import rater_agreement
from evaluation.reporting.rater_pairs import rater_pairs
from evaluation.reporting.resampled_scores import bootstrap_of
from evaluation.reporting.seed_families import seed_families
from evaluation.reporting.systems import systems
from evaluation.reporting.trust import trust
from evaluation.resampling.bootstrap import Bootstrap
from evaluation.snapshot.study import StudySnapshot
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.table_building.build import tables_before, tables_json
from foundation.forked_process import run_forked

Json = dict[str, Any]


def build_report(built: BuiltSnapshot, human_studies: Sequence[Json] = ()) -> tuple[Json, Json]:
    """All of it, and the tables and figures by name, from a study that was built once."""
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return _build(built, human_studies)


def _build(built: BuiltSnapshot, human_studies: Sequence[Json]) -> tuple[Json, Json]:
    snapshot = built.snapshot
    rows, bootstrap = systems(built), bootstrap_of(snapshot)
    with run_forked(lambda: _beside(snapshot, bootstrap, rows)) as read_result:
        agreeing = correlations(snapshot, bootstrap)
        report = {
            "study": snapshot.study,
            "variant": snapshot.variant,
            "split": snapshot.split,
            "units": len(snapshot.units.ids),
            "systems": rows,
            "families": seed_families(snapshot, rows),
            "agreement": rater_agreement(built),
            "raters": _raters(built),
            "rater_pairs": rater_pairs(built),
            "correlations": agreeing.entries,
            "trust": trust(snapshot, agreeing, bootstrap),
            "human_studies": list(human_studies),
        }
        beside = orjson.loads(read_result())
    report["leaderboard"] = beside["leaderboard"]
    return report, tables_json(replace(snapshot, report=report), beside["tables"])


def _beside(snapshot: StudySnapshot, bootstrap: Bootstrap, rows: Sequence[Json]) -> bytes:
    parts = {"leaderboard": leaderboard(snapshot, bootstrap, rows), "tables": tables_before(snapshot)}
    return orjson.dumps(parts, option=orjson.OPT_SERIALIZE_NUMPY)


def _raters(built: BuiltSnapshot) -> Json:
    """How many people judged, and whom the filtered judgements are without: by number, since a report names nobody."""
    workers = built.snapshot.raters
    out = [{"rater": number, "why": why} for number, why in enumerate(workers.left_out, 1) if why]
    return {"count": len(workers.names), "left_out": out}
