"""Texts line by line: line n of a file of references or outputs belongs to line n of the sources."""

from corpora.formats._base import TextFormat
from corpora.text_files.parallel_lines import read_texts

FORMAT = TextFormat("Text, line by line", "One text a line, in the order of the sources.", (".txt",), read=read_texts)
