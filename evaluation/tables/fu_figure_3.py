"""Content preservation of each output against the similarity that people see (Fu et al. 2018, Figure 3)."""

import numpy as np

from evaluation.aggregation import method
from evaluation.charts import vega_lite
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.table_parts.aspects import criterion_of
from evaluation.table_parts.cells import p_text
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content, no_criterion
from evaluation.table_parts.model_rows import not_chosen
from evaluation.tables._base import TableOrFigure
from foundation.papers import FU
from foundation.seeds import generator

TITLE = "Content preservation and people"
CONTENT = "content_preservation"
NOISE = 0.03  # of the scale's span: the deviation of what is added for the eye
NONE = "No output has both a judgement and a score of content preservation."
NOTE = "Gaussian noise is added to the judgements that are drawn, that points do not hide one another; not to the data."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A point an output of a system: the mean of its judgements, with noise, over its score."""
    judged = criterion_of(snapshot, "meaning", "similarity_3")
    if judged is None or CONTENT not in snapshot.scores:
        no_people = no_criterion("meaning", "similarity_3") if judged is None else ""
        return missing_content(TITLE, *not_chosen(snapshot, CONTENT), no_people)
    rows, homes = _rows(snapshot, judged)
    if not rows:
        return missing_content(TITLE, NONE)
    x = vega_lite.amount(CONTENT, "Content preservation", zero=False)
    y = vega_lite.amount("shown", f"{judged.label}, mean of people", zero=False)
    systems = list(dict.fromkeys(str(row["system"]) for row in rows))
    spec = vega_lite.points(
        x, y, vega_lite.colour("system", systems, "System"), tip=("system", "unit", CONTENT, "people")
    )
    for layer in spec["layer"]:
        layer["mark"] |= {"size": 30, "opacity": 0.6}
    said = _correlation(rows, homes)
    return Figure(TITLE, spec, rows, f"{judged.label} over content preservation. {said}", [said, NOTE])


def _rows(
    snapshot: StudySnapshot, judged: CriterionJudgements
) -> tuple[list[dict[str, str | float | None]], list[int]]:
    """The points, by system and unit, and the source of each."""
    units, systems = len(snapshot.units.ids), len(snapshot.systems)
    codes = judged.system * units + judged.unit
    counts = np.bincount(codes, minlength=units * systems)
    sums = np.bincount(codes, judged.value, units * systems)
    deviation = NOISE * (judged.highest - judged.lowest)
    noise = generator(snapshot.seed, "jitter").normal(0, deviation, units * systems)
    rows: list[dict[str, str | float | None]] = []
    homes = []
    for code in np.flatnonzero(counts).tolist():
        place, unit = divmod(code, units)
        scored = snapshot.scores[CONTENT][place]
        score = float("nan") if scored is None else float(scored.sentences[unit])
        if snapshot.systems[place].role == "system" and np.isfinite(score):
            mean = float(sums[code] / counts[code])
            rows.append({"system": snapshot.systems[place].name, "unit": snapshot.units.ids[unit], CONTENT: score,
                         "people": mean, "shown": mean + float(noise[code])})  # fmt: skip
            homes.append(int(snapshot.units.home[unit]))
    return rows, homes


def _correlation(rows: list[dict[str, str | float | None]], homes: list[int]) -> str:
    """'Spearman's rho is 0.566 over 200 outputs (p < 0.001).'"""
    values = [[float(row[key] or 0) for row in rows] for key in (CONTENT, "people")]
    correlation = method("spearman").correlate(*values, homes)
    if correlation.value is None:
        return f"There is no correlation: {correlation.undefined}"
    p = p_text(correlation.p)
    return f"Spearman's rho is {correlation.value:.3f} over {correlation.n} outputs{f' ({p})' if p else ''}."


TABLE = TableOrFigure(title=TITLE, make=make, paper=FU, number="Figure 3", order=525)
