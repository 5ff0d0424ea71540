"""The table of an experiment on parallel texts, from the results of its runs."""

from collections.abc import Sequence

from tools.results.automatic_scores import Measure
from tools.results.parallel import SEEDS, ParallelExperiment
from tools.results.run_store import RunResult, RunStore
from tools.results.table_rows import (
    ResultRow,
    format_share,
    format_value,
    markdown,
    percentile_interval,
    result_rows,
    sample_tables,
)

LABELS: dict[Measure, str] = {"sari": "SARI", "bleu": "BLEU"}
OTHER: dict[Measure, Measure] = {"sari": "bleu", "bleu": "sari"}
REST = ("PPL", "copied", "repeats", "length", "new", "trained in", "sentences a second", "size", "")


def table(experiment: ParallelExperiment, store: RunStore) -> str:
    """The table: a row a model, the best by the experiment's measure first, with people and rows that know nothing.

    The missing runs, the results of other machines for the same, and samples follow.
    """
    measure = experiment.measure
    rows = sorted(result_rows(store.all()), key=lambda one: -score(one, measure))
    bars = [row for row in rows if row.first["knows_nothing"]]
    trained = [row for row in rows if "training" in row.first]
    styled = ("style", "meaning") if experiment.styled else ()
    head = ("", LABELS[measure], "seeds", LABELS[OTHER[measure]], *styled, *REST)
    parts = [markdown(head, [_row(row, bars, measure, styled=experiment.styled) for row in rows])]
    parts += [*lacking(rows, experiment.models(), len(SEEDS)), *_other_machines(trained)]
    parts += [made_on([run for one in trained for run in one.runs]), _samples(rows)]
    return "\n\n".join(part for part in parts if part).rstrip()


def score(row: ResultRow, measure: Measure) -> float:
    """The score against all references; that of people against the others' references."""
    found = row.mean(measure)
    return found if found is not None else row.mean(f"{measure}_of_fewer") or 0.0


def below(model: ResultRow, bars: Sequence[ResultRow], measure: Measure) -> list[ResultRow]:
    """The rows that know nothing and have a higher score; any of them means that the model failed."""
    if "training" not in model.first:
        return []
    return [bar for bar in bars if score(model, measure) < score(bar, measure)]


def unsure(model: ResultRow, bars: Sequence[ResultRow], measure: Measure) -> list[ResultRow]:
    """The rows that it is above, but not in 97.5% of the drawn sources."""
    own, found = model.draws(measure), []
    for bar in bars:
        other = bar.draws(measure)
        if (
            own is not None
            and other is not None
            and score(model, measure) >= score(bar, measure)
            and percentile_interval(own - other)[0] <= 0
        ):
            found.append(bar)
    return found


def made_on(runs: Sequence[RunResult]) -> str:
    """'2 processors ..., 1 thread: 12 runs.' for each machine that made some of the runs."""
    made: dict[str, int] = {}
    for run in runs:
        threads = f"{run['threads']} thread{'' if run['threads'] == 1 else 's'}"
        name = ", ".join([run["machine"], *([run["device"]] if run["device"] != "cpu" else []), threads])
        made[name] = made.get(name, 0) + 1
    return "\n".join(f"{name}: {count} run{'' if count == 1 else 's'}." for name, count in sorted(made.items()))


def lacking(rows: Sequence[ResultRow], names: Sequence[str], seeds: int) -> list[str]:
    """The runs still to be made: models without a run, and those of fewer seeds."""
    there = {row.name: len(row.runs) for row in rows}
    none = [f"`{name}`" for name in names if name not in there]
    fewer = [f"`{name}` ({there[name]})" for name in names if 0 < there.get(name, 0) < seeds]
    return [
        *([f"Still to be made: {', '.join(none)}."] if none else []),
        *([f"Of fewer than {seeds} seeds: {', '.join(fewer)}; the others are still to be made."] if fewer else []),
    ]


