"""A text file with a sentence a line, taken as they are: one document, whose title is the file's name."""

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from corpora.formats._base import DocumentFormat, RawDocument, RawSection
from corpora.text_files.decoding import TextFile, read_lines


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The one document of the file; blank lines are passed over."""
    sentences = tuple(text for line in read_lines(file) if (text := line.strip()))
    yield RawDocument((RawSection("", sentences),), title=PurePath(file.name).stem)


FORMAT = DocumentFormat(
    "One sentence per line", "Plain text of one document, with one sentence per line.", (".txt",), read=read
)
