"""How many characters people changed: sentences by edit distance (Rao and Tetreault 2018, Figure 1)."""

from collections.abc import Sequence

from evaluation.charts import vega_lite
from evaluation.corpus_statistics.edit_distances import NO_REFERENCE
from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import Floats, StudySnapshot
from evaluation.table_parts.contents import Figure, MissingContent
from evaluation.table_parts.missing import missing_content
from evaluation.table_parts.subsets import direction_name
from evaluation.tables._base import TableOrFigure
from foundation.papers import GYAFC

TITLE = "Edit distance between sources and rewrites"
STEP = 10
TRAIN = "Of the train split, as in the paper."


def make(snapshot: StudySnapshot) -> Figure | MissingContent:
    """Every reference against its source, in bins of ten characters; each direction and domain by itself.

    It is of the train split, as in the paper, where that has references.
    """
    by_direction, split = _by_part(snapshot)
    if not by_direction:
        return missing_content(TITLE, NO_REFERENCE)
    rows: list[dict[str, str | float | None]] = [
        {"direction": name, "edits": f"{low:g}–{high - 1:g}", "from": low, "sentences": n, "percent": share}
        for name, distances in by_direction.items()
        for low, high, n, share in vega_lite.binned(distances.tolist(), 0, STEP)
    ]
    x = {**vega_lite.groups("edits", "Edit distance in characters"), "sort": {"field": "from", "op": "min"}}
    x["axis"] = {"labelAngle": -45, "labelOverlap": True}
    by = vega_lite.colour("direction", list(by_direction), "Direction")
    spec = vega_lite.bars(
        x, vega_lite.amount("percent", "% of rewrites"), by, tip=("direction", "edits", "sentences", "percent")
    )
    notes = [_moments(name, distances) for name, distances in by_direction.items()]
    notes += [TRAIN] if split else []
    return Figure(TITLE, spec, rows, f"Rewrites by how many characters people changed. {' '.join(notes)}", notes)


def _by_part(snapshot: StudySnapshot) -> tuple[dict[str, Floats], str]:
    """The distances by direction and domain, and the split that they are of; "" for all."""
    units = snapshot.corpus or snapshot.units
    rows = list(
        zip(units.direction.tolist(), units.domains, units.splits, units.sources, units.references, strict=True)
    )
    split = "train" if any(part == "train" and given for _, _, part, _, given in rows) else ""
    pairs: dict[tuple[int, str], list[tuple[str, str]]] = {}
    for place, domain, part, source, given in rows:
        if not split or part == split:
            pairs.setdefault((place, domain), []).extend((source, reference) for reference in given)
    filled = {key: of for key, of in pairs.items() if of}
    several = len({domain for _, domain in filled}) > 1
    names = {key: _name(snapshot, *key, several=several) for key in filled}
    return {names[key]: _distances(of) for key, of in filled.items()}, split


def _name(snapshot: StudySnapshot, place: int, domain: str, *, several: bool) -> str:
    """'informal to formal', or 'informal to formal, Music' where there are several domains."""
    direction = direction_name(snapshot, place)
    return f"{direction}, {domain or 'no domain'}" if several else direction


def _distances(pairs: Sequence[tuple[str, str]]) -> Floats:
    """Of each pair of a source and a reference (p,)."""
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    return METRICS["edit_distance"].score(MetricInput(sources, references, [])).sentences


def _moments(name: str, distances: Floats) -> str:
    spread = f", standard deviation {distances.std(ddof=1):.2f}" if len(distances) > 1 else ""
    return f"{name[:1].upper()}{name[1:]}: {len(distances):,} rewrites, mean {distances.mean():.2f}{spread}."


TABLE = TableOrFigure(title=TITLE, make=make, paper=GYAFC, number="Figure 1", order=107, of_corpus=True)
