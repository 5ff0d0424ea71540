"""`make messages`: bring the catalogs of all languages up to date and compile them; list missing translations."""

import os
import sys

import django


def main() -> int:
    """Exit status 1 where a catalog lacks a translation, so that a script sees it."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    from tools.message_catalogs.catalog_files import catalog_files, language_of, untranslated, update_catalog
    from tools.message_catalogs.project_messages import project_catalog

    messages, lacking = project_catalog(), 0
    for path in catalog_files():
        missing = untranslated(update_catalog(path, messages))
        sys.stdout.write(f"{language_of(path)}: {len(messages)} messages, {len(missing)} without a translation\n")
        lacking += len(missing)
    return 1 if lacking else 0


if __name__ == "__main__":
    sys.exit(main())
