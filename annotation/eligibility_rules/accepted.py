"""So many answers accepted before (GYAFC: over 100 for tune and test)."""

from typing import Any

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Accepted(EligibilityRule):
    name = "accepted"
    label = "Accepted so far"
    about = "Admits people with at least this many accepted answers."
    asks = (
        RuleField("least", "whole", "Least number of accepted answers"),
        RuleField("of", "campaigns", "Counted in", "Tick none to count all campaigns of this kind of work."),
    )

    def unmet(self, record: EligibilityRecord, value: dict[str, Any]) -> str | None:
        accepted, _rejected = record.counted(value["of"])
        if accepted >= value["least"]:
            return None
        return translate(
            "This work is for people with {least} accepted answers; you have {accepted}.",
            least=value["least"],
            accepted=accepted,
        )


RULE = Accepted()
