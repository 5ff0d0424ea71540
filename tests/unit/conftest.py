"""A unit test is of plain functions and classes: what imports PyTorch stands in tests/models."""

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(autouse=True)
def no_torch() -> Iterator[None]:
    before = "torch" in sys.modules  # by a test of tests/models in the same process
    yield
    assert before or "torch" not in sys.modules, "This test imports PyTorch: move it to tests/models"
