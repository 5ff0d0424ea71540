"""A whole study as one file: a ZIP of a study file and of the files that it names, which `apply_study` brings back."""

import csv
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import groupby
from tempfile import SpooledTemporaryFile
from typing import IO, Any, NamedTuple

from annotation.effective_annotations import judgements as campaign_judgements
from annotation.marked_texts import ESA_COLUMNS, esa_cells, esa_lines
from annotation.models import Criterion
from annotation.task_types.best_worst import CRITERION as BEST_WORST
from annotation.task_types.best_worst import SCALE as BEST_WORST_SCALE
from corpora.formats import TextFile, csv_cells
from corpora.models import Direction, Document, DocumentSentence, Output, Reference, Sentence, Study
from corpora.text_files.zip_members import content_of
from corpora.text_import.own_tables import OUTPUT_COLUMNS, PLACE, SOURCE_COLUMNS, reference_column
from evaluation.human_studies.workers import left_out_of
from evaluation.imported_judgements.tool_formats.restyle import TABLE as JUDGED
from evaluation.imported_scores import COLUMNS as SCORED
from evaluation.imported_scores import better_end_named
from evaluation.marked_outputs import marked_texts
from evaluation.models import Judgement
from evaluation.snapshot_builder.judgements import withheld_campaigns
from evaluation.table_targets import LEFT_OUT
from foundation.confined import confined
from foundation.errors import UserError
from study_file.plan import campaigns_of, human_studies_of

OWN = ("style", "code", "title", "topic", "domain", "codes")
QUESTION = ("code", "text", "type", "focus", "kind", "topic")


@dataclass
class ArchivedDocuments:
    """The documents of an archive, without sentences held back or dropped: nobody has cleared these of identifiers."""

    study: Study
    places: dict[int, tuple[int, int]] = field(default_factory=dict)
    """Of each sentence by its key the numbers of its document and its own, as they will be."""

    def lines(self) -> Iterator[bytes]:
        documents = {one.pk: one for one in Document.objects.filter(study=self.study).select_related("question")}
        rows = DocumentSentence.objects.filter(document__study=self.study, held=False, dropped=False)
        fields = ("document", "section", "text", "translation", "pk")
        listed = rows.exclude(text="").order_by("document__number", "number").values_list(*fields).iterator(5000)
        for number, (key, own) in enumerate(groupby(listed, key=lambda row: row[0]), 1):
            sections = list[dict[str, Any]]()
            for place, (_, title, text, translation, pk) in enumerate(own, 1):
                self.places[pk] = number, place
                if not sections or sections[-1]["title"] != title:
                    sections.append({"title": title, "sentences": [], "translations": []})
                sections[-1]["sentences"].append(text)
                sections[-1]["translations"].append(translation)
            yield _document_line(documents[key], sections)

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that name the document's sentence of a source, if there is any."""
        return ("document", "place") if self.places else ()

    def place(self, origin: int | None) -> dict[str, str]:
        """The cells of these columns; empty for a source without a document, or of a sentence that is left out."""
        cells = self.places.get(origin or 0, ("", "")) if self.places else ()
        return dict(zip(self.columns, map(str, cells), strict=True))


def _document_line(document: Document, sections: list[dict[str, Any]]) -> bytes:
    told: dict[str, Any] = {name: getattr(document, name) for name in OWN}
    if document.question:
        told["question"] = {name: getattr(document.question, name) for name in QUESTION}
    return json.dumps({**told, "sections": sections}, ensure_ascii=False).encode() + b"\n"


# All judgements of a study that count, of campaigns and from elsewhere, each with its sentence.


class JudgedValue(NamedTuple):
    """A value that one person gave a text; `system` is "" where it is of the text, independent of its writer."""

    rater: str
    sentence: int
    text: str
    system: str
    criterion: str
    value: float
    seconds: float | None

    @property
    def number(self) -> str:
        """The value with all its digits."""
        short = f"{self.value:g}"
        return short if float(short) == self.value else repr(self.value)

    @property
    def spent(self) -> str:
        return "" if self.seconds is None else repr(self.seconds)


