"""Tables of shared tasks: BioLaySumm's normalized ranks by aspect, SimpEval's ranks and rates, and its metrics' tau."""

from collections.abc import Iterator, Mapping
from itertools import combinations

import numpy as np

from evaluation.comparability.better_ends import label_of_metric, measured
from evaluation.comparability.common_scores import competing
from evaluation.comparability.system_ranking import by_metric, round_for_ranking
from evaluation.numerics import Floats
from evaluation.snapshot import CriterionJudgements, StudySnapshot
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, mark_best, missing_content, number
from evaluation.tables._base import TableOrFigure
from foundation.papers import Paper
from foundation.translation import translatable

# BioLaySumm 2024: each metric from 0, its worst system, to 1, its best; means by aspect, and their mean.

GOLDSACK = Paper(
    "Goldsack, Scarton, Shardlow and Lin", 2024, "Overview of the BioLaySumm 2024 Shared Task",
    "https://aclanthology.org/2024.bionlp-1.10/",
)  # fmt: skip
BIOLAYSUMM_TITLE = "Normalized ranks by aspect, as BioLaySumm has them"
ASPECTS = {
    "Relevance": ("rouge_1", "rouge_2", "rouge_l", "bertscore", "bleu", "meteor"),
    "Readability": ("fkgl", "dale_chall", "coleman_liau", "lens", "gunning_fog", "ari", "smog", "lix", "sle"),
    "Factuality": ("alignscore", "summac_zs", "summac_conv"),
}
NO_METRICS = translatable(
    "Two systems or more are needed with metrics of two aspects or more: relevance ({Relevance}), readability "
    "({Readability}), factuality ({Factuality})."
)
DEPENDS = (
    "A metric counts from 0, its worst system here, to 1, its best; an aspect is the mean of its metrics, and the last "
    "column the mean of the aspects. These numbers depend on which systems take part: one more or less changes those "
    "of all others, and may change their order. Systems that are people are left out."
)
PARTS = "{aspect}: {metrics}."
SAME = "Left out, since all systems have the same score, or one has none: {metrics}."


