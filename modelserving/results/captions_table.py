"""The table of the experiment on captions, and the orders that were found in it."""

from collections.abc import Mapping, Sequence
from statistics import fmean, stdev

from modelserving.results.asset_table import made_on
from modelserving.results.captions import DIMENSIONS, SEEDS
from modelserving.results.kept import Found, Kept
from modelserving.results.laid_out import markdown

HEAD = (
    *("", "encoder", "style", "seeds", "strength", "preservation"),
    *("factual: strength", "preservation", "Fu: strength", "preservation"),
)
ORDER = ("auto_encoder", "style_embedding", "multi_decoder")
MEASURES = ("strength", "preservation")
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


def table(kept: Kept) -> str:
    """A row for the sources as they are and one a setting, the mean of its seeds; then the orders, and the machine."""
    found = kept.all()
    copied = found.pop("copied", None)
    runs = list(found.values())
    rows = [_copied(copied)] if copied else []
    rows += [_row(name, tuple(one.values()), runs) for name in ORDER for one in DIMENSIONS[name]]
    orders = [order(runs, test, measure) for test in ("styled", "factual") for measure in MEASURES]
    about = _about(copied) if copied else ""
    notes = [f"- {line}" for line in (about, _lacking(len(runs)), *orders) if line]
    return "\n".join([markdown(HEAD, rows), "", *notes, "", made_on(runs)]).rstrip()


def order(runs: Sequence[Found], test: str, measure: str) -> str:
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


def _about(copied: Found) -> str:
    """How sure the classifier is, and what preservation is where nothing is preserved."""
    styled, factual = copied["styled"], copied["factual"]
    return (
        f"The classifier of transfer strength is right about {100 * styled['accuracy']:.0f}% of the tune captions. "
        f"Preservation among random pairs is {styled['lower_bound']:.3f}, "
        f"of factual sources {factual['lower_bound']:.3f}."
    )


def _lacking(made: int) -> str:
    wanted = len(SEEDS) * sum(map(len, DIMENSIONS.values()))
    return f"{made} of {wanted} trainings are made; the others are still to be." if made < wanted else ""


def _copied(one: Found) -> list[str]:
    cells = [f"{one[test][measure]:.3f}" for test in ("styled", "factual") for measure in MEASURES]
    return ["the source, copied", "", "", "", *cells, "", ""]


def _row(name: str, dimensions: Dimensions, runs: Sequence[Found]) -> list[str]:
    of_it = [run for run in runs if run["model"] == name and tuple(run["dimensions"].values()) == dimensions]
    cells = [_mean([run[test][measure] for run in of_it]) for test in ("styled", "factual") for measure in MEASURES]
    sizes = [str(size) for size in dimensions] + [""] * (2 - len(dimensions))
    published = [f"{value:.4g}" for value in PUBLISHED[name][dimensions]]
    return [f"`{name}`", *sizes, str(len(of_it)), *cells, *published]


def _mean(values: Sequence[float]) -> str:
    """'0.412 ± 0.013', the mean and the sample's standard deviation."""
    if not values:
        return "to be made"
    return f"{fmean(values):.3f}" + (f" ± {stdev(values):.3f}" if len(values) > 1 else "")
