"""The rules of who may work in a campaign; a file is a rule, and holds it as `RULE`."""

from pathlib import Path

from annotation.eligibility_rules._base import EligibilityRecord, EligibilityRule, RuleField
from foundation.registry import Registry

ELIGIBILITY_RULES = Registry[EligibilityRule](
    "eligibility rule", "annotation.eligibility_rules", Path(__file__).parent, attribute="RULE"
)

__all__ = ["ELIGIBILITY_RULES", "EligibilityRecord", "EligibilityRule", "RuleField"]
