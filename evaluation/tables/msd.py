"""The tables and figures of MSD (Cao et al. 2020)."""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import partial

import numpy as np

from evaluation import charts
from evaluation.aggregation import Mask
from evaluation.comparability.better_ends import label_of_metric, metric_named
from evaluation.corpus_statistics import NO_REFERENCE, apart_of, corpus_of
from evaluation.languages import is_english
from evaluation.metric_contract import Floats
from evaluation.metrics import METRICS, MetricInput, Setting
from evaluation.ngrams import FOLDER, punkt_splitter
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import criteria_of, criterion_of, metric_of, places_of, plain_label
from evaluation.table_parts.columns import (
    HUNDREDTH,
    OURS,
    PERCENT,
    Subset,
    directions,
    human_column,
    metric_column,
    scale_notes,
    stack_tables,
    star_note,
    subsets_of,
    table_of,
)
from evaluation.table_parts.contents import (
    Cell,
    Column,
    Figure,
    MissingContent,
    Table,
    missing_content,
    no_criterion,
    no_metric,
    number,
    signature_notes,
)
from evaluation.table_parts.unit_groups import Measure
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_tables import counted
from evaluation.tables.plaba import NO_REFERENCES
from evaluation.tables.scores_by_group import by_apart_figure, by_concepts_figure, by_section_figure
from evaluation.text_examples import HighlightedText, examples, pairs_table, with_concepts
from foundation.papers import MSD
from foundation.translation import translatable

# Bars of how many sentences of each style have a name: a topic, a section.

MOST = 20


def bars_by_name(
    title: str, across: str, counts: Mapping[tuple[str, str], int], styles: Sequence[str], notes: Sequence[str] = ()
) -> Figure:
    """Counts by (style, name), the names with most sentences first."""
    totals: dict[str, int] = {}
    for (_, name), n in counts.items():
        totals[name] = totals.get(name, 0) + n
    names = sorted(totals, key=lambda name: (-totals[name], name))
    shown = names[:MOST]
    used = [style for style in styles if any(of == style for of, _ in counts)]
    rows: list[dict[str, str | float | None]] = [
        {"name": name, "style": style, "sentences": counts.get((style, name), 0)} for name in shown for style in used
    ]
    x, along = charts.groups("name", across, order=shown, angle=-45), across.lower()
    by = charts.colour("style", used, "Style")
    spec = charts.bars(x, charts.amount("sentences", "Sentences"), by, tip=("name", "style", "sentences"))
    left = f"{len(names) - MOST} more with fewer sentences are left out." if len(names) > MOST else ""
    words = "; ".join(f"{name}: {', '.join(f'{counts.get((of, name), 0):,} {of}' for of in used)}" for name in shown)
    return Figure(title, spec, rows, f"Sentences by {along} and style. {words}.", [*notes, *filter(None, [left])])


# Parallel sentences with their concepts (Cao et al. 2020, Table 1).

TABLE_1_TITLE = "Parallel sentences with their concepts"
TABLE_1_NOTES = (
    "In brackets: the identifier of the concept that the words before it were linked to, of several the nearest.",
    "Drawn at random, the same with every report, from the sources that have concepts, as their references have.",
)
NOT_LINKED = translatable("No concepts are linked in the sources: link them on the page Texts.")
NOTHING_FOUND = "None of the drawn sources has concepts on both sides: a larger set of concepts may find some."


