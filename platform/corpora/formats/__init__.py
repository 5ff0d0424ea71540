"""One file, one format: how texts, judgements, rewrites and studies come in and go out. No Django.

`FORMATS["tsv"]` is `FORMAT` of `tsv.py`. What an entry can do is said by its class, see `_entry.py`.
"""

from corpora.formats._decode import LINE_LIMIT, MEGABYTE, UPLOAD_LIMIT, TextFile, read_lines
from corpora.formats._encodings import USUAL_ENCODINGS
from corpora.formats._entry import (
    Column,
    DocumentFormat,
    Format,
    Judgement,
    JudgementFormat,
    RatingColumns,
    RawDocument,
    RawQuestion,
    RawSection,
    Rewrite,
    RewriteFormat,
    TableFormat,
    TextFormat,
)
from corpora.formats._gold import GoldFormat, GoldRow
from corpora.formats._join import read_joined
from corpora.formats._registry import FORMATS, names_of

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
    "Rewrite",
    "RewriteFormat",
    "TableFormat",
    "TextFile",
    "TextFormat",
    "names_of",
    "read_joined",
    "read_lines",
]
