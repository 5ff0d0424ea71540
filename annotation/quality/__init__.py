"""Checks on somebody's work in a campaign; a file is a check, and holds it as `CHECK`.

A check finds; it excludes nothing and nobody. A researcher says what a finding means.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from annotation.quality._base import (
    AnnotatorWork,
    CampaignTraits,
    Check,
    CheckedAnswer,
    ComparedChoice,
    ComparedRating,
    Finding,
)
from foundation.errors import UserError
from foundation.registry import Registry

CHECKS = Registry[Check]("quality check", "annotation.quality", Path(__file__).parent, attribute="CHECK")


def check_checks(checks: Mapping[str, Any]) -> dict[str, Any]:
    """A campaign's checks in their stored form: by name their settings, or false for one that is switched off.

    One that is not named runs with its defaults. A UserError's `where` is `checks.` and the key.
    """
    if not isinstance(checks, Mapping):
        raise UserError("Expected a table of quality checks, found {checks!r}.", checks=checks, where="checks")
    return {name: _checked(name, value) for name, value in sorted(checks.items())}


def findings(work: AnnotatorWork, checks: Mapping[str, Any]) -> Iterator[Finding]:
    """The findings of the campaign's checks in somebody's work, check by check."""
    for name in CHECKS:
        chosen = checks.get(name, {})
        if chosen is not False:
            yield from CHECKS[name].findings(work, CHECKS[name].check_settings(chosen))


def _checked(name: str, value: Any) -> Any:
    entry = CHECKS[name]
    if isinstance(value, bool):
        return {} if value else False
    if not isinstance(value, Mapping):
        raise UserError(
            "Expected the settings of the check, or false; found {value!r}.", value=value, where=f"checks.{name}"
        )
    return entry.check_settings(value, where=f"checks.{name}.")


__all__ = [
    "CHECKS",
    "AnnotatorWork",
    "CampaignTraits",
    "Check",
    "CheckedAnswer",
    "ComparedChoice",
    "ComparedRating",
    "Finding",
    "check_checks",
    "findings",
]
