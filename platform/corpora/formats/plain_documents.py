"""A text file that is one document: paragraphs with blank lines between them, headings after a number sign.

    # Symptoms

    Many cause dyspnea, pleuritic chest pain, or both.

The name of the file, without its ending, is the title.
"""

from collections.abc import Iterator, Mapping
from pathlib import PurePath

from corpora.formats._base import DocumentFormat, RawDocument, RawSection
from corpora.text_files.decoding import TextFile, read_lines


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The one document of the file; each paragraph is split by itself, so that no sentence crosses its end."""
    sections: list[RawSection] = []
    title, paragraph = "", list[str]()
    for line in [*read_lines(file), ""]:
        heading = line.startswith("# ")
        if paragraph and (heading or not line.strip()):
            sections.append(RawSection(title, " ".join(paragraph)))
            paragraph = []
        if heading:
            title = line[2:].strip()
        elif line.strip():
            paragraph.append(line.strip())
    yield RawDocument(tuple(sections), title=PurePath(file.name).stem)


FORMAT = DocumentFormat(
    "One document, plain text", "Paragraphs with blank lines between them; '# ' begins a heading.", (".txt", ".md"),
    read=read,
)  # fmt: skip
