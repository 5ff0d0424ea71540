"""Carrying a declaration out: each new part of a study file goes through the action that pages and API use."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path, PurePosixPath
from typing import Any, NamedTuple

from django.core.files.base import ContentFile, File

from annotation.actions.apply_template import apply_template
from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.import_gold import import_gold
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.campaigns.criteria import keep_criteria
from annotation.models import Campaign
from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.add_linked_references import add_linked_references
from corpora.actions.add_reference_system import add_reference_system
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.assign_splits import assign_splits
from corpora.actions.bring_in_table import bring_in_table
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.actions.link_concepts import link_concepts
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.map_sections import map_sections
from corpora.actions.sample_groups import sample_groups
from corpora.actions.select_sources import select_sources
from corpora.actions.start_import import document_format
from corpora.actions.suggest_elements import suggest_elements
from corpora.background_jobs import defaults_of
from corpora.documents import with_defaults
from corpora.formats import TextFile
from corpora.models import Direction, Study
from corpora.table_import.import_plan import reading_of, reading_with
from corpora.table_parser import Reading, understand
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from foundation.errors import UserError
from modelserving.actions.import_checkpoint import import_checkpoint
from modelserving.actions.start_sweep import start_sweep
from modelserving.actions.start_training import start_training
from modelserving.actions.start_transfer import start_transfer
from modelserving.artifacts import digest_of
from modelserving.models import Checkpoint, TrainingRun
from study_file.declaration import Opener
from study_file.parser.spec import DocumentsSpec, OutputSpec, RatingsSpec, StudySpec
from study_file.parser.texts import StudyTexts

# The state shared by the parts of a declaration while they are added.


class Files(NamedTuple):
    """How the files that a declaration names are opened, and the most bytes that one may have."""

    opened: Opener
    limit: int | None


class PartsToAdd:
    """The state shared by the parts of a declaration: the study, the files, and the names of new parts (`added`)."""

    study: Study
    directions: dict[str, Direction]

    def __init__(self, spec: StudySpec, texts: StudyTexts, files: Files, added: set[str], by: Any, file: str) -> None:
        self.spec, self.texts, self.files, self.added, self.by, self.file = spec, texts, files, added, by, file

    @contextmanager
    def part(self, name: str) -> Iterator[bool]:
        """Whether the part is to be added; an error in adding it names the file and the part."""
        try:
            yield name in self.added
        except UserError as error:
            where = ", ".join(filter(None, [self.file, name, error.where]))
            raise UserError(error.sentence, where=where) from None


def file_name(file: str) -> str:
    """The last part of a path, whichever slashes it has."""
    return PurePosixPath(file.replace("\\", "/")).name


class Texts(PartsToAdd):
    """The parts that bring texts: directions, documents, selections, splits, references, systems, tables."""

    def add_texts(self) -> None:
        self._directions()
        self._documents()
        self._gold()
        self._groups()
        self._selections()
        self._splits()
        self._linked_references()
        self._references()
        self._systems()
        self._tables()
        self._concepts()

    def _directions(self) -> None:
        existing = {direction.name: direction for direction in self.study.directions.all()}
        for spec in self.spec.directions:
            with self.part(f"direction {spec.name}") as new:
                if new:
                    styles = {"source_style": spec.source_style, "target_style": spec.target_style}
                    direction = existing.get(spec.name) or add_direction(study=self.study, **styles)
                    if spec.has_sources:
                        texts, splits = self.texts.sources[spec.name], self.texts.splits.get(spec.name, spec.split)
                        add_sources(direction=direction, texts=texts, split=splits, domain=spec.domain)
        self._name_directions()

    def _name_directions(self) -> None:
        self.directions = {direction.name: direction for direction in self.study.directions.all()}

    def _documents(self) -> None:
        for number, spec in enumerate(self.spec.documents, 1):
            with self.part(f"documents {number}") as new:
                if new:
                    self._add_documents(spec)

    def _add_documents(self, spec: DocumentsSpec) -> None:
        file = TextFile(self.files.opened(spec.file), spec.file, spec.encoding, self.files.limit)
        read = document_format(spec.form).documents(file, spec.options)
        add_documents(
            study=self.study, documents=with_defaults(read, **defaults_of(spec.defaults)), style=spec.style,
            origin=file_name(spec.file), hold_flagged=spec.hold_flagged, by=self.by,
        )  # fmt: skip

    def _gold(self) -> None:
        for number, spec in enumerate(self.spec.gold, 1):
            with self.part(f"gold {number}") as new:
                if new:
                    file = TextFile(self.files.opened(spec.file), file_name(spec.file), None, self.files.limit)
                    import_gold(
                        study=self.study, file=file, form=spec.form, split=spec.split, tune=spec.tune, by=self.by
                    )  # fmt: skip
        self._name_directions()  # gold brings its own

    def _concepts(self) -> None:
        with self.part("concepts") as new:
            if new and self.spec.links_concepts:
                link_concepts(study=self.study, by=self.by)

    def _groups(self) -> None:
        spec = self.spec.groups
        with self.part("groups") as new:
            if spec is None or not new:
                return
            if spec.usual:
                suggest_elements(study=self.study, by=self.by)
            map_sections(study=self.study, rows=spec.elements, by=self.by)
            source, target = spec.link
            link_documents(study=self.study, source_style=source, target_style=target, by=self.by)
            make_groups(study=self.study, by=self.by)
            if spec.sample is not None:
                sample_groups(study=self.study, count=spec.sample, seed=spec.seed, by=self.by)

    def _selections(self) -> None:
        for number, spec in enumerate(self.spec.selections, 1):
            with self.part(f"selection {number}") as new:
                if new:
                    direction = self.directions[spec.direction]
                    select_sources(direction=direction, wish=spec, split=spec.split, by=self.by)

    def _splits(self) -> None:
        spec = self.spec.splits
        with self.part("splits") as new:
            if spec is not None and new:
                assign_splits(
                    study=self.study, rule=spec.rule, proportions=spec.proportions, seed=spec.seed, by=self.by
                )  # fmt: skip

    def _linked_references(self) -> None:
        spec = self.spec.groups
        with self.part("linked references") as new:
            if spec is not None and new:
                add_linked_references(direction=self.directions[spec.references], by=self.by)

    def _of_sources_in(self, direction: str, texts: list[str | None]) -> list[str | None]:
        """The texts beside the file's sources, without those whose source was held out."""
        rows = self.directions[direction].sentences.order_by("number").values_list("text", "split")
        splits = self.texts.splits.get(direction)
        sources_in = [row if splits else row[:1] for row in rows]
        if len(sources_in) >= len(texts):
            return texts
        waiting = iter(sources_in)
        wanted, texts_in = next(waiting, None), []
        sources = self.texts.sources[direction]
        for source, text in zip(zip(sources, splits, strict=True) if splits else zip(sources), texts, strict=True):
            if source == wanted:
                texts_in.append(text)
                wanted = next(waiting, None)
        return texts_in

    def _references(self) -> None:
        for number, spec in enumerate(self.spec.references, 1):
            with self.part(f"references {number}") as new:
                if new:
                    texts = self._of_sources_in(spec.direction, self.texts.references[number - 1])
                    direction = self.directions[spec.direction]
                    add_references(direction=direction, texts=texts, origin=_origin(spec), marks=spec.marks)

    def _systems(self) -> None:
        for spec in self.spec.systems:
            with self.part(f"system {spec.name}") as new:
                if new and spec.references:
                    add_reference_system(study=self.study, name=spec.name, number=spec.references, by=self.by)
                elif new:
                    outputs = {
                        self.directions[name]: self._of_sources_in(name, texts)
                        for name, texts in self.texts.outputs[spec.name].items()
                    }
                    add_system(
                        study=self.study, name=spec.name, outputs=outputs,
                        origin=spec.origin or ", ".join(map(_origin, spec.outputs)), is_human=spec.human,
                        allows_missing=spec.missing or any(output.files for output in spec.outputs),
                        family=spec.family, seed=spec.seed, options=spec.options, by=self.by,
                    )  # fmt: skip

    def _tables(self) -> None:
        for number, spec in enumerate(self.spec.tables, 1):
            with self.part(f"table {number}") as new:
                if new:
                    file = TextFile(self.files.opened(spec.file), file_name(spec.file), None, self.files.limit)
                    reading, answers = reading_with(spec.reading, spec.answers)
                    with understand(file, reading_of(reading, self.study)) as table:
                        bring_in_table(
                            study=self.study, table=table, target=spec.target, mapping=spec.mapping,
                            settings=spec.settings, answers=answers, by=self.by,
                        )  # fmt: skip


