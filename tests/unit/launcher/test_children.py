"""The children of a launcher that have ended."""

import sys
from pathlib import Path

from embedded.folders import prepare
from launcher.children import Children


def test_one_that_came_on_demand_and_ended_was_not_started_again(tmp_path: Path) -> None:
    prepare(tmp_path)
    children = Children(tmp_path, {"quick": [sys.executable, "-c", ""]}, on_demand=["quick"])
    children.start_one("quick")
    process = children["quick"].process
    assert process is not None
    process.wait(60)
    assert children.keep_running() == []
    assert children["quick"].process is None
    children.start_one("quick")
    assert children["quick"].process is not None
    children.stop()
