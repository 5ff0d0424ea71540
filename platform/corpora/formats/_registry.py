"""The formats by the name of their file."""

from pathlib import Path

from corpora.formats._entry import Format
from foundation.registry import Registry

FORMATS = Registry[Format]("format", "corpora.formats", Path(__file__).parent, attribute="FORMAT")


def names_of(kind: type[Format]) -> list[str]:
    """The names of the formats of one class: `names_of(TableFormat)` is ['csv', 'jsonl', 'tsv']."""
    return [name for name in FORMATS.names() if isinstance(FORMATS[name], kind)]
