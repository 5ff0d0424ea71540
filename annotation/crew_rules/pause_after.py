"""After so many rejections in a row a person is paused. The engine reads it when a reviewer decides."""

from typing import Any

from annotation.crew_rules._base import Ask, CrewRecord, Rule
from annotation.crew_rules._reading import whole


class PauseAfter(Rule):
    label = "Pause after rejections"
    about = "After so many rejections in a row a person is paused until a researcher lets them go on."
    asks = (Ask("", "whole", "Rejections in a row"),)

    def check(self, value: Any) -> int:
        return whole(value, "crew.pause_after", 1, 1000)

    def unmet(self, record: CrewRecord, value: int) -> str | None:
        return None  # the pause itself is a state of the person's seat


RULE = PauseAfter()
