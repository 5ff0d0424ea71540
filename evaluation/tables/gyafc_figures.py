"""The figures of GYAFC (Rao and Tetreault 2018)."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import product

import numpy as np

from evaluation import charts
from evaluation.comparability.better_ends import measured
from evaluation.corpus_statistics import NO_REFERENCE
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metric_contract import Floats
from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import Places, StudySnapshot
from evaluation.table_parts.aspects import criteria_of, places_of, plain_label, points
from evaluation.table_parts.columns import Subset, direction_name, directions, domains
from evaluation.table_parts.contents import NOT_JUDGED_BESIDE, Figure, MissingContent, missing_content, no_criterion
from evaluation.table_parts.unit_groups import Measure, bins_of
from evaluation.tables._base import TableOrFigure
from evaluation.tables.scores_by_group import ALL, scores_by_group
from foundation.papers import GYAFC
from foundation.seeds import generator
from foundation.translation import translatable

# How many characters people changed: sentences by edit distance (Rao and Tetreault 2018, Figure 1).

FIGURE_1_TITLE = "Edit distance between sources and rewrites"
STEP = 10
TRAIN = "The texts are of the train split, as in the paper."


def figure_1(snapshot: StudySnapshot) -> Figure | MissingContent:
    """Every reference against its source, in bins of ten characters; each direction and domain by itself.

    It is of the train split, as in the paper, where that has references.
    """
    by_direction, split = _by_part(snapshot)
    if not by_direction:
        return missing_content(FIGURE_1_TITLE, NO_REFERENCE)
    rows: list[dict[str, str | float | None]] = [
        {"direction": name, "edits": f"{low:g}–{high - 1:g}", "from": low, "sentences": n, "percent": share}
        for name, distances in by_direction.items()
        for low, high, n, share in charts.binned(distances.tolist(), 0, STEP)
    ]
    x = {**charts.groups("edits", "Edit distance in characters"), "sort": {"field": "from", "op": "min"}}
    x["axis"] = {"labelAngle": -45, "labelOverlap": True}
    by = charts.colour("direction", list(by_direction), "Direction")
    spec = charts.bars(
        x, charts.amount("percent", "% of rewrites"), by, tip=("direction", "edits", "sentences", "percent")
    )
    notes = [_moments(f"{name[:1].upper()}{name[1:]}", of, "rewrites") for name, of in by_direction.items()]
    notes += [TRAIN] if split else []
    return Figure(
        FIGURE_1_TITLE, spec, rows, f"Rewrites by how many characters people changed. {' '.join(notes)}", notes
    )


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
    """The distance of each pair of a source and a reference, (p,)."""
    sources, references = (list(side) for side in zip(*pairs, strict=True))
    return METRICS["edit_distance"].score(MetricInput(sources, references, [])).sentences


def _moments(name: str, values: Floats, what: str) -> str:
    spread = f", standard deviation {values.std(ddof=1):.2f}" if len(values) > 1 else ""
    return f"{name}: {len(values):,} {what}, mean {values.mean():.2f}{spread}."


# How formal sources and rewrites are: sentences by their score (Rao and Tetreault 2018, Figure 2).

FIGURE_2_TITLE = "Style of sources and rewrites"
BINS = 24  # quarters of a point on GYAFC's scale, -3 to 3, and on others that are no longer
STYLE = "formality"
MOST = 5000  # texts of a row that the classifier scores
CLASSIFIED = (
    "The classifier at hand gives the style, as in the paper: over the train split where that has references, and over "
    f"{MOST:,} texts of it at most, drawn by the seed."
)
NO_STYLE = translatable(
    "The style of no source, reference or person's output is known: open a human study in which the source and the "
    "reference are judged for style beside the systems."
)


def figure_2(snapshot: StudySnapshot) -> Figure | MissingContent:
    """The formality of sources and references by the classifier at hand, as in the paper, where the metric is chosen.

    Else the mean judgement of each source and of each human rewrite, else the metric's scores of people's outputs.
    """
    label, low, high, by_row = _classified(snapshot)
    classified = bool(by_row)
    if not by_row:
        label, low, high, by_row = _judged(snapshot)
    if not by_row:
        label, low, high, by_row = _scored(snapshot)
    if not by_row:
        return missing_content(FIGURE_2_TITLE, NO_STYLE)
    step = max((high - low) / BINS, 0.25)
    rows: list[dict[str, str | float | None]] = [
        {"texts": name, "score": start + step / 2, "from": start, "below": end, "sentences": n, "percent": share}
        for name, values in by_row.items()
        for start, end, n, share in charts.binned(np.minimum(values, high - step / 2).tolist(), low, step)
    ]
    by = charts.colour("texts", list(by_row), "Texts")
    tip = ("texts", "from", "below", "sentences", "percent")
    spec = charts.lines(charts.amount("score", label, zero=False), charts.amount("percent", "% of texts"), by, tip=tip)
    notes = [_moments(name, values, "texts") for name, values in by_row.items()]
    notes += [CLASSIFIED] if classified else _lacking(snapshot)
    return Figure(FIGURE_2_TITLE, spec, rows, f"Texts by {label.lower()}. {' '.join(notes)}", notes)


def _beside(snapshot: StudySnapshot) -> list[int]:
    """The source, and whatever people wrote."""
    return [place for place, row in enumerate(snapshot.systems) if row.role != "system" or row.is_human]


def _parts(snapshot: StudySnapshot) -> list[Subset]:
    """The directions, and in their place their domains where one has several, as the paper prints them."""
    whole = directions(snapshot)
    inside = [domains(snapshot, part) for part in whole]
    if not any(len(of) > 1 for of in inside):
        return whole
    named = [
        [replace(of, label=f"{part.label}, {of.label}" if len(whole) > 1 else of.label) for of in inner] or [part]
        for part, inner in zip(whole, inside, strict=True)
    ]
    return [of for inner in named for of in inner]


def _by_direction(snapshot: StudySnapshot, place: int, units: Places, values: Floats) -> dict[str, Floats]:
    """Values of some texts of a row, which has a name for each of several directions and domains."""
    name, parts = snapshot.systems[place].name, _parts(snapshot)
    if len(parts) < 2:
        return {name: values} if len(values) else {}
    by_label = {f"{name}, {part.label}": values[part.where[units]] for part in parts if part.where is not None}
    return {label: of for label, of in by_label.items() if len(of)}


def _classified(snapshot: StudySnapshot) -> tuple[str, float, float, dict[str, Floats]]:
    """Scores of the corpus's own texts, of the train split where that has references; nothing without a classifier."""
    if not any(measured(snapshot, key).name == STYLE for key in snapshot.scores):
        return "", 0.0, 0.0, {}
    units = snapshot.corpus or snapshot.units
    rows = list(
        zip(units.direction.tolist(), units.domains, units.splits, units.sources, units.references, strict=True)
    )
    train = any(split == "train" and given for _, _, split, _, given in rows)
    texts: dict[tuple[str, int, str], list[str]] = {}
    for place, domain, split, source, given in rows:
        if given and (split == "train" or not train):
            texts.setdefault(("Source", place, domain), []).append(source)
            texts.setdefault(("Reference", place, domain), []).extend(given)
    directions_of, domains_of = ({key[part] for key in texts} for part in (1, 2))
    by_row: dict[str, Floats] = {}
    for (name, place, domain), of in texts.items():
        direction = direction_name(snapshot, place) if len(directions_of) > 1 else ""
        label = ", ".join(filter(None, (name, direction, domain if len(domains_of) > 1 else "")))
        scores = _classifier_scores(of, label, snapshot)
        by_row |= {label: scores} if len(scores) else {}
    every = np.concatenate([*by_row.values(), np.array([-3.0, 3.0])])
    return METRICS[STYLE].label, float(np.floor(every.min())), float(np.ceil(every.max())), by_row


