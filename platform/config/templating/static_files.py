"""Static files under names that carry a hash of their content, also where a script imports another."""

from typing import Any

from django.conf import settings
from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = r"""(?m)^(?P<matched>import (?P<names>(?:[^;"]+ from )?)"(?P<url>\.[^"]+)";)$"""


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Collected files, hashed and compressed; an `import` in a script of ours names the hashed file.

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

    def save_manifest(self) -> None:
        super().save_manifest()
        self._urls.clear()

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("restyle/js/*.js", ((IMPORT, 'import %(names)s"%(url)s";'),)),
    )
