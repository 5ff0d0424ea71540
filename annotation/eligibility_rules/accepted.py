"""So many answers accepted before (GYAFC: over 100 for tune and test)."""

from typing import Any

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Accepted(EligibilityRule):
    name = "accepted"
    label = "Accepted so far"
    about = "People of whose answers so many were accepted."
    asks = (
        RuleField("least", "whole", "At least so many accepted"),
        RuleField("of", "campaigns", "Counted in", "Nothing ticked counts all campaigns of this kind of work."),
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
