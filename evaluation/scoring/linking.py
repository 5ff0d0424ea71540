"""The linker of concepts as metrics take it."""

import hashlib
from collections.abc import Sequence

import orjson

from corpora.knowledge.concepts import linker
from corpora.knowledge.concepts._lexicon import Lexicon


class StudyLink:
    """Places of concepts in a text; each text is linked once."""

    def __init__(self) -> None:
        self._linker = linker()
        self._known: dict[str, list[tuple[int, int]]] = {}
        self.signature = _signature(self._linker)

    def __call__(self, text: str) -> Sequence[tuple[int, int]]:
        if text not in self._known:
            self._known[text] = [(one.start, one.end) for one in self._linker.link(text)]
        return self._known[text]


def _signature(found: object) -> str:
    """The linker's name with a digest of what it knows, where that is at hand."""
    name = str(getattr(found, "name", type(found).__name__))
    if not isinstance(found, Lexicon):
        return f"{name}:{getattr(found, 'stamp', '')}".rstrip(":")
    names = [[one.cui, *one.names] for one in found.concepts]
    return f"{name}:{hashlib.sha256(orjson.dumps(names)).hexdigest()[:8]}"
