"""The most items that one person may do on one day."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class PerDay(EligibilityRule):
    name = "per_day"
    label = "Most items a day"
    about = "Nobody does more items of this campaign on one day than this."
    asks = (RuleField("", "whole", "Items a day", high=100_000),)

    def unmet(self, record: EligibilityRecord, value: int) -> str | None:
        if record.today < value:
            return None
        return translate(
            "You have done the {value} items that one person may do here in a day. Go on tomorrow.", value=value
        )


RULE = PerDay()
