"""Comma-separated tables as in RFC 4180: cells in quotation marks may hold commas, quotes and line breaks."""

from corpora.formats._base import TableFormat
from corpora.tabular_files import rows

FORMAT = TableFormat("Table, comma-separated", "CSV as in RFC 4180.", (".csv",), rows=rows)
