"""A unit test is of plain functions and classes: what imports PyTorch stands in tests/models."""

import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

SHARED = Path(__file__).resolve().parents[3] / "shared"


@pytest.fixture
def shared() -> Path:
    """The real data beside the project."""
    if not (SHARED / "data").is_dir():
        pytest.skip("the real data are not here: no folder ../shared/data beside the project")
    return SHARED


@pytest.hookimpl(wrapper=True)
def pytest_make_collect_report(collector: pytest.Collector) -> Iterator[pytest.CollectReport]:
    """To read a file imports it no more than to run its tests: it would take each process seconds."""
    before = "torch" in sys.modules
    report = yield
    if not before and "torch" in sys.modules and isinstance(collector, pytest.Module):
        raise pytest.UsageError(f"{collector.nodeid} imports PyTorch where it is read: move it to tests/models")
    return report


@pytest.fixture(autouse=True, scope="module")
def no_torch() -> Iterator[None]:
    """Asked once a file: for each of six thousand tests it took longer than some of them."""
    before = "torch" in sys.modules  # by a test of tests/models in the same process
    yield
    assert before or "torch" not in sys.modules, "A test of this file imports PyTorch: move it to tests/models"
