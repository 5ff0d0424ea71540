"""Carrying a declaration out: each new part of a study file goes through the action that pages and API use."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from annotation.actions.apply_template import apply_template
from annotation.actions.create_campaign import create_campaign
from annotation.actions.edit_campaign import edit_campaign
from annotation.actions.revise_guideline import revise_guideline
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.campaigns.criteria import keep_criteria
from annotation.models import Campaign
from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.assign_splits import assign_splits
from corpora.actions.bring_in_table import bring_in_table
from corpora.actions.create_study import create_study
from corpora.actions.edit_study import edit_study
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.map_sections import map_sections
from corpora.actions.sample_groups import sample_groups
from corpora.actions.select_sources import select_sources
from corpora.actions.start_import import document_format
from corpora.actions.suggest_elements import suggest_elements
from corpora.choosing import Wish
from corpora.formats import TextFile
from corpora.formats.study_file import DocumentsSpec, RatingsSpec, SelectionSpec, StudySpec, StudyTexts
from corpora.importing import defaults_of
from corpora.incoming import with_defaults
from corpora.models import Study
from corpora.tables import Reading, understand
from corpora.tabling.plans import reading_of
from evaluation.actions.bring_in_judgements import bring_in_judgements
from evaluation.actions.choose_metrics import choose_metrics
from evaluation.actions.choose_report import choose_report
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.import_ratings import import_ratings
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from foundation.errors import UserError
from modelserving.actions.start_training import start_training
from study_file.declaration import Opener

SAME = ("domain", "topic", "question", "chosen", "sample", "seed")


class Files(NamedTuple):
    """How the files that a declaration names are opened, and the most bytes that one may have."""

    opened: Opener
    limit: int | None


class Application:
    """One application of a declaration: adds the parts named in `added`, texts first and then what uses them."""

    def __init__(
        self, study: Study | None, spec: StudySpec, texts: StudyTexts, files: Files, added: set[str], by: Any, file: str
    ) -> None:
        self.spec, self.texts, self.files, self.added, self.by, self.file = spec, texts, files, added, by, file
        self.study = study or self._create()

    def apply(self) -> Study:
        self._directions()
        self._documents()
        self._groups()
        self._selections()
        self._splits()
        self._references()
        self._systems()
        self._tables()
        self._trainings()
        self._ratings()
        self._metrics()
        self._report()
        self._stages()
        self._campaigns()
        self._human_studies()
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
            study = create_study(
                slug=spec.slug, title=spec.title, styles=spec.styles, license=spec.license,
                description=spec.description, by=self.by,
            )  # fmt: skip
            if spec.style_words or spec.poles or spec.unit != "sentence":
                edit_study(study=study, unit=spec.unit, style_words=spec.style_words, poles=spec.poles)
            if spec.template:
                apply_template(study=study, template=spec.template, by=self.by)
        return study

    def _directions(self) -> None:
        there = {made.name: made for made in self.study.directions.all()}
        for one in self.spec.directions:
            with self._part(f"direction {one.name}") as new:
                if new:
                    styles = {"source_style": one.source_style, "target_style": one.target_style}
                    made = there.get(one.name) or add_direction(study=self.study, **styles)
                    if one.sources:
                        texts = self.texts.sources[one.name]
                        add_sources(direction=made, texts=texts, split=one.split, domain=one.domain)
        self.directions = {made.name: made for made in self.study.directions.all()}

    def _documents(self) -> None:
        for number, one in enumerate(self.spec.documents, 1):
            with self._part(f"documents {number}") as new:
                if new:
                    self._add_documents(one)

    def _add_documents(self, one: DocumentsSpec) -> None:
        file = TextFile(self.files.opened(one.file), one.file, one.encoding, self.files.limit)
        read = document_format(one.form).documents(file, one.options)
        add_documents(
            study=self.study, documents=with_defaults(read, **defaults_of(one.defaults)), style=one.style,
            origin=_last(one.file), hold_flagged=one.hold_flagged, by=self.by,
        )  # fmt: skip

    def _groups(self) -> None:
        one = self.spec.groups
        with self._part("groups") as new:
            if one is None or not new:
                return
            if one.usual:
                suggest_elements(study=self.study, by=self.by)
            map_sections(study=self.study, rows=one.elements, by=self.by)
            source, target = one.link
            link_documents(study=self.study, source_style=source, target_style=target, by=self.by)
            make_groups(study=self.study, by=self.by)
            if one.sample is not None:
                sample_groups(study=self.study, count=one.sample, seed=one.seed, by=self.by)

    def _selections(self) -> None:
        for number, one in enumerate(self.spec.selections, 1):
            with self._part(f"selection {number}") as new:
                if new:
                    direction = self.directions[one.direction]
                    select_sources(direction=direction, wish=_wish(one), split=one.split, by=self.by)

    def _splits(self) -> None:
        one = self.spec.splits
        with self._part("splits") as new:
            if one is not None and new:
                assign_splits(
                    study=self.study, rule=one.rule, proportions=one.proportions, seed=one.seed, by=self.by
                )  # fmt: skip

    def _of_those_in(self, direction: str, texts: list[str | None]) -> list[str | None]:
        """Of the texts beside the file's sources, those whose source is in: what is held out was left out."""
        there = list(self.directions[direction].sentences.order_by("number").values_list("text", flat=True))
        if len(there) >= len(texts):
            return texts
        waiting = iter(there)
        wanted, kept = next(waiting, None), []
        for source, text in zip(self.texts.sources[direction], texts, strict=True):
            if source == wanted:
                kept.append(text)
                wanted = next(waiting, None)
        return kept

    def _references(self) -> None:
        for number, one in enumerate(self.spec.references, 1):
            with self._part(f"references {number}") as new:
                if new:
                    texts = self._of_those_in(one.direction, self.texts.references[number - 1])
                    direction = self.directions[one.direction]
                    add_references(direction=direction, texts=texts, origin=_last(one.file), marks=one.marks)

    def _systems(self) -> None:
        for one in self.spec.systems:
            with self._part(f"system {one.name}") as new:
                if new:
                    outputs = {
                        self.directions[name]: self._of_those_in(name, texts)
                        for name, texts in self.texts.outputs[one.name].items()
                    }
                    add_system(
                        study=self.study, name=one.name, outputs=outputs,
                        origin=one.origin or ", ".join(_last(output.file) for output in one.outputs),
                        is_human=one.human, allows_missing=one.missing, family=one.family, seed=one.seed,
                        options=one.options, by=self.by,
                    )  # fmt: skip

    def _tables(self) -> None:
        for number, one in enumerate(self.spec.tables, 1):
            with self._part(f"table {number}") as new:
                if new:
                    file = TextFile(self.files.opened(one.file), _last(one.file), None, self.files.limit)
                    with understand(file, reading_of(one.reading)) as table:
                        bring_in_table(
                            study=self.study, table=table, target=one.target, mapping=one.mapping,
                            settings=one.settings, answers=one.answers, by=self.by,
                        )  # fmt: skip

    def _trainings(self) -> None:
        for one in self.spec.trainings:
            with self._part(f"training {one.name}") as new:
                if new:
                    start_training(
                        study=self.study, model=one.model, name=one.name, options=one.options, seed=one.seed,
                        direction=self.directions[one.direction] if one.direction else None, device=one.device,
                        by=self.by,
                    )  # fmt: skip

    def _ratings(self) -> None:
        for number, one in enumerate(self.spec.ratings, 1):
            with self._part(f"ratings {number}") as new:
                if new:
                    keep_criteria(self.study, [{"name": name, **asdict(c)} for name, c in one.criteria.items()])
                    self._judgements(one, number)

    def _judgements(self, one: RatingsSpec, number: int) -> None:
        if one.table is None:
            given = self.texts.judgements[number - 1]
            import_ratings(study=self.study, format=one.form, file_name=_last(one.file), judgements=given, by=self.by)
            return
        file = TextFile(self.files.opened(one.file), one.file, one.encoding, self.files.limit)
        with understand(file, Reading(encoding=one.encoding or "")) as table:
            bring_in_judgements(study=self.study, table=table, by=self.by, **asdict(one.table))

    def _metrics(self) -> None:
        """The declared metrics beside those that the study chose since."""
        wanted = {name: settings for name, settings in self.spec.metrics.items() if f"metric {name}" in self.added}
        if wanted:
            chosen = dict(self.study.metric_choices.values_list("metric", "settings"))
            choose_metrics(study=self.study, metrics={**chosen, **wanted})

    def _report(self) -> None:
        with self._part("report") as new:
            if new and self.spec.report:
                fields = asdict(self.spec.report)
                name = fields.pop("baseline")
                baseline = self.study.systems.get(name=name) if name else None
                choose_report(study=self.study, baseline=baseline, by=self.by, **fields)

    def _stages(self) -> None:
        """What the file changes of the stages that the template planned."""
        for one in self.spec.stages:
            with self._part(f"stage {one.slug}") as new:
                if new:
                    changes = self._by_name(one.changes)
                    guideline, state = changes.pop("guideline", None), changes.pop("state", "draft")
                    campaign = edit_campaign(campaign=self._campaign(one.slug), by=self.by, **changes)
                    if guideline is not None:
                        revise_guideline(campaign=campaign, text=guideline, by=self.by)
                    self._start(campaign, state)

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
                        **self._by_name(one.rules),
                    )
                    self._start(campaign, one.state)

    def _human_studies(self) -> None:
        systems = {system.name: system for system in self.study.systems.all()}
        for one in self.spec.human_studies:
            with self._part(f"human study {one.name}") as new:
                if new:
                    plan = plan_human_study(
                        study=self.study,
                        name=one.name,
                        slug=one.slug,
                        systems=None if one.systems is None else [systems[name] for name in one.systems],
                        direction=self.directions[one.direction] if one.direction else None,
                        by=self.by,
                        **one.fields,
                    )
                    if one.state != "draft":
                        open_human_study(human_study=plan, by=self.by)
                    if one.state == "closed":
                        close_human_study(human_study=plan, by=self.by)

    def _by_name(self, fields: dict[str, Any]) -> dict[str, Any]:
        """The fields of a campaign, with the direction and the campaign before that they name."""
        made = dict(fields)
        if made.get("direction"):
            made["direction"] = self.directions[made["direction"]]
        if made.get("after"):
            made["after"] = self._campaign(made["after"])
        return made

    def _campaign(self, slug: str) -> Campaign:
        found = self.study.campaigns.filter(slug=slug).first()
        if found is None:
            raise UserError(f"The study has no campaign '{slug}' any more.", where="slug")
        return found

    def _start(self, campaign: Any, state: str) -> None:
        """Bring a new campaign into its state; paused or closed ones were open once."""
        if state in ("paused", "closed"):
            set_campaign_state(campaign=campaign, state="open", by=self.by)
        if state != "draft":
            set_campaign_state(campaign=campaign, state=state, by=self.by)


def _last(file: str) -> str:
    """The last part of a path, whichever slashes it has."""
    return PurePosixPath(file.replace("\\", "/")).name


def _wish(one: SelectionSpec) -> Wish:
    return Wish(rule=one.rule, settings=one.settings, **{name: getattr(one, name) for name in SAME})
