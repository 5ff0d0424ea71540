"""Every judgement of a study as columns of numbers: from its campaigns and from elsewhere, each text once."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from annotation.judgements import judgements as campaign_judgements
from corpora.models import Study
from evaluation.models import Judgement

PART = 20_000  # rows at a time
Row = tuple[int, str, str, str, float]
"""A sentence's key, the key of the judged text, the criterion, who judged, and the value."""


@dataclass(frozen=True)
class Given:
    """All judgements that count, in long form (m,): text, criterion, rater and value, as places in the lists.

    `texts` are the different judged texts, each with the unit of its source (the first one where the source stands
    several times). Of a rater's several judgements of one text on one criterion only the last is here.
    """

    texts: Sequence[tuple[int, str]]
    criteria: Sequence[str]
    raters: Sequence[str]
    text: NDArray[np.intp]
    criterion: NDArray[np.intp]
    rater: NDArray[np.intp]
    value: NDArray[np.float64]


def given_of(study: Study, homes: Mapping[int, int]) -> Given:
    """The judgements of a study; `homes` gives each sentence the unit that its judgements count for."""
    return columns_of(chain(_imported(study), campaign_judgements(study)), homes)


def columns_of(rows: Iterable[Row], homes: Mapping[int, int]) -> Given:
    """Rows in the order in which they were given, the last of a rater's several first forgotten."""
    texts, criteria, raters = _Codes(), _Codes(), _Codes()
    codes: list[NDArray[np.intp]] = [np.empty((0, 3), dtype=np.intp)]
    values: list[NDArray[np.float64]] = [np.empty(0)]
    rows = iter(rows)
    while part := list(islice(rows, PART)):
        sentences, keys, asked, who, given = zip(*part, strict=True)
        points = list(zip(map(homes.__getitem__, sentences), keys, strict=True))
        codes.append(np.column_stack((texts.of(points), criteria.of(asked), raters.of(who))))
        values.append(np.array(given, dtype=np.float64))
    table = np.concatenate(codes)
    kept = _last(table, len(criteria.places), len(raters.places))
    text, criterion, rater = (np.ascontiguousarray(column) for column in table[kept].T)
    value = np.concatenate(values)[kept]
    return Given(list(texts.places), list(criteria.places), list(raters.places), text, criterion, rater, value)


class _Codes:
    """The place of each different thing in the order in which they came; whole columns at a time, as rows are many."""

    def __init__(self) -> None:
        self.places: dict[Any, int] = {}

    def of(self, column: Sequence[Any]) -> NDArray[np.intp]:
        for one in dict.fromkeys(column):
            self.places.setdefault(one, len(self.places))
        return np.fromiter(map(self.places.__getitem__, column), dtype=np.intp, count=len(column))


def _last(table: NDArray[np.intp], criteria: int, raters: int) -> NDArray[np.intp]:
    """The last row of each (text, criterion, rater), in the order of the rows."""
    same = (table[:, 0] * max(criteria, 1) + table[:, 1]) * max(raters, 1) + table[:, 2]
    from_the_end = np.unique(same[::-1], return_index=True)[1]
    return np.sort(len(same) - 1 - from_the_end)


def _imported(study: Study) -> Iterator[Row]:
    rows = Judgement.objects.filter(ratings_import__study=study).order_by("ratings_import__number", "pk")
    fields = ("sentence_id", "text_key", "criterion__name", "worker", "value")
    yield from rows.values_list(*fields).iterator(chunk_size=PART)
