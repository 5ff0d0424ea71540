"""The tables and figures of MedLane (Luo et al. 2022)."""

from collections.abc import Iterator, Sequence

import numpy as np

from evaluation import charts
from evaluation.comparability.better_ends import end_of
from evaluation.comparability.system_ranking import by_metric
from evaluation.corpus_statistics import FKGL, HOW, distinct_tokens, fkgl_of_references, mean_tokens
from evaluation.metrics import METRICS
from evaluation.metrics.ascore import ascore
from evaluation.snapshot import StudySnapshot
from evaluation.table_parts import model_rows
from evaluation.table_parts.aspects import metric_of, places_of
from evaluation.table_parts.columns import HUNDREDTH, OURS, direction_name, ranking_notes, scale_notes
from evaluation.table_parts.contents import (
    Cell,
    Figure,
    MissingContent,
    Table,
    missing_content,
    number,
    signature_notes,
)
from evaluation.table_parts.model_rows import not_chosen, why_none
from evaluation.table_parts.unit_groups import Measure, bins_of
from evaluation.tables._base import TableOrFigure
from evaluation.tables.gyafc_tables import counted
from evaluation.tables.plaba import NO_REFERENCES, NO_SYSTEM
from evaluation.tables.scores_by_group import scores_by_group
from evaluation.text_examples import NO_SCORES, SelectionMetric, case_table, hardest, leads
from foundation.papers import MEDLANE
from foundation.translation import translatable

# A corpus in numbers: tokens, lengths and abbreviations (Luo et al. 2022, Table 2).

TABLE_2_TITLE = "The corpus in numbers"
NOTES = (
    "Tokens are counted once each, as they are written. Source sentences are those that have a reference, target "
    "sentences all references, without brackets; sentences of documents that nobody worked on are in neither.",
    HOW,
    "Abbreviations are the full forms in brackets of a sentence's first reference, in the splits tune and test as in "
    "the paper. Which of the references it counted neither the paper nor its program says.",
)
NO_TEXTS = translatable("No source has a reference: add references to the study.")
NO_FORMS = "No sentence of the splits tune and test has a reference with full forms in brackets."
COUNTED_IN = ("tune", "test")


