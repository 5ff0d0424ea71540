"""The table of the experiment on captions, and the orders that were found in it."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from tools.results.captions import BY_CHANCE, DIMENSIONS, PEOPLE, SEEDS, SINGLE, Run
from tools.results.parallel_table import lacking, made_on
from tools.results.published_outputs import SYSTEMS
from tools.results.run_store import RunResult, RunStore
from tools.results.table_rows import ResultRow, markdown, result_rows, sample_tables

HEAD = (
    *("", "encoder", "style", "seeds", "strength", "preservation"),
    *("factual: strength", "preservation", "Fu: strength", "preservation", ""),
)
ORDER = ("auto_encoder", "style_embedding", "multi_decoder")
SINGLE_HEAD = ("", "seeds", "strength", "preservation", "factual: strength", "preservation", "BLEU", "")
PUBLISHED_HEAD = (
    *("Li et al. (2018), factual captions", "authors' outputs: strength", "preservation", "BLEU"),
    *("ours: strength", "preservation", "BLEU"),
)
MEASURES = ("strength", "preservation")
TESTS = ("styled", "factual")
Dimensions = tuple[int, ...]

# Tables 3, 4 and 5 of Fu et al. (2018), paper-news titles.
PUBLISHED: Mapping[str, Mapping[Dimensions, tuple[float, float]]] = {
    "auto_encoder": {(32,): (0.035, 0.9118), (64,): (0.021, 0.9524), (128,): (0.0135, 0.9837)},
    "multi_decoder": {(32,): (0.9915, 0.8335), (64,): (0.9705, 0.8440), (128,): (0.842, 0.8705)},
    "style_embedding": {
        (32, 32): (0.593, 0.8966), (32, 64): (0.465, 0.9157), (32, 128): (0.282, 0.9435),
        (64, 32): (0.596, 0.8957), (64, 64): (0.485, 0.9153), (64, 128): (0.2745, 0.9440),
        (128, 32): (0.595, 0.8960), (128, 64): (0.4825, 0.9146), (128, 128): (0.267, 0.9439),
    },
}  # fmt: skip


def table(store: RunStore) -> str:
    """The table: a row for the sources as they are, for noise and for people, and one a setting, the mean of its seeds.

    The orders, the missing runs, the machines and samples follow.
    """
    rows = result_rows({name: _named(run) for name, run in store.all().items()})
    published = {row.first["published"]: row for row in rows if "published" in row.first}
    bars = [row for row in rows if "training" not in row.first and "published" not in row.first]
    trained = {row.name: row for row in rows if "training" in row.first}
    runs = [run for one in trained.values() for run in one.runs]
    copied = next((bar.first for bar in bars if bar.name == "copied"), None)
    settings = [Run(name, one, 1).row for name in ORDER for one in DIMENSIONS[name]]
    lines = [_bar(bar) for bar in sorted(bars, key=_place_of_bar)]
    lines += [_row(trained[name], _failed(trained[name], bars)) for name in settings if name in trained]
    orders = [order(runs, test, measure) for test in TESTS for measure in MEASURES]
    about = _about(copied) if copied else ""
    notes = [f"- {line}" for line in (about, *lacking(list(trained.values()), settings, len(SEEDS)), *orders) if line]
    single, beside = _single_table(trained, bars), _published_table(published, trained)
    samples = _samples(bars, list(trained.values()))
    parts = [markdown(HEAD, lines), "\n".join(notes), single, beside, made_on(runs), samples]
    return "\n\n".join(part for part in parts if part).rstrip()


def _named(run: RunResult) -> RunResult:
    """The run with the name of its row; older ones have none."""
    if "row" in run:
        return run
    if not run["model"]:
        return {**run, "row": "copied", "label": "the source, copied", "knows_nothing": True}
    return {**run, "row": Run(run["model"], run["dimensions"], run["seed"]).row}


def below_chance(one: ResultRow, lowest: float) -> bool:
    """Whether the styled captions are preserved less than random pairs have in common."""
    return _value(one, "styled", "preservation") < lowest


def beaten_by(one: ResultRow, bars: Sequence[ResultRow]) -> list[ResultRow]:
    """The rows that know nothing and are above it in both measures of the styled captions."""
    own = [_value(one, "styled", measure) for measure in MEASURES]
    knowing = [bar for bar in bars if bar.first["knows_nothing"]]
    return [
        bar for bar in knowing
        if all(_value(bar, "styled", measure) > value for measure, value in zip(MEASURES, own, strict=True))
    ]  # fmt: skip


def _failed(one: ResultRow, bars: Sequence[ResultRow]) -> str:
    lowest = next((bar.first["styled"]["lower_bound"] for bar in bars if bar.name == "copied"), float("-inf"))
    reasons = ["preserves less than random pairs"] if below_chance(one, lowest) else []
    reasons += [f"below {bar.first['label']} in both" for bar in beaten_by(one, bars)]
    return "**failed**: " + "; ".join(reasons) if reasons else ""


def order(runs: Sequence[RunResult], test: str, measure: str) -> str:
    """'strength: auto_encoder 0.21 < ...', means over all dimensions and seeds; "" until each model has a run."""
    values = {name: [run[test][measure] for run in runs if run["model"] == name] for name in ORDER}
    if not all(values.values()):
        return ""
    means = {name: fmean(of) for name, of in values.items()}
    ordered = sorted(means, key=lambda name: means[name])
    as_fu = list(ORDER) if measure == "strength" else list(reversed(ORDER))
    verdict = "the order of Fu's titles" if ordered == as_fu else "not the order of Fu's titles"
    line = " < ".join(f"`{name}` {means[name]:.3f}" for name in ordered)
    return f"{measure.capitalize()}, {test} captions, mean of all dimensions and seeds: {line}; {verdict}."


def _about(copied: RunResult) -> str:
    """The certainty of the classifier, and the preservation where nothing is preserved."""
    styled, factual = copied["styled"], copied["factual"]
    return (
        f"The classifier of transfer strength is right about {100 * styled['accuracy']:.0f}% of the tune captions. "
        f"Preservation among random pairs is {styled['lower_bound']:.3f}, "
        f"of factual sources {factual['lower_bound']:.3f}."
    )


def _value(one: ResultRow, test: str, measure: str) -> float:
    return fmean(run[test][measure] for run in one.runs)


def _place_of_bar(one: ResultRow) -> tuple[bool, bool, str]:
    return one.name == PEOPLE, one.name != "copied", one.name


def _bar(one: ResultRow) -> list[str]:
    """A row that no model made; people's captions are of factual sources alone."""
    cells = [_mean([run[test][measure] for run in one.runs]) if test in one.first else "–"
             for test in TESTS for measure in MEASURES]  # fmt: skip
    seeds = str(len(one.runs)) if len(one.runs) > 1 else ""
    kind = "people" if one.name == PEOPLE else "knows nothing"
    return [one.first["label"], "", "", seeds, *cells, "", "", kind]