def _row(one: ResultRow, bars: Sequence[ResultRow], measure: Measure, *, styled: bool) -> list[str]:
    first = [_name(one), _with_interval(one, measure), _seeds(one, measure), _with_interval(one, OTHER[measure])]
    if styled:
        first += [format_value(one.mean(name), 2) for name in ("strength", "preservation")]
    first += [format_value(one.mean("perplexity"), 0)]
    first += [format_share(one.mean("copied"), 0), format_share(one.mean("again"), 1)]
    first += [format_value(one.mean("length"), 2), format_share(one.mean("new"), 0)]
    if "training" not in one.first:
        return [*first, "", "", "", "people" if one.first.get("person") else "knows nothing"]
    rate = one.first["texts"] / one.first["writing"]["processor"]
    minutes = sum(run["training"]["processor"] for run in one.runs) / len(one.runs) / 60
    return [
        *first,
        f"{minutes:.1f} min",
        f"{rate:.3g}",
        f"{one.first['bytes'] / 1e6:.1f} MB",
        _verdict(one, bars, measure),
    ]


def _verdict(one: ResultRow, bars: Sequence[ResultRow], measure: Measure) -> str:
    if above := below(one, bars, measure):
        return "**failed**: below " + " and ".join(bar.first["label"] for bar in above)
    doubtful = unsure(one, bars, measure)
    return "not surely above " + " and ".join(bar.first["label"] for bar in doubtful) if doubtful else ""


def _with_interval(one: ResultRow, of: Measure) -> str:
    """'40.8 [39.6, 42.0]': the mean of the seeds, and the interval over drawn sources."""
    measure = of if of in one.first else f"{of}_of_fewer"
    mean, draws = one.mean(measure), one.draws(measure)
    if mean is None:
        return "–"
    bounds = percentile_interval(draws) if draws is not None else _bounds(one, measure)
    return f"{mean:.1f}" + (f" [{bounds[0]:.1f}, {bounds[1]:.1f}]" if bounds else "")


def _bounds(one: ResultRow, measure: str) -> list[float] | None:
    """The ends of the interval; with several seeds their mean, since they hardly differ."""
    known = [run["intervals"][measure] for run in one.runs if measure in run.get("intervals", {})]
    return [sum(ends) / len(known) for ends in zip(*known, strict=True)] if len(known) == len(one.runs) else None


def _seeds(one: ResultRow, measure: Measure) -> str:
    """'3: ± 0.4', the standard deviation of their scores; nothing where there is no chance."""
    deviation = one.deviation(measure)
    if deviation is not None:
        return f"{len(one.runs)}: ± {deviation:.1f}"
    return "1" if "training" in one.first else ""


def _other_machines(rows: Sequence[ResultRow]) -> list[str]:
    """The same model, options and seed on another processor."""
    lines = []
    for row in rows:
        for other in row.elsewhere:
            seed = other["key"].get("seed", 1)
            same = next((run for run in row.runs if run["key"].get("seed", 1) == seed), None)
            if same is not None:
                lines.append(
                    f"- `{row.name}`, seed {seed}: SARI {same['sari']:.1f} and BLEU {same['bleu']:.1f} in the table; "
                    f"{other['sari']:.1f} and {other['bleu']:.1f} on {other['machine']}."
                )
    return ["The same runs on other processors:\n\n" + "\n".join(lines)] if lines else []


def _samples(rows: Sequence[ResultRow]) -> str:
    """The outputs of each row for the same sources, of the first seed; the source is the row that copies it."""
    by_name = {row.name: row.first["samples"] for row in rows if "samples" in row.first}
    sources = by_name.pop("source_copied", [])
    labels = {row.name: _name(row) for row in rows}
    return sample_tables(sources, {labels[name]: texts for name, texts in by_name.items()})


def _name(one: ResultRow) -> str:
    return f"`{one.name}`" if "training" in one.first else str(one.first["label"])
