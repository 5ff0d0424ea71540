"""`make bench --against` from end to end: a commit is taken out, both sides measured, and the table written."""

import os
import subprocess
import sys

import pytest

from foundation.project import ROOT

pytestmark = [pytest.mark.soak, pytest.mark.slow]


def test_this_commit_beside_itself():
    if subprocess.run(["git", "-C", str(ROOT), "rev-parse", "HEAD"], capture_output=True).returncode:
        pytest.skip("this folder is no clone, so it has no other commit")
    options = ["--against", "HEAD", "--only", "documents", "--size", "tiny", "--rounds", "1", "--same-packages"]
    paths = os.pathsep.join(str(ROOT / part) for part in ("", "platform"))
    environment = {**os.environ, "PYTHONPATH": paths}
    done = subprocess.run(
        [sys.executable, "-m", "tools.bench", *options], capture_output=True, text=True, cwd=ROOT, env=environment
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr.count("documents, round") == 1
    rows = [line for line in done.stdout.splitlines() if line.startswith("import of 50 sentences of documents")]
    assert len(rows) in (2, 4), done.stdout  # its clock and its processor; again where chance made one worse
    assert "not comparable" not in done.stdout
