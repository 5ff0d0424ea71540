"""Credentials that somebody must have verified (PLABA and MedLane: medical degrees, MIMIC-III's agreement)."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Credentials(EligibilityRule):
    name = "credentials"
    label = "Verified credentials"
    about = "People of whom all these credentials were verified and have not run out."
    asks = (RuleField("", "names", "Credentials", "Their short names, such as md or mimic-iii, one a line."),)

    def unmet(self, record: EligibilityRecord, value: list[str]) -> str | None:
        missing = [credential for credential in value if credential not in record.credentials]
        if not missing:
            return None
        return translate(
            "This work asks for credentials that nobody has verified of you: {missing}.", missing=", ".join(missing)
        )


RULE = Credentials()
