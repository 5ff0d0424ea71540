"""Static files under names that carry a hash of their content, also where a script imports another."""

from whitenoise.storage import CompressedManifestStaticFilesStorage

IMPORT = r"""(?m)^(?P<matched>import (?P<names>(?:[^;"]+ from )?)"(?P<url>\.[^"]+)";)$"""


class HashedStaticFiles(CompressedManifestStaticFilesStorage):
    """Collected files, hashed and compressed; an `import` in a script of ours names the hashed file.

    Without it a browser could run a page's new script with a module of the version before, out of its cache. Django's
    own `support_js_module_import_aggregation` reads every script, and fails on those of others that are not bundled.
    """

    patterns = (
        *CompressedManifestStaticFilesStorage.patterns,
        ("restyle/js/*.js", ((IMPORT, 'import %(names)s"%(url)s";'),)),
    )
