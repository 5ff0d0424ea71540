"""The folder as a whole: what it holds, and that it stays free of Django."""

import subprocess
import sys
from pathlib import Path

from evaluation.statistics import STATISTICS

ROOT = Path(__file__).parents[4]


def test_every_entry_says_its_name_and_its_source():
    assert {"kendall", "krippendorff_alpha", "mean_interval", "mean_rank", "pearson", "spearman"} < set(STATISTICS)
    for statistic in STATISTICS.values():
        assert statistic.label
        assert statistic.paper.url.startswith("https://")


def test_listing_the_names_loads_neither_scipy_nor_django():
    code = (
        "import sys; from evaluation.statistics import STATISTICS; STATISTICS.names();"
        "print([m for m in ('scipy', 'django') if m in sys.modules]);"
        "[STATISTICS[n] for n in STATISTICS]; print('django' in sys.modules)"
    )
    env = {"PYTHONPATH": f"{ROOT}:{ROOT / 'platform'}", "PATH": "/usr/bin:/bin"}
    done = subprocess.run([sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True)
    assert done.stdout.split("\n")[:2] == ["[]", "False"]
