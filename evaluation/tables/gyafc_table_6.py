"""How far each metric agrees with the judgements that it stands for (Rao and Tetreault 2018, Table 6)."""

from evaluation.comparability.better_ends import measured
from evaluation.metrics import METRICS
from evaluation.numerics import Correlation
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.table_parts.aspects import criterion_of, metric_for, metric_of, plain_label, ranks_of
from evaluation.table_parts.cells import Cell, interval_text, joined, number, p_text
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.judged_outputs import correlations
from evaluation.table_parts.missing import missing_content, no_criterion, no_metric, no_metric_of
from evaluation.table_parts.subsets import subsets_of
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_table_4 import ASPECTS, OVERALL
from evaluation.tables.gyafc_table_5 import NO_RANKS
from foundation.papers import GYAFC

TITLE = "Metrics against the judgements they stand for"
NOTES = (
    "Spearman's coefficient over the outputs of all systems together; 95% interval by a bootstrap of sources.",
    "* p < {alpha:g}; p takes outputs as independent, which those of one source are not: lean on the interval.",
    "With a rank, where 1 is the best, a good metric of which high is good correlates negatively.",
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a metric, a column a domain of each direction."""
    parts = subsets_of(snapshot)
    by_part = [_pairs(snapshot, part.direction) for part in parts]
    pairs, missing = by_part[0] if by_part else ([], [])
    if not pairs:
        return missing_content(TITLE, *missing)
    columns = [correlations(snapshot, of, "spearman", part.where) for part, (of, _) in zip(parts, by_part, strict=True)]
    rows = [
        [
            Cell(METRICS[measured(snapshot, name).name].label),
            Cell(plain_label(judged)),
            *(_cell(snapshot, column[place]) for column in columns),
        ]
        for place, (name, judged) in enumerate(pairs)
    ]
    head = ["Metric", "People", *(part.label for part in parts)]
    projected = dict.fromkeys(correlation.note for column in columns for correlation in column if correlation.note)
    notes = [*(note.format(alpha=snapshot.alpha) for note in NOTES), *projected, *missing]
    return Table(TITLE, head, rows, notes, [None] * len(head))


def _pairs(snapshot: StudySnapshot, direction: int | None) -> tuple[list[tuple[str, CriterionJudgements]], list[str]]:
    """Metrics with their criterion, and what is lacking for the rest."""
    pairs: list[tuple[str, CriterionJudgements]] = []
    missing = []
    for aspect, scale in ASPECTS.items():
        name = metric_for(snapshot, aspect, direction)
        judged = criterion_of(snapshot, aspect, scale, direction=direction)
        missing += [] if name else [no_metric_of(aspect)]
        missing += [] if judged else [no_criterion(aspect, scale)]
        pairs += [(name, judged)] if name and judged else []
    ranks = ranks_of(snapshot)
    missing += [] if ranks else [NO_RANKS]
    for names in OVERALL:
        name = metric_of(snapshot, *names)
        missing += [] if name else [no_metric(*names)]
        pairs += [(name, ranks)] if name and ranks else []
    return pairs, missing


def _cell(snapshot: StudySnapshot, correlation: Correlation) -> Cell:
    small = joined(interval_text(correlation.low, correlation.high, 2), p_text(correlation.p), f"n = {correlation.n}")
    stars = "*" if correlation.p is not None and correlation.p < snapshot.alpha else ""
    parts = {"low": correlation.low, "high": correlation.high, "p": correlation.p, "n": float(correlation.n)}
    if correlation.value is None:
        return number(None, why=correlation.undefined)
    return number(correlation.value, 2, correlation.undefined, small=small, stars=stars, parts=parts)


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Table 6", order=106)
