"""What a datasheet says about agreement among annotators."""

from collections.abc import Iterator, Sequence

from corpora.models import Study


def agreement(study: Study, campaigns: Sequence[str]) -> Iterator[str]:
    """A line for each campaign in which several people did the same item; nothing where none is."""
    return iter(())
