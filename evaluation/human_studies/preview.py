"""What a plan would come to: its cost, and the difference between two systems that it can find."""

from collections.abc import Sequence
from dataclasses import dataclass

from corpora.models import System
from evaluation.human_studies.cost import Cost, cost_of
from evaluation.human_studies.feasibility import idle_rules, why_infeasible
from evaluation.human_studies.power_analysis import DetectableDifference, detectable_differences
from evaluation.human_studies.sample import attention_check_texts, draw_sample, material_of, rating_tasks_of
from evaluation.models import HumanStudy


@dataclass(frozen=True)
class Preview:
    cost: Cost
    detected: list[DetectableDifference]
    lacking: str  # why it could not be opened like this; "" where it could
    idle: list[str]  # rules that will leave nobody out, and why

    @property
    def is_assumed(self) -> bool:
        """Whether how ratings spread is assumed on some criterion."""
        return any(not difference.ratings for difference in self.detected)


def preview(human_study: HumanStudy, systems: Sequence[System]) -> Preview:
    """Of a plan that is complete, stored or not. Sample and attention checks are those that it would open with."""
    sample = draw_sample(human_study, material_of(human_study, systems))
    controls = attention_check_texts(human_study, sample)
    works = rating_tasks_of(human_study, sample, controls)
    cost = cost_of(human_study, works, len(sample), len(controls))
    return Preview(
        cost,
        detectable_differences(human_study, works, [source.sentence_id for source in sample], len(systems)),
        why_infeasible(human_study, works, len(controls)),
        idle_rules(human_study, works),
    )
