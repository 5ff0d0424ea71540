"""Models that were trained with several seeds: the mean and the deviation over seeds, as PLABA's tables have them."""

from collections import defaultdict
from collections.abc import Sequence
from typing import Any

import numpy as np

from evaluation.snapshot.study import StudySnapshot

Json = dict[str, Any]


def seed_families(snapshot: StudySnapshot, rows: Sequence[Json]) -> list[Json]:
    """Families of two systems and more: for each criterion and metric the mean of its systems' numbers and their
    standard deviation (n - 1), over the `n` of them that have one."""
    members: defaultdict[str, list[Json]] = defaultdict(list)
    for row in rows:
        members[row["family"]].append(row)
    return [
        {
            "name": name,
            "systems": [row["name"] for row in of],
            "human": {
                criterion: _over([row["human"][criterion]["mean"] for row in of])
                for criterion in snapshot.judgements[snapshot.variant]
            },
            "metrics": {score: _over([row["metrics"][score]["score"] for row in of]) for score in snapshot.scores},
        }
        for name, of in members.items()
        if len(of) > 1
    ]


def _over(values: Sequence[float | None]) -> Json:
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    return {
        "mean": float(known.mean()) if len(known) else None,
        "deviation": float(known.std(ddof=1)) if len(known) > 1 else None,
        "n": len(known),
    }
