"""A text file whose paragraphs stand between blank lines: each a section of one document."""

from collections.abc import Iterator, Mapping
from itertools import groupby
from pathlib import PurePath

from corpora.formats._base import DocumentFormat, RawDocument, RawSection
from corpora.text_files.decoding import TextFile, read_lines


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The one document of the file."""
    runs = groupby((line.strip() for line in read_lines(file)), key=bool)
    sections = tuple(RawSection("", tuple(lines)) for is_text, lines in runs if is_text)
    yield RawDocument(sections, title=PurePath(file.name).stem)


FORMAT = DocumentFormat("Paragraphs", "Plain text, blank lines between paragraphs.", (".para",), read=read)
