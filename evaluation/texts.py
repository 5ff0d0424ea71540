"""The texts of a study as metrics and the report read them: systems by sentences."""

from dataclasses import dataclass, field

from corpora.material import outputs_of, sources_of
from corpora.models import Sentence, Study, System
from foundation.text import text_key


@dataclass(frozen=True)
class StudyTexts:
    """Sentences in order (n), and for each system its n outputs, None where it has none.

    `homes` gives each sentence's key the key of the first sentence of its direction with the same text: a source that
    stands twice is one source where people are counted.
    """

    ids: list[int]
    sources: list[str]
    references: list[list[str]]
    systems: list[System]
    outputs: dict[int, list[str | None]]
    homes: dict[int, int]
    _same: dict[int, bool] = field(default_factory=dict)

    def are_references(self, system: System) -> bool:
        """Whether all outputs of a system are references of their sentences: to score it against them says nothing."""
        if system.pk not in self._same:
            given = [(text, refs) for text, refs in zip(self.outputs[system.pk], self.references, strict=True) if text]
            self._same[system.pk] = bool(given) and all(text_key(text) in map(text_key, refs) for text, refs in given)
        return self._same[system.pk]

    def points(self, system: System) -> dict[tuple[int, str], int]:
        """What people judged of a system: each (source, text) with its place; a doubled one counts once."""
        found: dict[tuple[int, str], int] = {}
        for place, (pk, text) in enumerate(zip(self.ids, self.outputs[system.pk], strict=True)):
            if text:
                found.setdefault((self.homes[pk], text_key(text)), place)
        return found


def texts_of(study: Study) -> StudyTexts:
    sources = sources_of(study)
    systems = list(study.systems.all())
    outputs = {system.pk: _in_order(sources.ids, outputs_of(system)) for system in systems}
    homes = _homes(study, sources.ids, sources.texts)
    return StudyTexts(sources.ids, sources.texts, sources.references, systems, outputs, homes)


def _in_order(ids: list[int], texts: dict[int, str]) -> list[str | None]:
    return [texts.get(pk) or None for pk in ids]


def _homes(study: Study, ids: list[int], texts: list[str]) -> dict[int, int]:
    directions = dict(Sentence.objects.filter(direction__study=study).values_list("pk", "direction_id"))
    first: dict[tuple[int, str], int] = {}
    return {pk: first.setdefault((directions[pk], text_key(text)), pk) for pk, text in zip(ids, texts, strict=True)}
