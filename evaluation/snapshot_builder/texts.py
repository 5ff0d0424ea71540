"""The texts of a study as metrics and the report read them: systems by units, each read once."""

import hashlib
from collections import OrderedDict, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import orjson
from numpy.typing import NDArray
from rapidfuzz.distance import Levenshtein

from annotation.models import Item
from annotation.task_types import TASK_TYPES
from corpora.knowledge.brackets import bracketed
from corpora.knowledge.concepts import language, linker
from corpora.knowledge.concepts.lexicon import Lexicon
from corpora.models import Direction, Output, Reference, ReferenceSet, SectionElement, Sentence, Study, System
from corpora.texts.units import Unit, text_of, units_of
from evaluation.edit_distance import mask_concepts
from evaluation.languages import count_words, language_or_unnamed
from evaluation.snapshot import SystemRow, Units
from foundation.text_keys import text_key

# References as metrics read them: without the brackets that mark the full forms of terms, and those full forms.


class PlainText(NamedTuple):
    """A reference without its brackets, and their contents; None in a set without marks."""

    text: str
    terms: list[str] | None


def without_brackets(text: str, marks: str) -> PlainText:
    """A reference of a set with these marks; in a set without marks a bracket is a character like others."""
    return PlainText(*bracketed(text)) if marks == ReferenceSet.Marks.BRACKETS else PlainText(text, None)


# The linker of concepts as metrics take it.

KEPT = 50_000  # texts whose concepts a process remembers
_known: OrderedDict[tuple[str, str], list[tuple[int, int]]] = OrderedDict()


class StudyLink:
    """Places of concepts in a text; a process links each text once."""

    def __init__(self) -> None:
        self._linker = linker()
        self.signature = _signature(self._linker)
        self.language = language()

    def __call__(self, text: str) -> Sequence[tuple[int, int]]:
        key = (self.signature, text)
        if key not in _known:
            _known[key] = [(mention.start, mention.end) for mention in self._linker.link(text)]
            if len(_known) > KEPT:
                _known.popitem(last=False)
        return _known[key]


def _signature(linker: object) -> str:
    """The linker's name with a digest of its data, where that is at hand."""
    name = str(getattr(linker, "name", type(linker).__name__))
    if not isinstance(linker, Lexicon):
        return name
    names = [[concept.cui, *concept.names] for concept in linker.concepts]
    return f"{name}:{hashlib.sha256(orjson.dumps(names)).hexdigest()[:8]}"


Floats = NDArray[np.float64]


def edit_distances(sources: Sequence[str], references: Sequence[Sequence[str]], concepts: Floats) -> Floats:
    """Edits of characters from each source to its first reference with concepts masked (Cao et al. 2020, Figure 4).

    NaN where the source's concepts are not linked (`concepts` is NaN), or there is no reference.
    """
    distances = np.full(len(sources), np.nan)
    wanted = [place for place in np.flatnonzero(~np.isnan(concepts)).tolist() if references[place]]
    if wanted:
        link = StudyLink()
        for place in wanted:
            source, reference = (mask_concepts(text, link(text)) for text in (sources[place], references[place][0]))
            distances[place] = Levenshtein.distance(source, reference)
    return distances


Texts = Mapping[int, str]


@dataclass(frozen=True)
class StudyTexts:
    """The units of a study and its systems; `rows[k]` belongs to `systems[k]`, and what is judged beside them follows.

    `unit_of` gives each sentence the place of its unit, `terms[i]` the full forms in brackets in each reference of unit
    i of a set that has such marks. `language` is the study's, or what `language_or_unnamed` makes of its sources.
    """

    units: Units
    systems: Sequence[System]
    rows: Sequence[SystemRow]
    unit_of: Mapping[int, int]
    terms: Sequence[Sequence[Sequence[str]]]
    language: str = ""
    _same: dict[int, bool] = field(default_factory=dict)
    _points: dict[int, dict[tuple[int, str], int]] = field(default_factory=dict)

    def are_references(self, place: int) -> bool:
        """Whether all outputs of a system are references of their units: to score it against them says nothing."""
        if place not in self._same:
            pairs = zip(self.rows[place].outputs, self.units.references, strict=True)
            given = [(text, references) for text, references in pairs if text is not None]
            self._same[place] = bool(given) and all(text_key(text) in map(text_key, refs) for text, refs in given)
        return self._same[place]

    def written(self) -> Iterator[tuple[int, str]]:
        """(source, text key) of all that people may have judged: outputs, then references, then the sources."""
        for place in range(len(self.rows)):
            yield from self.points(place)
        beside = zip(self.units.home.tolist(), self.units.references, self.units.sources, strict=True)
        for unit, (home, references, source) in enumerate(beside):
            keys = [text_key(text) for text in (*references, source)]
            for place in {home, unit}:
                yield from ((place, key) for key in keys)

    def points(self, place: int) -> dict[tuple[int, str], int]:
        """The judged texts of a system: each (source, text) with its unit.

        A judgement of a doubled source counts for the unit that was asked about or named. If that unit has another
        text, or none was named, it counts for the first unit with the text.
        """
        if place not in self._points:
            self._points[place] = points_of(self.units, self.rows[place].outputs)
        return self._points[place]


