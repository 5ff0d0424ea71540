"""Texts as the papers' examples show them: whole documents, words that one text lacks, full forms in brackets."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple

import numpy as np

from evaluation.metric_contract import Floats
from evaluation.metrics import METRICS
from evaluation.snapshot import ConceptMention, StudySnapshot
from evaluation.table_parts.aspects import metric_of, places_of
from evaluation.table_parts.columns import direction_name
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, missing_content
from foundation.seeds import generator
from foundation.translation import translatable
from foundation.word_diff import UNSPACED, matches
from foundation.word_diff import words as words_of

# Units that tell of systems: where one leads by most, and where none does well.

LEADING = ("ascore", "bleu", "bleu_mean", "sari", "chrf")
"""Metrics by which a case is chosen, the first that is there: all compare with references, and high is good."""


@dataclass(frozen=True)
class SelectionMetric:
    """A metric with its scores: `values` (systems, units), of the systems at these `places`.

    Only units that all of these systems have a score of hold numbers.
    """

    metric: str
    places: Sequence[int]
    values: Floats

    @property
    def label(self) -> str:
        return METRICS[self.metric].label

    @classmethod
    def of(cls, snapshot: StudySnapshot) -> "SelectionMetric | None":
        """By the first of the metrics that two systems, people aside, have scores of; None where there is none."""
        for name in LEADING:
            if metric_of(snapshot, name, direction=None) is None:
                continue
            scored = {
                place: outputs.sentences
                for place, outputs in enumerate(snapshot.scores[name])
                if outputs is not None and outputs.corpus is not None and not snapshot.systems[place].is_human
                and snapshot.systems[place].role == "system"
            }  # fmt: skip
            if len(scored) > 1:
                values = np.array(list(scored.values()))
                return cls(name, list(scored), np.where(np.isnan(values).any(axis=0), np.nan, values))
        return None


def leads(snapshot: StudySnapshot, telling: SelectionMetric) -> tuple[int, int] | None:
    """The system of the best score of the whole, and the unit in which it is ahead of all others by most.

    None where it is ahead nowhere.
    """
    whole = [snapshot.scores[telling.metric][place] for place in telling.places]
    first = int(np.argmax([outputs.corpus if outputs and outputs.corpus is not None else -np.inf for outputs in whole]))
    lead = telling.values[first] - np.delete(telling.values, first, axis=0).max(axis=0)
    ahead = np.where(np.isnan(lead), -np.inf, lead)
    unit = int(np.argmax(ahead)) if len(ahead) else 0
    return (telling.places[first], unit) if len(ahead) and ahead[unit] > 0 else None


def hardest(telling: SelectionMetric) -> int | None:
    """The unit whose best score is the lowest; None where no unit is scored for all."""
    best = telling.values.max(axis=0) if telling.values.size else np.full(0, np.nan)
    known = np.where(np.isnan(best), np.inf, best)
    return int(np.argmin(known)) if np.isfinite(known).any() else None


# Whole texts of a study: its sentences joined to the document that they come from.


@dataclass(frozen=True)
class Passage:
    """The places of the units of one document, in its order; `title`, `code` and `question` are the document's."""

    units: Sequence[int]
    title: str = ""
    code: str = ""
    question: str = ""

    def joined(self, texts: Sequence[str | None]) -> str:
        """The passage's part of one text a unit; "" where one of its units has none."""
        parts = [texts[unit] for unit in self.units]
        return " ".join(text.strip() for text in parts if text) if all(parts) else ""

    def references(self, snapshot: StudySnapshot) -> list[str]:
        """The references that all of its units have."""
        given = [snapshot.units.references[unit] for unit in self.units]
        many = min(map(len, given))
        return [" ".join(unit_references[number].strip() for unit_references in given) for number in range(many)]


def passages_of(snapshot: StudySnapshot) -> list[Passage]:
    """One for each document of each direction; a unit that comes from none is one by itself."""
    around, units = snapshot.context, snapshot.units
    passages: dict[tuple[int, int], list[int]] = {}
    for unit in range(len(units.ids)):
        document = around.document_of(unit)
        of = (int(units.direction[unit]), document) if document >= 0 else (-1, unit)
        passages.setdefault(of, []).append(unit)
    return [_passage(snapshot, places) for places in passages.values()]


def _passage(snapshot: StudySnapshot, places: Sequence[int]) -> Passage:
    around, document = snapshot.context, snapshot.context.document_of(places[0])
    if document < 0:
        return Passage(places)
    ordered = sorted(places, key=lambda place: (around.numbers[place], place))
    return Passage(ordered, around.titles[document], around.codes[document], around.questions[document])


