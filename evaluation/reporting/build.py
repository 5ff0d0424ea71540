"""The report as one JSON object, and its tables; its form is in `docs/report.md`.

Two processes work beside each other: one on what correlates, the other on the leaderboard, the raters' agreement and
models, and all tables that ask for nothing of the report.
"""

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property, partial
from typing import Any

import numpy as np
import orjson
from threadpoolctl import threadpool_limits

from evaluation.aggregation import mean_of_judgements
from evaluation.comparability.better_ends import held_directions, measured, metric_named, outputs_differ
from evaluation.numerics import Level, Mean, count_distinct
from evaluation.reporting.correlations import Correlated, bootstrap_of, correlations
from evaluation.reporting.kept_parts import Apart, KeptParts, Store
from evaluation.reporting.leaderboard_numbers import leaderboard
from evaluation.reporting.machine_raters import machine_raters
from evaluation.reporting.rater_models import rater_models
from evaluation.reporting.rater_pairs import rater_pairs
from evaluation.reporting.trust import trust
from evaluation.resampling import Bootstrap
from evaluation.snapshot import UNORDERED, CriterionJudgements, StudySnapshot, Variant, is_rank
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.snapshot_builder.judgements import CriterionScale
from evaluation.statistics import AgreementStatistic, named, of_kind
from evaluation.statistics.mean_rank import RankStatistic
from evaluation.table_building import all_entries, tables_before, tables_json
from foundation.lazy_import import lazy_import
from foundation.processes import run_forked

stats = lazy_import("scipy.stats")

# Each system's numbers by people and metrics.

Json = dict[str, Any]
REFERENCES = "references"
NO_RANK = Mean(None, None, None, 0, "There are no judgements.")


def systems(built: BuiltSnapshot) -> list[Json]:
    """A row a system; `human` are the means of the leading variant, `variants` those of all three."""
    snapshot = built.snapshot
    unordered = {name: _counted(snapshot, judged) for name, judged in snapshot.unordered.items()}
    means = {variant: _means(snapshot, judged) | unordered for variant, judged in snapshot.judgements.items()}
    return [_system(built, place, means) for place in range(len(snapshot.systems))]


def _system(built: BuiltSnapshot, place: int, means: Mapping[Variant, Mapping[str, list[Mean]]]) -> Json:
    snapshot, row = built.snapshot, built.snapshot.systems[place]
    outputs = sum(text is not None for text in row.outputs)
    variants = {
        variant: {name: vars(means_of_systems[place]) for name, means_of_systems in by_name.items()}
        for variant, by_name in means.items()
    }
    return {
        "name": row.name,
        "family": row.family,
        "seed": row.seed,
        "is_human": row.is_human,
        "role": row.role,
        "outputs": outputs,
        "missing": len(row.outputs) - outputs,
        "human": variants[snapshot.variant],
        "variants": variants,
        "metrics": {name: _metric(built, place, name) for name in snapshot.scores},
    }


def _means(snapshot: StudySnapshot, judged: Mapping[str, CriterionJudgements]) -> dict[str, list[Mean]]:
    """The systems' means by criterion; identical outputs are judged once and count for every system."""
    return {
        name: ranks_of(snapshot, judgements) if judgements.is_rank else _values(snapshot, judgements)
        for name, judgements in judged.items()
    }


