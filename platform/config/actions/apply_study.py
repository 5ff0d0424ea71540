from dataclasses import asdict
from typing import Any

from django.db import transaction

from annotation.actions.create_campaign import create_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.models import Criterion
from config.declaration import Opener, allowed, fingerprints, scale_values
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats._decode import TextFile
from corpora.formats.study_file import StudySpec, StudyTexts, parse, read_texts_of
from corpora.models import Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from foundation.errors import UserError


@transaction.atomic
def apply_study(
    *, file: TextFile, opened: Opener, limit: int | None = None, by: Any = None, mine: Any = lambda study: None
) -> tuple[Study, list[str]]:
    """Set up the study that `file` declares; answers it and the names of the parts that were added.

    Applied again it changes nothing. A part that differs from what was applied is a UserError that states every
    difference, and nothing is changed. `opened` gives the files that the declaration names; `mine(study)` raises
    where the person may not change a study that is there already.
    """
    spec = parse(file, allowed())
    prints = fingerprints(spec, opened)
    study = Study.objects.select_for_update().filter(slug=spec.slug).first()
    if study is not None:
        mine(study)
        _refuse_differences(study, prints, file.name)
    added = [name for name in prints if study is None or name not in study.declared]
    if added:
        texts = read_texts_of(spec, opened, scale_values(), limit=limit)
        study = study or _create(spec, by)
        _Application(study, spec, texts, set(added), by).apply()
        study.declared = study.declared | prints
        study.save(update_fields=["declared"])
    assert study is not None
    return study, added


def _refuse_differences(study: Study, prints: dict[str, str], where: str) -> None:
    if not study.declared:
        raise UserError(f"There is a study '{study.slug}' that was not made from a study file.", where=where)
    changed = [name for name, value in prints.items() if study.declared.get(name, value) != value]
    gone = [name for name in study.declared if name not in prints]
    stated = [f"{name} differs" for name in changed] + [f"{name} is declared no longer" for name in gone]
    if stated:
        raise UserError(
            f"This differs from what was applied before: {'; '.join(stated)}. Nothing was changed.", where=where
        )


def _create(spec: StudySpec, by: Any) -> Study:
    return create_study(
        slug=spec.slug, title=spec.title, styles=spec.styles, license=spec.license, description=spec.description, by=by
    )


class _Application:
    """One application of a declaration: adds the parts named in `added`, in the file's order."""

    def __init__(self, study: Study, spec: StudySpec, texts: StudyTexts, added: set[str], by: Any) -> None:
        self.study, self.spec, self.texts, self.added, self.by = study, spec, texts, added, by

    def apply(self) -> None:
        self._directions()
        self._references()
        self._systems()
        self._criteria()
        self._ratings()
        if "metrics" in self.added and self.spec.metrics:
            choose_metrics(study=self.study, metrics=self.spec.metrics)
        self._campaigns()

    def _directions(self) -> None:
        for one in self.spec.directions:
            if f"direction {one.name}" in self.added:
                made = add_direction(study=self.study, source_style=one.source_style, target_style=one.target_style)
                add_sources(direction=made, texts=self.texts.sources[one.name], split=one.split, domain=one.domain)
        self.directions = {made.name: made for made in self.study.directions.all()}

    def _references(self) -> None:
        for number, one in enumerate(self.spec.references, 1):
            if f"references {number}" in self.added:
                texts = self.texts.references[number - 1]
                add_references(direction=self.directions[one.direction], texts=texts, origin=one.file)

    def _systems(self) -> None:
        for one in self.spec.systems:
            if f"system {one.name}" in self.added:
                outputs = {self.directions[name]: texts for name, texts in self.texts.outputs[one.name].items()}
                add_system(
                    study=self.study,
                    name=one.name,
                    outputs=outputs,
                    origin=one.origin or "study file",
                    is_human=one.human,
                    allows_missing=one.missing,
                    by=self.by,
                )

    def _criteria(self) -> None:
        known = set(Criterion.objects.filter(study=self.study).values_list("name", flat=True))
        for name, one in self.spec.criteria.items():
            if name not in known:
                known.add(name)
                Criterion.objects.create(study=self.study, number=len(known), name=name, **asdict(one))

    def _ratings(self) -> None:
        for number, one in enumerate(self.spec.ratings, 1):
            if f"ratings {number}" in self.added:
                given = self.texts.judgements[number - 1]
                import_ratings(study=self.study, format=one.form, file_name=one.file, judgements=given, by=self.by)

    def _campaigns(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for one in self.spec.campaigns:
            if f"campaign {one.name}" in self.added:
                campaign = create_campaign(
                    study=self.study,
                    name=one.name,
                    task_type=one.task,
                    direction=self.directions[one.direction] if one.direction else None,
                    systems=[systems[name] for name in one.systems] or None,
                    settings=one.settings,
                    overlap=one.overlap,
                    lease_minutes=one.lease_minutes,
                    seed=one.seed,
                    guideline=one.guideline,
                    by=self.by,
                )
                if one.state != "draft":
                    set_campaign_state(campaign=campaign, state=one.state, by=self.by)
