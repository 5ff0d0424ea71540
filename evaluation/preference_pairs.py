"""Pairs of rewrites of which people preferred one: from ranks, best-worst choices and ratings, with raters' votes.

A vote is one rater's comparison of two texts of one source on one criterion; whoever judged only one of them has none.
Excluded raters, attention checks and open studies count as little as in the report's filtered variant.
"""

from collections import defaultdict
from itertools import combinations
from typing import Any

import numpy as np

from annotation.task_types.best_worst import CRITERION as BEST_WORST
from corpora.models import Direction
from evaluation.snapshot import CriterionJudgements, compared_as
from evaluation.snapshot_builder.build import StudyReading, count_judgements, read_study
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.errors import UserError
from foundation.polarity import better_end
from modelserving.training_runs.preferences import JudgedPair, JudgedPairs

Votes = list[int]
"""For the first text, for the second, and ties."""


def judged_pairs(direction: Direction, criterion: str = "") -> JudgedPairs:
    """`pairs_of` what the study holds now."""
    return pairs_of(direction, read_study(direction.study, apart=False), criterion)


def pairs_of(direction: Direction, read: StudyReading, criterion: str = "") -> JudgedPairs:
    """The pairs of a direction, by all criteria that have a better end there, or by one.

    A UserError where the study has no judgements on that criterion, or neither end of it is the better one.
    """
    study = direction.study
    judged = count_judgements(study, read).judgements["filtered"]
    if criterion and criterion not in judged:
        raise UserError(
            "Nobody judged '{criterion}'; there are judgements on {there}.", criterion=criterion,
            there=", ".join(judged) or "nothing", where="criterion",
        )  # fmt: skip
    here, votes = _units_of(read.texts, direction), _NoVotes()
    for one in [judged[criterion]] if criterion else judged.values():
        better = better_end(one.poles, direction.target_style, study.poles, one.better)
        if better is not None:
            _count(one, better, here, votes)
        elif criterion:
            raise UserError(
                "Neither end of '{criterion}' is the better one in this direction.", criterion=criterion,
                where="criterion",
            )  # fmt: skip
    return _pairs(read.texts, votes, _written(read.texts, judged.values()))


class _NoVotes(defaultdict[tuple[int, int, int], Votes]):
    """By unit and two texts, the lower number first."""

    def __init__(self) -> None:
        super().__init__(lambda: [0, 0, 0])


def _units_of(texts: StudyTexts, direction: Direction) -> Any:
    """Whether each unit is of the direction, (n,)."""
    place = list(texts.units.directions).index((direction.source_style, direction.target_style))
    return np.asarray(texts.units.direction) == place


def _count(judged: CriterionJudgements, better: bool, here: Any, votes: _NoVotes) -> None:
    """Add the votes of one criterion. Texts between the best and the worst one were not compared."""
    by_rater: defaultdict[tuple[int, int], dict[int, float]] = defaultdict(dict)
    rows = np.flatnonzero(here[judged.unit])
    columns = (column[rows].tolist() for column in (judged.unit, judged.rater, judged.text, judged.value))
    for unit, rater, text, value in zip(*columns, strict=True):
        by_rater[unit, rater].setdefault(text, value)
    for (unit, _), values in by_rater.items():
        for first, second in combinations(sorted(values), 2):
            ahead = (values[first] - values[second]) * (1 if better else -1)
            if ahead or compared_as(judged.name) != BEST_WORST:
                votes[unit, first, second][0 if ahead > 0 else 1 if ahead < 0 else 2] += 1


def _written(texts: StudyTexts, judged: Any) -> dict[tuple[int, int], str]:
    """Each judged text of a unit as it was written."""
    found: dict[tuple[int, int], str] = {}
    for one in judged:
        for unit, text, system in zip(one.unit.tolist(), one.text.tolist(), one.system.tolist(), strict=True):
            if (unit, text) not in found:
                found[unit, text] = texts.rows[system].outputs[unit] or ""
    return found


def _pairs(texts: StudyTexts, votes: _NoVotes, written: dict[tuple[int, int], str]) -> JudgedPairs:
    found: list[JudgedPair] = []
    ties = 0
    for (unit, first, second), (ahead, behind, even) in sorted(votes.items()):
        if ahead == behind:
            ties += 1
            continue
        better, worse = (first, second) if ahead > behind else (second, first)
        rewrites = written[unit, better], written[unit, worse]
        if all(text.strip() for text in rewrites):
            total = ahead + behind + even
            margin = abs(ahead - behind) / total
            found.append(JudgedPair(texts.units.splits[unit], texts.units.sources[unit], *rewrites, margin, total))
    return JudgedPairs(found, ties)
