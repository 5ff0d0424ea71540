"""The encodings a file may be declared to have."""

import codecs
import difflib
import encodings.aliases

from foundation.errors import UserError

USUAL_ENCODINGS = ["utf-8", "latin-1", "windows-1252", "utf-16", "iso-8859-15", "windows-1251", "shift_jis", "gb18030"]
REFUSED = {"unicode-escape", "raw-unicode-escape", "idna", "punycode", "undefined", "mbcs", "oem", "utf-7"}


def encoding_of(name: str | None, where: str) -> str:
    """Python's name of the encoding; None is UTF-8. An unknown one is a `UserError` with the nearest names."""
    if name is None:
        return "utf-8"
    info = _codec(name)
    if info is None:
        raise UserError(
            "there is no encoding '{name}'; did you mean {near}?",
            name=name,
            near=", ".join(nearest(name)),
            where=where,
        )
    return "utf-8" if info.name == "utf-8-sig" else info.name


def nearest(name: str) -> list[str]:
    """Up to three names like `name`, or the three most usual ones."""
    known = [alias.replace("_", "-") for alias in encodings.aliases.aliases]
    near = difflib.get_close_matches(name.lower().replace("_", "-"), sorted({*USUAL_ENCODINGS, *known}), n=9)
    return [one for one in near if _codec(one)][:3] or USUAL_ENCODINGS[:3]


def _codec(name: str) -> codecs.CodecInfo | None:
    """The codec of a text encoding; None where there is none of that name, or it is none for files of text."""
    try:
        info = codecs.lookup(name)
    except (LookupError, ValueError):
        return None
    # codecs such as rot13 and base64 are no encodings of text; only this attribute of CPython says so
    text = getattr(info, "_is_text_encoding", True) and info.incrementaldecoder is not None
    return info if text and info.name not in REFUSED else None