def judged_values(study: Study) -> Iterator[JudgedValue]:
    """All values that count in a report, each of the sentence that was asked about or named.

    The last of one person's values of a text on a criterion counts. Those of an open human study that withholds how
    systems compare count when it closes.
    """
    last = {_judged(one): place for place, one in enumerate(_given_values(study))}
    for place, one in enumerate(_given_values(study)):
        if last.get(_judged(one)) == place:
            yield one


def _judged(one: JudgedValue) -> int:
    """The same number for values of which the last counts."""
    return hash((one.rater, one.sentence, one.text, one.system, one.criterion))


def _given_values(study: Study) -> Iterator[JudgedValue]:
    imported = Judgement.objects.filter(ratings_import__study=study).order_by("pk")
    fields = ("worker", "sentence", "text_key", "system__name", "criterion__name", "value", "seconds")
    for worker, sentence, text, system, *rest in imported.values_list(*fields).iterator(5000):
        yield JudgedValue(worker, sentence, text, system or "", *rest)
    for one in campaign_judgements(study, withheld_campaigns(study)):
        yield JudgedValue(one.pseudonym, one.sentence_id, one.text_key, "", one.criterion, one.value, None)


def criteria_by_name(study: Study) -> dict[str, Criterion]:
    """The criteria whose values have a scale: the study's, and that of best-worst scaling."""
    choices = Criterion(name=BEST_WORST, scale=BEST_WORST_SCALE, aspect="overall")
    return {BEST_WORST: choices} | {one.name: one for one in Criterion.objects.filter(study=study)}


def known_raters(study: Study) -> tuple[list[str], list[tuple[str, dict[str, str], str]]]:
    """The names of all traits; each rater of whom something is known: who, the traits, and why they are left out."""
    traits = dict(study.rater_traits.values_list("worker", "traits"))
    out = left_out_of(study)
    names = list(dict.fromkeys(name for told in traits.values() for name in told))
    return names, [(worker, traits.get(worker, {}), out.get(worker, "")) for worker in dict.fromkeys([*traits, *out])]


def imported_scores(study: Study) -> Iterator[tuple[tuple[str, str, str, str], str, int, float]]:
    """Imported scores: the metric's name, version, signature and better end; the system, the sentence, the score."""
    for metric in study.imported_metrics.all():
        told = metric.name, metric.version, metric.signature, better_end_named(metric.higher_is_better)
        for row in metric.scores.select_related("system").order_by("system__number"):
            for sentence, value in zip(row.sentence_ids, row.sentences, strict=True):
                yield told, row.system.name, sentence, value


# The files of a study's archive: its declaration, its texts by direction, set and system, and its judgements.


def toml_of(declaration: Mapping[str, Any]) -> str:
    """The TOML of tables, lists of tables, and their values, in their order; values of None are left out."""
    return "\n".join(_lines(declaration, ())).lstrip("\n") + "\n"


def _lines(table: Mapping[str, Any], path: tuple[str, ...]) -> Iterator[str]:
    plain = {key: value for key, value in table.items() if value is not None and not _is_table(value)}
    for key, value in plain.items():
        yield f"{_key(key)} = {_value(value)}"
    for key, value in table.items():
        inner = (*path, key)
        name = ".".join(map(_key, inner))
        if isinstance(value, Mapping):
            yield f"\n[{name}]"
            yield from _lines(value, inner)
        elif _is_table(value):
            for one in value:
                yield f"\n[[{name}]]"
                yield from _lines(one, inner)


def _is_table(value: object) -> bool:
    return isinstance(value, Mapping) or (
        isinstance(value, list | tuple) and bool(value) and isinstance(value[0], Mapping)
    )


def _key(key: str) -> str:
    return key if key.isascii() and key.replace("-", "").replace("_", "").isalnum() else _text(key)


def _value(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int | float):
        return repr(value)
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    return _text(str(value))


