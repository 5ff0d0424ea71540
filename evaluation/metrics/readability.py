"""The mean of FKGL, Gunning fog and Coleman-Liau: 'Avg. Readability' in MSD's Table 2 (Cao et al. 2020)."""

from collections.abc import Mapping
from dataclasses import replace

from evaluation.metrics._base import Floats, MetricInput, Result, Setting
from evaluation.readability.grades import BySyllables, coleman, flesch_kincaid, fog
from foundation.papers import MSD


class Readability(BySyllables):
    """The mean of the three school grades; the details hold each of them."""

    name = "readability"
    label = "Readability"
    paper = MSD
    unit = "school grade, -14 and up"
    version = 2

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        result = super()._score(batch, chosen)
        assert result.statistics is not None
        sums = result.statistics.sum(axis=0)
        if not sums[1]:
            return result
        three = {"fkgl": flesch_kincaid(sums), "gunning_fog": fog(sums), "coleman_liau": coleman(sums)}
        return replace(result, details={**result.details, **{name: float(one) for name, one in three.items()}})

    def _grade(self, found: Floats) -> Floats:
        grades: Floats = (flesch_kincaid(found) + fog(found) + coleman(found)) / 3
        return grades


METRIC = Readability()
