"""The figures of simulations: claims at any look, coverage of people with a metric, judgements where it is open.

They say how often, not how fast: `docs/statistics.md` has them at length. Each has a seed of its own.
"""

from collections.abc import Callable
from functools import partial

import numpy as np

from evaluation.numerics import Floats
from evaluation.statistics import STATISTICS, sign_flips
from foundation.seeds import generator
from tools.bench.figures import Figure, Figures

SEED = 1
ALPHA = 0.05
LIKERT = (1.0, 5.0)
FIRST_LOOK = 10
KEPT = 0.2  # of the judgements of a system that is told: as in an open queue
Rows = list[tuple[str, float, str]]


def simulated(studies: int, figures: Figures) -> None:
    """All simulations, of so many studies each; for a person as a table, for a comparison as figures."""
    from tools.bench.table import laid_out

    rows = [*looks(studies), *coverage(studies), *open_queue(max(2, studies // 10)), *all_pairs(max(2, studies // 100))]
    figures.tell([Figure(name, value, unit) for name, value, unit in rows])
    figures.show(laid_out([["", "", ""], *([name, f"{value:.1f}", unit] for name, value, unit in rows)]), "")


def looks(studies: int, sources: int = 1_000) -> Rows:
    """How many of a hundred studies of two equal systems claim a difference at any look, or at the last one."""
    from scipy import special

    betting, any_bet, any_flip, any_t, last_t = STATISTICS["betting"], 0, 0, 0, 0
    n = np.arange(1, sources + 1)
    for study in range(studies):
        draws = generator(SEED, "looks", study)
        values = _rated(draws, sources, 0.0) - _rated(draws, sources, 0.0)
        any_bet += int(betting.e_values(values, (-4.0, 4.0)).max() >= 1 / ALPHA)  # type: ignore[attr-defined]
        any_flip += int(sign_flips.e_values(values, (-4.0, 4.0)).max() >= 1 / ALPHA)
        means = np.cumsum(values) / n
        spread = np.cumsum(values**2) / n - means**2
        t = means[FIRST_LOOK - 1 :] * np.sqrt((n[FIRST_LOOK - 1 :] - 1) / np.maximum(spread[FIRST_LOOK - 1 :], 1e-12))
        claims = np.abs(t) > special.stdtrit(n[FIRST_LOOK - 1 :] - 1, 1 - ALPHA / 2)
        any_t, last_t = any_t + int(claims.any()), last_t + int(claims[-1])
    return [
        ("two equal systems: a difference at any of 1,000 looks, betting", 100 * any_bet / studies, "%"),
        ("the same, sign flips", 100 * any_flip / studies, "%"),
        ("the same, a t test at each look", 100 * any_t / studies, "%"),
        ("the same, a t test at the end", 100 * last_t / studies, "%"),
    ]


def coverage(studies: int, n: int = 100, others: int = 900) -> Rows:
    """How many of a hundred intervals cover, of people with a metric that is correlated with them so, and how wide."""
    rows: Rows = []
    for rho in (0.0, 0.4, 0.8):
        covered, alone, width = 0, 0, []
        for study in range(studies):
            draws = generator(SEED, "coverage", rho, study)
            people = draws.normal(size=n + others)
            metric = rho * people + np.sqrt(1 - rho**2) * draws.normal(size=n + others)
            found = STATISTICS["prediction_powered"].mean(people[:n], metric[:n], metric[n:])  # type: ignore[attr-defined]
            covered += int(found.low <= 0 <= found.high)
            alone += int(found.alone_low <= 0 <= found.alone_high)
            width.append(found.error / found.alone_error)
        name = f"people of {n} sources, a metric of {others} more, correlated by {rho:g}"
        rows += [
            (f"{name}: 95% intervals that cover", 100 * covered / studies, "%"),
            (f"{name}: of people alone", 100 * alone / studies, "%"),
            (f"{name}: width beside theirs", 100 * float(np.mean(width)), "%"),
        ]
    return rows


def open_queue(studies: int, sources: int = 400) -> Rows:
    """The judgements saved if systems that are told from the baseline are judged on one source of five, and the bias of
    their means weighted by 5 (in steps of the scale)."""
    gains = (-0.6, -0.3, 0.3, 0.6)
    saved, lost, errors = [], [], []
    for study in range(studies):
        draws = generator(SEED, "open", study)
        hard = draws.normal(scale=0.8, size=sources)
        baseline = _rated(draws, sources, hard)
        systems = [_rated(draws, sources, hard + gain) for gain in gains]
        evenly, told_evenly = _judged(systems, baseline, lambda: True)
        openly, told = _judged(systems, baseline, partial(_is_kept, draws))
        saved.append(1 - sum(weights.astype(bool).sum() for weights in openly) / evenly[0].size / len(gains))
        lost.append(told_evenly - told)
        errors += [
            float(np.average(values, weights=weights) - values.mean())
            for values, weights in zip(systems, openly, strict=True)
        ]
    return [
        ("open queue, 4 systems and a baseline, 400 sources: judgements saved", 100 * float(np.mean(saved)), "%"),
        ("the same: comparisons told less", 100 * float(np.mean(lost)) / len(gains), "%"),
        ("the same: bias of weighted means", 100 * abs(float(np.mean(errors))), "hundredths of a step"),
    ]


def all_pairs(studies: int, sources: int = 600) -> Rows:
    """The judgements that are saved where all pairs of eight systems are compared on a scale of 25 points of errors, as
    MQM's: most texts have few. Systems without an open pair are judged on one source of five."""
    saved: dict[str, list[float]] = {"evenly": [], "where it is open": []}
    for study in range(studies):
        draws = generator(SEED, "all pairs", study)
        rates = np.exp(draws.normal(scale=0.8, size=(sources, 1))) * np.array(
            [0.5, 0.6, 1.0, 1.5, 1.65, 1.75, 1.85, 2.2]
        )
        values = -np.minimum(25.0, draws.poisson(rates).astype(np.float64))
        aim = _until(values, betting_too=True, openly=False, draws=draws)[1]
        for name in saved:
            cost = _until(values, betting_too=False, openly=name != "evenly", draws=draws, aim=aim)[0]
            saved[name].append(1 - cost / values.size)
    named = "all pairs of 8 systems, 600 sources: saved by sign flips to tell as many as betting does"
    return [(f"{named}, {name}", 100 * float(np.mean(of)), "%") for name, of in saved.items()]


def _until(
    values: Floats, *, betting_too: bool, openly: bool, draws: np.random.Generator, aim: int | None = None
) -> tuple[int, int]:
    """The judgements until so many pairs are told (at the end without an `aim`), and how many are told then."""
    sources, count = values.shape
    first, second = np.triu_indices(count, 1)
    entry = STATISTICS["betting" if betting_too else "sign_flips"]
    active, cost, told = np.ones(count, dtype=bool), 0, np.zeros(len(first), dtype=bool)
    both = np.zeros((sources, len(first)), dtype=bool)
    for source in range(sources):
        kept = draws.random(count) < KEPT if openly else np.zeros(count, dtype=bool)
        cost += int((active | kept).sum())
        both[source] = active[first] & active[second]
        if source % 20 == 19:
            e = [
                float(entry.e_values((values[:, one] - values[:, two])[both[:, pair]], (-25.0, 25.0))[-1])  # type: ignore[attr-defined]
                for pair, (one, two) in enumerate(zip(first, second, strict=True))
            ]
            told |= entry.rejected(e, ALPHA)  # type: ignore[attr-defined]
            if aim is not None and told.sum() >= aim:
                break
            if openly:
                active[:] = False
                active[first[~told]] = active[second[~told]] = True
    return cost, int(told.sum())


def _judged(systems: list[Floats], baseline: Floats, kept: Callable[[], bool]) -> tuple[list[Floats], int]:
    """The weight of each judgement, 0 of those that were not asked for, and how many systems were told."""
    betting, told = STATISTICS["betting"], [False] * len(systems)
    weights = [np.zeros(len(baseline)) for _ in systems]
    for source in range(len(baseline)):
        for place, of in enumerate(weights):
            if not told[place]:
                of[source] = 1.0
            elif kept():
                of[source] = 1 / KEPT
        if source + 1 >= FIRST_LOOK and source % 10 == 9:
            e = [
                float(betting.e_values((values - baseline)[of > 0], (-4.0, 4.0))[-1])  # type: ignore[attr-defined]
                for values, of in zip(systems, weights, strict=True)
            ]
            told = [one or now for one, now in zip(told, betting.rejected(e, ALPHA), strict=True)]  # type: ignore[attr-defined]
    return weights, sum(told)


def _is_kept(draws: np.random.Generator) -> bool:
    return bool(draws.random() < KEPT)


def _rated(draws: np.random.Generator, sources: int, quality: Floats | float) -> Floats:
    """Ratings from 1 to 5 around a quality, (sources,)."""
    return np.asarray(np.clip(np.round(3 + quality + draws.normal(size=sources)), *LIKERT))
