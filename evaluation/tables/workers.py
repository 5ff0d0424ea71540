"""The people who judged: how much, their time for a text, their agreement with the others, and who is left out."""

from collections.abc import Sequence

import numpy as np

from evaluation.metric_contract import Floats
from evaluation.snapshot import CriterionJudgements, Places, StudySnapshot
from evaluation.table_parts.contents import DASH, Cell, MissingContent, Table, missing_content, number
from evaluation.tables._base import TableOrFigure
from foundation.translation import translatable

Once = tuple[Places, Places, Floats]  # text, rater and value

TITLE = "Workers"
HEAD = ["Worker", "Judgements", "Seconds a text", "Agreement", "Control items, p", "Left out"]
FEWEST = 10  # texts of a criterion that others judged too, before a worker's agreement on it is said
NOBODY = translatable("Nobody has judged anything yet: open a human study, or import judgements.")
UNTIMED = "Nobody counted the seconds."
ALONE = f"On no criterion has the worker judged {FEWEST} texts or more that others judged too, with different values."
UNTESTED = "No test: the worker judged no control items, or too few."
NOTES = (
    "Workers are numbered as where the rows behind a number are shown; nobody is named.",
    "Seconds a text: the median; the time of an answer is shared evenly among its texts.",
    "Agreement: Spearman's rho of a worker's values and the others' mean of the same texts, the mean over criteria.",
    "p: a Mann-Whitney test that a worker rates attention checks lower than others; who passes has a small p.",
    "Workers are left out of the filtered judgements alone, and where the study's rules say so.",
)


def make(snapshot: StudySnapshot) -> Table | MissingContent:
    """A row a worker, in the order of their numbers."""
    workers, judged = snapshot.raters, list(snapshot.judgements["raw"].values())
    many = len(workers.names)
    if not many or not judged:
        return missing_content(TITLE, NOBODY)
    once = [_once(judgements) for judgements in judged]
    counts = np.sum([np.bincount(rater, minlength=many) for _, rater, _ in once], axis=0).tolist()
    agreed = agreement(once, many)
    rows = [
        [
            Cell(f"Worker {place + 1}"),
            number(float(counts[place]), 0),
            number(_known(workers.seconds[place]), 1, UNTIMED),
            number(_known(agreed[place]), 2, ALONE),
            _p(_known(workers.control[place])),
            Cell(workers.left_out[place] or DASH),
        ]
        for place in range(many)
    ]
    return Table(TITLE, HEAD, rows, NOTES, [None, None, None, True, False, None])


def _once(judged: CriterionJudgements) -> Once:
    """Each judgement; one of a text that two systems gave is one."""
    codes = judged.text * (judged.rater.max(initial=0) + 1) + judged.rater
    _, first = np.unique(codes, return_index=True)
    return judged.text[first], judged.rater[first], judged.value[first]


def agreement(criteria: Sequence[Once], workers: int) -> Floats:
    """Each worker's mean over criteria of rho with the others' mean, (workers,); NaN where no criterion has one."""
    by_criterion = np.array([_rho(criterion, workers) for criterion in criteria])
    defined = np.isfinite(by_criterion)
    sums, means = np.where(defined, by_criterion, 0).sum(axis=0), np.full(workers, np.nan)
    np.divide(sums, defined.sum(axis=0), out=means, where=defined.any(axis=0))
    return means


def _rho(judged: Once, workers: int) -> Floats:
    text, rater, value = judged
    totals, counts = np.bincount(text, value), np.bincount(text)
    shared = counts[text] > 1
    text, rater, value = text[shared], rater[shared], value[shared]
    others = np.round((totals[text] - value) / (counts[text] - 1), 9)  # equal means are equal, whatever their order
    x, y = (_centred(_ranks(values, rater), rater, workers) for values in (value, others))
    product, first, second = (np.bincount(rater, values, workers) for values in (x * y, x * x, y * y))
    enough = (np.bincount(rater, minlength=workers) >= FEWEST) & (first > 0) & (second > 0)
    correlations = np.full(workers, np.nan)
    np.divide(product, np.sqrt(first * second), out=correlations, where=enough)
    return correlations


def _ranks(values: Floats, rater: Places) -> Floats:
    """Middle ranks of each rater's own values; each rater's from a start of their own."""
    order = np.lexsort((values, rater))
    new = np.diff(values[order], prepend=np.nan) != 0
    new |= np.diff(rater[order], prepend=-1) != 0
    runs = np.cumsum(new) - 1
    ends = np.cumsum(np.bincount(runs))
    middle = ends - (np.bincount(runs) + 1) / 2
    ranks = np.empty(len(values))
    ranks[order] = middle[runs]
    return ranks


def _centred(values: Floats, rater: Places, workers: int) -> Floats:
    counts = np.maximum(np.bincount(rater, minlength=workers), 1)
    return values - (np.bincount(rater, values, workers) / counts)[rater]


def _known(value: float) -> float | None:
    return float(value) if np.isfinite(value) else None


def _p(p: float | None) -> Cell:
    if p is None:
        return number(None, why=UNTESTED)
    return Cell("< 0.001" if p < 0.001 else f"{p:.3f}", p)


TABLE = TableOrFigure(title=TITLE, make=make, kind="study", order=6, of_corpus=True)
