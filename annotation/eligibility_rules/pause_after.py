"""After so many rejections in a row a person is paused. The engine reads it when a reviewer decides."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField


class PauseAfter(EligibilityRule):
    name = "pause_after"
    label = "Pause after rejections"
    about = "Pauses a person after this many rejections in a row, until a researcher lets them continue."
    asks = (RuleField("", "whole", "Rejections in a row", high=1000),)

    def unmet(self, record: EligibilityRecord, value: int) -> str | None:
        return None  # the pause itself is a state of the person's membership


RULE = PauseAfter()
