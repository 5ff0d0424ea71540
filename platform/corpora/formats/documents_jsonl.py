"""Documents as JSON lines: one object a document, with everything that a document can have.

    {"code": "12345678", "style": "expert", "title": "...", "topic": "...", "domain": "...", "codes": ["511.9"],
     "question": {"code": "1", "text": "...", "type": "A", "focus": "...", "kind": "...", "topic": "..."},
     "sections": [{"title": "Symptoms", "text": "Running text, split here."},
                  {"title": "Signs", "sentences": ["One.", "Two."], "translations": ["...", "..."]}]}

`text` or `sentences` (with `translations`) may stand in the object itself, for a document without sections.
"""

import difflib
from collections.abc import Collection, Iterator, Mapping
from typing import Any

from corpora.formats._base import DocumentFormat, RawDocument, RawQuestion, RawSection
from corpora.text_files.decoding import TextFile
from corpora.text_files.json_lines import is_text, objects
from foundation.errors import UserError, first_five

NAMES = ("style", "code", "title", "topic", "domain")
QUESTION = ("code", "text", "type", "focus", "kind", "topic")
PART = ("text", "sentences", "translations")
SECTION = ("title", *PART)
DOCUMENT = (*NAMES, "codes", "question", "sections", *PART)


def read(file: TextFile, options: Mapping[str, str]) -> Iterator[RawDocument]:
    """The documents, a line each. A key that is strange or of the wrong kind is a `UserError` with its line."""
    for line, entry in objects(file):
        yield _document(entry, line, f"{file.name}, line {line}")


def _document(entry: Mapping[str, Any], line: int, where: str) -> RawDocument:
    _known(entry, DOCUMENT, where)
    own = {name: entry[name] for name in PART if entry.get(name) is not None}
    if own and entry.get("sections") is not None:
        raise UserError("'sections' and '{own}' exclude each other.", own=next(iter(own)), where=where)
    parts = [own] if own else entry.get("sections")
    if not isinstance(parts, list) or not all(isinstance(part, dict) for part in parts):
        raise UserError("'sections' was expected, a list of objects, or 'text', or 'sentences'.", where=where)
    return RawDocument(
        sections=tuple(_section(part, where) for part in parts),
        codes=_texts(entry.get("codes") or [], "codes", where),
        question=_question(entry.get("question"), where),
        line=line,
        **{name: _text(entry, name, where) for name in NAMES},
    )


def _section(part: Mapping[str, Any], where: str) -> RawSection:
    _known(part, SECTION, where)
    title = _text(part, "title", where)
    if (part.get("text") is None) == (part.get("sentences") is None):
        raise UserError("a section has either 'text' or 'sentences'.", where=where)
    if part.get("text") is not None:
        if part.get("translations") is not None:
            raise UserError("'translations' go with 'sentences', one for each.", where=where)
        return RawSection(title, _text(part, "text", where))
    sentences = _texts(part["sentences"], "sentences", where)
    if part.get("translations") is None:
        return RawSection(title, sentences)
    translations = _texts(part["translations"], "translations", where)
    if len(translations) != len(sentences):
        raise UserError(
            "there are {translations_count} translations for {sentences_count} sentences; one for each was expected.",
            translations_count=len(translations),
            sentences_count=len(sentences),
            where=where,
        )
    return RawSection(title, sentences, translations)


def _question(value: object, where: str) -> RawQuestion | None:
    if value is None:
        return None
    if not isinstance(value, dict):
        raise UserError("an object was expected for 'question', with at least its 'code'.", where=where)
    _known(value, QUESTION, where)
    question = RawQuestion(**{name: _text(value, name, where) for name in QUESTION})
    if not question.code:
        raise UserError("the question has no 'code'.", where=where)
    return question


def _known(entry: Mapping[str, Any], names: Collection[str], where: str) -> None:
    for name in entry:
        if name not in names:
            near = difflib.get_close_matches(name, list(names), n=1) or [first_five(names)]
            raise UserError(
                "there is no key '{name}' here; did you mean {near}?", name=name[:60], near=near[0], where=where
            )


def _text(entry: Mapping[str, Any], name: str, where: str) -> str:
    value = entry.get(name)
    if value is None:
        return ""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)  # a PMID or a question's number, as programs write it
    if not isinstance(value, str) or not is_text(value):
        raise UserError("a text was expected for '{name}'.", name=name, where=where)
    return value.strip()


def _texts(value: object, name: str, where: str) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(one is not None and is_text(one) for one in value):
        raise UserError("a list of texts was expected for '{name}'.", name=name, where=where)
    return tuple(one.strip() for one in value)


FORMAT = DocumentFormat(
    "Documents, JSON lines", "One JSON object per document, with its sections and question.", (".jsonl", ".ndjson"),
    read=read,
)  # fmt: skip
