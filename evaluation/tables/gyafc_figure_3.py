"""Style and meaning by the length of the source, as people judge them (Rao and Tetreault 2018, Figure 3)."""

from evaluation.charts.scores_by_group import ALL, scores_by_group
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import criteria_of
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content, no_criterion
from evaluation.table_parts.unit_groups import Measure, bins_of
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TITLE = "Style and meaning by length of the source"
MANY = 10  # the paper's are two words wide, from 5 to 24; groups of similar size have intervals of similar width
ASPECTS = {"style": "formality_7", "meaning": "meaning_6"}


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line for the source, the reference and each system, over groups of similar size."""
    by_aspect = {aspect: criteria_of(snapshot, aspect, scale) for aspect, scale in ASPECTS.items()}
    if missing := [no_criterion(aspect, ASPECTS[aspect]) for aspect, of in by_aspect.items() if not of]:
        return missing_content(TITLE, *missing)
    measures = [
        Measure(judgements.label, judged=judgements, direction=judgements.direction)
        for of in by_aspect.values()
        for judgements in of
    ]
    return scores_by_group(
        snapshot, TITLE, "Words of the source", lambda used: bins_of(snapshot.units.words, used, MANY), measures,
        roles=ALL, one_group="All judged sources have the same number of words, so that there is one group.",
    )  # fmt: skip


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Figure 3", order=109)
