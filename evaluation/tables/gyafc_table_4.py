"""Systems by formality, fluency, meaning, their combination and overall metrics (Rao and Tetreault 2018, Table 4)."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from evaluation.aggregation import Mask
from evaluation.comparability.gyafc_combined import METRICS_OF
from evaluation.comparability.gyafc_combined import why_undefined as why_no_combined
from evaluation.comparability.joint_scores import why_undefined
from evaluation.metrics import METRICS
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.table_parts.aspects import (
    criteria_of,
    criterion_of,
    has_metric_for,
    metric_for,
    metric_of,
    places_of,
    plain_label,
    plain_metric_label,
)
from evaluation.table_parts.contents import MissingContent, Table
from evaluation.table_parts.missing import NOT_JUDGED_BESIDE, missing_content, no_criterion, no_metric, no_metric_of
from evaluation.table_parts.subsets import Subset, subsets_of
from evaluation.table_parts.system_columns import (
    Column,
    combined_column,
    human_column,
    joint_column,
    metric_column,
)
from evaluation.table_parts.system_tables import stack_tables, star_note, table_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TITLE = "Systems by people and by metrics"
ASPECTS = {"style": "formality_7", "fluency": "fluency_5", "meaning": "meaning_6"}
COMBINED_OF = {"human": "people", "metrics": "metrics"}
OVERALL = (("bleu",), ("terp", "ter"), ("pinc",))
COMBINED = (
    "Combined is formality/3 + fluency/2 + 2 x meaning/5 + 1.5, on the paper's scales (-3 to 3, 1 to 5, 1 to 6; of the "
    "metrics -3 to 3, 0 to 4, 0 to 5; grammaticality that was learnt on 1 to 5 counts less 1); "
    "from formal to informal formality counts turned round, with its sign changed."
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


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """The source and the reference first, where they were judged; for each direction and domain."""
    criteria = {aspect: criteria_of(snapshot, aspect, scale) for aspect, scale in ASPECTS.items()}
    overall = [metric_of(snapshot, *names) for names in OVERALL]
    missing = _missing(snapshot, criteria, overall)
    if not any(criteria.values()) or not any(overall):
        return missing_content(TITLE, *missing)
    places = places_of(snapshot, "source", "reference", "system")
    tables = [
        (part.label, table_of(snapshot, TITLE, places, _columns(snapshot, part, overall)))
        for part in subsets_of(snapshot)
    ]
    stacked = stack_tables(TITLE, tables)
    has_combined = any(snapshot.report["leaderboard"]["combined"].values())
    judged = _judged(snapshot)
    sampled = (
        [] if judged is None else [SAMPLED.format(n=int(judged.sum()), all=len(judged), units=f"{snapshot.unit}s")]
    )
    notes = [*star_note(snapshot), *sampled, *([COMBINED] if has_combined else []), *missing]
    return Table(TITLE, stacked.head, stacked.rows, notes, stacked.better)


def _judged(snapshot: StudySnapshot) -> Mask | None:
    """The units (n,) whose systems' outputs people judged; None where these are all of them, or none."""
    systems = np.array([row.role == "system" for row in snapshot.systems])
    judged = np.zeros(len(snapshot.units.ids), dtype=bool)
    for given in snapshot.judgements[snapshot.variant].values():
        judged[given.unit[systems[given.system]]] = True
    judged = np.isin(snapshot.units.home, snapshot.units.home[judged])
    return judged if judged.any() and not judged.all() else None


def _sampled(snapshot: StudySnapshot, part: Subset) -> Subset:
    """Of a part the units that people judged: the paper's metrics are over the sentences of its human evaluation."""
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
        "" if board["human"] else NO_COMBINED,
        "" if board["metrics"] else why_no_combined(snapshot) or NO_METRICS.format(_three()),
        *[NOT_JUDGED_BESIDE.format(role) for role in ("source", "reference") if not places_of(snapshot, role)],
    ]
    return [sentence for sentence in sentences if sentence]


def _three() -> str:
    *first, last = (METRICS[name].label for name in METRICS_OF.values())
    return f"{', '.join(first)} and {last}"


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Table 4", order=104)
