"""The encodings a file may be declared to have."""

import codecs
import difflib
import encodings.aliases

from foundation.errors import UserError

USUAL = ["utf-8", "latin-1", "windows-1252", "utf-16", "iso-8859-15", "windows-1251", "shift_jis", "gb18030"]
REFUSED = {"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined", "mbcs", "oem", "utf-7"}


def encoding_of(name: str | None, where: str) -> str:
    """Python's name of the encoding; None is UTF-8. An unknown one is a `UserError` with the nearest names."""
    if name is None:
        return "utf-8"
    try:
        info = codecs.lookup(name)
        text = getattr(info, "_is_text_encoding", True) and info.incrementaldecoder is not None
    except (LookupError, ValueError):
        text = False
    if not text or info.name in REFUSED:
        raise UserError(f"there is no encoding '{name}'; did you mean {', '.join(nearest(name))}?", where=where)
    return "utf-8" if info.name == "utf-8-sig" else info.name


def nearest(name: str) -> list[str]:
    """Up to three names like `name`, or the three most usual ones."""
    known = {*USUAL, *(alias.replace("_", "-") for alias in encodings.aliases.aliases)} - REFUSED
    return difflib.get_close_matches(name.lower().replace("_", "-"), sorted(known), n=3) or USUAL[:3]
