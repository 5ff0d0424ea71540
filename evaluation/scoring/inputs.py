"""What the metrics of one run share: batches, the digests of their parts, and what is trained."""

import hashlib
from functools import cached_property
from typing import Any

import orjson

from corpora.models import Study
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import MATERIAL, MetricInput
from evaluation.scoring.output_sets import OutputSet
from evaluation.scoring.training_material import training_material_of
from evaluation.snapshot_builder.build import StudyReading
from evaluation.snapshot_builder.concept_links import StudyLink
from foundation.text_keys import composed

REFERENCES = "references"
Needs = frozenset[str]


class ScoringInputs:
    """Batches of one study. Material is read, and the linker loaded, only where a metric needs it, and once."""

    def __init__(self, study: Study, read: StudyReading) -> None:
        self.study, self.read, self.texts = study, read, read.texts
        self._lists: dict[tuple[int, bool], dict[str, list[Any]]] = {}
        self._digests: dict[tuple[int, bool, str], str] = {}

    @cached_property
    def link(self) -> StudyLink:
        return StudyLink()

    @cached_property
    def material(self) -> TrainingMaterial:
        return training_material_of(self.study, self.read)

    def ids(self, output_set: OutputSet, needs: Needs) -> list[int]:
        """The units that are scored, each by its first sentence: those with an output and, where needed, references."""
        return self._of(output_set, needs)["ids"]

    def metric_input(self, output_set: OutputSet, needs: Needs) -> MetricInput:
        """Just what a metric needs."""
        lists = self._of(output_set, needs)
        styles = "styles" in needs
        return MetricInput(
            sources=lists["sources"] if "sources" in needs else [],
            outputs=lists["outputs"],
            references=lists["references"] if REFERENCES in needs else [],
            source_styles=[pair[0] for pair in lists["styles"]] if styles else [],
            target_styles=[pair[1] for pair in lists["styles"]] if styles else [],
            terms=lists["terms"] if "terms" in needs else [],
            link=self.link if "link" in needs else None,
            material=self.material if needs & MATERIAL else None,
            language=self.texts.language,
        )

    def digest(self, output_set: OutputSet, needs: Needs) -> list[str]:
        """Digests of the parts that a metric needs, each computed once."""
        parts = ["ids", "outputs", *sorted(needs & {"sources", "references", "styles", "terms"})]
        digests = [self._digest(output_set, needs, part) for part in parts]
        if "link" in needs:
            digests.append(self.link.signature)
        return [*digests, *(self.material.digest(part) for part in sorted(needs & MATERIAL))]  # type: ignore[arg-type]

    def _digest(self, output_set: OutputSet, needs: Needs, part: str) -> str:
        key = (id(output_set), REFERENCES in needs, part)
        if key not in self._digests:
            content = orjson.dumps(self._of(output_set, needs)[part])
            self._digests[key] = hashlib.sha256(content).hexdigest()
        return self._digests[key]

    def _of(self, output_set: OutputSet, needs: Needs) -> dict[str, list[Any]]:
        key = (id(output_set), REFERENCES in needs)
        if key not in self._lists:
            self._lists[key] = self._parts(output_set, REFERENCES in needs)
        return self._lists[key]

    def _parts(self, output_set: OutputSet, wants_references: bool) -> dict[str, list[Any]]:
        units = self.texts.units
        places = [
            place
            for place, text in enumerate(output_set.outputs)
            if text is not None and (units.references[place] or not wants_references)
        ]
        return {
            "ids": [units.ids[place] for place in places],
            "outputs": [composed(output_set.outputs[place] or "") for place in places],
            "sources": [composed(units.sources[place]) for place in places],
            "references": [list(map(composed, units.references[place])) for place in places],
            "styles": [units.directions[units.direction[place]] for place in places],
            "terms": [[list(map(composed, terms)) for terms in self.texts.terms[place]] for place in places],
        }
