"""Languages as the web names them: BCP 47 tags, such as en, pt-BR and zh-Hans."""

import re

from foundation.errors import UserError

TAG = re.compile(
    r"[a-z]{2,3}(?:-[a-z]{4})?(?:-(?:[a-z]{2}|[0-9]{3}))?(?:-(?:[a-z0-9]{5,8}|[0-9][a-z0-9]{3}))*", re.ASCII
)
LONGEST = 35  # characters, as RFC 5646 advises for what stores tags


def check_language(tag: str) -> str:
    """The tag in its usual form, `pt-BR` for "PT_br"; "" is a language that nobody named. Else a `UserError`.

    It takes the language, script, region and variants of BCP 47; extensions and private tags say nothing of a text.
    """
    parts = tag.strip().replace("_", "-").lower()
    if not parts:
        return ""
    if len(parts) > LONGEST or not TAG.fullmatch(parts):
        raise UserError(
            "A language is a BCP 47 tag, such as en, pt-BR or zh-Hans; found {tag!r}.", tag=tag[:60], where="language"
        )
    first, *rest = parts.split("-")
    return "-".join([first, *map(_subtag, rest)])


def _subtag(part: str) -> str:
    """A script has four letters, a region two."""
    return part.title() if len(part) == 4 and part.isalpha() else part.upper() if len(part) == 2 else part
