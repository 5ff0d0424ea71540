"""Static files under names that carry a hash of their content, also where a script imports another."""

import posixpath
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import PurePosixPath
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

# Scripts and sheets are collected joined, so that the first visit of a page asks for few files.
#
# A sheet has those that it imports in their places. A script has all that it imports, each module with its own names.
# Modules of more than one page's script are in BASE, which every page has, and are imported from there: a module runs
# once. Uncollected, as while developing, a browser follows the imports itself, to the same effect.

FOLDER = "restyle/js/"
BASE = f"{FOLDER}site.js"
IMPORT = r"""(?m)^(?P<matched>import (?P<names>(?:[^;"]+ from )?)"(?P<url>\.[^"]+)";)$"""
IMPORTED = re.compile(IMPORT)
SHEET = re.compile(r'^@import "([^"]+)";$', re.MULTILINE)
EXPORT = re.compile(r"^export (?P<kind>(?:async )?function\*?|const|class|let) (?P<name>[\w$]+)", re.MULTILINE)
# An error of one module does not keep the next from running.
MODULE = """\
let {name};
try {{ {name} = (() => {{
{body}return {{ {exports} }};
}})(); }} catch (error) {{ reportError(error); }}"""


class JoinedFiles:
    """A storage whose files are opened joined."""

    def __init__(self, storage: Any) -> None:
        self.storage = storage
        self._read: dict[str, str] = {}
        self._base: list[str] | None = None

    def open(self, name: str) -> ContentFile:
        join = self._sheet if name.endswith(".css") else self._script
        return ContentFile(join(name).encode())

    def _text(self, name: str) -> str:
        if name not in self._read:
            with self.storage.open(name) as file:
                self._read[name] = str(file.read().decode())
        return self._read[name]

    def _sheet(self, name: str) -> str:
        return SHEET.sub(lambda found: self._sheet(_beside(name, found[1])), self._text(name))

    def _script(self, name: str) -> str:
        base = self.base()
        if name != BASE and name in base:
            return f'import "{_path(name, BASE)}";\n'
        if self._changes(name) and (joined := [one for one in self._imports(name) if not self._changes(one)]):
            raise ValueError(f"{name} has `export let`, and so stays a file of its own: it may not import {joined[0]}")
        if not self._imports(name) or self._changes(name):
            return self._text(name)
        inner = base if name == BASE else self.inner(name)
        names = {one: f"module{number}" for number, one in enumerate(base)}
        names |= {one: f"inner{number}" for number, one in enumerate(inner) if one not in names}
        heads = _Heads()
        parts = [self._module(one, name, names, heads) for one in inner]
        if name == BASE:
            parts.append(f"export {{ {', '.join(names.values())} }};")
        return "\n".join([*heads.lines(name), *parts, ""])

    def _module(self, one: str, whole: str, names: dict[str, str], heads: "_Heads") -> str:
        """A module as a part of `whole`; `heads` gets what is imported before all parts."""

        def taken(found: re.Match[str]) -> str:
            other, wanted = _beside(one, found["url"]), found["names"].removesuffix(" from ").strip()
            if self._changes(other):  # the names themselves: what they were at first is not what they are later
                heads.add(other, [name for name in wanted.strip("{}").replace("\n", " ").split(",") if name.strip()])
                return ""
            if whole != BASE and other in self.base():
                heads.add(BASE, [names[other]])
            return f"const {wanted.replace(' as ', ': ')} = {names[other]};" if wanted else ""

        text = IMPORTED.sub(taken, self._text(one))
        exports = ", ".join(found["name"] for found in EXPORT.finditer(text))
        body = EXPORT.sub(lambda found: found[0].removeprefix("export "), text)
        return MODULE.format(name=names[one], body=body, exports=exports)

    def base(self) -> list[str]:
        """The modules of BASE in the order in which they run: what it imports, and what several scripts import."""
        if self._base is None:
            scripts = list(self._scripts()) if self.storage.exists(BASE) else []
            imported = {other for one in scripts for other in self._imports(one)}
            users = Counter(other for one in scripts if one not in imported for other in self._reached(one))
            own = self._reached(BASE) if scripts else []
            shared = [one for one in users if users[one] > 1 and one not in own]
            ordered = dict.fromkeys(inner for one in [*own, *shared] for inner in self._reached(one))
            self._base = [one for one in ordered if not self._changes(one)]
        return self._base

    def inner(self, name: str) -> list[str]:
        """The modules that the script has within it, in the order in which they run, itself last."""
        base = set(self.base())
        return [one for one in self._reached(name) if one not in base and not self._changes(one)]

    def _reached(self, name: str) -> list[str]:
        """The script and all that it imports, what is imported first."""
        found: dict[str, None] = {}

        def visit(one: str, way: tuple[str, ...]) -> None:
            if one in way:
                raise ValueError(f"{one} imports itself by way of {', '.join(way)}")
            if one not in found:
                for other in self._imports(one):
                    visit(other, (*way, one))
                found[one] = None

        visit(name, ())
        return list(found)

    def _imports(self, name: str) -> list[str]:
        return [_beside(name, found["url"]) for found in IMPORTED.finditer(self._text(name))]

    def _changes(self, name: str) -> bool:
        """Whether a value that it exports changes later, so that it must be a file of its own."""
        return any(found["kind"] == "let" for found in EXPORT.finditer(self._text(name)))

    def _scripts(self, folder: str = FOLDER.rstrip("/")) -> Iterator[str]:
        folders, files = self.storage.listdir(folder)
        yield from (f"{folder}/{one}" for one in sorted(files) if one.endswith(".js"))
        for one in sorted(folders):
            yield from self._scripts(f"{folder}/{one}")


class _Heads:
    """The imports of a joined script from files that stay by themselves."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}  # by the name
        self._named: dict[str, None] = {}

    def add(self, other: str, names: list[str]) -> None:
        self._named[other] = None
        for name in map(str.strip, names):
            if self._files.setdefault(name, other) != other:
                raise ValueError(f"{name} comes from {other} and from {self._files[name]}")

    def lines(self, name: str) -> Iterator[str]:
        for other in self._named:
            wanted = ", ".join(one for one, file in self._files.items() if file == other)
            yield f'import {{ {wanted} }} from "{_path(name, other)}";' if wanted else f'import "{_path(name, other)}";'


def _beside(name: str, other: str) -> str:
    return posixpath.normpath(PurePosixPath(name).with_name("_").parent / other)


def _path(name: str, other: str) -> str:
    """How a script names another."""
    path = posixpath.relpath(other, PurePosixPath(name).parent)
    return path if path.startswith(".") else f"./{path}"


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
        joined: dict[int, JoinedFiles] = {}
        ours = {
            name: (joined.setdefault(id(storage), JoinedFiles(storage)), path)
            for name, (storage, path) in paths.items()
            if name.startswith(("restyle/css/", FOLDER))
        }
        yield from super().post_process({**paths, **ours}, dry_run, **options)

    def save_manifest(self) -> None:
        super().save_manifest()
        self._urls.clear()

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("restyle/js/*.js", ((IMPORT, 'import %(names)s"%(url)s";'),)),
    )
