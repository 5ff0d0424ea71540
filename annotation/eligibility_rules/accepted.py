"""So many answers accepted before (GYAFC: over 100 for tune and test)."""

from typing import Any

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField, names, table, whole
from foundation.translation import translate

WHERE = "crew.accepted"


class Accepted(EligibilityRule):
    label = "Accepted so far"
    about = "People of whose answers so many were accepted."
    asks = (
        RuleField("least", "whole", "At least so many accepted"),
        RuleField("of", "campaigns", "Counted in", "Nothing ticked counts all campaigns of this kind of work."),
    )

    def check(self, value: Any) -> dict[str, Any]:
        given = {"least": value} if isinstance(value, int) else table(value, WHERE, ("least", "of"))
        return {
            "least": whole(given.get("least"), f"{WHERE}.least", 1, 1_000_000),
            "of": names(given.get("of", []), f"{WHERE}.of", needed=False),
        }

    def unmet(self, record: EligibilityRecord, value: dict[str, Any]) -> str | None:
        accepted, _rejected = record.counted(value["of"])
        if accepted >= value["least"]:
            return None
        return translate(
            "This work is for people with {least} accepted answers; you have {accepted}.",
            least=value["least"],
            accepted=accepted,
        )


RULE = Accepted()
