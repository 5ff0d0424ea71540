"""The tables of GYAFC (Rao and Tetreault 2018)."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from evaluation.aggregation import Mask, method
from evaluation.comparability.better_ends import DIRECTIONS_DIFFER, label_of_metric, measured, outputs_differ
from evaluation.comparability.gyafc_combined import METRICS_OF
from evaluation.comparability.gyafc_combined import why_undefined as why_no_combined
from evaluation.comparability.joint_scores import why_undefined
from evaluation.metrics import METRICS
from evaluation.numerics import Correlation
from evaluation.ranking_models import COMPETITION, DENSE
from evaluation.snapshot import RANK, CriterionJudgements, StudySnapshot
from evaluation.table_parts.aspects import (
    correlations,
    criteria_of,
    criterion_of,
    has_metric_for,
    metric_for,
    metric_of,
    places_of,
    plain_label,
    plain_metric_label,
    rankings_of,
)
from evaluation.table_parts.columns import (
    Subset,
    combined_column,
    direction_name,
    human_column,
    joint_column,
    metric_column,
    stack_tables,
    star_note,
    subsets_of,
    table_of,
)
from evaluation.table_parts.contents import (
    DASH,
    NOT_JUDGED_BESIDE,
    Cell,
    Column,
    MissingContent,
    Table,
    interval_text,
    joined,
    missing_content,
    no_criterion,
    no_metric,
    no_metric_of,
    number,
    p_text,
)
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba import NO_REFERENCES
from evaluation.text_examples import HighlightedText, drawn, examples, pairs_table
from foundation.papers import GYAFC
from foundation.translation import translatable

# Sentences with their rewrites (Rao and Tetreault 2018, Table 1).

TABLE_1_TITLE = "Sentences with their rewrites"
MOST = 4
TABLE_1_NOTE = (
    "Drawn at random, the same with every report, from those that have a reference; of several the first is shown."
)


def table_1(snapshot: StudySnapshot) -> Table | MissingContent:
    """Some pairs of each direction, each text under its style."""
    units = snapshot.units
    usable = [unit for unit in range(len(units.ids)) if units.references[unit] and units.home[unit] == unit]
    if not usable:
        return missing_content(TABLE_1_TITLE, NO_REFERENCES)
    ways = list(dict.fromkeys(int(units.direction[unit]) for unit in usable))
    each = max(1, MOST // len(ways))
    chosen = [
        unit
        for way in ways
        for unit in drawn(
            snapshot, "pairs", [usable_unit for usable_unit in usable if units.direction[usable_unit] == way], each
        )
    ]

    def texts(unit: int) -> tuple[HighlightedText, HighlightedText]:
        return HighlightedText(units.sources[unit], []), HighlightedText(units.references[unit][0], [])

    return pairs_table(
        snapshot, TABLE_1_TITLE, chosen, texts, lambda unit: _named(snapshot, unit, len(ways) > 1), [TABLE_1_NOTE]
    )


def _named(snapshot: StudySnapshot, unit: int, several: bool) -> str:
    """'Sentence 17, Music', with the direction where there are several."""
    way = direction_name(snapshot, int(snapshot.units.direction[unit])) if several else ""
    first = f"{snapshot.unit.capitalize()} {unit + 1}"
    return ", ".join(part for part in (first, way, snapshot.units.domains[unit]) if part)


# The texts of a corpus by style and domain (Rao and Tetreault 2018, Table 2).

TABLE_2_TITLE = "Texts by style and domain"
TABLE_2_NOTE = (
    "Sources are counted, by domain; a reference, or a document's sentence that is not a source, has none of its own, "
    "and counts among all texts. Texts count by the style that they are declared in; a source that was selected by its "
    "score of formality, by that, as in the paper (below 0 informal, above 0 formal)."
)


def table_2(snapshot: StudySnapshot) -> Table | MissingContent:
    """All texts of each style, then all sources, and those of each domain."""
    every, by_domain = _texts(snapshot), _sources(snapshot)
    if not sum(every.values()):
        return missing_content(TABLE_2_TITLE, translatable("The study has no texts yet: add some on the page Texts."))
    domains = list(dict.fromkeys(domain for _, domain in by_domain if domain))
    rows = [_row("All texts", [every[style] for style in snapshot.styles])]
    if domains:
        whole = [sum(n for (of, _), n in by_domain.items() if of == style) for style in snapshot.styles]
        rows.append(_row("All sources", whole))
    rows += [_row(domain, [by_domain[style, domain] for style in snapshot.styles]) for domain in domains]
    head = ["Domain", "Total", *(style.capitalize() for style in snapshot.styles)]
    return Table(
        TABLE_2_TITLE, head, rows, [TABLE_2_NOTE] if domains else ["No source has a domain."], [None] * len(head)
    )


def _texts(snapshot: StudySnapshot) -> Counter[str]:
    counts: Counter[str] = Counter()
    for (style, _), texts in snapshot.counts.texts.items():
        counts[style] += len(texts)
    return counts


def _sources(snapshot: StudySnapshot) -> Counter[tuple[str, str]]:
    counts: Counter[tuple[str, str]] = Counter()
    for (style, _, _, domain), n in snapshot.counts.sentences.items():
        counts[style, domain] += n
    return counts


def _row(name: str, counts: list[int]) -> list[Cell]:
    return [Cell(name), *(counted(n) for n in [sum(counts), *counts])]


def counted(n: int, small: str = "") -> Cell:
    """A count with commas between thousands; a dash for none."""
    return Cell(f"{n:,}" if n else DASH, float(n), small=small, why="" if n else "There are none.")


# How many sentences each part of a corpus has, and how many references (Rao and Tetreault 2018, Table 3).

TABLE_3_TITLE = "Sentences by direction, split and domain"
SPLITS = ("train", "tune", "test")
TABLE_3_NOTE = "Under each number: how many of the sentences have a reference, and how many references those have."


def table_3(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a domain, a column a direction and split."""
    counts = snapshot.counts.sentences
    if not any(counts.values()):
        return missing_content(TABLE_3_TITLE, "The study has no sentences yet: import some on the page Import a table.")
    own = [tuple(pair) for pair in (snapshot.corpus or snapshot.units).directions]
    directions = list(dict.fromkeys((source, target) for source, target, _, _ in counts))
    directions.sort(key=lambda pair: own.index(pair) if pair in own else len(own))
    splits = [*SPLITS, *dict.fromkeys(split for _, _, split, _ in counts if split not in SPLITS)]
    columns = [
        (source, target, split)
        for source, target in directions
        for split in splits
        if any(key[:3] == (source, target, split) for key in counts)
    ]
    domains = list(dict.fromkeys(domain for *_, domain in counts))
    rows = [
        [Cell(domain or "No domain"), *(_table_3_cell(snapshot, *column, domain) for column in columns)]
        for domain in domains
    ]
    head = ["Domain", *(f"{source} to {target}, {split or 'no split'}" for source, target, split in columns)]
    return Table(TABLE_3_TITLE, head, rows, [TABLE_3_NOTE], [None] * len(head))