def _classifier_scores(texts: Sequence[str], name: str, snapshot: StudySnapshot) -> Floats:
    """Scores of at most MOST of the texts, drawn by the seed; none where no classifier serves their language."""
    drawn = list(texts)
    if len(drawn) > MOST:
        drawn = [
            texts[place] for place in generator(snapshot.seed, STYLE, name).choice(len(texts), MOST, replace=False)
        ]
    batch = MetricInput([], drawn, [], material=TrainingMaterial(), language=snapshot.language)
    scores = METRICS[STYLE].score(batch).sentences
    return scores[np.isfinite(scores)]


def _judged(snapshot: StudySnapshot) -> tuple[str, float, float, dict[str, Floats]]:
    criteria = criteria_of(snapshot, "style", "formality_7")
    if not criteria:
        return "", 0.0, 0.0, {}
    judged_points = [points(snapshot, judged) for judged in criteria]
    systems, units, means = (np.concatenate(of) for of in zip(*judged_points, strict=True))
    by_row: dict[str, Floats] = {}
    for place in _beside(snapshot):
        by_row |= _by_direction(snapshot, place, units[systems == place], means[systems == place])
    low, high = criteria[0].lowest, criteria[0].highest
    if snapshot.variant == "z" and len(means):
        low, high = float(np.floor(means.min())), float(np.ceil(means.max()))
    return plain_label(criteria[0]), low, high, by_row


