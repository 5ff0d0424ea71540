"""The texts of a study as metrics and the report read them: systems by sentences."""

from dataclasses import dataclass

from corpora.material import outputs_of, sources_of
from corpora.models import Study, System
from foundation.text import text_key


@dataclass(frozen=True)
class StudyTexts:
    """Sentences in order (n), and for each system its n outputs, None where it has none."""

    ids: list[int]
    sources: list[str]
    references: list[list[str]]
    systems: list[System]
    outputs: dict[int, list[str | None]]

    def are_references(self, system: System) -> bool:
        """Whether all outputs of a system are references of their sentences: to score it against them says nothing."""
        given = [(text, refs) for text, refs in zip(self.outputs[system.pk], self.references, strict=True) if text]
        return bool(given) and all(text_key(text) in {text_key(ref) for ref in refs} for text, refs in given)


def texts_of(study: Study) -> StudyTexts:
    sources = sources_of(study)
    systems = list(study.systems.all())
    outputs = {system.pk: _in_order(sources.ids, outputs_of(system)) for system in systems}
    return StudyTexts(sources.ids, sources.texts, sources.references, systems, outputs)


def _in_order(ids: list[int], texts: dict[int, str]) -> list[str | None]:
    return [texts.get(pk) or None for pk in ids]