def _table_3_cell(snapshot: StudySnapshot, source: str, target: str, split: str, domain: str) -> Cell:
    n = snapshot.counts.sentences.get((source, target, split, domain), 0)
    pairs = snapshot.counts.pairs.get((source, target, split, domain), 0)
    if not n:
        return counted(0)
    how = _times(_references(snapshot, (source, target), split, domain))
    return counted(n, joined(f"{_some(pairs, n)} with a reference", how))


def _some(pairs: int, n: int) -> str:
    return "all" if pairs == n else f"{pairs:,}" if pairs else "none"


def _references(snapshot: StudySnapshot, direction: tuple[str, str], split: str, domain: str) -> list[int]:
    """The numbers of references of these sentences, where there are any."""
    units = snapshot.corpus or snapshot.units
    names = zip(units.direction.tolist(), units.splits, units.domains, units.references, strict=True)
    return [
        len(given)
        for of, part, name, given in names
        if given and (tuple(units.directions[of]), part, name) == (direction, split, domain)
    ]


def _times(counts: Sequence[int]) -> str:
    """'4 references each', '1 to 4 references'."""
    if not counts:
        return ""
    low, high = int(np.min(counts)), int(np.max(counts))
    if low == high:
        return f"{low} reference{'s' if low > 1 else ''} each"
    return f"{low} to {high} references"


# Systems by formality, fluency, meaning, their combination and overall metrics (Rao and Tetreault 2018, Table 4).

