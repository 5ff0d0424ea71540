"""The parts of a declaration that bring texts into the study."""

from annotation.actions.import_gold import import_gold
from corpora.actions.add_direction import add_direction
from corpora.actions.add_documents import add_documents
from corpora.actions.add_linked_references import add_linked_references
from corpora.actions.add_reference_system import add_reference_system
from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.actions.assign_splits import assign_splits
from corpora.actions.bring_in_table import bring_in_table
from corpora.actions.link_concepts import link_concepts
from corpora.actions.link_documents import link_documents
from corpora.actions.make_groups import make_groups
from corpora.actions.map_sections import map_sections
from corpora.actions.sample_groups import sample_groups
from corpora.actions.select_sources import select_sources
from corpora.actions.start_import import document_format
from corpora.actions.suggest_elements import suggest_elements
from corpora.background_jobs.document_import import defaults_of
from corpora.documents.preparation import with_defaults
from corpora.formats import TextFile
from corpora.source_selection.candidates import SelectionCriteria
from corpora.table_import.import_plan import reading_of, reading_with
from corpora.table_parser import understand
from study_file.apply_parts.parts import PartsToAdd, file_name
from study_file.parser.spec import DocumentsSpec, OutputSpec, SelectionSpec

SELECTION_FIELDS = ("domain", "topic", "question", "chosen", "sample", "seed")


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
                    select_sources(direction=direction, wish=_wish(spec), split=spec.split, by=self.by)

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
        """Of the texts beside the file's sources, those whose source is in: what is held out was left out."""
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


def _wish(spec: SelectionSpec) -> SelectionCriteria:
    return SelectionCriteria(
        rule=spec.rule, settings=spec.settings, **{name: getattr(spec, name) for name in SELECTION_FIELDS}
    )
