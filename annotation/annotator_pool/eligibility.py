"""Who may work in a campaign: its eligibility rules, held to what is known of a person. Imports no Django."""

from collections.abc import Mapping
from typing import Any

from annotation.eligibility_rules import ELIGIBILITY_RULES, EligibilityRecord, EligibilityRule
from foundation.errors import UserError

__all__ = ["EligibilityRecord", "check", "unmet"]


def check(crew: Mapping[str, Any]) -> dict[str, Any]:
    """The rules in their stored form, by name; None leaves one out. A UserError's `where` is `crew.` and the key."""
    if not isinstance(crew, Mapping):
        raise UserError("Expected a table of eligibility rules, found {crew!r}.", crew=crew, where="crew")
    return {name: _rule(name).check(value) for name, value in sorted(crew.items()) if value is not None}


def unmet(crew: Mapping[str, Any], record: EligibilityRecord) -> list[str]:
    """A sentence for each rule that keeps this person from going on; empty where they may."""
    said = (ELIGIBILITY_RULES[name].unmet(record, value) for name, value in sorted(crew.items()))
    return [sentence for sentence in said if sentence]


def _rule(name: str) -> EligibilityRule:
    try:
        return ELIGIBILITY_RULES[name]
    except UserError as error:
        error.where = f"crew.{name}"
        raise
