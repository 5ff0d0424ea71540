"""What a plan would come to: its cost, and the difference between two systems that it can find."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.models import System
from evaluation.human.costing import Cost, cost_of
from evaluation.human.detecting import Detected, detected
from evaluation.human.drawing import control_texts, drawn, material_of, works_of
from evaluation.human.enough import idle, lacking
from evaluation.models import HumanStudy


@dataclass(frozen=True)
class Preview:
    cost: Cost
    detected: list[Detected]
    lacking: str  # why it could not be opened like this; "" where it could
    idle: list[str]  # rules that will leave nobody out, and why

    @property
    def is_assumed(self) -> bool:
        """Whether how ratings spread is assumed on some criterion."""
        return any(not one.ratings for one in self.detected)


def preview(human_study: HumanStudy, systems: Sequence[System]) -> Preview:
    """Of a plan that is complete, stored or not. The sample and the control texts are those that it would open with."""
    sample = drawn(human_study, material_of(human_study, systems))
    controls = control_texts(human_study, sample)
    works = works_of(human_study, sample, controls)
    cost = cost_of(human_study, works, len(sample), len(controls))
    return Preview(
        cost,
        detected(human_study, works, len(sample)),
        lacking(human_study, works, len(controls)),
        idle(human_study, works),
    )
