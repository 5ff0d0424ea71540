"""`platform/` is a plain source root: a module in it would stand in the standard library's `platform`'s way."""

import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]


def test_platform_folder_is_no_package_and_holds_no_module():
    assert [path.name for path in (ROOT / "platform").glob("*.py*")] == []


@pytest.mark.parametrize("path", ["", "platform"])
def test_standard_platform_module_is_found_at_the_root(path):
    code = "import platform; print(platform.system())"
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, env={"PYTHONPATH": path}, capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() in {"Linux", "Darwin"}
