"""The most items that one person may do in a campaign, so that many hands make the data."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Quota(EligibilityRule):
    name = "quota"
    label = "Items per person, at most"
    about = "Limit of items per annotator in this campaign."
    asks = (RuleField("", "whole", "Items", high=10_000_000),)

    def unmet(self, record: EligibilityRecord, value: int) -> str | None:
        if record.done < value:
            return None
        return translate("You have reached the limit of {value} items per person. Thank you.", value=value)


RULE = Quota()
