"""Whole texts of a study: its sentences joined to the document that they come from."""

from collections.abc import Sequence
from dataclasses import dataclass

from evaluation.snapshot.study import StudySnapshot


@dataclass(frozen=True)
class Passage:
    """The places of the units of one document, in its order; `title`, `code` and `question` are the document's."""

    units: Sequence[int]
    title: str = ""
    code: str = ""
    question: str = ""

    def joined(self, texts: Sequence[str | None]) -> str:
        """The passage's part of one text a unit; "" where one of its units has none."""
        parts = [texts[unit] for unit in self.units]
        return " ".join(text.strip() for text in parts if text) if all(parts) else ""

    def references(self, snapshot: StudySnapshot) -> list[str]:
        """The references that all of its units have."""
        given = [snapshot.units.references[unit] for unit in self.units]
        many = min(map(len, given))
        return [" ".join(unit_references[number].strip() for unit_references in given) for number in range(many)]


def passages_of(snapshot: StudySnapshot) -> list[Passage]:
    """One for each document of each direction; a unit that comes from none is one by itself."""
    around, units = snapshot.context, snapshot.units
    passages: dict[tuple[int, int], list[int]] = {}
    for unit in range(len(units.ids)):
        document = around.document_of(unit)
        of = (int(units.direction[unit]), document) if document >= 0 else (-1, unit)
        passages.setdefault(of, []).append(unit)
    return [_passage(snapshot, places) for places in passages.values()]


def _passage(snapshot: StudySnapshot, places: Sequence[int]) -> Passage:
    around, document = snapshot.context, snapshot.context.document_of(places[0])
    if document < 0:
        return Passage(places)
    ordered = sorted(places, key=lambda place: (around.numbers[place], place))
    return Passage(ordered, around.titles[document], around.codes[document], around.questions[document])
