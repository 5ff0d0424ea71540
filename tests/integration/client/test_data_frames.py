"""Rows of the client as data frames of pandas and polars, and data frames as tables that are sent."""

import json
import os
import subprocess

import pytest

from foundation.project import ROOT
from restyle import Report

SCORES = {"mean": 4.5, "low": 4, "high": 5, "n": 9, "undefined": ""}
DATA = {
    "study": "tone",
    "leaderboard": {"criteria": {}, "metrics": {}},
    "systems": [
        {
            "name": "Rules",
            "human": {"meaning": SCORES},
            "metrics": {"bleu": {"score": None, "n": 0, "undefined": "No."}},
        }
    ],
}


@pytest.mark.soak
def test_frames_hold_the_rows_and_are_sent_whole() -> None:
    """By pandas 3.1.1 and polars 2.1.0, where DATA_FRAMES names a Python that has both, httpx and click."""
    python = os.environ.get("DATA_FRAMES", "")
    if not python:
        pytest.skip("DATA_FRAMES names no Python with pandas and polars.")
    line = [python, str(ROOT / "tests/support/data_frames.py"), str(ROOT / "client"), json.dumps(DATA)]
    ran = subprocess.run(line, capture_output=True, text=True, check=False)
    assert ran.returncode == 0, ran.stderr[-2000:]
    told = json.loads(ran.stdout)
    rows = [dict(one) for one in Report(DATA).scores]
    assert told["frames"] == {"pandas": rows, "polars": rows}
    assert told["sent"]["pandas"] == 'src,n,out\na,1.0,"x, y"\n,,é\n'
    assert told["sent"]["index"] == 'src,n,out\na,1.0,"x, y"\n,,é\n', "an index with a name is a column"
    assert told["sent"]["polars"] == 'src,n,out\na,1,"x, y"\n,,é\n'
    assert told["sent"]["query"] == "src\na\n"
    assert told["nested"].startswith("The data frame is no table of plain values")
    assert "half a character" in told["surrogate"]