def _row(one: ResultRow, verdict: str) -> list[str]:
    model, dimensions = one.first["model"], tuple(one.first["dimensions"].values())
    cells = _scores(one)
    sizes = [str(size) for size in dimensions] + [""] * (2 - len(dimensions))
    published = [f"{value:.4g}" for value in PUBLISHED[model][dimensions]]
    return [f"`{model}`", *sizes, str(len(one.runs)), *cells, *published, verdict]


def _single_table(trained: Mapping[str, ResultRow], bars: Sequence[ResultRow]) -> str:
    """The models of one setting each, with BLEU of the factual captions against people's; "" until one has a run."""
    rows = [trained[name] for name in SINGLE if name in trained]
    if not rows:
        return ""
    lines = [
        [
            f"`{one.name}`",
            str(len(one.runs)),
            *_scores(one),
            _mean([run["bleu"] for run in one.runs]),
            _failed(one, bars),
        ]
        for one in rows
    ]
    lacks = lacking(rows, [name for name in SINGLE if name not in BY_CHANCE], 1) + lacking(rows, BY_CHANCE, len(SEEDS))
    return "\n".join([markdown(SINGLE_HEAD, lines), "", *(f"- {line}" for line in lacks)]).rstrip()


def _published_table(published: Mapping[str, ResultRow], trained: Mapping[str, ResultRow]) -> str:
    """The scores of the authors' outputs by the same metrics, beside ours of the same name; "" without them."""
    if not published:
        return ""
    lines = [
        [system.replace("_", " "), *_factual([published[system]]), *_factual(_of_model(trained, system))]
        for system in SYSTEMS
        if system in published
    ]
    return markdown(PUBLISHED_HEAD, lines)


def _of_model(trained: Mapping[str, ResultRow], name: str) -> list[ResultRow]:
    """The rows of a model that have BLEU: one, or none."""
    return [row for row in trained.values() if row.first["model"] == name and "bleu" in row.first]


def _factual(rows: Sequence[ResultRow]) -> list[str]:
    runs = [run for row in rows for run in row.runs]
    if not runs:
        return ["–"] * 3
    return [
        *(_mean([run["factual"][measure] for run in runs]) for measure in MEASURES),
        _mean([run["bleu"] for run in runs]),
    ]


def _scores(one: ResultRow) -> list[str]:
    return [_mean([run[test][measure] for run in one.runs]) for test in TESTS for measure in MEASURES]


def _samples(bars: Sequence[ResultRow], trained: Sequence[ResultRow]) -> str:
    """Samples of the styled captions, from runs that kept some."""
    found = {bar.name: bar.first["styled"]["samples"] for bar in bars if "samples" in bar.first.get("styled", {})}
    sources = found.pop("copied", [])
    labels = {bar.name: str(bar.first["label"]) for bar in bars}
    every = {labels[name]: texts for name, texts in found.items()}
    for one in trained:
        sampled = next((run for run in [*one.runs, *one.elsewhere] if "samples" in run["styled"]), None)
        if sampled is not None:
            every[f"`{one.name}`"] = sampled["styled"]["samples"]
    return sample_tables(sources, every)


def _mean(values: Sequence[float]) -> str:
    """'0.412 ± 0.013', the mean and the sample's standard deviation."""
    if not values:
        return "to be made"
    return f"{fmean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")
