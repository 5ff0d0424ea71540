"""What people judged, criterion by criterion, and who they were."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from evaluation.snapshot.arrays import Floats, Places
from foundation.polarity import Poles

Variant = Literal["raw", "z", "filtered"]


@dataclass(frozen=True)
class CriterionJudgements:
    """The judgements of one criterion in long form, each (m,): unit, system, rater, value.

    A judgement of a text that two systems gave stands once for each; `text` numbers the different judged texts, so that
    (text, rater) is one judgement. `lowest` and `highest` end the scale; of `better` True says that high is good, False
    that low is (a rank, informality), None that neither end is. `poles` are those of the scale.

    Where a study has both directions, what measures one style against another stands once for each: then `direction` is
    its place, `name` says it, and `criterion` is the study's own name; else `criterion` is "" or the name.
    """

    name: str
    label: str
    scale: str
    level: Literal["nominal", "ordinal", "interval"]
    aspect: str
    lowest: float
    highest: float
    better: bool | None
    unit: Places
    system: Places
    rater: Places
    value: Floats
    text: Places
    poles: Poles | None = None
    criterion: str = ""
    direction: int | None = None

    @property
    def own_name(self) -> str:
        """The study's name of it, whatever direction this is."""
        return self.criterion or self.name


@dataclass(frozen=True)
class Raters:
    """Who judged, by pseudonym; `control` is the p of a worker's test on control items (NaN: not tested) and `left_out`
    says why the filtered judgements are without them ("" where they are with them). `seconds` is the median time of a
    judged text (NaN: not counted)."""

    names: Sequence[str]
    control: Floats
    left_out: Sequence[str]
    seconds: Floats


UNORDERED = "The levels of its scale have no order, so that they have no mean."
RANK = "rank"
"""The criterion of campaigns that rank; a place is no value on a scale, and 1 is the best."""
