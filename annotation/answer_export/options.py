"""What somebody asks of an export of answers."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from foundation.errors import UserError

WHICH = ("all", "standing")
NAMES = ("export", "site")
SWITCH = {"": False, "no": False, "false": False, "0": False, "yes": True, "true": True, "on": True, "1": True}
KEYS = ("format", "which", "names", "flags")


@dataclass(frozen=True)
class ExportOptions:
    """`which`: every revision, or those answers that count. `flags`: with what the quality checks found.

    `names`: people by the pseudonyms of the study's exports, or by those of the site's ledger and API.
    """

    form: str = "jsonl"
    which: str = "all"
    names: str = "export"
    flags: bool = False


def export_options(given: Mapping[str, Any], forms: Mapping[str, Any]) -> ExportOptions:
    """The options as an address or a command gives them; a UserError names the one that is wrong."""
    for key in given:
        if key not in KEYS:
            raise UserError(
                "There is no option '{key}'; there are {keys}.", key=key, keys=", ".join(KEYS), where=str(key)
            )
    form = _one_of(given, "format", "jsonl", forms)
    which, names = _one_of(given, "which", "all", WHICH), _one_of(given, "names", "export", NAMES)
    flags = SWITCH.get(str(given.get("flags", "")).lower())
    if flags is None:
        raise UserError("Expected yes or no.", where="flags")
    return ExportOptions(form, which, names, flags)


def _one_of(given: Mapping[str, Any], key: str, default: str, choices: Any) -> str:
    value = given.get(key) or default
    if value not in choices:
        raise UserError(
            "There is no '{value}'; there are {choices}.", value=value, choices=", ".join(choices), where=key
        )
    return str(value)