# Texts with parts of them marked, as `Cell.marks` has them: from where to where, in characters.

WORD = re.compile(r"\S+")
INSIDE = re.compile(r"\w(?:.*\w)?", re.DOTALL)  # a word without the punctuation around it


class HighlightedText(NamedTuple):
    """A text and its marked parts, in order and not overlapping."""

    text: str
    marks: list[tuple[int, int]]


def lacking_in(other: str, text: str) -> HighlightedText:
    """The text with the runs of words marked that the other text lacks, case and punctuation aside."""
    words = _places(text)
    words_here, words_there = (
        [_plain(of[start:end]) for start, end in places] for of, places in ((text, words), (other, _places(other)))
    )
    same = [
        (0, 0),
        *((start, start + length) for _, start, length in matches(words_there, words_here)),
        (len(words_here), len(words_here)),
    ]
    runs = [(end, start) for (_, end), (start, _) in pairwise(same) if end < start]
    return HighlightedText(text, [(words[start][0], words[end - 1][1]) for start, end in runs])


def _places(text: str) -> list[tuple[int, int]]:
    """Where its words stand: between white space, or single characters in scripts that write none."""
    if not UNSPACED.search(text):
        return [match.span() for match in WORD.finditer(text)]
    places, at = [], 0
    for word in words_of(text):
        if word.text:
            places.append((at, at + len(word.text)))
        at += len(word.text) + len(word.space)
    return places


def with_concepts(text: str, mentions: Sequence[ConceptMention]) -> HighlightedText:
    """'dyspnea [C0013404]', marked: the paper has them in red."""
    return _put_in(
        text,
        [(mention.start, mention.end, f"{text[mention.start : mention.end]} [{mention.cui}]") for mention in mentions],
    )


def with_forms(text: str, forms: Sequence[str]) -> HighlightedText:
    """The text with its full forms in brackets again, marked; as it is where they do not all stand in it in order."""
    insertions, after = [], 0
    for form in forms:
        start = text.find(form, after)
        if start < 0 or not form:
            return HighlightedText(text, [])
        after = start + len(form)
        insertions.append((start, after, f"[{form}]"))
    return _put_in(text, insertions)


def _put_in(text: str, parts: Sequence[tuple[int, int, str]]) -> HighlightedText:
    """The text with each part replaced, and the replacements marked."""
    pieces, marks, end, length = [], [], 0, 0
    for start, stop, fresh in parts:
        length += start - end
        marks.append((length, length + len(fresh)))
        pieces += [text[end:start], fresh]
        length, end = length + len(fresh), stop
    return HighlightedText("".join([*pieces, text[end:]]), marks)


def _plain(word: str) -> str:
    match = INSIDE.search(word)
    return match[0].lower() if match else word


# Sources beside their rewrites, a column a style: parallel sentences as a paper shows them.

Texts = Callable[[int], tuple[HighlightedText, HighlightedText]]
"""A unit's source and its first reference."""


def pairs_table(
    snapshot: StudySnapshot,
    title: str,
    chosen: Sequence[int],
    texts: Texts,
    named: Callable[[int], str],
    notes: Sequence[str],
) -> Table:
    """A row a pair, named by its origin; its texts stand under their styles, whichever was the source."""
    ways = [snapshot.units.directions[int(snapshot.units.direction[unit])] for unit in chosen]
    styles = list(dict.fromkeys(style for way in ways for style in way))
    rows = []
    for unit, way in zip(chosen, ways, strict=True):
        by_style = dict(zip(way, texts(unit), strict=True))
        rows.append([Cell(named(unit)), *(_cell(by_style.get(style)) for style in styles)])
    head = ["From", *(style.capitalize() for style in styles)]
    return Table(title, head, rows, notes, [None] * len(head))


def cell_of(marked: HighlightedText, small: str = "") -> Cell:
    """The text with its marks, as a cell."""
    return Cell(marked.text, marks=tuple(marked.marks), small=small)


def _cell(marked: HighlightedText | None) -> Cell:
    return Cell(DASH, why="It is of other styles.") if marked is None else cell_of(marked)


NO_SCORES = translatable(
    "Two systems, people aside, need scores of a metric that compares with references: choose AScore or BLEU on "
    "the page Choose metrics, and make the report again."
)
NO_OUTPUT = "It has no output of this."