def points_of(units: Units, outputs: Sequence[str | None]) -> dict[tuple[int, str], int]:
    """Each (source, text key) of some outputs, with the first unit that has it; and each (unit, text key)."""
    points: dict[tuple[int, str], int] = {}
    for unit, (home, text) in enumerate(zip(units.home.tolist(), outputs, strict=True)):
        if text is not None:
            key = text_key(text)
            points.setdefault((home, key), unit)
            points[unit, key] = unit
    return points


def texts_of(study: Study, *, apart: bool = True) -> StudyTexts:
    """Units, systems and outputs, in a handful of queries; without `apart`, which links concepts, where it is False."""
    grouped = units_of(study)
    sentences = _sentences(study)
    language = language_or_unnamed(study.language, (row[1] for row in sentences.values()))
    units, terms = _units(study, grouped, sentences, apart, language)
    systems = list(study.systems.all())
    outputs = _outputs(study)
    rows = [_system(system, grouped, outputs[system.pk]) for system in systems]
    unit_of = {pk: place for place, unit in enumerate(grouped) for pk in unit.ids}
    return StudyTexts(units, systems, rows, unit_of, terms, language)


def _system(system: System, units: Sequence[Unit], outputs: Texts) -> SystemRow:
    return SystemRow(
        name=system.name,
        family=system.family or system.name,
        seed=system.seed,
        options=system.options,
        is_human=system.is_human,
        outputs=[output_of_unit(unit, outputs) for unit in units],
    )


def output_of_unit(unit: Unit, outputs: Texts) -> str | None:
    """A system's output of a unit, which may be empty; None where it has no output of a sentence."""
    return joined_text(unit, outputs) if all(pk in outputs for pk in unit.ids) else None


def joined_text(unit: Unit, texts: Texts) -> str:
    """A unit's text; that of a single sentence as it stands."""
    return texts.get(unit.ids[0], "") if len(unit.ids) == 1 else text_of(unit.ids, texts)


def _outputs(study: Study) -> defaultdict[int, dict[int, str]]:
    by_system: defaultdict[int, dict[int, str]] = defaultdict(dict)
    rows = Output.objects.filter(system__study=study).values_list("system_id", "sentence_id", "text")
    for system, sentence, text in rows:
        by_system[system][sentence] = text
    return by_system


def _sentences(study: Study) -> dict[int, tuple[Any, ...]]:
    fields = ("pk", "text", "direction_id", "split", "domain", "origin__section", "concepts")
    rows = Sentence.objects.filter(direction__study=study).values_list(*fields)
    return {row[0]: row for row in rows}


def _units(
    study: Study, grouped: Sequence[Unit], sentences: Mapping[int, tuple[Any, ...]], apart: bool, language: str
) -> tuple[Units, list[list[list[str]]]]:
    directions = list(Direction.objects.filter(study=study))
    places = {direction.pk: place for place, direction in enumerate(directions)}
    texts = {pk: row[1] for pk, row in sentences.items()}
    first = [sentences[unit.ids[0]] for unit in grouped]
    sources = [joined_text(unit, texts) for unit in grouped]
    direction = np.array([places[row[2]] for row in first], dtype=np.intp)
    read = references_of(study, grouped)
    references = [[reference.text for reference in given] for given in read]
    concepts = np.array([_concepts(unit, sentences) for unit in grouped], dtype=np.float64)
    elements = elements_of(study)
    units = Units(
        ids=[unit.ids[0] for unit in grouped],
        sources=sources,
        references=references,
        home=_homes(direction, sources),
        directions=[(direction.source_style, direction.target_style) for direction in directions],
        direction=direction,
        splits=[row[3] for row in first],
        domains=[row[4] for row in first],
        sections=[elements.get((directions[places[row[2]]].source_style, row[5]), row[5] or "") for row in first],
        words=np.array([count_words(text, language) for text in sources], dtype=np.float64),
        concepts=concepts,
        apart=edit_distances(sources, references, concepts) if apart else np.full(len(sources), np.nan),
    )
    return units, [[reference.terms for reference in given if reference.terms is not None] for given in read]


