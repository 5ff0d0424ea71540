"""Who wrote the texts that people saw: systems, by what their outputs are now, references, the source itself."""

from collections import defaultdict
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any, NamedTuple

from django.db import connection

from corpora.models import Study
from corpora.texts.columns import plain
from corpora.texts.units import text_of, units_of
from foundation.text_keys import text_key

OUTPUTS = """
SELECT o.sentence_id, s.number, s.name, o.text FROM corpora_output o JOIN corpora_system s ON s.id = o.system_id
WHERE s.study_id = %(study)s AND o.sentence_id = ANY(%(sentences)s) ORDER BY s.number
"""
REFERENCES = """
SELECT r.sentence_id, t.number, t.marks, r.text FROM corpora_reference r JOIN corpora_referenceset t ON t.id = r.set_id
WHERE r.sentence_id = ANY(%(sentences)s) ORDER BY t.number
"""
Texts = dict[tuple[int, str], list[str]]


class TextOrigin(NamedTuple):
    """`role` is output, reference, source or other; only outputs have systems."""

    role: str
    systems: list[str]


NO_ORIGIN = TextOrigin("", [])


class TextOrigins:
    """Says whose a text is. Texts are read for some items at a time, so that memory stays flat."""

    def __init__(self, study: Study) -> None:
        self.study = study
        self.outputs: Texts = {}
        self.references: set[tuple[int, str]] = set()

    def read(self, sentences: Iterable[int]) -> None:
        """Make ready for the items that are about these sentences (of a document, about its first one)."""
        firsts = list(dict.fromkeys(sentences))
        units = {first: self._units.get(first, [first]) for first in firsts}
        asked: dict[str, Any] = {
            "study": self.study.pk,
            "sentences": [sentence for ids in units.values() for sentence in ids],
        }
        with connection.cursor() as cursor:
            outputs = cursor.execute(OUTPUTS, asked).fetchall()
            references = cursor.execute(REFERENCES, asked).fetchall()
        read = [(sentence, number, "", plain(text, marks)) for sentence, number, marks, text in references]
        self.outputs = _joined(units, outputs)
        self.references = set(_joined(units, read, partly=True))

    def origin_of(self, sentence: int | None, text: str, source: str) -> TextOrigin:
        """Who wrote a text of the item about `sentence`, whose source is `source`."""
        if sentence is None:
            return NO_ORIGIN
        key = text_key(text)
        if (sentence, key) in self.outputs:
            return TextOrigin("output", self.outputs[sentence, key])
        if (sentence, key) in self.references:
            return TextOrigin("reference", [])
        return TextOrigin("source" if text_key(source) == key else "other", [])

    @cached_property
    def _units(self) -> Mapping[int, list[int]]:
        """The sentences of each document by its first one; {} where each sentence stands for itself."""
        if self.study.unit == Study.Unit.SENTENCE:
            return {}
        return {unit.ids[0]: unit.ids for unit in units_of(self.study)}


def _joined(
    units: Mapping[int, list[int]], rows: Iterable[tuple[int, int, str, str]], *, partly: bool = False
) -> Texts:
    names: Texts = defaultdict(list)
    if all(len(ids) == 1 for ids in units.values()):
        for sentence, _number, name, text in rows:
            names[sentence, text_key(text)].append(name)
        return dict(names)
    written: dict[tuple[int, str], dict[int, str]] = defaultdict(dict)
    for sentence, number, name, text in rows:
        written[number, name][sentence] = text
    for first, ids in units.items():
        for (_number, name), texts in written.items():
            if text := text_of(ids, texts, partly=partly):
                names[first, text_key(text)].append(name)
    return dict(names)