TABLE_4_TITLE = "Systems by people and by metrics"
ASPECTS = {"style": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
COMBINED_OF = {"human": "people", "metrics": "metrics"}
OVERALL = (("bleu",), ("terp", "ter"), ("pinc",))
COMBINED = (
    "Combined is formality/3 + fluency/2 + 2 x meaning/5 + 1.5, on the paper's scales: -3 to 3, 1 to 5, 1 to 6. "
    "Those of the metrics are -3 to 3, 0 to 4, 0 to 5. Grammaticality that was learnt on 1 to 5 counts less 1. "
    "Formality counts with its sign changed from formal to informal."
)
SAMPLED = (
    "As in the paper, metrics of systems are over the {n:,} {units} that people judged, of {all:,}; those of source "
    "and reference are over all."
)
NO_METRICS = "For the metrics' Combined choose {} on the page Choose metrics."
NO_COMBINED = (
    "For people's Combined judge formality_7, fluency_5 and meaning_6, and let judgements lead that are not "
    "standardized."
)


def table_4(snapshot: StudySnapshot) -> Table | MissingContent:
    """The source and the reference first, where they were judged; for each direction and domain."""
    criteria = {aspect: criteria_of(snapshot, aspect, scale) for aspect, scale in ASPECTS.items()}
    parts = [
        (part, [metric_of(snapshot, *names, direction=part.direction) for names in OVERALL])
        for part in subsets_of(snapshot)
    ]
    overall = [next(filter(None, of), None) for of in zip(*(of for _, of in parts), strict=True)]
    missing = _missing(snapshot, criteria, overall)
    if not any(criteria.values()) or not any(overall):
        return missing_content(TABLE_4_TITLE, *missing)
    places = places_of(snapshot, "source", "reference", "system")
    tables = [
        (part.label, table_of(snapshot, TABLE_4_TITLE, places, _columns(snapshot, part, [
            name or other for name, other in zip(of, overall, strict=True)
        ])))
        for part, of in parts
    ]  # fmt: skip
    stacked = stack_tables(TABLE_4_TITLE, tables)
    has_combined = any(snapshot.report["leaderboard"]["combined"].values())
    judged = _judged(snapshot)
    sampled = (
        [] if judged is None else [SAMPLED.format(n=int(judged.sum()), all=len(judged), units=f"{snapshot.unit}s")]
    )
    notes = [*star_note(snapshot), *sampled, *([COMBINED] if has_combined else []), *missing]
    return Table(TABLE_4_TITLE, stacked.head, stacked.rows, notes, stacked.better)


def _judged(snapshot: StudySnapshot) -> Mask | None:
    """The units (n,) whose systems' outputs people judged; None where these are all of them, or none."""
    systems = np.array([row.role == "system" for row in snapshot.systems])
    judged = np.zeros(len(snapshot.units.ids), dtype=bool)
    for given in snapshot.judgements[snapshot.variant].values():
        judged[given.unit[systems[given.system]]] = True
    judged = np.isin(snapshot.units.home, snapshot.units.home[judged])
    return judged if judged.any() and not judged.all() else None


def _sampled(snapshot: StudySnapshot, part: Subset) -> Subset:
    """The units of a part that people judged: the paper's metrics are over the sentences of its human evaluation."""
    judged = _judged(snapshot)
    return part if judged is None else replace(part, where=judged if part.where is None else judged & part.where)


def _metric_column(snapshot: StudySnapshot, name: str, part: Subset, head: str = "") -> Column:
    """A metric's scores over the units that were judged; of source and reference, whose whole is kept, over all."""
    whole = metric_column(snapshot, name, part, head)
    sampled = _sampled(snapshot, part)
    if sampled is part:
        return whole
    column = metric_column(snapshot, name, sampled, head)
    cells = [
        replace(of_sample, rows={}) if row.role == "system" else of_all
        for row, of_sample, of_all in zip(snapshot.systems, column.cells, whole.cells, strict=True)
    ]
    return replace(column, cells=cells)


def _columns(snapshot: StudySnapshot, part: Subset, overall: Sequence[str | None]) -> list[Column]:
    columns: list[Column | None] = []
    for aspect, scale in ASPECTS.items():
        judged = criterion_of(snapshot, aspect, scale, direction=part.direction)
        name = metric_for(snapshot, aspect, part.direction)
        columns.append(
            None if judged is None else human_column(snapshot, judged, part, f"{plain_label(judged)}, people")
        )
        columns.append(
            None if name is None else _metric_column(snapshot, name, part, plain_metric_label(snapshot, name))
        )
    parts = {"human": part, "metrics": _sampled(snapshot, part)}
    columns += [combined_column(snapshot, of, f"Combined, {name}", parts[of]) for of, name in COMBINED_OF.items()]
    joint = [score.name for score in snapshot.joint if not why_undefined(snapshot, score)]
    columns += [joint_column(snapshot, name, part) for name in joint]
    columns += [None if name is None else _metric_column(snapshot, name, part) for name in overall]
    return [column for column in columns if column is not None]


def _missing(
    snapshot: StudySnapshot, criteria: dict[str, list[CriterionJudgements]], overall: Sequence[str | None]
) -> list[str]:
    """A sentence for each column of the paper that is not here."""
    board = snapshot.report["leaderboard"]["combined"]
    sentences = [
        *[no_criterion(aspect, ASPECTS[aspect]) for aspect, judged in criteria.items() if not judged],
        *[no_metric_of(aspect) for aspect in ASPECTS if not has_metric_for(snapshot, aspect)],
        *[no_metric(*names) for names, metric in zip(OVERALL, overall, strict=True) if metric is None],
        "" if board["human"] else DIRECTIONS_DIFFER if outputs_differ(snapshot) else NO_COMBINED,
        ""
        if board["metrics"] or outputs_differ(snapshot)
        else why_no_combined(snapshot) or NO_METRICS.format(_three()),
        *[NOT_JUDGED_BESIDE.format(role) for role in ("source", "reference") if not places_of(snapshot, role)],
    ]
    return [sentence for sentence in sentences if sentence]


def _three() -> str:
    *first, last = (METRICS[name].label for name in METRICS_OF.values())
    return f"{', '.join(first)} and {last}"


# Systems by the place that people gave them among one another (Rao and Tetreault 2018, Table 5, equation 1).

TABLE_5_TITLE = "Overall ranking"
TABLE_5_NOTE = (
    "The mean over sources of the mean over judges of a system's place; equal outputs share the best one. "
    "1 is the best."
)
WITHOUT_GAPS = "If the place after a tie is not left out (1, 1, 2 for 1, 1, 3), which the paper does not say, over all:"
NO_RANKS = translatable("Nobody has ranked outputs among one another: open a human study in which people rank them.")


def table_5(snapshot: StudySnapshot) -> Table | MissingContent:
    """The systems from the best, with a column for each domain of each direction."""
    rankings = rankings_of(snapshot)
    if not rankings:
        return missing_content(TABLE_5_TITLE, NO_RANKS)
    columns = [column for ranks in rankings for column in _of_ranking(snapshot, ranks)]
    places = [place for place in places_of(snapshot, "source", "reference", "system") if _ranked(columns, place)]
    places.sort(key=lambda place: _first(columns, place))
    return table_of(
        snapshot,
        TABLE_5_TITLE,
        places,
        columns,
        [
            TABLE_5_NOTE,
            *(note for ranks in rankings for note in _without_gaps(snapshot, ranks, places)),
            *star_note(snapshot),
        ],
    )


def _of_ranking(snapshot: StudySnapshot, ranks: CriterionJudgements) -> list[Column]:
    """Its columns, over the parts of the study that it is about; one of several rankings is named."""
    parts = subsets_of(snapshot)
    label = "Mean rank" if ranks.own_name == RANK else plain_label(ranks)
    return [
        human_column(snapshot, ranks, part, _head(part.label, label, len(parts), ranks.own_name == RANK))
        for part in parts
        if None in (part.direction, ranks.direction) or part.direction == ranks.direction
    ]


def _head(part: str, label: str, parts: int, alone: bool) -> str:
    return label if parts == 1 else part if alone else f"{label}, {part}"


def _without_gaps(snapshot: StudySnapshot, ranks: CriterionJudgements, places: Sequence[int]) -> list[str]:
    """The same where the place after a tie is not left out, if that is another number: the paper does not say which."""
    rows = snapshot.units.home[ranks.unit], ranks.rater, ranks.system, ranks.value
    usual, dense = (method("mean_rank").ranks(*rows, ties=ties) for ties in (COMPETITION, DENSE))
    if all(usual[system].mean == dense[system].mean for system in usual):
        return []
    told = [f"{snapshot.systems[place].name} {dense[place].mean:.2f}" for place in places if place in dense]
    return [f"{WITHOUT_GAPS} {', '.join(told)}."]


def _ranked(columns: list[Column], place: int) -> bool:
    return any(column.cells[place].value is not None for column in columns)


def _first(columns: list[Column], place: int) -> float:
    """The rank in the first column that has one: of systems that over the sentences that all of them have."""
    return next(
        value if column.ranking is None else column.ranking.values.get(place, value)
        for column in columns
        if (value := column.cells[place].value) is not None
    )


# Each metric's agreement with the judgements that it stands for (Rao and Tetreault 2018, Table 6).

TABLE_6_TITLE = "Metrics against the judgements they stand for"
NOTES = (
    "Spearman's coefficient over the outputs of all systems together; 95% interval by a bootstrap of sources.",
    "* p < {alpha:g}; p takes outputs as independent, which those of one source are not: lean on the interval.",
    "With a rank, where 1 is the best, a good metric of which high is good correlates negatively.",
)


def table_6(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a metric, a column a domain of each direction."""
    parts = subsets_of(snapshot)
    by_part = [_pairs(snapshot, part.direction) for part in parts]
    pairs, missing = by_part[0] if by_part else ([], [])
    if not pairs:
        return missing_content(TABLE_6_TITLE, *missing)
    columns = [correlations(snapshot, of, "spearman", part.where) for part, (of, _) in zip(parts, by_part, strict=True)]
    rows = [
        [
            Cell(label_of_metric(measured(snapshot, name).name)),
            Cell(plain_label(judged)),
            *(_table_6_cell(snapshot, column[place]) for column in columns),
        ]
        for place, (name, judged) in enumerate(pairs)
    ]
    head = ["Metric", "People", *(part.label for part in parts)]
    projected = dict.fromkeys(correlation.note for column in columns for correlation in column if correlation.note)
    notes = [*(note.format(alpha=snapshot.alpha) for note in NOTES), *projected, *missing]
    return Table(TABLE_6_TITLE, head, rows, notes, [None] * len(head))


def _pairs(snapshot: StudySnapshot, direction: int | None) -> tuple[list[tuple[str, CriterionJudgements]], list[str]]:
    """Metrics with their criterion, and the missing parts for the rest."""
    pairs: list[tuple[str, CriterionJudgements]] = []
    missing = []
    for aspect, scale in ASPECTS.items():
        name = metric_for(snapshot, aspect, direction)
        judged = criterion_of(snapshot, aspect, scale, direction=direction)
        missing += [] if name else [no_metric_of(aspect)]
        missing += [] if judged else [no_criterion(aspect, scale)]
        pairs += [(name, judged)] if name and judged else []
    ranks = next(iter(rankings_of(snapshot, direction)), None)
    missing += [] if ranks else [NO_RANKS]
    for names in OVERALL:
        name = metric_of(snapshot, *names, direction=direction)
        missing += [] if name else [no_metric(*names)]
        pairs += [(name, ranks)] if name and ranks else []
    return pairs, missing


def _table_6_cell(snapshot: StudySnapshot, correlation: Correlation) -> Cell:
    small = joined(interval_text(correlation.low, correlation.high, 2), p_text(correlation.p), f"n = {correlation.n}")
    stars = "*" if correlation.p is not None and correlation.p < snapshot.alpha else ""
    parts = {"low": correlation.low, "high": correlation.high, "p": correlation.p, "n": float(correlation.n)}
    if correlation.value is None:
        return number(None, why=correlation.undefined)
    return number(correlation.value, 2, correlation.undefined, small=small, stars=stars, parts=parts)


# Examples with every system's outputs side by side (Rao and Tetreault 2018, Table 7).

TABLE_7_TITLE = "Examples, side by side"


ENTRIES = {
    "gyafc_table_1": TableOrFigure(title=TABLE_1_TITLE, make=table_1, paper=GYAFC, number="Table 1", order=101),
    "gyafc_table_2": TableOrFigure(
        title=TABLE_2_TITLE, make=table_2, paper=GYAFC, number="Table 2", order=102, of_corpus=True
    ),
    "gyafc_table_3": TableOrFigure(
        title=TABLE_3_TITLE, make=table_3, paper=GYAFC, number="Table 3", order=103, of_corpus=True
    ),
    "gyafc_table_4": TableOrFigure(title=TABLE_4_TITLE, make=table_4, paper=GYAFC, number="Table 4", order=104),
    "gyafc_table_5": TableOrFigure(title=TABLE_5_TITLE, make=table_5, paper=GYAFC, number="Table 5", order=105),
    "gyafc_table_6": TableOrFigure(title=TABLE_6_TITLE, make=table_6, paper=GYAFC, number="Table 6", order=106),
    "gyafc_table_7": TableOrFigure(
        title=TABLE_7_TITLE, make=partial(examples, title=TABLE_7_TITLE), paper=GYAFC, number="Table 7", order=110
    ),
}
