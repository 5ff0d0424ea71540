"""Documents on their way in: split into sentences and looked through for identifiers before the database sees them.

What is ready waits in a file, so that a large import fills no memory and its transaction is short.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, replace
from tempfile import TemporaryFile
from typing import IO, Any

import orjson

from corpora.formats import RawDocument, RawQuestion, RawSection
from corpora.knowledge import identifiers, sentences
from foundation.errors import UserError

LONGEST = {"code": 100, "topic": 100, "domain": 100}
LONGEST_OF_QUESTION = {"code": 60, "type": 1, "focus": 200, "kind": 100, "topic": 100}
LONGEST_TITLE, LONGEST_SECTION, LONGEST_CODE = 500, 200, 40


@dataclass
class PreparedDocuments:
    """Documents that can be written: their counts, and by (style, code) the lines they begin on."""

    origin: str
    documents: int = 0
    sentences: int = 0
    flagged: int = 0
    empty: int = 0
    codes: dict[tuple[str, str], int] = field(default_factory=dict)
    spool: IO[bytes] = field(default_factory=TemporaryFile)

    def __iter__(self) -> Iterator[dict[str, Any]]:
        self.spool.seek(0)
        for line in self.spool:
            yield orjson.loads(line)


def prepare_documents(
    documents: Iterable[RawDocument], *, styles: Iterable[str], style: str = "", origin: str = "",
    on_the_way: Callable[[], object] | None = None,
) -> PreparedDocuments:  # fmt: skip
    """Split, flag and check the documents; `style` holds for those that say none. Documents without text are counted
    and left out. A style that is none of `styles`, a code twice, or a text too long is a UserError with its line."""
    ready, known = PreparedDocuments(origin), set(styles)
    for document in documents:
        named = replace(document, style=document.style or style)
        _check(named, known, ready)
        rows = list(_sentences(named))
        if rows:
            _keep(ready, named, rows)
        else:
            ready.empty += 1
        if on_the_way:
            on_the_way()
    return ready


def with_defaults(
    documents: Iterable[RawDocument], *, question: RawQuestion | None = None, topic: str = "", domain: str = ""
) -> Iterator[RawDocument]:
    """The documents, each with what it lacks of these."""
    for one in documents:
        yield replace(
            one, question=one.question or question, topic=one.topic or topic, domain=one.domain or domain
        )  # fmt: skip


def _check(document: RawDocument, styles: set[str], ready: PreparedDocuments) -> None:
    where = f"{ready.origin}, line {document.line}"
    if document.style not in styles:
        named = f"'{document.style}' is none of the study's styles" if document.style else "the document has no style"
        raise UserError("{named}; they are {styles}.", named=named, styles=", ".join(sorted(styles)), where=where)
    _check_lengths(document, where)
    key = (document.style, document.code)
    if document.code and ready.codes.setdefault(key, document.line) != document.line:
        raise UserError(
            "the code '{code}' stands twice; the first is on line {codes}.",
            code=document.code,
            codes=ready.codes[key],
            where=where,
        )


def _check_lengths(document: RawDocument, where: str) -> None:
    found = [(name, getattr(document, name), most) for name, most in LONGEST.items()]
    if document.question:
        found += [(f"question's {name}", getattr(document.question, name), most)
                  for name, most in LONGEST_OF_QUESTION.items()]  # fmt: skip
    found += [("section's title", part.title, LONGEST_SECTION) for part in document.sections]
    found += [("code of the subject", code, LONGEST_CODE) for code in document.codes]
    for name, text, most in found:
        if len(text) > most:
            raise UserError(
                "the {name} '{text}...' is longer than {most} characters.",
                name=name,
                text=text[:30],
                most=most,
                where=where,
            )
        if "\0" in text:
            raise UserError("the {name} holds a NUL character.", name=name, where=where)


def _sentences(document: RawDocument) -> Iterator[tuple[str, str, str, list[dict[str, Any]]]]:
    """(section, text, translation, flags) of each sentence; empty ones are left out."""
    for part in document.sections:
        for text, translation in _texts(part):
            if text:
                yield part.title, text, translation, [flag.json() for flag in identifiers.find(text)]


def _texts(part: RawSection) -> Iterable[tuple[str, str]]:
    if isinstance(part.text, str):
        return ((text, "") for text in sentences.split(part.text))
    return zip(part.text, part.translations or [""] * len(part.text), strict=True)


def _keep(ready: PreparedDocuments, document: RawDocument, rows: list[Any]) -> None:
    question = document.question
    entry = {
        "style": document.style, "code": document.code, "title": document.title[:LONGEST_TITLE],
        "topic": document.topic, "domain": document.domain, "codes": document.codes,
        "question": question and {name: getattr(question, name) for name in ("text", *LONGEST_OF_QUESTION)},
        "sentences": rows,
    }  # fmt: skip
    ready.spool.write(orjson.dumps(entry) + b"\n")
    ready.documents += 1
    ready.sentences += len(rows)
    ready.flagged += sum(bool(flags) for *_, flags in rows)
