"""`make bench`: the speed of Restyle, measured on servers of its own in a folder that is thrown away.

One file a figure. `docs/speed.md` describes the measurements.
"""

import os

PARTS = (
    "annotation", "documents", "sizes", "export", "memory", "study", "metrics", "statistics", "simulations", "report",
    "training", "phrases", "prompts", "marks",
)  # fmt: skip
OLDER = "BENCH_OF_AN_OLDER_COMMIT"  # set where this bench measures one (side_by_side.py)

if os.environ.get(OLDER):
    from tools.bench.former_names import know_former_names

    know_former_names()
