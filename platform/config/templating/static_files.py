"""Static files under names that carry a hash of their content, also where a script imports another."""

from collections.abc import Iterator
from typing import Any

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage

from config.templating.joined_files import IMPORT, JoinedFiles


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
