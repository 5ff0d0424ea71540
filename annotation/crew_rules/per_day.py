"""The most items that one person may do on one day."""

from typing import Any

from annotation.crew_rules._base import Ask, CrewRecord, Rule
from annotation.crew_rules._reading import whole


class PerDay(Rule):
    label = "Most items a day"
    about = "Nobody does more items of this campaign on one day than this."
    asks = (Ask("", "whole", "Items a day"),)

    def check(self, value: Any) -> int:
        return whole(value, "crew.per_day", 1, 100_000)

    def unmet(self, record: CrewRecord, value: int) -> str | None:
        if record.today < value:
            return None
        return f"You have done the {value} items that one person may do here in a day. Go on tomorrow."


RULE = PerDay()