def case_table(
    snapshot: StudySnapshot, title: str, unit: int, telling: SelectionMetric, notes: Sequence[str], first: int = -1
) -> Table:
    """Source, references with their full forms in brackets, and outputs; the system at `first` before the others."""
    units = snapshot.units
    forms = list(snapshot.context.forms_of(unit))
    rows = [[Cell("Source"), Cell(units.sources[unit])]]
    for number, text in enumerate(units.references[unit], start=1):
        marked = next(
            (highlighted for highlighted in (with_forms(text, each) for each in forms) if highlighted.marks),
            HighlightedText(text, []),
        )
        rows.append([Cell(f"Reference {number}"), cell_of(marked)])
    places = sorted(places_of(snapshot, "system"), key=lambda place: place != first)
    rows += [[Cell(snapshot.systems[place].name), _output(snapshot, place, unit, telling)] for place in places]
    about = f"Under an output stands its own {telling.label}, by which the example was chosen."
    return Table(title, ["From", "Text"], rows, [*notes, about], [None, None])


def _output(snapshot: StudySnapshot, place: int, unit: int, telling: SelectionMetric) -> Cell:
    text = snapshot.systems[place].outputs[unit]
    if not text:
        return Cell(DASH, why=NO_OUTPUT)
    scored = snapshot.scores[telling.metric][place]
    value = float("nan") if scored is None else float(scored.sentences[unit])
    return Cell(text, small="" if np.isnan(value) else f"{telling.label} {value:.2f}")


def drawn(snapshot: StudySnapshot, name: str, places: Sequence[int], most: int) -> list[int]:
    """At most so many of the places, in their order, drawn by the snapshot's seed and the name of their purpose."""
    order = generator(snapshot.seed, name, len(places)).permutation(len(places))
    return sorted(places[number] for number in order[:most].tolist())


# Sentences with every system's output, side by side.

EACH = 2  # examples of a direction and domain, four at least where there is one of each
MOST = 6
NOTE = "Drawn at random, the same with every report, from the sentences of which most systems have an output."


def examples(snapshot: StudySnapshot, title: str, *, reference_last: bool = False) -> Table | MissingContent:
    """A column an example; the source first, a reference second or last, and each system."""
    places = places_of(snapshot, "system")
    if not places:
        return missing_content(title, "The study has no systems: add one on the page Systems.")
    chosen = chosen_of(snapshot, places)
    if not chosen:
        return missing_content(
            title, "No system has an output: import some on the page Import a table, or run a model."
        )
    units = snapshot.units
    source = [Cell("Source"), *(Cell(units.sources[unit]) for unit in chosen)]
    reference = [Cell("Reference"), *(_text(next(iter(units.references[unit]), None)) for unit in chosen)]
    outputs = [
        [Cell(snapshot.systems[place].name), *(_text(snapshot.systems[place].outputs[unit]) for unit in chosen)]
        for place in places
    ]
    rows = [source, *outputs, reference] if reference_last else [source, reference, *outputs]
    head = ["From", *(_named(snapshot, number, unit) for number, unit in enumerate(chosen, start=1))]
    return Table(title, head, rows, [NOTE], [None] * len(head))


def chosen_of(snapshot: StudySnapshot, places: Sequence[int]) -> list[int]:
    """Some units of each direction and domain in turn; of those the ones with the most outputs, drawn by the seed."""
    counts = [
        sum(bool(snapshot.systems[place].outputs[unit]) for place in places) for unit in range(len(snapshot.units.ids))
    ]
    fullest = max(counts, default=0)
    kinds: dict[tuple[int, str], list[int]] = {}
    for unit, count in enumerate(counts):
        if count == fullest and fullest and snapshot.units.home[unit] == unit:
            kinds.setdefault((int(snapshot.units.direction[unit]), snapshot.units.domains[unit]), []).append(unit)
    each = max(EACH, 4 // max(len(kinds), 1))
    drawn = [_some(snapshot, kind, ones, each) for kind, ones in kinds.items()]
    return [of[turn] for turn in range(each) for of in drawn if turn < len(of)][:MOST]


def _some(snapshot: StudySnapshot, kind: tuple[int, str], units: Sequence[int], each: int) -> list[int]:
    order = generator(snapshot.seed, "examples", *kind).permutation(len(units))
    return sorted(units[number] for number in order[:each].tolist())


def _text(text: str | None) -> Cell:
    return Cell(text) if text else Cell(DASH, why="There is none.")


def _named(snapshot: StudySnapshot, number: int, unit: int) -> str:
    """'Sentence 1, informal to formal, Music'."""
    several = (
        direction_name(snapshot, int(snapshot.units.direction[unit])) if len(snapshot.units.directions) > 1 else ""
    )
    parts = [f"Sentence {number}" if snapshot.unit == "sentence" else f"Text {number}", several]
    return ", ".join(part for part in [*parts, snapshot.units.domains[unit]] if part)
