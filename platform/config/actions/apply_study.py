from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any

from django.db import transaction

from annotation.actions.create_campaign import create_campaign
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.criteria import keep_criteria
from config.declaration import Opener, allowed, differences, digested, digests_of, parts_of, scale_values
from corpora.actions.add_direction import add_direction
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.create_study import create_study
from corpora.formats import TextFile, read_lines
from corpora.formats.study_file import StudySpec, StudyTexts, parse, read_texts_of
from corpora.models import Study
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.import_ratings import import_ratings
from foundation.errors import UserError


@transaction.atomic
def apply_study(
    *,
    file: TextFile,
    opened: Opener,
    limit: int | None = None,
    by: Any = None,
    may_change: Callable[[Study], object] = lambda study: None,
) -> tuple[Study, list[str]]:
    """Set up the study that `file` (a path or bytes) declares; answers it and the names of the parts that were added.

    Applied again it changes nothing. A part that differs from what was applied is a UserError that states every
    difference, and nothing is changed. `opened` gives the files that the declaration names; `may_change(study)` raises
    where the person may not change a study that is there already.
    """
    spec = parse(file, allowed())
    study = Study.objects.select_for_update().filter(slug=spec.slug).first()
    if study is not None:
        may_change(study)
    opened = _placed(opened, file)
    parts = parts_of(spec)
    declared = digested(parts, digests_of(spec.files, opened))
    if study is not None:
        _refuse_differences(study, declared, parts, file.name)
    added = [name for name in declared if study is None or name not in study.declared]
    if added:
        texts = read_texts_of(spec, opened, scale_values(), limit=limit)
        study = _Application(study, spec, texts, set(added), by, file.name).apply()
        study.declared = {**study.declared, **declared}
        study.save(update_fields=["declared"])
    assert study is not None
    return study, added


def _placed(opened: Opener, file: TextFile) -> Opener:
    """`opened`, whose errors say on which line of the study file the file is named."""

    def place(name: str) -> Any:
        try:
            return opened(name)
        except UserError as error:
            escaped = name.replace("\\", "\\\\")
            quoted = (f'"{escaped}"', f"'{name}'")
            lines = enumerate(read_lines(file), 1)
            line = next((number for number, text in lines if any(one in text for one in quoted)), None)
            where = f"{file.name}, line {line}" if line else file.name
            raise UserError(f"{name}: {error.sentence}", where=where) from None

    return place


def _refuse_differences(study: Study, declared: Any, parts: Any, where: str) -> None:
    if not study.declared:
        raise UserError(f"There is a study '{study.slug}' that was not made from a study file.", where=where)
    stated = differences(study.declared, declared, parts)
    if stated:
        raise UserError(
            f"This differs from what was applied before, so nothing was changed: {'; '.join(stated)}.", where=where
        )


class _Application:
    """One application of a declaration: adds the parts named in `added`, in the file's order."""

    def __init__(
        self, study: Study | None, spec: StudySpec, texts: StudyTexts, added: set[str], by: Any, file: str
    ) -> None:
        self.spec, self.texts, self.added, self.by, self.file = spec, texts, added, by, file
        self.study = study or self._create()

    def apply(self) -> Study:
        self._directions()
        self._references()
        self._systems()
        self._ratings()
        self._metrics()
        self._campaigns()
        return self.study

    @contextmanager
    def _part(self, name: str) -> Iterator[bool]:
        """Whether the part is to be added; an error in adding it names the file and the part."""
        try:
            yield name in self.added
        except UserError as error:
            where = ", ".join(filter(None, [self.file, name, error.where]))
            raise UserError(error.sentence, where=where) from None

    def _create(self) -> Study:
        spec = self.spec
        with self._part("study"):
            return create_study(
                slug=spec.slug, title=spec.title, styles=spec.styles, license=spec.license,
                description=spec.description, by=self.by,
            )  # fmt: skip

    def _directions(self) -> None:
        for one in self.spec.directions:
            with self._part(f"direction {one.name}") as new:
                if new:
                    made = add_direction(study=self.study, source_style=one.source_style, target_style=one.target_style)
                    texts = self.texts.sources[one.name]
                    add_sources(direction=made, texts=texts, split=one.split, domain=one.domain)
        self.directions = {made.name: made for made in self.study.directions.all()}

    def _references(self) -> None:
        for number, one in enumerate(self.spec.references, 1):
            with self._part(f"references {number}") as new:
                if new:
                    texts = self.texts.references[number - 1]
                    add_references(direction=self.directions[one.direction], texts=texts, origin=_last(one.file))

    def _systems(self) -> None:
        for one in self.spec.systems:
            with self._part(f"system {one.name}") as new:
                if new:
                    outputs = {self.directions[name]: texts for name, texts in self.texts.outputs[one.name].items()}
                    add_system(
                        study=self.study, name=one.name, outputs=outputs,
                        origin=one.origin or ", ".join(_last(output.file) for output in one.outputs),
                        is_human=one.human, allows_missing=one.missing, by=self.by,
                    )  # fmt: skip

    def _ratings(self) -> None:
        for number, one in enumerate(self.spec.ratings, 1):
            with self._part(f"ratings {number}") as new:
                if new:
                    keep_criteria(self.study, [{"name": name, **asdict(c)} for name, c in one.criteria.items()])
                    given = self.texts.judgements[number - 1]
                    import_ratings(
                        study=self.study, format=one.form, file_name=_last(one.file), judgements=given, by=self.by
                    )

    def _metrics(self) -> None:
        """The declared metrics beside those that the study chose since."""
        wanted = {name: settings for name, settings in self.spec.metrics.items() if f"metric {name}" in self.added}
        if wanted:
            chosen = dict(self.study.metric_choices.values_list("metric", "settings"))
            choose_metrics(study=self.study, metrics={**chosen, **wanted})

    def _campaigns(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for one in self.spec.campaigns:
            with self._part(f"campaign {one.name}") as new:
                if new:
                    campaign = create_campaign(
                        study=self.study,
                        name=one.name,
                        slug=one.slug,
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
                    self._start(campaign, one.state)

    def _start(self, campaign: Any, state: str) -> None:
        """Bring a new campaign into its state; paused or closed ones were open once."""
        if state in ("paused", "closed"):
            set_campaign_state(campaign=campaign, state="open", by=self.by)
        if state != "draft":
            set_campaign_state(campaign=campaign, state=state, by=self.by)


def _last(file: str) -> str:
    """The last part of a path, whichever slashes it has."""
    return PurePosixPath(file.replace("\\", "/")).name
