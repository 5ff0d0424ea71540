"""The part of somebody's judged answers that was accepted at first (GYAFC: all of more than 100, for tune and test).

A crowd site's acceptance rate knows no revision: a rejected answer stays rejected. So does it here, where it may be
changed and accepted then. A reviewer who changes a verdict on the same revision takes it back."""

from typing import Any

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.options import percent
from foundation.translation import translate


class AcceptanceRate(EligibilityRule):
    name = "acceptance_rate"
    label = "Acceptance rate"
    about = (
        "Admits people with at least this share of their reviewed answers accepted at the first review. A "
        "rejected answer counts as rejected, even if its revision was accepted. The rule does not apply to "
        "people without reviewed answers."
    )
    asks = (
        RuleField("least", "part", "Least share accepted at the first review", "1 is all of them."),
        RuleField("of", "campaigns", "Counted in", "Tick none to count all campaigns of this kind of work."),
    )

    def unmet(self, record: EligibilityRecord, value: dict[str, Any]) -> str | None:
        accepted, rejected = record.counted_at_first(value["of"])
        judged = accepted + rejected
        if accepted >= value["least"] * judged - 1e-9:  # 0.07 * 100 is a little over 7
            return None
        needed = percent(value["least"])
        return translate(
            "This work requires {needed} of the answers accepted at the first review; you have {accepted} of {judged}.",
            needed=needed,
            accepted=accepted,
            judged=judged,
        )


RULE = AcceptanceRate()
