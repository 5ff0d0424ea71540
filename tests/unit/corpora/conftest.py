"""What the tests of the formats share: files made of a text."""

from collections.abc import Callable

import pytest

from corpora.formats import TextFile


@pytest.fixture
def file_of() -> Callable[..., TextFile]:
    """`file_of("a\\nb")` is a file of that text (or those bytes) called texts.txt."""

    def make(content: str | bytes, name: str = "texts.txt", **options) -> TextFile:
        return TextFile(content.encode() if isinstance(content, str) else content, name, **options)

    return make
