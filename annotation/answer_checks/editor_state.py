"""The state of a structured editor: JSON in the one hidden field `work` of its form."""

import json
from collections.abc import Mapping
from typing import Any

from foundation.errors import UserError

FIELD = "work"


def read_state(form: Mapping[str, str]) -> dict[str, Any]:
    """What the editor holds; {} where it holds nothing yet, and a UserError where it is no JSON object."""
    written = form.get(FIELD, "")
    try:
        state = json.loads(written) if written.strip() else {}
    except (ValueError, RecursionError):
        state = None
    if not isinstance(state, dict):
        raise UserError("The work could not be read; reload the page.", where=FIELD)
    return state


def drafted_state(form: Mapping[str, str]) -> dict[str, Any]:
    """What the editor holds, for a draft: {} too where it cannot be read."""
    try:
        return read_state(form)
    except UserError:
        return {}


def write_state(state: Mapping[Any, Any]) -> str:
    """The state as the hidden field holds it."""
    return json.dumps(state, ensure_ascii=False, separators=(",", ":"))
