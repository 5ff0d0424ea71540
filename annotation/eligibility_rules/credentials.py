"""Credentials that somebody must have verified (PLABA and MedLane: medical degrees, MIMIC-III's agreement)."""

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.translation import translate


class Credentials(EligibilityRule):
    name = "credentials"
    label = "Verified credentials"
    about = "Admits people with all these credentials, verified and not expired."
    asks = (
        RuleField("", "names", "Credentials", "Short names of credentials, such as md or mimic-iii, one per line."),
    )

    def unmet(self, record: EligibilityRecord, value: list[str]) -> str | None:
        missing = [credential for credential in value if credential not in record.credentials]
        if not missing:
            return None
        return translate(
            "This work requires credentials that nobody has verified for you: {missing}.", missing=", ".join(missing)
        )


RULE = Credentials()
