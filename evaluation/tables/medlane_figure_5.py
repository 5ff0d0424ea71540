"""AScore over its two weights (Luo et al. 2022, Figure 5), from the BLEU, HIT and CWR that are kept with it."""

from collections.abc import Iterator

import numpy as np

from evaluation.charts import vega_lite
from evaluation.metrics.ascore import ascore
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.aspects import places_of
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.model_rows import not_chosen, why_none
from evaluation.tables._base import TableOrFigure
from evaluation.tables.plaba_table_5 import NO_SYSTEM
from foundation.papers import MEDLANE

TITLE = "AScore by alpha and beta"
METRIC, PARTS = "ascore", ("bleu", "hit", "cwr")
WEIGHTS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
LINES = [f"{weight:g}" for weight in WEIGHTS]
UNSCORED = "No system has an AScore with its three parts. {why}"


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a system, a line an alpha, over beta."""
    if reasons := not_chosen(snapshot, METRIC):
        return missing_content(TITLE, *reasons)
    rows = list(_rows(snapshot))
    if not rows:
        return missing_content(TITLE, _unscored(snapshot))
    names = list(dict.fromkeys(str(row["system"]) for row in rows))
    x = vega_lite.amount("beta", "β, the weight of HIT", zero=False)
    y = vega_lite.amount("value", "AScore", zero=False)
    spec = vega_lite.lines(
        x, y, vega_lite.colour("alpha", LINES, "α, the weight of BLEU"), tip=("alpha", "beta", "value")
    )
    describes = (
        f"AScore of {', '.join(names)}, a panel each: a line for each alpha from {WEIGHTS[0]} to {WEIGHTS[-1]}, over "
        "the same betas. Between BLEU and HIT, a greater beta draws it to HIT, a greater alpha to BLEU."
    )
    return Figure(TITLE, vega_lite.panels(spec, "system", names, min(3, len(names))), rows, describes)


def _unscored(snapshot: StudySnapshot) -> str:
    places = places_of(snapshot, "system")
    return UNSCORED.format(why=why_none(snapshot, METRIC, places[0])).strip() if places else NO_SYSTEM


def _rows(snapshot: StudySnapshot) -> Iterator[dict[str, str | float | None]]:
    for place in places_of(snapshot, "system"):
        scored = snapshot.scores[METRIC][place]
        if scored is None or scored.corpus is None or any(part not in scored.details for part in PARTS):
            continue
        bleu, hit_score, common = (np.asarray(scored.details[part]) for part in PARTS)
        for alpha in WEIGHTS:
            for beta in WEIGHTS:
                value = float(ascore(bleu, hit_score, common, alpha, beta))
                yield {"system": snapshot.systems[place].name, "alpha": f"{alpha:g}", "beta": beta, "value": value}


TABLE = TableOrFigure(title=TITLE, make=make, paper=MEDLANE, number="Figure 5", order=467)
