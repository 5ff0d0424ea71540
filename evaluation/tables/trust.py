"""Trust in metrics: each metric's agreement with people, by criterion, as a table and drawn."""

from collections.abc import Iterator, Mapping
from typing import Any

from evaluation import charts
from evaluation.aggregation import correction_of
from evaluation.charts import Row, dots, panels_of
from evaluation.comparability.better_ends import label_of_metric
from evaluation.snapshot import StudySnapshot
from evaluation.statistics import STATISTICS
from evaluation.table_parts.aspects import agrees_best
from evaluation.table_parts.contents import (
    DASH,
    Cell,
    Figure,
    MissingContent,
    Table,
    interval_text,
    missing_content,
    number,
)
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

# Trust in metrics: for each criterion the metrics by their agreement with people.

TABLE_TITLE = "Which metric to trust"
HEAD = ["Criterion", "Level", "Metric", "Agreement", "Group", "p", "n", "Judgements", "Raters", "Systems",
        "Systems also resampled", "Pairs right", "By item", "Within systems", "Soft pairs"]  # fmt: skip
LEVELS = ("sentence", "system")
LEADS = "It is first in its group."
TURNED = (
    "Agreement is turned round where a low score or a low judgement is the good one, so that more is always better; a "
    "metric of which neither end is good is taken as it is."
)
POINTS = "By sentence n counts outputs, by system systems: what a metric says of systems rests on few points."
BESIDE = (
    "Systems drawn too: the 95% interval where each draw takes other systems as well as other sources (BOOT-BOTH); the "
    "interval beside the agreement is of other sources for these very systems.",
    "Pairs right: the share of pairs of outputs of one sentence, by system of systems, that metric and people order "
    "alike or both tie. By sentence, scores that are near to each other are tied, as near as suits each metric best "
    "(acc-eq, Deutsch et al. 2023). Files give it with the nearness that suits the other half of the sources, too.",
    "Agreement by sentence, over all outputs, asks whether an output that people like better scores higher. By item: "
    "the correlation over the systems at each sentence, averaged over sentences, asks which output of a sentence is "
    "better. "
    "Within systems: the correlation over the sentences of each system, averaged over systems, asks which of its "
    "sentences a system does well.",
    "Soft pairs: 1 less the mean difference of people's and the metric's one-sided p-values (paired permutation) that "
    "the first of two systems is better, over the sentences that all systems have (soft pairwise accuracy, Thompson et "
    "al. 2024). It asks whether the metric is as sure as people are; a pair of close systems that it turns round costs "
    "little here, and a whole pair in Pairs right.",
)
UNEVEN = (
    "{criterion}, by system: systems were judged on different texts, all of them on {shared:,} of {judged:,}; "
    "{compared:,} of {systems:,} systems are compared by what fits the differences of each two over the texts that "
    "both have, so that easy texts lift none."
)
ONE_RATER = "One rater against the others"
SENTINEL = "Sentinel: the {sees} alone"
CEILING = (
    "One rater against the others: the mean over raters of Pearson's r of a rater with the mean of the others, over "
    "the same outputs; n counts raters. A sentinel predicts judgements from one text alone, by ridge regression on its "
    "characters, fitted on judgements of other sources. If one agrees with people, the test set leaks: metrics may "
    "agree with them for the same reason."
)
IMPORTED = (
    "{metric}: its scores were computed elsewhere and imported with {file}; version: {version}, signature: "
    "{signature}. "
    "A system's score is the mean of its sentences' scores."
)
NO_PAIRS = "No two points can be compared."
NO_ITEMS = "At no sentence two systems differ in both."
NO_SYSTEMS = "No system has two sentences that differ in both."
OF_SENTENCES = "It is of sentences."
OF_SYSTEMS = "It is of systems."
NOBODY = translatable("People have not judged any output: open a human study, or import judgements.")
NO_METRIC = translatable("No metric is chosen: choose some on the page Choose metrics.")