def table_2(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a number, a column for each direction whose sources have references."""
    columns = {place: _column(snapshot, place) for place in range(len(snapshot.units.directions))}
    columns = {place: cells for place, cells in columns.items() if cells}
    if not columns:
        return missing_content(TABLE_2_TITLE, NO_TEXTS)
    names = ["Tokens in the source sentences", "Tokens in the target sentences", "Tokens in both",
             "Average length of the source sentences", "Average length of the target sentences",
             "Average number of abbreviations"]  # fmt: skip
    rows = [[Cell(name), *cells] for name, *cells in zip(names, *columns.values(), strict=True)]
    return Table(TABLE_2_TITLE, ["Counted", *(direction_name(snapshot, place) for place in columns)], rows, NOTES)


def _column(snapshot: StudySnapshot, place: int) -> list[Cell]:
    source, target = snapshot.units.directions[place]
    sources, targets = _annotated(snapshot, source, target)
    if not sources or not targets:
        return []
    these, those = (distinct_tokens(of, snapshot.language) for of in (sources, targets))
    lengths = [number(mean_tokens(of, snapshot.language), 1) for of in (sources, targets)]
    counts = [counted(len(of)) for of in (these, those, these & those)]
    return [*counts, *lengths, _abbreviations(snapshot, source, target)]


def _annotated(snapshot: StudySnapshot, source: str, target: str) -> tuple[list[str], list[str]]:
    parts = [part for (a, b, _), part in snapshot.counts.annotated.items() if (a, b) == (source, target)]
    return [text for part in parts for text in part[0]], [text for part in parts for text in part[1]]


def _abbreviations(snapshot: StudySnapshot, source: str, target: str) -> Cell:
    """A mean over units; one whose first line has no brackets has none."""
    forms = [n for split in COUNTED_IN for n in snapshot.counts.forms.get((source, target, split), ())]
    if not any(forms):
        return number(None, why=NO_FORMS)
    return number(sum(forms) / len(forms), 1, parts={"terms": sum(forms)})


# Systems by MedLane's twelve columns, and what the best of them gains (Luo et al. 2022, Table 3).

TABLE_3_TITLE = "Systems by BLEU, HIT, CWR and AScore"
REQUIRED = ("bleu_1", "bleu_2", "bleu_3", "bleu", "bleu_mean", "rouge_l", "cider", "sari", "hit", "cwr", "ascore")
METEOR = ("meteor_1_5", "meteor")
LEADING = "ascore"
HEADS = {"bleu": "BLEU-4", "bleu_mean": "BLEU"}
SCALES = dict.fromkeys(REQUIRED[:5], HUNDREDTH)
NOTE = (
    "BLEU is the mean of BLEU-1 to BLEU-4; of METEOR 1.5 is taken where it is chosen, else NLTK's. "
    "AScore grows with CWR, of which neither end is the better one by itself."
)


def table_3(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a model, the best of each column marked, and a last row with the gain of the model of the best AScore."""
    models, columns = model_rows.families_of(snapshot), columns_of(snapshot)
    if reasons := reasons_of(snapshot, models):
        return missing_content(TABLE_3_TITLE, *reasons)
    return table_of(
        snapshot, TABLE_3_TITLE, columns, models, [score_column(snapshot, name, models) for name in columns]
    )


def columns_of(snapshot: StudySnapshot) -> list[str]:
    """The metrics in the paper's order."""
    return [*REQUIRED[:5], metric_of(snapshot, *METEOR, direction=None) or METEOR[0], *REQUIRED[5:]]


def reasons_of(snapshot: StudySnapshot, models: Sequence[model_rows.Family], *more: str) -> list[str]:
    """The reasons why there is no table. METEOR may be lacking, since it needs Java or WordNet."""
    return [*model_rows.not_chosen(snapshot, *REQUIRED, *more), *([] if models else [NO_SYSTEM])]


def score_column(snapshot: StudySnapshot, name: str, models: Sequence[model_rows.Family]) -> list[Cell]:
    """Scores with the best marked, on the paper's scale."""
    return model_rows.marked_scores(snapshot, name, models, scale=SCALES.get(name, OURS))[0]


def table_of(
    snapshot: StudySnapshot,
    title: str,
    names: Sequence[str],
    models: Sequence[model_rows.Family],
    columns: Sequence[Sequence[Cell]],
) -> Table:
    """Models under the metrics' heads, and the row of gains."""
    better = [end_of(snapshot, name) for name in names]
    gains = [True if name == "cwr" else end for name, end in zip(names, better, strict=True)]  # AScore grows with CWR
    rows = [list(row) for row in zip([Cell(model.name) for model in models], *columns, strict=True)]
    rankings = {name: by_metric(snapshot, name) for name in names if name in snapshot.scores}
    ranked = [
        [model_rows.ranked_mean(model, rankings[name]) if name in rankings else None for model in models]
        for name in names
    ]
    known = [-np.inf if value is None else value for value in ranked[names.index(LEADING)]]
    heads = [HEADS.get(name, METRICS[name].label) for name in names]
    over = ranking_notes([(METRICS[name].label, ranking) for name, ranking in rankings.items()])
    notes = [NOTE, *over, *scale_notes(SCALES, zip(names, heads, strict=True))]
    if len(models) > 1 and max(known) > -np.inf:
        first = int(np.argmax(known))
        rows.append([Cell("↑"), *(_gain(*column, first) for column in zip(ranked, gains, strict=True))])
        notes.append(f"↑ is what {models[first].name}, of the best AScore, has more than the best of the others.")
    return Table(title, ["System", *heads], rows, [*notes, *signature_notes(snapshot, names)], [None, *better])


def _gain(column: Sequence[float | None], better: bool | None, first: int) -> Cell:
    """In percent of the best other value."""
    own = column[first]
    others = [value for place, value in enumerate(column) if place != first and value is not None]
    if better is None or own is None or not others:
        return number(None, why="Neither end is the better one." if better is None else "A score is lacking.")
    best = max(others) if better else min(others)
    if best == 0:
        return number(None, why="The best of the others is 0.")
    gain = 100 * (own - best) / abs(best)
    return Cell(f"{gain:+.1f}%", gain)


# A sentence in which the best system is ahead of the others (Luo et al. 2022, Table 4).

TABLE_4_TITLE = "An example in which the best system wins"
BEHIND = "The best system is ahead of all others in no single text."


def table_4(snapshot: StudySnapshot) -> Table | MissingContent:
    """The best system by the whole, in the unit in which its own score is ahead of all others' by most."""
    telling = SelectionMetric.of(snapshot)
    if telling is None:
        return missing_content(TABLE_4_TITLE, NO_SCORES)
    lead = leads(snapshot, telling)
    if lead is None:
        return missing_content(TABLE_4_TITLE, BEHIND)
    first, unit = lead
    name = snapshot.systems[first].name
    note = f"{name} has the best {telling.label} of all; in this {snapshot.unit} it is ahead of the others by most."
    return case_table(snapshot, TABLE_4_TITLE, unit, telling, [note], first)


# A hard sentence, with which no system does well (Luo et al. 2022, Table 5).

TABLE_5_TITLE = "A hard example"
NONE_IN_COMMON = "No text is scored for all systems."


def table_5(snapshot: StudySnapshot) -> Table | MissingContent:
    """The unit whose best score is the lowest of all."""
    telling = SelectionMetric.of(snapshot)
    if telling is None:
        return missing_content(TABLE_5_TITLE, NO_SCORES)
    unit = hardest(telling)
    if unit is None:
        return missing_content(TABLE_5_TITLE, NONE_IN_COMMON)
    note = f"The best system's score is the lowest here ({snapshot.unit}), of all texts that every system has."
    return case_table(snapshot, TABLE_5_TITLE, unit, telling, [note])


# MedLane's Table 3 with FKGL, and the references' own (Luo et al. 2022, Table 6).

TABLE_6_TITLE = "Systems and references by FKGL"
TRUTH = "References are not scored against themselves."


def table_6(snapshot: StudySnapshot) -> Table | MissingContent:
    """Table 3's rows and columns, a column of FKGL, and above them the references, which are the ground truth."""
    models, truth = model_rows.families_of(snapshot), fkgl_of_references(snapshot)
    if reasons := [*reasons_of(snapshot, models, FKGL), *([] if truth else [NO_REFERENCES])]:
        return missing_content(TABLE_6_TITLE, *reasons)
    assert truth is not None
    names = [*columns_of(snapshot), FKGL]
    table = table_of(snapshot, TABLE_6_TITLE, names, models, [score_column(snapshot, name, models) for name in names])
    unscored = [number(None, why=TRUTH) for _ in names[:-1]]
    first = [Cell("Ground truth"), *unscored, number(truth.corpus, 2, truth.undefined)]
    return Table(table.title, table.head, [first, *table.rows], table.notes, table.better)


# BLEU, HIT, CWR and AScore over five groups of sources by length (Luo et al. 2022, Figure 4).

FIGURE_4_TITLE = "Sentence length and performance"
GROUPS = 5
METRICS_SHOWN = ("bleu_mean", "hit", "cwr", "ascore")
ONE = "All sources have the same number of words, so that there is one group."


def figure_4(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a metric, a line a system, over groups of similar size by the source's words."""
    if reasons := not_chosen(snapshot, *METRICS_SHOWN):
        return missing_content(FIGURE_4_TITLE, *reasons)
    measures = [Measure(METRICS[name].label, metric=name) for name in METRICS_SHOWN]
    return scores_by_group(
        snapshot, FIGURE_4_TITLE, "Words of the source", lambda used: bins_of(snapshot.units.words, used, GROUPS),
        measures, one_group=ONE,
    )  # fmt: skip


# AScore over its two weights (Luo et al. 2022, Figure 5), from the BLEU, HIT and CWR that are kept with it.

FIGURE_5_TITLE = "AScore by alpha and beta"
METRIC, PARTS = "ascore", ("bleu", "hit", "cwr")
WEIGHTS = (0.5, 1.0, 1.5, 2.0, 2.5, 3.0)
LINES = [f"{weight:g}" for weight in WEIGHTS]
UNSCORED = "No system has an AScore with its three parts. {why}"


def figure_5(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a system, a line an alpha, over beta."""
    if reasons := not_chosen(snapshot, METRIC):
        return missing_content(FIGURE_5_TITLE, *reasons)
    rows = list(_rows(snapshot))
    if not rows:
        return missing_content(FIGURE_5_TITLE, _unscored(snapshot))
    names = list(dict.fromkeys(str(row["system"]) for row in rows))
    x = charts.amount("beta", "β, the weight of HIT", zero=False)
    y = charts.amount("value", "AScore", zero=False)
    spec = charts.lines(x, y, charts.colour("alpha", LINES, "α, the weight of BLEU"), tip=("alpha", "beta", "value"))
    describes = (
        f"AScore of {', '.join(names)}, a panel each: a line for each alpha from {WEIGHTS[0]} to {WEIGHTS[-1]}, over "
        "the same betas. Between BLEU and HIT, a greater beta draws it to HIT, a greater alpha to BLEU."
    )
    return Figure(FIGURE_5_TITLE, charts.panels(spec, "system", names, min(3, len(names))), rows, describes)


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


ENTRIES = {
    "medlane_table_2": TableOrFigure(
        title=TABLE_2_TITLE, make=table_2, paper=MEDLANE, number="Table 2", order=420, of_corpus=True
    ),
    "medlane_table_3": TableOrFigure(title=TABLE_3_TITLE, make=table_3, paper=MEDLANE, number="Table 3", order=430),
    "medlane_table_4": TableOrFigure(title=TABLE_4_TITLE, make=table_4, paper=MEDLANE, number="Table 4", order=440),
    "medlane_table_5": TableOrFigure(title=TABLE_5_TITLE, make=table_5, paper=MEDLANE, number="Table 5", order=450),
    "medlane_table_6": TableOrFigure(title=TABLE_6_TITLE, make=table_6, paper=MEDLANE, number="Table 6", order=460),
    "medlane_figure_4": TableOrFigure(title=FIGURE_4_TITLE, make=figure_4, paper=MEDLANE, number="Figure 4", order=465),
    "medlane_figure_5": TableOrFigure(title=FIGURE_5_TITLE, make=figure_5, paper=MEDLANE, number="Figure 5", order=467),
}
