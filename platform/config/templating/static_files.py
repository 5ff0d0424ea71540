"""Static files under names that carry a hash of their content, also where a script imports another."""

import re
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Static files that only name others, which lie beside them, with those in their places: one request for all of them.
#
# Uncollected, as while developing, a browser follows the names itself, to the same effect.

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


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Collected files, hashed and compressed; an `import` in a script of ours names the hashed file, or it is joined.

    Without it a browser could run a page's new script with a module of the version before, out of its cache. Django's
    own `support_js_module_import_aggregation` reads every script, and fails on those of others that are not bundled.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._urls: dict[str, str] = {}

    def url(self, name: str | None, force: bool = False) -> str:
        """Looked up once: a page names some forty files."""
        if name is None or settings.DEBUG or force:
            return super().url(name, force)
        if name not in self._urls:
            self._urls[name] = super().url(name)
        return self._urls[name]

    def post_process(self, paths: dict[str, Any], dry_run: bool = False, **options: Any) -> Iterator[Any]:
        ours = {
            name: (JoinedFiles(storage), path)
            for name, (storage, path) in paths.items()
            if name.startswith(("restyle/css/", "restyle/js/"))
        }
        yield from super().post_process({**paths, **ours}, dry_run, **options)

    def save_manifest(self) -> None:
        super().save_manifest()
        self._urls.clear()

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("restyle/js/*.js", ((IMPORT, 'import %(names)s"%(url)s";'),)),
    )
