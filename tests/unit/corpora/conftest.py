"""What the tests of the formats share: files made of a text, and the real data beside the project."""

from collections.abc import Callable
from pathlib import Path

import pytest

from corpora.formats import TextFile

SHARED = Path(__file__).resolve().parents[4] / "shared"


@pytest.fixture
def file_of() -> Callable[..., TextFile]:
    """`file_of("a\\nb")` is a file of that text (or those bytes) called texts.txt."""

    def make(content: str | bytes, name: str = "texts.txt", **options) -> TextFile:
        return TextFile(content.encode() if isinstance(content, str) else content, name, **options)

    return make


@pytest.fixture
def shared() -> Path:
    if not (SHARED / "data").is_dir():
        pytest.skip("the real data are not here: no folder ../shared/data beside the project")
    return SHARED
