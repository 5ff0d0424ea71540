"""The address of a request as logs may hold it: without the secret of a link."""

from typing import Any

from accounts.permissions.routes import BY_SECRET

LONGEST = 300  # characters of a path


def safe_path(request: Any) -> str:
    """The path without the secret of a link; only the beginning of an address that does not exist."""
    found = getattr(request, "resolver_match", None)
    if found is None:
        first = request.path.lstrip("/").partition("/")[0]
        return _shown(f"/{first}/..." if "/" in request.path[1:] else f"/{first}")
    return _shown(f"/{found.route}" if found.view_name in BY_SECRET else request.path)


def _shown(path: str) -> str:
    shown = path[:LONGEST]
    if shown.isprintable() and " " not in shown:  # nearly all
        return shown
    return "".join(one if one.isprintable() and one != " " else "?" for one in shown)
