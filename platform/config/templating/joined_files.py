"""Static files that only name others, which lie beside them, with those in their places: one request for all of them.

Uncollected, as while developing, a browser follows the names itself, to the same effect.
"""

import re
from pathlib import PurePosixPath
from typing import Any

from django.core.files.base import ContentFile

IMPORT = r"""(?m)^(?P<matched>import (?P<names>(?:[^;"]+ from )?)"(?P<url>\.[^"]+)";)$"""
IMPORTED = re.compile(IMPORT)
SCRIPT = re.compile(r'^import "\./([^"]+)";$', re.MULTILINE)
SHEET = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export ", re.MULTILINE)
# The names of a script are its own, and what one throws does not keep the next from running.
ALONE = "try {{\n{}}} catch (error) {{ reportError(error); }}"


class JoinedFiles:
    """A storage whose files are opened joined."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage

    def open(self, name: str) -> ContentFile:
        join = self._sheet if name.endswith(".css") else self._script
        return ContentFile(join(name).encode())

    def _text(self, name: str) -> str:
        with self.storage.open(name) as file:
            return str(file.read().decode())

    def _sheet(self, name: str) -> str:
        return SHEET.sub(lambda found: self._sheet(_beside(name, found[1])), self._text(name))

    def _script(self, name: str) -> str:
        """A script that exports something is imported as ever, since others import it, too."""
        text = self._text(name)
        if not only_names(text):
            return text
        heads: list[str] = []
        parts: list[str] = []
        for found in SCRIPT.finditer(text):
            part = self._text(_beside(name, found[1]))
            if EXPORT.search(part):
                heads.append(found[0])
            else:
                parts.append(ALONE.format(IMPORTED.sub(lambda one: _import_of(one, heads), part)))
        return "\n".join([*heads, *parts, ""])


def only_names(script: str) -> bool:
    """Whether this is nothing but imports, without names, of scripts beside it."""
    lines = [line for line in script.splitlines() if line and not line.startswith("//")]
    return bool(lines) and all(SCRIPT.fullmatch(line) for line in lines)


def _beside(name: str, other: str) -> str:
    return str(PurePosixPath(name).with_name(other))


def _import_of(found: re.Match[str], heads: list[str]) -> str:
    """The import within a part, of what is imported as a whole before all parts. Only constants come by here whole."""
    names = found["names"].removesuffix(" from ").strip()
    if not names:
        heads.append(found[0])
        return ""
    whole = f"imported{len(heads)}"
    heads.append(f'import * as {whole} from "{found["url"]}";')
    return f"const {names.replace(' as ', ': ')} = {whole};"