def biolaysumm(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a system, the best first."""
    places = [place for place, row in enumerate(snapshot.systems) if row.role == "system" and not row.is_human]
    by_aspect: dict[str, dict[str, Floats]] = {}
    left_out = []
    for key in snapshot.scores:
        aspect = next((name for name, metrics in ASPECTS.items() if measured(snapshot, key).name in metrics), None)
        if aspect is not None:
            normalized = _normalized(snapshot, key, places)
            if normalized is None:
                left_out.append(label_of_metric(key))
            else:
                by_aspect.setdefault(aspect, {})[key] = normalized
    if len(places) < 2 or len(by_aspect) < 2:
        return missing_content(
            BIOLAYSUMM_TITLE, NO_METRICS.format(**{name: ", ".join(of) for name, of in ASPECTS.items()})
        )
    aspects = [name for name in ASPECTS if name in by_aspect]
    columns = [np.mean(list(by_aspect[name].values()), axis=0) for name in aspects]
    whole = np.mean(columns, axis=0)
    ranks = [1 + int(sum(round_for_ranking(other) > round_for_ranking(own) for other in whole)) for own in whole]
    cells = [mark_best([number(float(value), 3) for value in column], True) for column in (*columns, whole)]
    rows = [
        [number(ranks[at], 0), Cell(snapshot.systems[places[at]].name), *(column[at] for column in cells)]
        for at in np.argsort(ranks, kind="stable")
    ]
    notes = [DEPENDS, *(PARTS.format(aspect=name, metrics=_labels(by_aspect[name])) for name in aspects)]
    notes += [SAME.format(metrics=", ".join(left_out))] if left_out else []
    return Table(BIOLAYSUMM_TITLE, ["Rank", "System", *aspects, "Mean"], rows, notes)


def _normalized(snapshot: StudySnapshot, key: str, places: list[int]) -> Floats | None:
    """The systems' scores over the sentences that all have, from 0 to 1; None where they have none or the same."""
    values, better = by_metric(snapshot, key).values, measured(snapshot, key).better
    if better is None or any(place not in values for place in places):
        return None
    found = np.array([values[place] for place in places])
    wide = np.ptp(found) if len(found) else 0
    return None if not wide else np.asarray((found - found.min()) / wide if better else (found.max() - found) / wide)


def _labels(metrics: Mapping[str, Floats]) -> str:
    return ", ".join(map(label_of_metric, metrics))


# SimpEval: people rate the outputs of a source beside each other from 0 to 100, and so rank them.

MADDELA = Paper(
    "Maddela, Dou, Heineman and Xu", 2023, "LENS: A Learnable Evaluation Metric for Text Simplification",
    "https://aclanthology.org/2023.acl-long.905/",
)  # fmt: skip
WIDEST = 50  # steps of a scale that has ratings of SimpEval's kind
APART = 0.05  # of the scale: ratings that are no farther apart are a tie, 5 of 100
RATED_TITLE = "Systems by rank and rate, as SimpEval has them"
RATED_HEAD = ["Criterion", "System", "Rate", "Standardized", "Rank", "Pairs won"]
NOT_RATED = translatable(
    "No criterion is on a scale of 50 steps or more, such as 0 to 100: open a human study with one."
)
RATED_NOTE = (
    "Rate: the mean of the ratings. Standardized: the mean after each rater's mean was subtracted and divided by the "
    "rater's deviation. Rank: the mean place among the outputs of a source that one person rated, 1 the best, ties "
    "sharing the best. Pairs won: of all pairs of a source's outputs that one person rated more than 5 of 100 apart."
)
TAUS_TITLE = "Metrics by SimpEval's tau"
TAUS_NOTE = (
    "Counted are pairs of outputs of a source that most raters put more than 5 of 100 apart in the same direction: "
    "those that the metric orders alike, less the others, over all. A pair that the metric ties counts against it. By "
    "domain, where sources have one: SimpEval's are the kinds of simplification."
)


def simpeval(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion and system."""
    rows = [row for judged in _rated(snapshot) for row in _of_criterion(snapshot, judged)]
    return Table(RATED_TITLE, RATED_HEAD, rows, [RATED_NOTE]) if rows else missing_content(RATED_TITLE, NOT_RATED)


def _rated(snapshot: StudySnapshot) -> Iterator[CriterionJudgements]:
    for judged in snapshot.judgements["raw"].values():
        if judged.highest - judged.lowest >= WIDEST and judged.better is not None:
            yield judged


def _of_criterion(snapshot: StudySnapshot, judged: CriterionJudgements) -> Iterator[list[Cell]]:
    ranks, wins, pairs = (np.zeros(len(snapshot.systems)) for _ in range(3))
    groups = np.zeros(len(snapshot.systems))
    sign = 1 if judged.better else -1
    for systems, values in _together(snapshot, judged):
        for system, value in zip(systems, sign * values, strict=True):
            ranks[system] += 1 + np.sum(sign * values > value)
            groups[system] += 1
        for one, other in combinations(range(len(systems)), 2):
            if abs(values[one] - values[other]) > APART * (judged.highest - judged.lowest):
                first, second = (one, other) if sign * values[one] > sign * values[other] else (other, one)
                wins[systems[first]] += 1
                pairs[systems[first]] += 1
                pairs[systems[second]] += 1
    standard = snapshot.judgements["z"].get(judged.name)
    for place, row in enumerate(snapshot.systems):
        if groups[place]:
            z = None if standard is None else float(np.mean(standard.value[standard.system == place]))
            yield [
                Cell(judged.label), Cell(row.name), number(float(np.mean(judged.value[judged.system == place])), 1),
                number(z, 2, "Nobody's ratings differ."), number(float(ranks[place] / groups[place]), 2),
                number(float(wins[place] / pairs[place]) if pairs[place] else None, 2, "All ratings are near."),
            ]  # fmt: skip


def _together(snapshot: StudySnapshot, judged: CriterionJudgements) -> Iterator[tuple[list[int], Floats]]:
    """For each source and person the systems that the person rated, and the mean of these ratings of each."""
    by_group: dict[tuple[int, int], dict[int, list[float]]] = {}
    homes = snapshot.units.home[judged.unit].tolist()
    for home, rater, system, value in zip(
        homes, judged.rater.tolist(), judged.system.tolist(), judged.value.tolist(), strict=True
    ):
        by_group.setdefault((home, rater), {}).setdefault(system, []).append(value)
    for of in by_group.values():
        yield list(of), np.array([np.mean(values) for values in of.values()])


def simpeval_taus(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a criterion and metric; a column for all sources, and one a domain."""
    domains = sorted(set(filter(None, snapshot.units.domains)))
    rows = []
    for judged in _rated(snapshot):
        pairs = list(_ordered(snapshot, judged))
        for key in snapshot.scores if pairs else ():
            if (better := measured(snapshot, key).better) is not None:
                taus = [_tau(snapshot, key, pairs, 1 if better else -1, domain) for domain in ("", *domains)]
                rows.append([Cell(judged.label), Cell(label_of_metric(key)), *taus])
    head = ["Criterion", "Metric", "All", *domains]
    return Table(TAUS_TITLE, head, rows, [TAUS_NOTE]) if rows else missing_content(TAUS_TITLE, NOT_RATED)


def _ordered(snapshot: StudySnapshot, judged: CriterionJudgements) -> Iterator[tuple[int, int, int]]:
    """Unit, better system and worse system of the pairs that most of their raters order."""
    apart, here = APART * (judged.highest - judged.lowest), competing(snapshot)
    table: dict[int, dict[int, dict[int, float]]] = {}
    for unit, system, rater, value in zip(
        judged.unit.tolist(), judged.system.tolist(), judged.rater.tolist(), judged.value.tolist(), strict=True
    ):
        if here[system]:
            table.setdefault(unit, {}).setdefault(system, {})[rater] = value if judged.better else -value
    for unit, by_system in table.items():
        for one, other in combinations(sorted(by_system), 2):
            both = [
                rated - by_system[other][rater] for rater, rated in by_system[one].items() if rater in by_system[other]
            ]
            if sum(difference > apart for difference in both) > len(both) // 2:
                yield unit, one, other
            elif sum(difference < -apart for difference in both) > len(both) // 2:
                yield unit, other, one


def _tau(snapshot: StudySnapshot, key: str, pairs: list[tuple[int, int, int]], sign: int, domain: str) -> Cell:
    scores = [None if scored is None else scored.sentences for scored in snapshot.scores[key]]
    right = wrong = 0
    for unit, better, worse in pairs:
        first, second = scores[better], scores[worse]
        if first is None or second is None or (domain and snapshot.units.domains[unit] != domain):
            continue
        difference = sign * (first[unit] - second[unit])
        if np.isfinite(difference):
            right, wrong = right + (difference > 0), wrong + (difference <= 0)
    n = right + wrong
    return number((right - wrong) / n, 3, parts={"n": n}) if n else Cell(DASH, why="No pair has both scores.")


ENTRIES = {
    "biolaysumm": TableOrFigure(title=BIOLAYSUMM_TITLE, make=biolaysumm, kind="study", paper=GOLDSACK, order=60),
    "simpeval": TableOrFigure(title=RATED_TITLE, make=simpeval, kind="study", paper=MADDELA, order=61),
    "simpeval_taus": TableOrFigure(title=TAUS_TITLE, make=simpeval_taus, kind="trust", paper=MADDELA, order=6),
}