def _text(text: str) -> str:
    """A basic string: JSON's escapes are TOML's, but for the character DEL."""
    return json.dumps(text, ensure_ascii=False).replace("\x7f", "\\u007f")


STUDY_FILE = "study.toml"
IN_MEMORY = 1 << 20
STUDY = (
    "slug", "title", "language", "license", "description", "unit", "styles", "style_words", "poles",
    "style_descriptions", "terms", "required_credentials", "restricted",
)  # fmt: skip
DOCUMENTS, RATERS, SCORES, MARKS = "documents.jsonl", "raters.jsonl", "scores.jsonl", "marks.jsonl"
MARKED = {"doc_id": "direction", "line_id": "number", "src": "source", "tgt": "output", "system": "system",
          "annotator": "rater"}  # fmt: skip
COLUMNS = ("rater", "source", "text", "system", "criterion", "value", "scale", "seconds")
MAPPING = {"rater": "rater", "source": "number", "text": "output", "system": "system", "criterion": "criterion",
           "value": "value", "scale": "scale", "seconds": "seconds"}  # fmt: skip


@dataclass
class ArchiveContents:
    """The declaration grows as the files are made, so its file comes last."""

    study: Study
    places: dict[int, tuple[str, int]] = field(default_factory=dict)
    documents: ArchivedDocuments = field(init=False)
    tables: list[dict[str, Any]] = field(default_factory=list)
    ratings: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.documents = ArchivedDocuments(self.study)

    def files(self) -> Iterator[tuple[str, IO[bytes]]]:
        with _spooled() as file:
            file.writelines(self.documents.lines())
            if file.tell():
                yield DOCUMENTS, _rewound(file)
        for direction in self.study.directions.order_by("number"):
            yield from self._texts(direction)
        yield from self._systems()
        yield from self._judgements()
        yield from self._marks()
        yield from self._raters()
        yield from self._scores()
        yield STUDY_FILE, io.BytesIO(toml_of(self._declaration()).encode())

    def _texts(self, direction: Direction) -> Iterator[tuple[str, IO[bytes]]]:
        """The sources in their order, and each set of references."""
        name = f"texts/{direction.name}.jsonl"
        with _spooled() as file:
            rows = direction.sentences.order_by("number").values_list("pk", "text", "split", "domain", "origin")
            for place, (pk, text, split, domain, origin) in enumerate(rows.iterator(2000), 1):
                self.places[pk] = direction.name, place
                cells = {"source": text, "split": split, "domain": domain}
                _line(file, **cells, **self.documents.place(origin))
            means = ("source", "split", "domain", *self.documents.columns)
            if self._named(direction, name, {one: one for one in means}, bool(file.tell())):
                yield name, _rewound(file)
        for one in direction.reference_sets.order_by("number"):
            written = Reference.objects.filter(set=one).order_by("sentence__number").values_list("sentence", "text")
            name = f"references/{direction.name}-{one.place}.jsonl"
            with _spooled() as file:
                for pk, text in written.iterator(2000):
                    _line(file, number=self.places[pk][1], text=text)
                brackets = {"brackets": "yes"} if one.marks else {}
                meanings = {"number": "number", "text": f"reference: {(one.origin or str(one.place))[:100]}"}
                if self._named(direction, name, meanings, bool(file.tell()), origin=one.origin, **brackets):
                    yield name, _rewound(file)

    def _systems(self) -> Iterator[tuple[str, IO[bytes]]]:
        """The outputs of each system, a file a direction."""
        directions = {one.name: one for one in self.study.directions.all()}
        for system in self.study.systems.order_by("number"):
            files = {name: _spooled() for name in directions}
            empty: set[str] = set()
            rows = Output.objects.filter(system=system).order_by("sentence__number").values_list("sentence", "text")
            for pk, text in rows.iterator(2000):
                name, place = self.places[pk]
                _line(files[name], number=place, text=text)
                if not text.strip():
                    empty.add(name)
            traits = {"family": system.family, "origin": system.origin} | ({"human": "yes"} if system.is_human else {})
            meanings = {"number": "number", "text": f"output: {system.name}"}
            for name, file in files.items():
                path = f"outputs/{system.number}-{name}.jsonl"
                missing = "empty" if name in empty else "allow"
                if self._named(directions[name], path, meanings, bool(file.tell()), missing, **traits):
                    yield path, _rewound(file)

    def _named(
        self, direction: Direction, name: str, meanings: dict[str, str], filled: bool, missing: str = "allow",
        **settings: str,
    ) -> bool:  # fmt: skip
        """Have the study file name a table, if it has rows."""
        if filled:
            given = {"direction": direction.name} | {key: value for key, value in settings.items() if value}
            answers = {
                "doubled": "each", "missing": missing, "references_there": "again", "systems_there": "fill",
                "held": "keep", "empty_references": "keep",
            }  # fmt: skip
            self.tables.append({"file": name, "settings": given, "mapping": meanings, "answers": answers})
        return filled

    def _judgements(self) -> Iterator[tuple[str, IO[bytes]]]:
        """All judgements that count, of campaigns and from elsewhere; orders of texts have no scale and stay out."""
        criteria = criteria_by_name(self.study)
        used: set[str] = set()
        with _spooled() as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
            rows = csv.writer(text)
            rows.writerow(COLUMNS)
            for one in judged_values(self.study):
                if one.criterion in criteria and one.sentence in self.places:
                    source = "-".join(map(str, self.places[one.sentence]))
                    scale = criteria[one.criterion].scale
                    rows.writerow(
                        [one.rater, source, one.text, one.system, one.criterion, one.number, scale, one.spent]
                    )
                    used.add(one.criterion)
            text.detach()
            if used:
                answers = {f"scale-{name}": criteria[name].scale for name in sorted(used)}
                kept = {
                    name: {"scale": one.scale, "aspect": one.aspect or None, "beside": one.beside}
                    for name, one in criteria.items()
                    if name in used
                }
                usual = {"outputs": "keep", "repeated": "last", "people": "same", "unit": "seconds"}
                self.ratings.append({
                    "file": "judgements.csv", "mapping": MAPPING, "settings": {"preset": "plain"},
                    "answers": usual | answers, "criteria": kept,
                })  # fmt: skip
                yield "judgements.csv", _rewound(file)

    def _marks(self) -> Iterator[tuple[str, IO[bytes]]]:
        """The marks of spans; what they score stands among the judgements."""
        with _spooled() as file:
            for one in marked_texts(self.study, withheld_campaigns(self.study)):
                file.writelines(esa_lines(one))
            if file.tell():
                scored = {"scale-mqm": "leave_out", "scale-score": "leave_out"}
                answers = {"outputs": "keep", "people": "same", "unusable": "leave_out", **scored}
                self.ratings.append(
                    {"file": MARKS, "mapping": MARKED, "settings": {"preset": "wmt_esa"}, "answers": answers}
                )
                yield MARKS, _rewound(file)

    def _raters(self) -> Iterator[tuple[str, IO[bytes]]]:
        """The raters' traits, and the reasons to leave some out; the table comes in before the judgements do."""
        names, rows = known_raters(self.study)
        if rows:
            mapping = {"rater": "rater", **{f"trait {name}": f"trait: {name}" for name in names}}
            mapping |= {LEFT_OUT: LEFT_OUT} if any(why for *_, why in rows) else {}
            self.tables.append(
                {"file": RATERS, "target": "raters", "mapping": mapping, "answers": {"strangers": "keep"}}
            )
            lines = io.BytesIO()
            for worker, traits, why in rows:
                told = {f"trait {name}": traits.get(name, "") for name in names}
                _line(lines, rater=worker, **told, **({LEFT_OUT: why} if LEFT_OUT in mapping else {}))
            yield RATERS, _rewound(lines)

    def _scores(self) -> Iterator[tuple[str, IO[bytes]]]:
        """The imported scores; the table comes in after the systems that they are of."""
        with _spooled() as file:
            for metric, system, sentence, value in imported_scores(self.study):
                if sentence in self.places:
                    direction, number = self.places[sentence]
                    told = (*metric, direction, number, "", system, repr(value))
                    _line(file, **dict(zip(SCORED, told, strict=True)))
            if file.tell():
                mapping = {column: column for column in SCORED if column != "source"}
                unknown = self.study.imported_metrics.filter(version="", signature="")
                answers = {f"version-{one.name}": "unknown" for one in unknown}
                self.tables.append({"file": SCORES, "target": "scores", "mapping": mapping, "answers": answers})
                yield SCORES, _rewound(file)

    def _declaration(self) -> dict[str, Any]:
        study = self.study
        declared = {name: getattr(study, name) for name in STUDY if getattr(study, name) or name == "poles"}
        directions = [
            {"source_style": one.source_style, "target_style": one.target_style}
            for one in study.directions.order_by("number")
        ]
        metrics = {one.metric: one.settings for one in study.metric_choices.order_by("number")}
        documents = [{"file": DOCUMENTS, "format": "documents_jsonl", "hold_flagged": False}]
        found = {
            "study": declared, "directions": directions, "documents": documents if self.documents.places else [],
            "tables": self.tables, "ratings": self.ratings, "campaigns": campaigns_of(study),
            "human_studies": human_studies_of(study), "metrics": metrics,
        }  # fmt: skip
        return {name: value for name, value in found.items() if value} | self._report()

    def _report(self) -> dict[str, Any]:
        choice = getattr(self.study, "report_choice", None)
        if choice is None:
            return {}
        return {"report": {
            "baseline": choice.baseline.name if choice.baseline else None, "alpha": choice.alpha,
            "correction": choice.correction, "variant": choice.variant, "split": choice.split or None,
            "human_systems": choice.human_systems, "averaging": choice.averaging, "joint": choice.joint or None,
        }}  # fmt: skip


