"""The documents of a study as `documents_jsonl` reads them, and where each of their sentences stands there."""

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from corpora.models import Document, DocumentSentence, Study

OWN = ("style", "code", "title", "topic", "domain", "codes")
QUESTION = ("code", "text", "type", "focus", "kind", "topic")


@dataclass
class ArchivedDocuments:
    """What is held back or dropped stays: nobody has said that it is clear of identifiers."""

    study: Study
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of each sentence by its key the numbers of its document and its own, as they will be."""

    def lines(self) -> Iterator[bytes]:
        documents = {one.pk: one for one in Document.objects.filter(study=self.study).select_related("question")}
        rows = DocumentSentence.objects.filter(document__study=self.study, held=False, dropped=False)
        fields = ("document", "section", "text", "translation", "pk")
        listed = rows.exclude(text="").order_by("document__number", "number").values_list(*fields).iterator(5000)
        for number, (key, own) in enumerate(groupby(listed, key=lambda row: row[0]), 1):
            sections = list[dict[str, Any]]()
            for place, (_, title, text, translation, pk) in enumerate(own, 1):
                self.places[pk] = number, place
                if not sections or sections[-1]["title"] != title:
                    sections.append({"title": title, "sentences": [], "translations": []})
                sections[-1]["sentences"].append(text)
                sections[-1]["translations"].append(translation)
            yield _line(documents[key], sections)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that say which sentence of a document a source is, if there is any."""
        return ("document", "place") if self.places else ()

    def place(self, origin: int | None) -> dict[str, str]:
        """The cells of these columns; empty for a source that is of no document, or of a sentence that stays."""
        cells = self.places.get(origin or 0, ("", "")) if self.places else ()
        return dict(zip(self.columns, map(str, cells), strict=True))


def _line(document: Document, sections: list[dict[str, Any]]) -> bytes:
    told: dict[str, Any] = {name: getattr(document, name) for name in OWN}
    if document.question:
        told["question"] = {name: getattr(document.question, name) for name in QUESTION}
    return json.dumps({**told, "sections": sections}, ensure_ascii=False).encode() + b"\n"
