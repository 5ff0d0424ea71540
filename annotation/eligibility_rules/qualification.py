"""A qualification passed: another campaign of the study, whose items have expected answers."""

from typing import Any

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.options import percent
from foundation.translation import translate


class Qualification(EligibilityRule):
    name = "qualification"
    label = "Qualification"
    about = "Admits people who passed a training or qualification campaign of this study."
    asks = (
        RuleField("campaign", "campaign", "Campaign to pass"),
        RuleField(
            "pass_mark",
            "part",
            "Pass mark",
            "Share of its items that a person must answer as expected: 0.8 is four in five.",
            usual=0.8,
        ),
        RuleField("tries", "whole", "Tries", high=100, usual=1),
    )

    def unmet(self, record: EligibilityRecord, value: dict[str, Any]) -> str | None:
        score, attempts = record.qualifications.get(value["campaign"], (None, 0))
        if score is not None and score >= value["pass_mark"]:
            return None
        needed = percent(value["pass_mark"])
        if score is None:
            return translate(
                "First pass the qualification '{campaign}', with {needed} answered as expected.",
                campaign=value["campaign"],
                needed=needed,
            )
        left = value["tries"] - attempts
        return translate(
            "You answered {met} of the qualification '{campaign}' as expected; {needed} is needed, and no try is left."
            if left <= 0
            else "You answered {met} of the qualification '{campaign}' as expected; {needed} is needed. "
            "Tries left: {left}.",
            met=percent(score),
            campaign=value["campaign"],
            needed=needed,
            left=left,
        )


RULE = Qualification()