def _spooled() -> Any:
    return SpooledTemporaryFile(IN_MEMORY)


def _rewound(file: IO[bytes]) -> IO[bytes]:
    file.seek(0)
    return file


def _line(file: IO[bytes], **values: object) -> None:
    file.write(json.dumps(values, ensure_ascii=False).encode() + b"\n")


# The archive of a study on its way in.

LARGEST_STUDY_FILE = 4 << 20
BEGINS = b"PK\x03\x04"


def is_archive(begin: bytes) -> bool:
    return begin.startswith(BEGINS)


def opened_archive(file: IO[bytes], name: str, limit: int) -> tuple[TextFile, Callable[[str], bytes]]:
    """The study file in an archive, and the opener of the files that it names, each of at most `limit` bytes."""

    def read(part: str, most: int) -> bytes:
        return confined(content_of, TextFile(file, name), part, most)

    return TextFile(read(STUDY_FILE, LARGEST_STUDY_FILE), STUDY_FILE), lambda part: read(part, limit)


# A part of a study as one table, which the import of tables takes without a question where its sources are not there.
#
# The columns are those that `corpora.text_import` and the tool format `restyle` of judgements know by their names.

Rows = Iterator[Sequence[object]]
AT_ONCE = 5000


def _sentences(study: Study) -> Iterator[tuple[int, str, int, str, str, str]]:
    rows = Sentence.objects.filter(direction__study=study).select_related("direction")
    for row in rows.order_by("direction__number", "number").iterator(AT_ONCE):
        yield row.pk, row.direction.name, row.number, row.text, row.split, row.domain


