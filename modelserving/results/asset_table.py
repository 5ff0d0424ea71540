"""The table of the experiment on ASSET, from what its runs found."""

from collections.abc import Iterable, Sequence

from modelserving.results.asset import supervised
from modelserving.results.kept import Found, Kept
from modelserving.results.laid_out import markdown

HEAD = ("", "SARI", "BLEU", "copied", "length", "new", "trained in", "sentences a second", "size", "")


def table(kept: Kept) -> str:
    """A row a model, the best SARI first, those that know nothing among them; under it what lacks, and the machine."""
    found = sorted(kept.all().values(), key=lambda one: -one["sari"])
    bars = [one for one in found if one["knows_nothing"]]
    models = [one for one in found if not one["knows_nothing"]]
    rows = [_row(one, below(one, bars)) for one in found]
    lacking = [f"`{name}`" for name in supervised() if name not in kept.all()]
    notes = [f"Still to be made: {', '.join(lacking)}."] if lacking else []
    return "\n\n".join([markdown(HEAD, rows), *notes, made_on(models)]).rstrip()


def below(model: Found, bars: Sequence[Found]) -> list[Found]:
    """The rows that know nothing and have a higher SARI; any of them means that the model failed."""
    return [] if model["knows_nothing"] else [bar for bar in bars if model["sari"] < bar["sari"]]


def made_on(runs: Iterable[Found]) -> str:
    """'2 processors ..., 1 thread.' for each machine that made some of the runs."""
    made = sorted({(run["machine"], run["threads"]) for run in runs})
    return "\n".join(f"{name}; {threads} thread{'' if threads == 1 else 's'}." for name, threads in made)


def _row(one: Found, above: Sequence[Found]) -> list[str]:
    first = [_name(one), f"{one['sari']:.1f}", f"{one['bleu']:.1f}"]
    first += [f"{100 * one['copied']:.0f}%", f"{one['length']:.2f}", f"{100 * one['new']:.0f}%"]
    if one["knows_nothing"]:
        return [*first, "", "", "", "knows nothing"]
    rate = one["texts"] / one["writing"]["processor"]
    verdict = "**failed**: below " + " and ".join(bar["label"] for bar in above) if above else ""
    return [
        *first,
        f"{one['training']['processor'] / 60:.1f} min",
        f"{rate:.3g}",
        f"{one['bytes'] / 1e6:.1f} MB",
        verdict,
    ]


def _name(one: Found) -> str:
    return one["label"] if one["knows_nothing"] else f"`{one['name']}`"