def table(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion, level and metric, from the most to the least trustworthy."""
    if reasons := reasons_of(snapshot):
        return missing_content(TABLE_TITLE, *reasons)
    rows = [
        row
        for criterion, by_level in snapshot.report["trust"]["criteria"].items()
        for level in LEVELS
        for row in (
            *(_row(snapshot, criterion, level, ranked_row) for ranked_row in by_level[level]),
            *_beside(snapshot, criterion, level, by_level),
        )
    ]
    return Table(
        TABLE_TITLE,
        HEAD,
        rows,
        [
            _groups(snapshot),
            TURNED,
            _common(snapshot),
            POINTS,
            *BESIDE,
            CEILING,
            *_uneven(snapshot),
            *_imported(snapshot),
        ],
    )


def _uneven(snapshot: StudySnapshot) -> list[str]:
    """The notes on the comparison by system, for criteria on which systems were judged on different texts."""
    return [
        UNEVEN.format(criterion=label_of(snapshot, criterion), **uneven)
        for criterion, rests in snapshot.report["trust"]["criteria"].items()
        if (uneven := rests.get("uneven"))
    ]


def _imported(snapshot: StudySnapshot) -> list[str]:
    """A note on each metric whose scores were computed elsewhere."""
    return [
        IMPORTED.format(
            metric=label_of_metric(one["metric"]), file=one["file"], version=one["version"] or "unknown",
            signature=one["signature"] or "unknown",
        )
        for one in snapshot.report["trust"].get("imported", [])
    ]  # fmt: skip


def reasons_of(snapshot: StudySnapshot) -> list[str]:
    """Why there is nothing to rank."""
    return [*([] if snapshot.report["trust"]["criteria"] else [NOBODY]), *([] if snapshot.scores else [NO_METRIC])]


def ranked(snapshot: StudySnapshot) -> Iterator[tuple[str, str, Mapping[str, Any]]]:
    """Criterion, level, and the report's row of a metric."""
    for criterion, by_level in snapshot.report["trust"]["criteria"].items():
        for level in LEVELS:
            yield from ((criterion, level, row) for row in by_level[level])


def label_of(snapshot: StudySnapshot, criterion: str) -> str:
    """The criterion as people read it."""
    return snapshot.judgements[snapshot.variant][criterion].label


def _row(snapshot: StudySnapshot, criterion: str, level: str, row: Mapping[str, Any]) -> list[Cell]:
    rests = snapshot.report["trust"]["criteria"][criterion]
    systems = rests["systems"] if level == "sentence" else row["n"]
    small = interval_text(row["low"], row["high"], 3)
    parts = {"low": row["low"], "high": row["high"]}
    return [
        Cell(label_of(snapshot, criterion)),
        Cell(level),
        Cell(label_of_metric(row["metric"])),
        number(row["value"], 3, row["undefined"], small=small, parts=parts, best=agrees_best(row)),
        number(row["group"], 0, row["undefined"]),
        _p(row),
        number(row["n"], 0),
        *(number(value, 0) for value in (rests["judgements"], rests["raters"], systems)),
        _drawn_too(row),
        number(
            row["accuracy"],
            3,
            row["undefined"] or NO_PAIRS,
            parts={"epsilon": row["epsilon"], "held_out": row.get("accuracy_held_out")},
        ),
        _averaged(row, level, "by_item", NO_ITEMS),
        _averaged(row, level, "by_system", NO_SYSTEMS),
        _soft(row, level),
    ]


def _drawn_too(row: Mapping[str, Any]) -> Cell:
    """The interval, as words; a file gives its ends a column each."""
    low, high = row["both_low"], row["both_high"]
    text = interval_text(low, high, 3)
    why = "" if text else row["both_undefined"] or row["undefined"]
    return Cell(text or DASH, why=why, parts={"low": low, "high": high})


def _beside(snapshot: StudySnapshot, criterion: str, level: str, by_level: Mapping[str, Any]) -> Iterator[list[Cell]]:
    """The human ceiling, and by sentence the sentinels."""
    entries = [(ONE_RATER, by_level["ceiling"][level])]
    if level == "sentence":
        entries += [(SENTINEL.format(sees=one["sees"]), one) for one in by_level["sentinels"]]
    for label, entry in entries:
        small, parts = interval_text(entry["low"], entry["high"], 3), {"low": entry["low"], "high": entry["high"]}
        value = number(entry["value"], 3, entry["undefined"], small=small, parts=parts)
        first = [Cell(label_of(snapshot, criterion)), Cell(level), Cell(label), value]
        yield [*first, Cell(DASH), Cell(DASH), number(entry["n"], 0), *[Cell(DASH)] * (len(HEAD) - 7)]


def _averaged(row: Mapping[str, Any], level: str, name: str, lacking: str) -> Cell:
    if level == "system":
        return Cell(DASH, why=OF_SENTENCES)
    low, high = row[f"{name}_low"], row[f"{name}_high"]
    parts = {"low": low, "high": high, "n": row[f"{name}_n"]}
    return number(row[name], 3, row["undefined"] or lacking, small=interval_text(low, high, 3), parts=parts)


def _soft(row: Mapping[str, Any], level: str) -> Cell:
    if level == "sentence":
        return Cell(DASH, why=OF_SYSTEMS)
    why = row["undefined"] or row["soft_undefined"] or NO_PAIRS
    return number(row["soft_accuracy"], 3, why, parts={"n": row["soft_n"]})


def _common(snapshot: StudySnapshot) -> str:
    """The outputs that the metrics are compared over."""
    return (
        "All metrics of a ranking are compared over the outputs that every one of them scored; systems that are people "
        f"{'count too' if snapshot.human_systems else 'are left out'}."
    )


def _p(row: Mapping[str, Any]) -> Cell:
    if row["p"] is None:
        return Cell(DASH, why=row["undefined"] if row["value"] is None else LEADS)
    return Cell("< 0.001" if row["p"] < 0.001 else f"{row['p']:.3f}", row["p"])


def _groups(snapshot: StudySnapshot) -> str:
    trust = snapshot.report["trust"]
    test, coefficient = STATISTICS[trust["test"]].label, STATISTICS[trust["coefficient"]].label
    correction = correction_of(snapshot)
    return (
        f"{coefficient} with 95% interval. Metrics of a group do not agree less than the one that leads it "
        f"({test}, p against it{f', corrected ({correction})' if correction else ''}, level {snapshot.alpha:g}); "
        "group 1 is bold where its interval is above zero."
    )


# Each metric's agreement with people, with intervals, by criterion.

FIGURE_TITLE = "Which metric to trust, drawn"
LINES = (
    "Thick lines are 95% intervals over other sources for these very systems, thin ones over other systems too "
    "(BOOT-BOTH)."
)
UNDEFINED = "No metric has a correlation with what people say: {why}"


def figure(snapshot: StudySnapshot) -> Figure | MissingContent:
    """A panel a criterion and level, a point a metric; the colour is the group of those that do not differ."""
    if reasons := reasons_of(snapshot):
        return missing_content(FIGURE_TITLE, *reasons)
    rows = _rows(snapshot)
    if not rows:
        return missing_content(
            FIGURE_TITLE, UNDEFINED.format(why=next(row["undefined"] for _, _, row in ranked(snapshot)))
        )
    groups = sorted({str(row["group"]) for row in rows}, key=lambda group: (len(group), group))
    label = STATISTICS[snapshot.report["trust"]["coefficient"]].label
    x = charts.amount("agreement", label, zero=True, axis={"tickCount": 5})
    tip = ("metric", "panel", "agreement", "low", "high", "both_low", "both_high", "group", "n")
    by = charts.colour("group", groups, "Group")
    spec = dots("metric", x, by, rows, panel="panel", low="low", high="high", wide=("both_low", "both_high"), tip=tip)
    return Figure(FIGURE_TITLE, spec, rows, _describes(rows), [TURNED, LINES])


def _describes(rows: list[Row]) -> str:
    first = {panel: next(row for row in rows if row["panel"] == panel) for panel in panels_of(rows, "panel")}
    best = "; ".join(f"{panel}: {row['metric']} agrees most, {row['agreement']:.3f}" for panel, row in first.items())
    return f"In each panel the metrics from the most to the least trustworthy. {best}."


def _rows(snapshot: StudySnapshot) -> list[Row]:
    rows: list[Row] = []
    for criterion, level, row in ranked(snapshot):
        if row["value"] is not None:
            rows.append(
                {"panel": f"{label_of(snapshot, criterion)}, by {level}", "metric": label_of_metric(row["metric"]),
                 "order": len(rows), "agreement": row["value"], "low": row["low"], "high": row["high"],
                 "both_low": row["both_low"], "both_high": row["both_high"],
                 "group": str(row["group"]), "n": row["n"]}
            )  # fmt: skip
    return rows


ENTRIES = {
    "trust_by_criterion": TableOrFigure(title=TABLE_TITLE, make=table, kind="trust", order=1),
    "trust_figure": TableOrFigure(title=FIGURE_TITLE, make=figure, kind="trust", order=2),
}
