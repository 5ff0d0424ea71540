"""The most items that one person may do in a campaign, so that many hands make the data."""

from typing import Any

from annotation.crew_rules._base import Ask, CrewRecord, Rule
from annotation.crew_rules._reading import whole


class Quota(Rule):
    label = "Most items a person"
    about = "Nobody does more items of this campaign than this."
    asks = (Ask("", "whole", "Items"),)

    def check(self, value: Any) -> int:
        return whole(value, "crew.quota", 1, 10_000_000)

    def unmet(self, record: CrewRecord, value: int) -> str | None:
        if record.done < value:
            return None
        return f"One person may do {value} items of this work, and you have done them. Thank you."


RULE = Quota()
