"""Short names, as the site makes them of titles."""

import re
import unicodedata


def slug_of(title: str) -> str:
    """Lower-case letters, digits and hyphens; `study` where no letter of the title is Latin."""
    plain = unicodedata.normalize("NFKD", title).encode("ascii", "ignore").decode().lower()
    return re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[:80].strip("-") or "study"
