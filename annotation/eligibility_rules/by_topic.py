"""Items only for people who know their topic well (PLABA); the queue asks it of each item."""

from typing import Any

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.errors import UserError
from foundation.translation import translate


class ByTopic(EligibilityRule):
    label = "Expertise by topic"
    about = "Each item goes to people who name its topic on their account."
    asks = (RuleField("", "flag", "Only people who know an item's topic get it"),)

    def check(self, value: Any) -> bool:
        if not isinstance(value, bool):
            raise UserError("Expected true or false, found {value!r}.", value=value, where="crew.by_topic")
        return value

    def unmet(self, record: EligibilityRecord, value: bool) -> str | None:
        if not value or record.topics:
            return None
        return translate("Items go to people who know their topic; name the topics that you know well on your account.")


RULE = ByTopic()
