"""One file, one format: how texts, judgements, gold and studies come in and go out. No Django.

`FORMATS["tsv"]` is `FORMAT` of `tsv.py`. The class of an entry says what it can do, see `_base.py`.
"""

from pathlib import Path

from corpora.formats._base import (
    DocumentFormat,
    Format,
    GoldFormat,
    Judgement,
    JudgementFormat,
    RatingColumns,
    RawDocument,
    RawQuestion,
    RawSection,
    TableFormat,
    TextFormat,
)
from corpora.gold_records import GoldRow
from corpora.tabular_files import Column
from corpora.text_files.decoding import LINE_LIMIT, MEGABYTE, UPLOAD_LIMIT, TextFile, read_lines
from corpora.text_files.encodings import USUAL_ENCODINGS
from foundation.registry import Registry

__all__ = [
    "FORMATS",
    "LINE_LIMIT",
    "MEGABYTE",
    "UPLOAD_LIMIT",
    "USUAL_ENCODINGS",
    "Column",
    "DocumentFormat",
    "Format",
    "GoldFormat",
    "GoldRow",
    "Judgement",
    "JudgementFormat",
    "RatingColumns",
    "RawDocument",
    "RawQuestion",
    "RawSection",
    "TableFormat",
    "TextFile",
    "TextFormat",
    "names_of",
    "read_lines",
]

FORMATS = Registry[Format]("format", "corpora.formats", Path(__file__).parent, attribute="FORMAT")


def names_of(kind: type[Format]) -> list[str]:
    """The names of the formats of one class: `names_of(TableFormat)` is ['csv', 'jsonl', 'tsv']."""
    return [name for name in FORMATS.names() if isinstance(FORMATS[name], kind)]
