"""Items only for people who know their topic well (PLABA); the queue asks it of each item."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class ByTopic(EligibilityRule):
    name = "by_topic"
    label = "Expertise by topic"
    about = "Each item goes to people who name its topic on their account."
    asks = (RuleField("", "flag", "Each item goes to people who know its topic"),)

    def unmet(self, record: EligibilityRecord, value: bool) -> str | None:
        if not value or record.topics:
            return None
        return translate("Items go to people who know their topic; name the topics that you know well on your account.")


RULE = ByTopic()
