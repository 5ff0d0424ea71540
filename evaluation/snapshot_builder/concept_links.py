"""The linker of concepts as metrics take it."""

import hashlib
from collections import OrderedDict
from collections.abc import Sequence

import orjson

from corpora.knowledge.concepts import language, linker
from corpora.knowledge.concepts.lexicon import Lexicon

KEPT = 50_000  # texts whose concepts a process remembers
_known: OrderedDict[tuple[str, str], list[tuple[int, int]]] = OrderedDict()


class StudyLink:
    """Places of concepts in a text; a process links each text once."""

    def __init__(self) -> None:
        self._linker = linker()
        self.signature = _signature(self._linker)
        self.language = language()

    def __call__(self, text: str) -> Sequence[tuple[int, int]]:
        key = (self.signature, text)
        if key not in _known:
            _known[key] = [(mention.start, mention.end) for mention in self._linker.link(text)]
            if len(_known) > KEPT:
                _known.popitem(last=False)
        return _known[key]


def _signature(linker: object) -> str:
    """The linker's name with a digest of what it knows, where that is at hand."""
    name = str(getattr(linker, "name", type(linker).__name__))
    if not isinstance(linker, Lexicon):
        return name
    names = [[concept.cui, *concept.names] for concept in linker.concepts]
    return f"{name}:{hashlib.sha256(orjson.dumps(names)).hexdigest()[:8]}"
