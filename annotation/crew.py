"""Who may work in a campaign: its crew rules, held to what is known of a person. Imports no Django."""

from collections.abc import Mapping
from typing import Any

from annotation.crew_rules import CREW_RULES, CrewRecord
from foundation.errors import UserError

__all__ = ["CrewRecord", "check", "unmet"]


def check(crew: Mapping[str, Any]) -> dict[str, Any]:
    """The rules in their stored form, by name; None leaves one out. A UserError's `where` is `crew.` and the key."""
    if not isinstance(crew, Mapping):
        raise UserError(f"Expected a table of crew rules, found {crew!r}.", where="crew")
    return {name: CREW_RULES[name].check(value) for name, value in sorted(crew.items()) if value is not None}


def unmet(crew: Mapping[str, Any], record: CrewRecord) -> list[str]:
    """A sentence for each rule that keeps this person from going on; empty where they may."""
    said = (CREW_RULES[name].unmet(record, value) for name, value in sorted(crew.items()))
    return [sentence for sentence in said if sentence]
