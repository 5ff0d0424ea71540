"""The files of a study's archive: what it declares, its texts by direction, set and system, and its judgements."""

import csv
import io
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from tempfile import SpooledTemporaryFile
from typing import IO, Any

from annotation.models import Criterion
from corpora.models import Direction, Output, Reference, Study
from foundation.text_keys import text_key
from study_file.study_archive.archived_documents import ArchivedDocuments
from study_file.study_archive.judged_values import judged_values
from study_file.study_archive.toml_writing import toml_of

STUDY_FILE = "study.toml"
IN_MEMORY = 1 << 20
STUDY = (
    "slug", "title", "language", "license", "description", "unit", "styles", "style_words", "poles",
    "style_descriptions",
)  # fmt: skip
DOCUMENTS, RATERS = "documents.jsonl", "raters.jsonl"
COLUMNS = ("rater", "source", "text", "system", "criterion", "value", "scale", "seconds")
MAPPING = {"rater": "rater", "source": "number", "text": "output", "system": "system", "criterion": "criterion",
           "value": "value", "scale": "scale", "seconds": "seconds"}  # fmt: skip


@dataclass
class ArchiveContents:
    """The declaration grows as the files are made, so its file comes last."""

    study: Study
    places: dict[int, tuple[str, int]] = field(default_factory=dict)
    documents: ArchivedDocuments = field(init=False)
    first: dict[int, int] = field(default_factory=dict)
    """Of each sentence the first with the same source, whose the judgements of campaigns are."""
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
        yield from self._raters()
        yield STUDY_FILE, io.BytesIO(toml_of(self._declaration()).encode())

    def _texts(self, direction: Direction) -> Iterator[tuple[str, IO[bytes]]]:
        """The sources in their order, and each set of references."""
        name = f"texts/{direction.name}.jsonl"
        with _spooled() as file:
            rows = direction.sentences.order_by("number").values_list("pk", "text", "split", "domain", "origin")
            by_text: dict[str, int] = {}
            for place, (pk, text, split, domain, origin) in enumerate(rows.iterator(2000), 1):
                self.places[pk] = direction.name, place
                if self.study.unit == Study.Unit.SENTENCE:
                    self.first[pk] = by_text.setdefault(text_key(text), pk)
                cells = {"source": text, "split": split, "domain": domain}
                _line(file, **cells, **self.documents.place(origin))
            means = ("source", "split", "domain", *self.documents.columns)
            if self._named(direction, name, {one: one for one in means}, bool(file.tell())):
                yield name, _rewound(file)
        for one in direction.reference_sets.order_by("number"):
            written = Reference.objects.filter(set=one).order_by("sentence__number").values_list("sentence", "text")
            name = f"references/{direction.name}-{one.number}.jsonl"
            with _spooled() as file:
                for pk, text in written.iterator(2000):
                    _line(file, number=self.places[pk][1], text=text)
                brackets = {"brackets": "yes"} if one.marks else {}
                meanings = {"number": "number", "text": f"reference: {(one.origin or str(one.number))[:100]}"}
                if self._named(direction, name, meanings, bool(file.tell()), **brackets):
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
            traits = {"family": system.family} | ({"human": "yes"} if system.is_human else {})
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
        """All that count, of campaigns and from elsewhere; orders of texts have no scale and stay out."""
        criteria = {one.name: one for one in Criterion.objects.filter(study=self.study)}
        used: set[str] = set()
        with _spooled() as file:
            text = io.TextIOWrapper(file, encoding="utf-8", newline="", write_through=True)
            rows = csv.writer(text)
            rows.writerow(COLUMNS)
            for one in judged_values(self.study, self.first):
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

    def _raters(self) -> Iterator[tuple[str, IO[bytes]]]:
        """What is known of the raters; the table comes in before the judgements do."""
        if self.study.rater_traits.exists():
            names = dict.fromkeys(
                name for told in self.study.rater_traits.values_list("traits", flat=True) for name in told
            )
            mapping = {"rater": "rater", **{f"trait {name}": f"trait: {name}" for name in names}}
            self.tables.append(
                {"file": RATERS, "target": "raters", "mapping": mapping, "answers": {"strangers": "keep"}}
            )
            lines = io.BytesIO()
            for worker, traits in self.study.rater_traits.values_list("worker", "traits"):
                told = {f"trait {name}": traits.get(name, "") for name in names}
                _line(lines, rater=worker, **told)
            yield RATERS, _rewound(lines)

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
            "tables": self.tables, "ratings": self.ratings, "metrics": metrics,
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