def elements_of(study: Study) -> Mapping[tuple[str, str | None], str]:
    """The element that a style's section stands for, where somebody said so (MSD: signs there are symptoms here)."""
    rows = SectionElement.objects.filter(study=study).values_list("style", "section", "element")
    return {(style, section): element for style, section, element in rows}


def _concepts(unit: Unit, sentences: Mapping[int, tuple[Any, ...]]) -> float:
    """How many concepts are linked in a unit; NaN where one of its sentences is not linked."""
    mentions = [sentences[pk][6] for pk in unit.ids]
    return float("nan") if any(linked is None for linked in mentions) else float(sum(map(len, mentions)))


def _homes(direction: Any, sources: Sequence[str]) -> Any:
    first: dict[tuple[int, str], int] = {}
    pairs = zip(direction.tolist(), map(text_key, sources), strict=True)
    return np.array([first.setdefault(pair, place) for place, pair in enumerate(pairs)], dtype=np.intp)


def references_of(study: Study, units: Sequence[Unit], *, few: bool = False) -> list[list[PlainText]]:
    """Each unit's references in the order of their sets; a document has those of sets with half of its sentences.

    People who rewrite a document leave sentences out (PLABA): these have no text in the set. With `few`, only the
    references of these units are read, not all of the study.
    """
    sets = ReferenceSet.objects.filter(direction__study=study).order_by("number", "pk")
    by_set: defaultdict[int, dict[int, str]] = defaultdict(dict)
    stored = Reference.objects.filter(set__direction__study=study)
    if few:
        stored = stored.filter(sentence__in=[pk for unit in units for pk in unit.ids])
    for of_set, sentence, text in stored.values_list("set_id", "sentence_id", "text"):
        by_set[of_set][sentence] = text
    read: list[list[PlainText]] = [[] for _ in units]
    for reference_set in sets:
        texts = by_set[reference_set.pk]
        for place, unit in enumerate(units):
            if text := text_of(unit.ids, texts, partly=True):
                read[place].append(without_brackets(text, reference_set.marks))
    return read


# Texts judged beside the systems: the source itself and a human reference (Rao and Tetreault 2018, Table 4).

SOURCE, REFERENCE = BESIDE = ("source", "reference")


def source_and_reference_rows(study: Study, units: Units, judged: Collection[tuple[int, str]]) -> list[SystemRow]:
    """A row for the source and for the reference if a campaign had them judged; no system has their names.

    The judged one of a unit's references stands for all of them, else the first.
    """
    settings = list(study.campaigns.values_list("settings", flat=True))
    names = set(study.systems.values_list("name", flat=True))
    rows = []
    if any(setting.get("rate_source") for setting in settings):
        rows.append(_row(SOURCE, "Source", names, units.sources))
    if any(setting.get("rate_reference") for setting in settings):
        pairs = zip(units.home.tolist(), units.references, strict=True)
        rows.append(_row(REFERENCE, "Reference", names, [_chosen(home, given, judged) for home, given in pairs]))
    return rows


def not_asked_of_source(study: Study) -> set[str]:
    """The criteria that campaigns asked of outputs and never of the source.

    An output may be the source unchanged. Such criteria then count for the system alone: GYAFC's source is judged
    neither on meaning nor in a ranking.
    """
    asked, of_source = set[str](), set[str]()
    for pk, kind, settings in study.campaigns.values_list("pk", "task_type", "settings"):
        if "rate_source" not in settings:
            continue
        names = set(TASK_TYPES[kind].asked(settings))
        asked |= names
        if settings["rate_source"]:
            of_source |= names & (_named_in_items(pk) or names)
    return asked - of_source


def _named_in_items(campaign: int) -> set[str]:
    """The criteria of the items that name some: those of the source alone (`annotation.task_types.rate`)."""
    items = Item.objects.filter(campaign=campaign, content__has_key="criteria")
    return set(items.values_list("content__criteria", flat=True).first() or ())


def _row(role: str, name: str, names: Collection[str], outputs: Collection[str | None]) -> SystemRow:
    free = next(
        candidate for candidate in (name, f"{name} text", f"{name} of the study", f"({name})") if candidate not in names
    )
    return SystemRow(free, free, None, {}, role == REFERENCE, list(outputs), role)  # type: ignore[arg-type]


def _chosen(home: int, references: Collection[str], judged: Collection[tuple[int, str]]) -> str | None:
    judged_references = [text for text in references if (home, text_key(text)) in judged]
    return next(iter([*judged_references, *references]), None)