def _sources(study: Study) -> Rows:
    yield SOURCE_COLUMNS
    for _, *cells in _sentences(study):
        yield cells


def _references(study: Study) -> Rows:
    """A column for each set; sets of several directions that have the same number are one."""
    rows = Reference.objects.filter(set__direction__study=study)
    numbers = sorted(set(rows.values_list("set__number", flat=True)))
    yield *PLACE, *map(reference_column, numbers)
    listed = rows.order_by("sentence__direction__number", "sentence__number").values_list(
        "sentence", "set__number", "text"
    )
    waiting = groupby(listed.iterator(AT_ONCE), key=lambda row: row[0])
    sentence, own = next(waiting, (None, iter(())))
    for pk, direction, number, source, *_ in _sentences(study):
        if pk == sentence:
            texts = {of: text for _, of, text in own}
            yield direction, number, source, *(texts.get(one, "") for one in numbers)
            sentence, own = next(waiting, (None, iter(())))


def _outputs(study: Study) -> Rows:
    """A row for each source and system, so that an empty output differs from none."""
    yield OUTPUT_COLUMNS
    rows = Output.objects.filter(system__study=study).order_by(
        "sentence__direction__number", "sentence__number", "system__number"
    )
    fields = ("sentence__number", "sentence__text", "system__name", "text")
    directions = {one.pk: one.name for one in study.directions.all()}
    for direction, *cells in rows.values_list("sentence__direction", *fields).iterator(AT_ONCE):
        yield directions[direction], *cells