def table_1(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a pair: what its document is about, and each text under its style."""
    units, linked = snapshot.units, snapshot.context.linked
    if not linked:
        some = any(concept > 0 for concept in units.concepts.tolist())
        return missing_content(
            TABLE_1_TITLE, "" if any(units.references) else NO_REFERENCES, NOTHING_FOUND if some else NOT_LINKED
        )

    def texts(unit: int) -> tuple[HighlightedText, HighlightedText]:
        source, reference = linked[unit]
        return with_concepts(units.sources[unit], source), with_concepts(units.references[unit][0], reference)

    return pairs_table(snapshot, TABLE_1_TITLE, list(linked), texts, lambda unit: _named(snapshot, unit), TABLE_1_NOTES)


def _named(snapshot: StudySnapshot, unit: int) -> str:
    """'Pleural Effusion, Symptoms'; 'Sentence 17' where neither is known."""
    around, document = snapshot.context, snapshot.context.document_of(unit)
    title = around.titles[document] if document >= 0 else ""
    named = ", ".join(part for part in (title, snapshot.units.sections[unit]) if part)
    return named or f"{snapshot.unit.capitalize()} {unit + 1}"


# The texts of each style in numbers, for training and for testing (Cao et al. 2020, Table 2).

TABLE_2_TITLE = "The corpus in numbers"
NO_TEXTS = translatable("The study has no texts in the splits train, tune and test: add some on the page Texts.")
TRAIN, TEST = ("train", "tune"), ("test",)
GRADES = ("FKGL", "Gunning fog", "Coleman-Liau", "Mean readability")
TABLE_2_NOTES = (
    "Annotations are sources of a style that have a reference, or references where none has. A text counts as often as "
    "it stands in the corpus, and once where it is a source in one direction and a reference in the other. The "
    "annotated texts alone test; all texts of a style train, those of documents too. Concepts are the different ones "
    "that are linked in sources and documents.",
    "The ratio is the second style's number over the first's.",
)
SPLIT = {
    True: "Sentences are split by NLTK, as in the paper.",
    False: "Sentences are split by the rules of FKGL; the paper took NLTK's splitter, which needs "
    f"{FOLDER} of NLTK's data below RESTYLE_MODELS.",
}


def table_2(snapshot: StudySnapshot) -> Table | MissingContent:
    """Columns of each style and their ratio, of what trains (train and tune) and what tests."""
    if len(snapshot.styles) < 2:
        return missing_content(TABLE_2_TITLE, "The study has one style, and two are compared here.")
    parts = {name: splits for name, splits in (("train", TRAIN), ("test", TEST)) if _any(snapshot, splits)}
    if not parts:
        return missing_content(TABLE_2_TITLE, NO_TEXTS)
    styles = snapshot.styles[:2]
    columns = [column for splits in parts.values() for column in _table_2_columns(snapshot, styles, splits)]
    heads = [f"{what}, {name}" for name in parts for what in [*(style.capitalize() for style in styles), "ratio"]]
    rows = [list(row) for row in zip(_names(), *columns, strict=True)]
    notes = [*TABLE_2_NOTES, *([SPLIT[punkt_splitter() is not None]] if is_english(snapshot.language) else [])]
    return Table(TABLE_2_TITLE, ["Counted", *heads], rows, notes, [None] * (len(heads) + 1))


def _any(snapshot: StudySnapshot, splits: Sequence[str]) -> bool:
    return any(texts for (_, split), texts in snapshot.counts.texts.items() if split in splits)


def _names() -> list[Cell]:
    return [Cell(name) for name in ("Annotations", "Sentences", "Vocabulary", "Concept vocabulary", *GRADES)]


def _table_2_columns(snapshot: StudySnapshot, styles: Sequence[str], splits: Sequence[str]) -> list[list[Cell]]:
    """The first style, the second, and the ratio."""
    sides = [_side(snapshot, style, splits) for style in styles]
    return [*sides, [_ratio(a, b) for a, b in zip(*sides, strict=True)]]


def _side(snapshot: StudySnapshot, style: str, splits: Sequence[str]) -> list[Cell]:
    counts = snapshot.counts
    corpus = corpus_of(_texts(snapshot, style, splits), snapshot.language)
    pairs = _pairs(snapshot, style, splits)
    linked = {
        concept for (of, split), ids in counts.concepts.items() if of == style and split in splits for concept in ids
    }
    grades = corpus.grades or [None] * len(GRADES)
    concepts = counted(len(linked)) if linked else number(None, why="No concepts are linked in these texts.")
    cells = [counted(pairs), counted(corpus.sentences), counted(corpus.vocabulary), concepts]
    return [*cells, *(number(grade, 2, corpus.ungraded) for grade in grades)]


def _texts(snapshot: StudySnapshot, style: str, splits: Sequence[str]) -> list[str]:
    """The texts of a style in some splits. The test set holds only sentences that people worked on."""
    counts = snapshot.counts
    if splits == TEST and (worked_on := [item for item in counts.annotated.items() if item[0][2] in splits]):
        each = Counter[str]()
        for ends, part in worked_on:
            for side, end in enumerate(ends[:2]):
                each |= Counter(part[side] if end == style else ())
        return list(each.elements())
    return [
        text
        for (of, split), split_texts in counts.texts.items()
        if of == style and split in splits
        for text in split_texts
    ]


def _pairs(snapshot: StudySnapshot, style: str, splits: Sequence[str]) -> int:
    """Annotated sources of a style; where it is none's source style, those that are rewritten into it."""
    counted = [(key, n) for key, n in snapshot.counts.pairs.items() if key[2] in splits]
    own = sum(n for (source, *_), n in counted if source == style)
    return own or sum(n for (_, target, *_), n in counted if target == style)


def _ratio(first: Cell, second: Cell) -> Cell:
    if not first.value or not second.value:
        return number(None, why="One of the two has no number.")
    return number(second.value / first.value, 2)


# How alike sources and their references are: BLEU and edit distance, concepts masked (Cao et al. 2020, Table 3).

TABLE_3_TITLE = "Parallel sentences"
OF_TEST, OF_ALL = "The test's sentences that have a reference.", "All sentences that have a reference."
NOTE = (
    "BLEU is the source's own against its references, with the settings of the study's BLEU; the edit distance is a "
    "mean over sentences."
)


def table_3(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a direction and domain, after one of all where there are several directions, as the paper has them."""
    paired = np.array([bool(given) for given in snapshot.units.references], dtype=bool)
    tested = paired & (np.array(snapshot.units.splits, dtype=object) == "test")
    inside = tested if tested.any() else paired
    if not inside.any():
        return missing_content(TABLE_3_TITLE, NO_REFERENCE)
    metric, (apart, how) = METRICS["bleu"], apart_of(snapshot)
    settings = snapshot.chosen.get(metric.name, {})
    why = metric.undefined_for(snapshot.language, **settings)
    sums = None if why else _sums(snapshot, inside, settings)
    whole = [Subset("All texts")] if len(directions(snapshot)) > 1 else []
    parts = [(of.label, inside if of.where is None else inside & of.where) for of in [*whole, *subsets_of(snapshot)]]
    rows = [_row(label, where, sums, why, apart) for label, where in parts if where.any()]
    signed = [] if why else [metric.signature(snapshot.language, **settings)]
    notes = [f"{OF_TEST if tested.any() else OF_ALL} {NOTE}", how, *signed]
    return Table(TABLE_3_TITLE, ["Texts", "Pairs", metric.label, "Edit distance"], rows, notes, [None] * 4)


def _sums(snapshot: StudySnapshot, where: Mask, settings: Mapping[str, Setting]) -> Floats:
    """The parts (n, k) of the BLEU of each unit's source; zeros elsewhere."""
    units, places = snapshot.units, np.flatnonzero(where).tolist()
    references = [list(units.references[unit]) for unit in places]
    batch = MetricInput([], [units.sources[unit] for unit in places], references, language=snapshot.language)
    statistics = METRICS["bleu"].score(batch, **settings).sufficient_statistics
    sums = np.zeros((len(where), statistics.shape[1]))
    sums[places] = statistics
    return sums


def _row(label: str, where: Mask, sums: Floats | None, why: str, apart: Floats) -> list[Cell]:
    known = apart[where][np.isfinite(apart[where])]
    spread = f"standard deviation {known.std(ddof=1):.2f}" if len(known) > 1 else ""
    return [
        Cell(label[:1].upper() + label[1:]),
        number(float(where.sum()), 0),
        number(None if sums is None else float(METRICS["bleu"].corpus_of(sums[where].sum(axis=0))), 2, why),
        number(float(known.mean()) if len(known) else None, 2, "Concepts are not linked here.", small=spread),
    ]


# Systems by style accuracy, perplexity, BLEU to source and reference, and content (Cao et al. 2020, Table 4).

TABLE_4_TITLE = "Systems by style, fluency and content"
METRICS_OF = {
    "Acc": ("style_accuracy", "transfer_strength"),
    "PPL": ("perplexity_lm", "perplexity_ngram"),
    "self-BLEU": ("self_bleu",),
    "ref-BLEU": ("bleu",),
}
SCALES = dict.fromkeys(METRICS_OF["Acc"], PERCENT)
SCALE = "content_5"
NO_GOLD = translatable(
    "No row holds people's rewrites: upload them as the outputs of a system that is a person, or open a human study in "
    "which the reference is judged beside the systems."
)


def table_4(snapshot: StudySnapshot) -> Table | MissingContent:
    """Rows for each direction, people's rewrites last."""
    parts = [(part, _chosen(snapshot, part)) for part in directions(snapshot)]
    shown = {head: [name for _, of in parts if (name := of[head])] for head in METRICS_OF}
    missing = _missing(snapshot, shown)
    some = {head: next(iter(names), None) for head, names in shown.items()}  # a direction without scores has dashes
    if not snapshot.systems or not any(shown.values()):
        return missing_content(TABLE_4_TITLE, *missing)
    people = [place for place in places_of(snapshot, "system") if snapshot.systems[place].is_human]
    others = [place for place in places_of(snapshot, "system") if place not in people]
    places = [*others, *people, *places_of(snapshot, "reference")]
    tables = [
        (part.label, table_of(snapshot, TABLE_4_TITLE, places, _table_4_columns(snapshot, part, {
            head: name or some[head] for head, name in chosen.items()
        })))
        for part, chosen in parts
    ]  # fmt: skip
    stacked = stack_tables(TABLE_4_TITLE, tables)
    signed = signature_notes(snapshot, dict.fromkeys(name for names in shown.values() for name in names))
    heads = {(metric_named(name).name, head) for head, names in shown.items() for name in names}
    scales = scale_notes(SCALES, sorted(heads))
    return Table(
        TABLE_4_TITLE, stacked.head, stacked.rows, [*scales, *star_note(snapshot), *signed, *missing], stacked.better
    )


def _chosen(snapshot: StudySnapshot, part: Subset) -> dict[str, str | None]:
    """The key of the scores of each column in this direction."""
    return {head: metric_of(snapshot, *names, direction=part.direction) for head, names in METRICS_OF.items()}


def _table_4_columns(snapshot: StudySnapshot, part: Subset, chosen: dict[str, str | None]) -> list[Column]:
    judged = criterion_of(snapshot, "meaning", SCALE, direction=part.direction)
    judged = judged or next(iter(criteria_of(snapshot, "meaning", SCALE)), None)
    columns = [
        metric_column(
            snapshot, name, part, _head(head, metric_named(name).name), SCALES.get(metric_named(name).name, OURS)
        )
        for head, name in chosen.items()
        if name
    ]
    return [
        *columns,
        *([] if judged is None else [human_column(snapshot, judged, part, f"{plain_label(judged)}, people")]),
    ]


def _head(head: str, name: str) -> str:
    """The paper's head, unless another metric stands in for the paper's."""
    return head if metric_named(name).name == METRICS_OF[head][0] else ""


def _missing(snapshot: StudySnapshot, shown: Mapping[str, Sequence[str]]) -> list[str]:
    gold = any(row.is_human or row.role == "reference" for row in snapshot.systems)
    sentences = [
        "" if snapshot.systems else "The study has no systems: add one on the page Systems.",
        *[no_metric(*METRICS_OF[head]) for head, names in shown.items() if not names],
        "" if criteria_of(snapshot, "meaning", SCALE) else no_criterion("meaning", SCALE),
        "" if gold else NO_GOLD,
    ]
    return [sentence for sentence in sentences if sentence]


# Systems by SARI in each direction (Cao et al. 2020, Table 5).

TABLE_5_TITLE = "Systems by SARI"
NO_SCORE = "No system has a SARI: it takes outputs and references, from the page Import a table."


def table_5(snapshot: StudySnapshot) -> Table | MissingContent:
    """A column a direction, from 0 to 1 as in the paper."""
    parts = [(part, metric_of(snapshot, "sari", direction=part.direction)) for part in directions(snapshot)]
    names = [name for _, name in parts if name]
    if not names:
        return missing_content(TABLE_5_TITLE, no_metric("sari"))
    columns = [metric_column(snapshot, name, part, f"SARI, {part.label}", HUNDREDTH) for part, name in parts if name]
    places = [
        place for place in places_of(snapshot, "system") if any(of.cells[place].value is not None for of in columns)
    ]
    if not places:
        return missing_content(TABLE_5_TITLE, NO_SCORE)
    notes = [
        *scale_notes({"sari": HUNDREDTH}, [("sari", "SARI")]),
        *star_note(snapshot),
        *signature_notes(snapshot, dict.fromkeys(names)),
    ]
    return table_of(snapshot, TABLE_5_TITLE, places, columns, notes)


# Examples of model outputs (Cao et al. 2020, Table 6).

TABLE_6_TITLE = "Examples of outputs"


# The sentences of a corpus by topic (Cao et al. 2020, Figure 2).

FIGURE_2_TITLE = "Sentences by topic"
NO_TOPIC = translatable("No document of the study has a topic: import some that have one on the page Import a table.")


def figure_2(snapshot: StudySnapshot) -> Figure | MissingContent:
    """The topics of the study's documents, in each style."""
    if not snapshot.counts.topics:
        return missing_content(FIGURE_2_TITLE, NO_TOPIC)
    return bars_by_name(FIGURE_2_TITLE, "Topic", snapshot.counts.topics, snapshot.styles)


# The test sentences by the element of their section, such as symptoms (Cao et al. 2020, Figure 3).

FIGURE_3_TITLE = "Sentences by section"
NO_SECTION = translatable(
    "No document of the study has sections: import some that have them on the page Import a table."
)


def figure_3(snapshot: StudySnapshot) -> Figure | MissingContent:
    """The test's sources by section; where none has one, the sentences of the study's documents."""
    if sections := _tested(snapshot):
        return bars_by_name(FIGURE_3_TITLE, "Section", sections, snapshot.styles, ["The sources of the test."])
    if not snapshot.counts.sections:
        return missing_content(FIGURE_3_TITLE, NO_SECTION)
    notes = ["The sentences of all documents: no source of the test comes from a section."]
    return bars_by_name(FIGURE_3_TITLE, "Section", snapshot.counts.sections, snapshot.styles, notes)


def _tested(snapshot: StudySnapshot) -> Counter[tuple[str, str]]:
    units = snapshot.units
    rows = zip(units.direction.tolist(), units.splits, units.sections, strict=True)
    return Counter((units.directions[of][0], name) for of, split, name in rows if split == "test" and name)


# BLEU and style accuracy by number of concepts, edit distance and section (Cao et al. 2020, Figures 4a to 4c).

CURVES = (("bleu",), ("style_accuracy", "transfer_strength"))
Grouped = Callable[[StudySnapshot, str, list[Measure]], Figure | MissingContent]


def _curves(part: str, order: int, grouped: Grouped, *, title: str) -> TableOrFigure:
    """A line a system, of those of the two that were chosen; and if none is, why not."""

    def make(snapshot: StudySnapshot) -> Figure | MissingContent:
        parts = directions(snapshot)
        names = dict.fromkeys(metric_of(snapshot, *curve, direction=of.direction) for curve in CURVES for of in parts)
        measures = [Measure(label_of_metric(name), metric=name) for name in names if name]
        if not measures:
            return missing_content(title, *(no_metric(*curve) for curve in CURVES))
        return grouped(snapshot, title, measures)

    return TableOrFigure(title=title, make=make, paper=MSD, number=f"Figure 4{part}", order=order)


ENTRIES = {
    "msd_table_1": TableOrFigure(title=TABLE_1_TITLE, make=table_1, paper=MSD, number="Table 1", order=201),
    "msd_table_2": TableOrFigure(
        title=TABLE_2_TITLE, make=table_2, paper=MSD, number="Table 2", order=202, of_corpus=True
    ),
    "msd_table_3": TableOrFigure(title=TABLE_3_TITLE, make=table_3, paper=MSD, number="Table 3", order=203),
    "msd_table_4": TableOrFigure(title=TABLE_4_TITLE, make=table_4, paper=MSD, number="Table 4", order=204),
    "msd_table_5": TableOrFigure(title=TABLE_5_TITLE, make=table_5, paper=MSD, number="Table 5", order=205),
    "msd_table_6": TableOrFigure(
        title=TABLE_6_TITLE,
        make=partial(examples, title=TABLE_6_TITLE, reference_last=True),
        paper=MSD,
        number="Table 6",
        order=212,
    ),
    "msd_figure_2": TableOrFigure(
        title=FIGURE_2_TITLE, make=figure_2, paper=MSD, number="Figure 2", order=207, of_corpus=True
    ),
    "msd_figure_3": TableOrFigure(title=FIGURE_3_TITLE, make=figure_3, paper=MSD, number="Figure 3", order=208),
    "msd_figure_4a": _curves("a", 209, by_concepts_figure, title="BLEU and style accuracy by number of concepts"),
    "msd_figure_4b": _curves("b", 210, by_apart_figure, title="BLEU and style accuracy by edit distance"),
    "msd_figure_4c": _curves("c", 211, by_section_figure, title="BLEU and style accuracy by section"),
}
