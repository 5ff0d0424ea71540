"""The texts that two raters judged, those on which they differ most first."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from corpora.models import Study
from evaluation.snapshot_builder.build import count_judgements, read_study
from evaluation.snapshot_builder.judgement_table import JudgementTable
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.errors import UserError


@dataclass(frozen=True)
class JudgedByTwo:
    """A text that both judged: its source, the text, and both values; whose output it is, is not told."""

    source: str
    text: str
    values: tuple[float, float]

    @property
    def apart(self) -> float:
        return abs(self.values[0] - self.values[1])


def judged_by_two(study: Study, asked: Mapping[str, str]) -> list[JudgedByTwo]:
    """The texts, by `criterion` and the numbers `a` and `b` of two raters, who go by those of the report.

    Raises:
        UserError: Nobody judged the criterion, or there is no such rater.
    """
    read = read_study(study, apart=False)
    given = count_judgements(study, read).judgement_table
    if asked.get("criterion", "") not in given.criteria:
        raise UserError("Nobody judged '{asked}'.", asked=asked.get("criterion", "")[:100], where="criterion")
    criterion = given.criterion == given.criteria.index(asked["criterion"])
    first, second = (_values(given, criterion, _rater(given, asked, name)) for name in ("a", "b"))
    both = np.flatnonzero(np.isfinite(first) & np.isfinite(second)).tolist()
    points = {place: given.texts[place][:2] for place in both}
    written = _written(read.texts, set(points.values()))
    rows = [
        JudgedByTwo(read.texts.units.sources[point[0]], written[point], (float(first[place]), float(second[place])))
        for place, point in points.items()
    ]
    return sorted(rows, key=lambda row: -row.apart)


def _rater(given: JudgementTable, asked: Mapping[str, str], name: str) -> int:
    number = asked.get(name, "")
    if not number.isdecimal() or len(number) > 9 or not 1 <= int(number) <= len(given.raters):
        raise UserError("There is no rater '{number}'.", number=number[:20], where=name)
    return int(number) - 1


def _values(given: JudgementTable, criterion: np.ndarray, rater: int) -> np.ndarray:
    """The rater's values by text, NaN where there is none."""
    values = np.full(len(given.texts), np.nan)
    rows = criterion & (given.rater == rater)
    values[given.text[rows]] = given.value[rows]
    return values


def _written(texts: StudyTexts, wanted: set[tuple[int, str]]) -> dict[tuple[int, str], str]:
    """Each judged text as some system wrote it; one that no system has any more, as its key has it."""
    found = {point: point[1] for point in wanted}
    outputs: Sequence[Sequence[str | None]] = [row.outputs for row in texts.rows]
    for place in range(len(outputs)):
        for point, unit in texts.points(place).items():
            if point in found:
                found[point] = outputs[place][unit] or found[point]
    return found