def _origin(spec: OutputSpec) -> str:
    return ", ".join(map(file_name, spec.named))


# One application of a declaration, part by part.


class Campaigns(PartsToAdd):
    """The parts that people work in: stages of a template, campaigns, human studies."""

    def add_campaigns(self) -> None:
        self._stages()
        self._campaigns()
        self._human_studies()

    def _stages(self) -> None:
        """Change the stages that the template planned as the file says."""
        for spec in self.spec.stages:
            with self.part(f"stage {spec.slug}") as new:
                if new:
                    changes = self._by_name(spec.changes)
                    guideline, state = changes.pop("guideline", None), changes.pop("state", "draft")
                    campaign = edit_campaign(campaign=self._campaign(spec.slug), by=self.by, **changes)
                    if guideline is not None:
                        revise_guideline(campaign=campaign, text=guideline, by=self.by)
                    self._start(campaign, state)

    def _campaigns(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for spec in self.spec.campaigns:
            with self.part(f"campaign {spec.name}") as new:
                if new:
                    campaign = create_campaign(
                        study=self.study,
                        name=spec.name,
                        slug=spec.slug,
                        task_type=spec.task,
                        direction=self.directions[spec.direction] if spec.direction else None,
                        systems=[systems[name] for name in spec.systems] or None,
                        settings=spec.settings,
                        overlap=spec.overlap,
                        lease_minutes=spec.lease_minutes,
                        seed=spec.seed,
                        guideline=spec.guideline,
                        by=self.by,
                        **self._by_name(spec.rules),
                    )
                    self._start(campaign, spec.state)

    def _human_studies(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for spec in self.spec.human_studies:
            with self.part(f"human study {spec.name}") as new:
                if new:
                    plan = plan_human_study(
                        study=self.study,
                        name=spec.name,
                        slug=spec.slug,
                        systems=None if spec.systems is None else [systems[name] for name in spec.systems],
                        direction=self.directions[spec.direction] if spec.direction else None,
                        by=self.by,
                        **spec.fields,
                    )
                    if spec.state != "draft":
                        open_human_study(human_study=plan, by=self.by)
                    if spec.state == "closed":
                        close_human_study(human_study=plan, by=self.by)

    def _by_name(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of a campaign, with the direction and the campaign of `after` in place of their names."""
        resolved = dict(fields)
        if resolved.get("direction"):
            resolved["direction"] = self.directions[resolved["direction"]]
        if resolved.get("after"):
            resolved["after"] = self._campaign(resolved["after"])
        return resolved

    def _campaign(self, slug: str) -> Campaign:
        campaign = self.study.campaigns.filter(slug=slug).first()
        if campaign is None:
            raise UserError("The study no longer has a campaign '{slug}'.", slug=slug, where="slug")
        return campaign

    def _start(self, campaign: Any, state: str) -> None:
        """Bring a new campaign into its state; paused or closed ones were open once."""
        if state in ("paused", "closed"):
            set_campaign_state(campaign=campaign, state="open", by=self.by)
        if state != "draft":
            set_campaign_state(campaign=campaign, state=state, by=self.by)


class Models(PartsToAdd):
    """The parts that train models, and those that run them."""

    def add_models(self) -> None:
        self._trainings()
        self._sweeps()
        self._runs()

    def _trainings(self) -> None:
        for spec in self.spec.trainings:
            with self.part(f"training {spec.name}") as new:
                for name, seed in spec.trained.items() if new else ():
                    start_training(
                        study=self.study, model=spec.model, name=name, options=spec.options, seed=seed,
                        direction=self.directions[spec.direction] if spec.direction else None, device=spec.device,
                        preset=spec.preset, silver=spec.silver, by=self.by,
                    )  # fmt: skip

    def _sweeps(self) -> None:
        for spec in self.spec.sweeps:
            with self.part(f"sweep {spec.name}") as new:
                if new:
                    direction = self.directions[spec.direction] if spec.direction else None
                    start_sweep(study=self.study, by=self.by, **{**vars(spec), "direction": direction})

    def _runs(self) -> None:
        """Add the runs; each waits for the end of its training, and several seeds are a family of the run's name."""
        trainings = {spec.name: spec for spec in self.spec.trainings}
        for spec in self.spec.runs:
            with self.part(f"run {spec.name}") as new:
                trained = list(trainings[spec.training].trained) if spec.training else [""]
                for name, training in zip(spec.systems, trained, strict=True) if new else ():
                    start_transfer(
                        study=self.study, model=spec.model, training=self._training(training),
                        checkpoint=self._checkpoint(spec.checkpoint), name=name, family=spec.name,
                        direction=self.directions[spec.direction] if spec.direction else None,
                        split=spec.split, settings=spec.decoding, by=self.by,
                    )  # fmt: skip

    def _training(self, name: str) -> TrainingRun | None:
        if not name:
            return None
        run = self.study.trainings.filter(name=name).first()
        if run is None:
            raise UserError("The study no longer has a training '{name}'.", name=name, where="training")
        return run

    def _checkpoint(self, name: str) -> Checkpoint | None:
        """The file, imported; the study's own where it has this one already."""
        if not name:
            return None
        source = self.files.opened(name)
        if isinstance(source, Path):
            with source.open("rb") as stream:
                return self._imported(File(stream, file_name(name)))
        return self._imported(ContentFile(source, file_name(name)) if isinstance(source, bytes) else source)

    def _imported(self, file: "File[Any]") -> Checkpoint:
        known = self.study.checkpoints.filter(sha256=digest_of(file)).first()
        file.seek(0)
        return known or import_checkpoint(study=self.study, file=file, by=self.by)


class Evaluation(PartsToAdd):
    """The parts that judge and report."""

    def add_evaluation(self) -> None:
        self._ratings()
        self._metrics()
        self._report()

    def _ratings(self) -> None:
        for number, spec in enumerate(self.spec.ratings, 1):
            with self.part(f"ratings {number}") as new:
                if new:
                    keep_criteria(self.study, [{"name": name, **asdict(c)} for name, c in spec.criteria.items()])
                    self._judgements(spec, number)

    def _judgements(self, spec: RatingsSpec, number: int) -> None:
        if spec.table is None:
            given = self.texts.judgements[number - 1]
            import_ratings(
                study=self.study, format=spec.form, file_name=file_name(spec.file), judgements=given, by=self.by
            )
            return
        file = TextFile(self.files.opened(spec.file), spec.file, spec.encoding, self.files.limit)
        with understand(file, Reading(encoding=spec.encoding or "")) as table:
            bring_in_judgements(study=self.study, table=table, by=self.by, **asdict(spec.table))

    def _metrics(self) -> None:
        """The declared metrics beside those that the study chose since."""
        wanted = {name: settings for name, settings in self.spec.metrics.items() if f"metric {name}" in self.added}
        if wanted:
            chosen = dict(self.study.metric_choices.values_list("metric", "settings"))
            choose_metrics(study=self.study, metrics={**chosen, **wanted})

    def _report(self) -> None:
        with self.part("report") as new:
            if new and self.spec.report:
                name = self.spec.report.baseline
                baseline = self.study.systems.get(name=name) if name else None
                choose_report(study=self.study, baseline=baseline, by=self.by, **self.spec.report.fields)


class Application(Texts, Models, Evaluation, Campaigns):
    """One application of a declaration: adds the parts named in `added`, texts first and then what uses them."""

    def __init__(
        self, study: Study | None, spec: StudySpec, texts: StudyTexts, files: Files, added: set[str], by: Any, file: str
    ) -> None:
        super().__init__(spec, texts, files, added, by, file)
        self.study = study or self._create()

    def apply(self) -> Study:
        self.add_texts()
        self.add_models()
        self.add_evaluation()
        self.add_campaigns()
        return self.study

    def _create(self) -> Study:
        spec = self.spec
        with self.part("study"):
            study = create_study(
                slug=spec.slug, title=spec.title, styles=spec.styles, language=spec.language,
                license=spec.license, description=spec.description, by=self.by,
            )  # fmt: skip
            later = {"style_words": spec.style_words, "style_descriptions": spec.style_descriptions, **spec.access}
            if any(later.values()) or spec.poles is not None or spec.unit != "sentence":
                edit_study(study=study, unit=spec.unit, poles=spec.poles, **later)
            if spec.template:
                apply_template(study=study, template=spec.template, by=self.by)
        return study
