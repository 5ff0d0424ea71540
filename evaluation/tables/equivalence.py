"""By how much no system is worse than the baseline: what a claim that meaning is kept rests on (Lakens 2017)."""

from evaluation.comparability.better_ends import better_in
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, interval_text, missing_content, number
from evaluation.tables._base import TableOrFigure
from evaluation.tables.variants import UNJUDGED

TITLE = "Not worse than the baseline"
HEAD = ["Criterion", "System", "Difference", "Not worse by more than", "Equivalent within", "Scale", "Sources"]
ABOUT = (
    "The mean difference to {baseline} over the sources that both have, turned so that more is better, with its "
    "{level:g}% interval. At level {alpha:g} a system is not worse than {baseline} by more than the lower end of that "
    "interval (non-inferiority), and equivalent to it within its farther end (two one-sided t tests, Lakens 2017)."
)
MARGIN = (
    "To claim that meaning is kept, say before the study which difference does not matter: the claim holds if the "
    "number here is smaller. That a difference is not significant shows no equivalence."
)
NO_BASELINE = "There is no system to compare with."
NO_END = "Neither end of {criterion} is the better one."


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion and system other than the baseline."""
    if snapshot.baseline is None:
        return missing_content(TITLE, NO_BASELINE)
    judged = [one for one in snapshot.judgements[snapshot.variant].values() if one.level != "nominal"]
    if not judged:
        return missing_content(TITLE, UNJUDGED)
    ends = [(one, better_in(snapshot, one)) for one in judged]
    rows = [row for one, better in ends if better is not None for row in _rows(snapshot, one, better)]
    unsaid = [NO_END.format(criterion=one.label) for one, better in ends if better is None]
    if not rows:
        return missing_content(TITLE, *(unsaid or [UNJUDGED]))
    name = snapshot.systems[snapshot.baseline].name
    about = ABOUT.format(baseline=name, alpha=snapshot.alpha, level=100 * (1 - 2 * snapshot.alpha))
    return Table(TITLE, HEAD, rows, [about, MARGIN, *unsaid])


def _rows(snapshot: StudySnapshot, judged: CriterionJudgements, high_is_good: bool) -> list[list[Cell]]:
    sign, home = (1.0 if high_is_good else -1.0), snapshot.units.home[judged.unit]
    others = [place for place in places_of(snapshot, "system") if place != snapshot.baseline]
    base = judged.system == snapshot.baseline
    rows = []
    for place in others:
        own = judged.system == place
        if not own.any():
            continue
        found = STATISTICS["equivalence"].compare(  # type: ignore[attr-defined]
            sign * judged.value[own], sign * judged.value[base], home[own], home[base], alpha=snapshot.alpha
        )
        small, parts = interval_text(found.low, found.high, 2), {"low": found.low, "high": found.high}
        scale = f"{judged.lowest:g} to {judged.highest:g}" if judged.highest > judged.lowest else DASH
        rows.append([
            Cell(judged.label), Cell(snapshot.systems[place].name),
            number(found.difference, 2, found.undefined, small=small, parts=parts),
            number(found.not_worse_by, 2, found.undefined), number(found.within, 2, found.undefined),
            Cell(scale), number(found.n, 0),
        ])  # fmt: skip
    return rows


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=9)
