"""The most items that one person may do on one day."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class PerDay(EligibilityRule):
    name = "per_day"
    label = "Items per day, at most"
    about = "Daily limit per annotator."
    asks = (RuleField("", "whole", "Items per day", high=100_000),)

    def unmet(self, record: EligibilityRecord, value: int) -> str | None:
        if record.today < value:
            return None
        return translate("You have reached the daily limit of {value} items. Continue tomorrow.", value=value)


RULE = PerDay()
