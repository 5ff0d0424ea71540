"""Two people's adaptations of one text that share few words (Attal et al. 2023, Figure 3)."""

from itertools import combinations

from evaluation.languages import count_words
from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.cells import Cell, joined
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import missing_content
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_1 import named
from evaluation.text_examples import Passage, cell_of, drawn, lacking_in
from foundation.papers import PLABA
from foundation.text_keys import text_key

TITLE = "Two references of one text that share few words"
MOST, LEAST_WORDS = 500, 8
ONE_REFERENCE = "No source has two references that differ: have two people rewrite each, or add a second set."
NOTE = (
    f"Of the pairs of references of {MOST} sources at most, drawn at random, each of {LEAST_WORDS} words or more where "
    "there are such, the one with the lowest BLEU-4, the first being the reference. Words that the other lacks are "
    "marked."
)
Pair = tuple[int, int, int]
"""A unit, and the places of two of its references."""


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """Rows for the question, the source and the two references."""
    pairs = _pairs(snapshot)
    if not pairs:
        return missing_content(TITLE, ONE_REFERENCE)
    if why := METRICS["bleu"].undefined_for(snapshot.language):
        return missing_content(TITLE, why)
    (unit, first, second), bleu = _lowest(snapshot, pairs)
    texts = snapshot.units.references[unit]
    around, document = snapshot.context, snapshot.context.document_of(unit)
    passage = Passage([unit], around.titles[document], around.codes[document], around.questions[document]) if (
        document >= 0) else Passage([unit])  # fmt: skip
    rows = [[Cell("Question"), Cell(passage.question)]] if passage.question else []
    rows += [
        [Cell("Source"), Cell(snapshot.units.sources[unit])],
        [Cell(f"Reference {first + 1}"), cell_of(lacking_in(texts[second], texts[first]))],
        [Cell(f"Reference {second + 1}"), cell_of(lacking_in(texts[first], texts[second]), f"BLEU-4 {bleu:.2f}")],
    ]
    return Table(TITLE, ["From", "Text"], rows, [_place(snapshot, passage, unit), NOTE], [None, None])


def _pairs(snapshot: StudySnapshot) -> list[Pair]:
    """Two different references of one unit, of the units that are drawn."""
    units = snapshot.units
    several = [unit for unit in range(len(units.ids)) if len(units.references[unit]) > 1 and units.home[unit] == unit]
    return [
        (unit, first, second)
        for unit in drawn(snapshot, "two references", several, MOST)
        for first, second in combinations(range(len(units.references[unit])), 2)
        if text_key(units.references[unit][first]) != text_key(units.references[unit][second])
    ]


def _lowest(snapshot: StudySnapshot, pairs: list[Pair]) -> tuple[Pair, float]:
    references = snapshot.units.references
    texts = [(references[unit][first], references[unit][second]) for unit, first, second in pairs]
    words = [min(count_words(text, snapshot.language) for text in pair) for pair in texts]
    long = [number for number, count in enumerate(words) if count >= LEAST_WORDS]
    usable = long or list(range(len(pairs)))
    first, second = ([texts[number][side] for number in usable] for side in (0, 1))
    batch = MetricInput([], second, [[text] for text in first], language=snapshot.language)
    scores = METRICS["bleu"].score(batch).sentences
    lowest = int(scores.argmin())
    return pairs[usable[lowest]], float(scores[lowest])


def _place(snapshot: StudySnapshot, passage: Passage, unit: int) -> str:
    """'12345, A title, sentence 4 of it.'"""
    if snapshot.context.document_of(unit) < 0:
        return f"{snapshot.unit.capitalize()} {unit + 1} of the study."
    number = "" if snapshot.unit == "document" else f"sentence {snapshot.context.numbers[unit]} of it"
    return joined(named(passage), number) + "."


TABLE = TableOrFigure(title=TITLE, make=make, paper=PLABA, number="Figure 3", order=315)