def _scored(snapshot: StudySnapshot) -> tuple[str, float, float, dict[str, Floats]]:
    keys = [key for key in snapshot.scores if measured(snapshot, key).name == STYLE]
    if not keys:
        return "", 0.0, 0.0, {}
    by_row: dict[str, Floats] = {}
    for place, key in product(_beside(snapshot), keys):
        scored = snapshot.scores[key][place]
        if scored is not None:
            known = np.flatnonzero(np.isfinite(scored.sentences))
            by_row |= _by_direction(snapshot, place, known, scored.sentences[known])
    every = np.concatenate([*by_row.values(), np.array([-3.0, 3.0])])
    return METRICS[STYLE].label, float(np.floor(every.min())), float(np.ceil(every.max())), by_row


def _lacking(snapshot: StudySnapshot) -> list[str]:
    return [NOT_JUDGED_BESIDE.format(role) for role in ("source", "reference") if not places_of(snapshot, role)]


# Style and meaning by the length of the source, as people judge them (Rao and Tetreault 2018, Figure 3).

FIGURE_3_TITLE = "Style and meaning by length of the source"
MANY = 10  # the paper's are two words wide, from 5 to 24; groups of similar size have intervals of similar width
ASPECTS = {"style": "formality_7", "meaning": "meaning_6"}


def figure_3(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A line for the source, the reference and each system, over groups of similar size."""
    by_aspect = {aspect: criteria_of(snapshot, aspect, scale) for aspect, scale in ASPECTS.items()}
    if missing := [no_criterion(aspect, ASPECTS[aspect]) for aspect, of in by_aspect.items() if not of]:
        return missing_content(FIGURE_3_TITLE, *missing)
    measures = [
        Measure(judgements.label, judged=judgements, direction=judgements.direction)
        for of in by_aspect.values()
        for judgements in of
    ]
    return scores_by_group(
        snapshot, FIGURE_3_TITLE, "Words of the source", lambda used: bins_of(snapshot.units.words, used, MANY),
        measures, roles=ALL, one_group="All judged sources have the same number of words, so that there is one group.",
    )  # fmt: skip


ENTRIES = {
    "gyafc_figure_1": TableOrFigure(
        title=FIGURE_1_TITLE, make=figure_1, paper=GYAFC, number="Figure 1", order=107, of_corpus=True
    ),
    "gyafc_figure_2": TableOrFigure(title=FIGURE_2_TITLE, make=figure_2, paper=GYAFC, number="Figure 2", order=108),
    "gyafc_figure_3": TableOrFigure(title=FIGURE_3_TITLE, make=figure_3, paper=GYAFC, number="Figure 3", order=109),
}
