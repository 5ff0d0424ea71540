"""Abstracts as PubMed gives them: XML with PMID, title, and the parts of the abstract with their labels.

Read as a stream. A file that declares entities is refused, so that none can grow in the memory or name another file;
the DTD that PubMed's files name is never fetched.
"""

from collections.abc import Iterator, Mapping
from xml.parsers import expat

from corpora.formats._base import DocumentFormat, RawDocument, RawSection
from corpora.text_files.decoding import TextFile, read_chunks
from foundation.errors import UserError

ARTICLES = {"PubmedArticle", "PubmedBookArticle"}
DEEPEST = 200  # PubMed's files are about ten deep
TEXTS = {
    ("MedlineCitation", "PMID"): "code",
    ("BookDocument", "PMID"): "code",
    ("Article", "ArticleTitle"): "title",
    ("BookDocument", "ArticleTitle"): "title",
    ("Abstract", "AbstractText"): "part",
}


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The articles in order; other XML is a `UserError` with its line."""
    reader = _Reader(file.name)
    for chunk in read_chunks(file):
        reader.feed(chunk)
        yield from reader.taken()
    reader.feed(b"", last=True)
    yield from reader.taken()
    if not reader.articles:
        raise UserError("the file has no PubmedArticle.", where=file.name)


class _Reader:
    def __init__(self, name: str) -> None:
        self.name = name
        self.articles = 0
        self._done: list[RawDocument] = []
        self._path: list[str] = []
        self._collects: tuple[int, str] | None = None  # the depth and the field of the text that is being read
        self._letters: list[str] = []
        self._label = ""
        self._start(0)
        self._parser = parser = expat.ParserCreate()
        parser.buffer_text = True
        parser.StartElementHandler = self._open
        parser.EndElementHandler = self._close
        parser.CharacterDataHandler = self._text
        parser.EntityDeclHandler = self._entity

    def feed(self, chunk: bytes, *, last: bool = False) -> None:
        try:
            self._parser.Parse(chunk, last)
        except expat.ExpatError as error:
            sentence = f"this is not well-formed XML: {expat.errors.messages[error.code]}."
            raise UserError(sentence, where=f"{self.name}, line {error.lineno}") from None

    def taken(self) -> list[RawDocument]:
        """The articles that are complete by now."""
        done, self._done = self._done, []
        return done

    def _start(self, line: int) -> None:
        self._fields = {"code": "", "title": ""}
        self._parts: list[RawSection] = []
        self._line = line

    def _open(self, tag: str, attributes: dict[str, str]) -> None:
        if len(self._path) >= DEEPEST:
            raise self._error(f"the elements are more than {DEEPEST} deep; PubMed's are not.")
        if tag in ARTICLES:
            self._start(self._parser.CurrentLineNumber)
        field = TEXTS.get((self._path[-1], tag)) if self._path else None
        self._path.append(tag)
        if field and self._collects is None:
            self._collects, self._letters = (len(self._path), field), []
            self._label = attributes.get("Label", "")

    def _close(self, tag: str) -> None:
        if self._collects and self._collects[0] == len(self._path):
            self._keep(self._collects[1], " ".join("".join(self._letters).split()))
            self._collects = None
        self._path.pop()
        if tag in ARTICLES:
            self.articles += 1
            self._done.append(_article(self._parts, self._fields, self._line))

    def _keep(self, field: str, text: str) -> None:
        if field == "part":
            self._parts.append(RawSection(self._label.strip(), text))
        else:
            self._fields[field] = self._fields[field] or text

    def _text(self, letters: str) -> None:
        if self._collects:
            self._letters.append(letters)

    def _entity(self, name: str, *rest: object) -> None:
        raise self._error(f"the file declares the entity '{name[:40]}'; files with entities are not read.")

    def _error(self, sentence: str) -> UserError:
        return UserError(sentence, where=f"{self.name}, line {self._parser.CurrentLineNumber}")


def _article(parts: list[RawSection], fields: dict[str, str], line: int) -> RawDocument:
    return RawDocument(tuple(parts), code=fields["code"], title=fields["title"], line=line)


FORMAT = DocumentFormat(
    "PubMed, XML", "A file saved from PubMed: abstracts with PMID, title and labelled parts.", (".xml",), read=read
)
