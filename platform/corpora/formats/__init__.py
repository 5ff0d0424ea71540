"""One file, one format: how texts, judgements, rewrites and studies come in and go out. No Django.

`FORMATS["tsv"]` is `FORMAT` of `tsv.py`. What an entry can do is said by its class, see `_entry.py`.
"""

from pathlib import Path

from corpora.formats._decode import UPLOAD_LIMIT, TextFile
from corpora.formats._entry import Format, Judgement, RatingColumns, Rewrite
from foundation.registry import Registry

__all__ = ["FORMATS", "UPLOAD_LIMIT", "Format", "Judgement", "RatingColumns", "Rewrite", "TextFile", "names_of"]

FORMATS = Registry[Format]("format", "corpora.formats", Path(__file__).parent, attribute="FORMAT")


def names_of(kind: type[Format]) -> list[str]:
    """The names of the formats of one class: `names_of(TableFormat)` is ['csv', 'jsonl', 'tsv']."""
    return [name for name in FORMATS.names() if isinstance(FORMATS[name], kind)]