def _counted(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    """The number of judgements of each system, for criteria whose judgements have no mean."""
    counts = np.bincount(judged.system, minlength=len(snapshot.systems))
    return [Mean(None, None, None, int(n), UNORDERED) for n in counts]


def _values(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    here = [judged.system == place for place in range(len(snapshot.systems))]
    return [mean_of_judgements(snapshot, judged, rows) for rows in here]


def ranks_of(snapshot: StudySnapshot, judged: CriterionJudgements) -> list[Mean]:
    """The mean rank of each system, computed as in the paper."""
    homes = snapshot.units.home[judged.unit]
    ranks = named(RankStatistic, "mean_rank").ranks(homes, judged.rater, judged.system, judged.value)
    return [ranks.get(place, NO_RANK) for place in range(len(snapshot.systems))]


def _metric(built: BuiltSnapshot, place: int, name: str) -> Json:
    scored = built.snapshot.scores[name][place]
    if scored is not None:
        n = int(np.sum(scored.there)) or None  # only the whole is kept of texts judged beside the systems
        return {"score": scored.corpus, "signature": scored.signature, "undefined": scored.undefined, "n": n}
    return {"score": None, "signature": "", "undefined": _why_no_score(built, place, name), "n": 0}


def _why_no_score(built: BuiltSnapshot, place: int, name: str) -> str:
    snapshot, outputs = built.snapshot, built.snapshot.systems[place].outputs
    if not any(outputs):
        return "It has no outputs yet."
    direction = measured(snapshot, name).direction
    here = snapshot.units.direction == direction
    if direction is not None and not any(text for text, inside in zip(outputs, here, strict=True) if inside):
        return "It has no outputs in this direction."
    if REFERENCES in metric_named(name).needs:
        if built.texts.are_references(place):
            return "Its outputs are the references themselves."
        return "No source that it has an output for has a reference."
    if name in built.snapshot.imported:
        return "The imported scores have none of its outputs."
    return "It has not been computed yet."


def rater_agreement(built: BuiltSnapshot, kept: KeptParts) -> list[Json]:
    """A row a criterion and coefficient, over the raters whom the means count.

    Texts that no system gave count too, control texts do not.
    A coefficient is stated where its entry's levels of measurement and design allow; one that says why it has no value
    is left out, except those that are always stated. The coefficients of this program are kept: no metric changes them.
    """
    return [row for kind in built.scales for row in _of_kind(built, kind, kept)]


def coefficients_for(level: Level, *, ranks: bool, crossed: bool) -> dict[str, AgreementStatistic]:
    """The coefficients that are stated of a criterion, by name, those that are always stated first.

    Args:
        level: the criterion's level of measurement.
        ranks: whether outputs were put in order, rather than rated one by one.
        crossed: whether every rater judged every text.
    """
    entries = of_kind(AgreementStatistic)
    always = {name: entry for name, entry in entries.items() if entry.always}
    fitting = {
        name: entry
        for name, entry in entries.items()
        if not ranks and level in entry.levels and (crossed or not entry.crossed)
    }
    return always | fitting


def _of_kind(built: BuiltSnapshot, kind: CriterionScale, kept: KeptParts) -> Iterator[Json]:
    given = built.leading
    rows_of_kind = given.criterion == given.criteria.index(kind.name)
    raters, texts, values = given.rater[rows_of_kind], given.text[rows_of_kind], given.value[rows_of_kind]
    crossed = bool(len(raters)) and np.bincount(texts).max() == count_distinct(raters)
    entries = coefficients_for(kind.level, ranks=is_rank(kind.name), crossed=crossed)

    def agreed(names: Sequence[str]) -> Json:
        return {name: vars(entries[name].agree(raters, texts, values, kind.level)) for name in names}

    own = [name for name in entries if "/" not in name]  # those of installed packages may change by themselves
    found = kept.of("agreement", [kind.level, own, raters, texts, values], partial(agreed, own))
    found |= agreed([name for name in entries if name not in own])
    for name, entry in entries.items():
        if entry.always or found[name]["value"] is not None:
            yield {"criterion": kind.name, "coefficient": name, "measurement": kind.level, **found[name]}


def seed_families(snapshot: StudySnapshot, rows: Sequence[Json]) -> list[Json]:
    """Families of two systems and more: for each criterion and metric the mean of its systems' numbers and their
    standard deviation (n - 1), over the `n` of them that have one."""
    members: defaultdict[str, list[Json]] = defaultdict(list)
    for row in rows:
        members[row["family"]].append(row)
    return [
        {
            "name": name,
            "systems": [row["name"] for row in of],
            "human": {
                criterion: _over([row["human"][criterion]["mean"] for row in of])
                for criterion in snapshot.judgements[snapshot.variant]
            },
            "metrics": {score: _over([row["metrics"][score]["score"] for row in of]) for score in snapshot.scores},
        }
        for name, of in members.items()
        if len(of) > 1
    ]


def _over(values: Sequence[float | None]) -> Json:
    known = np.array([value for value in values if value is not None], dtype=np.float64)
    return {
        "mean": float(known.mean()) if len(known) else None,
        "deviation": float(known.std(ddof=1)) if len(known) > 1 else None,
        "n": len(known),
    }


def build_report(
    built: BuiltSnapshot, human_studies: Sequence[Json] = (), store: Store | None = None
) -> tuple[Json, Json]:
    """All of it, and the tables and figures by name, from a study that was built once; `store` keeps parts of it."""
    with threadpool_limits(1):  # the products are many and small: several threads only wait for one another
        return _build(ReportParts(built, human_studies, store))


class ReportParts:
    """The parts of a report by name, each made when it is asked for."""

    def __init__(self, built: BuiltSnapshot, human_studies: Sequence[Json] = (), store: Store | None = None) -> None:
        self.store, self.kept = store, KeptParts(store)
        self.built, self.snapshot, self.human_studies = built, built.snapshot, list(human_studies)
        self.made: Mapping[str, Callable[[], Any]] = {
            "study": lambda: self.snapshot.study,
            "variant": lambda: self.snapshot.variant,
            "split": lambda: self.snapshot.split,
            "units": lambda: len(self.snapshot.units.ids),
            "directions": lambda: _directions(self.snapshot),
            "systems": lambda: self.rows,
            "families": lambda: seed_families(self.snapshot, self.rows),
            "agreement": lambda: rater_agreement(built, self.kept),
            "raters": lambda: _raters(built),
            "replaced": lambda: dict(built.judgement_table.replaced),
            "rater_pairs": lambda: rater_pairs(built),
            "machines": lambda: machine_raters(built),
            "rater_models": lambda: rater_models(self.snapshot, self.kept),
            "correlations": lambda: self.agreeing.entries,
            "trust": lambda: trust(self.snapshot, self.agreeing, self.bootstrap, self.kept),
            "human_studies": lambda: self.human_studies,
            "leaderboard": lambda: leaderboard(self.snapshot, self.bootstrap, self.rows, self.kept),
        }

    @cached_property
    def rows(self) -> list[Json]:
        return systems(self.built)

    @cached_property
    def bootstrap(self) -> Bootstrap:
        return bootstrap_of(self.snapshot)

    @cached_property
    def agreeing(self) -> Correlated:
        return correlations(self.snapshot, self.bootstrap)


BESIDE = ("agreement", "leaderboard", "rater_models")  # made by the process beside, so that both have as much to do


def _build(parts: ReportParts) -> tuple[Json, Json]:
    _ = parts.rows, parts.bootstrap, all_entries(), stats.kendalltau  # which both processes need, libraries too
    with run_forked(lambda: _beside(parts)) as read_result:
        report = {name: None if name in BESIDE else make() for name, make in parts.made.items()}
        beside = orjson.loads(read_result())
    if parts.store is not None:
        for key, part in beside["kept"].items():
            parts.store.put(key, part.encode())
    report |= {name: beside[name] for name in BESIDE}
    return report, tables_json(replace(parts.snapshot, report=report), beside["tables"])


def _beside(parts: ReportParts) -> bytes:
    apart = None if parts.store is None else Apart(parts.store)
    parts.kept = KeptParts(apart)
    made = {name: parts.made[name]() for name in BESIDE} | {"tables": tables_before(parts.snapshot)}
    kept = {key: part.decode() for key, part in apart.made.items()} if apart else {}
    return orjson.dumps(made | {"kept": kept}, option=orjson.OPT_SERIALIZE_NUMPY)


def _directions(snapshot: StudySnapshot) -> list[Json]:
    """The directions with their units, where numbers are apart by them since systems have outputs in different ones."""
    if not outputs_differ(snapshot):
        return []
    return [
        {
            "direction": " to ".join(snapshot.units.directions[place]),
            "units": int(np.sum(snapshot.units.direction == place)),
        }
        for place in held_directions(snapshot)
    ]


def _raters(built: BuiltSnapshot) -> Json:
    """How many people judged, and the numbers of those whom filtered judgements leave out: a report names nobody."""
    workers = built.snapshot.raters
    out = [{"rater": number, "why": why} for number, why in enumerate(workers.left_out, 1) if why]
    return {"count": len(workers.names), "left_out": out}