def _judgements(study: Study) -> Rows:
    """All that count; orders of texts have no scale and stay out."""
    yield JUDGED
    scales = {name: one.scale for name, one in criteria_by_name(study).items()}
    sources = dict[int, tuple[str, int, str]]()
    for pk, direction, number, text, *_ in _sentences(study):
        sources[pk] = direction, number, text
    for one in judged_values(study):
        if one.criterion in scales and one.sentence in sources:
            yield (one.rater, *sources[one.sentence], one.text, one.system, one.criterion, one.number,
                   scales[one.criterion], one.spent)  # fmt: skip


def _raters(study: Study) -> Rows:
    """The known traits of the raters, a column each, and why people are left out, where some are."""
    names, rows = known_raters(study)
    reasons = (LEFT_OUT,) if any(why for *_, why in rows) else ()
    yield "rater", *names, *reasons
    for worker, traits, why in rows:
        yield worker, *(traits.get(name, "") for name in names), *(why for _ in reasons)


def _scores(study: Study) -> Rows:
    """The imported scores of metrics that were computed elsewhere."""
    yield SCORED
    sources = {pk: (direction, number, text) for pk, direction, number, text, *_ in _sentences(study)}
    for metric, system, sentence, value in imported_scores(study):
        if sentence in sources:
            yield *metric, *sources[sentence], system, repr(value)


def _marks(study: Study) -> Rows:
    """All marks that count, as WMT publishes ESA judgements: a row for each person, text and system."""
    yield ESA_COLUMNS
    for one in marked_texts(study, withheld_campaigns(study)):
        for system in one.systems:
            yield esa_cells(one, system)


TABLES: Mapping[str, Callable[[Study], Rows]] = {
    "sources": _sources, "references": _references, "outputs": _outputs, "judgements": _judgements,
    "raters": _raters, "scores": _scores, "marks": _marks,
}  # fmt: skip


def _jsonl(rows: Rows) -> Iterator[bytes]:
    names = [str(name) for name in next(rows)]
    for row in rows:
        yield json.dumps(dict(zip(names, row, strict=True)), ensure_ascii=False).encode() + b"\n"


WRITERS: Mapping[str, tuple[Callable[[Rows], Iterator[bytes]], str]] = {
    "csv": (csv_cells.write, "text/csv; charset=utf-8"),
    "tsv": (partial(csv_cells.write, delimiter="\t"), "text/tab-separated-values; charset=utf-8"),
    "jsonl": (_jsonl, "application/x-ndjson"),
}


def written_table(study: Study, file: str, form: str) -> Iterator[bytes]:
    """One table of the study, chunk by chunk; a UserError where there is no such table or form."""
    for given, known, where in ((file, TABLES, "file"), (form, WRITERS, "format")):
        if given not in known:
            raise UserError("'{given}' is not among {known}.", given=given[:40], known=", ".join(known), where=where)
    return WRITERS[form][0](TABLES[file](study))
