"""The most items that one person may do in a campaign, so that many hands make the data."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Quota(EligibilityRule):
    name = "quota"
    label = "Most items a person"
    about = "Nobody does more items of this campaign than this."
    asks = (RuleField("", "whole", "Items", high=10_000_000),)

    def unmet(self, record: EligibilityRecord, value: int) -> str | None:
        if record.done < value:
            return None
        return translate(
            "One person may do {value} items of this work, and you have done them. Thank you.", value=value
        )


RULE = Quota()
