"""A language's catalog on disk: `django.po`, which people edit, and `django.mo`, which is read. Both are kept.

The compiled file is kept too, so that people who run Restyle need no tool to compile it.
"""

import re
from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path

from babel.messages import Catalog, Message
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po, write_po

from foundation.project import ROOT

# The faults of a translation found by rule: it is missing, a guess, or its places are not those of the message.

PLACE = re.compile(r"%\([a-zA-Z_]\w*\)[sd]|%[sd](?![a-zA-Z])|\{[^{}\s]*\}|%%")
TAG = re.compile(r"</?[a-z]+")


def untranslated(catalog: Catalog) -> list[str]:
    """The messages without a translation, or with one that is marked as a guess."""
    return [_first(message) for message in catalog if message.id and (not all(_strings(message)) or message.fuzzy)]


def misplaced(catalog: Catalog) -> list[str]:
    """The messages whose translation has other places, or other tags, than they have.

    A form for one or two may leave the number out.
    """
    return [_first(message) for message in catalog if message.id and not _fits(message)]


def _fits(message: Message) -> bool:
    *few, most = _strings(message)
    wanted = message.id if isinstance(message.id, str) else message.id[1]
    return (
        sorted(PLACE.findall(most)) == sorted(PLACE.findall(wanted))
        and sorted(TAG.findall(most)) == sorted(TAG.findall(wanted))
        and all(set(PLACE.findall(one)) <= set(PLACE.findall(wanted)) for one in few)
    )


def _strings(message: Message) -> Sequence[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]


LOCALE = ROOT / "platform" / "config" / "locale"
WIDTH = 120


class ReleaseFreeCatalog(Catalog):
    """A catalog whose header does not name the release of Babel that wrote it: the next one would change every file."""

    @Catalog.mime_headers.getter
    def mime_headers(self) -> list[tuple[str, str]]:
        *others, (name, value) = [header for header in super().mime_headers if header[0] != "Generated-By"]
        return [*others, (name, f"{value}\n")]  # the header ends with a line


def catalog_files() -> Iterator[Path]:
    """`django.po` of each language."""
    return iter(sorted(LOCALE.glob("*/LC_MESSAGES/django.po")))


def read_catalog(path: Path) -> Catalog:
    with path.open("rb") as file:
        catalog = read_po(file, locale=language_of(path))
    catalog.__class__ = ReleaseFreeCatalog
    return catalog


def language_of(path: Path) -> str:
    """The locale of a file, such as zh_Hans: the name of the folder above it."""
    return path.parents[1].name


def update_catalog(path: Path, messages: Catalog) -> Catalog:
    """Bring a file up to date with the project's messages and compile it.

    New and changed messages have no translation (a guess that is marked as one would be shown to nobody); messages that
    are gone are removed.
    """
    catalog = read_catalog(path)
    catalog.update(messages, no_fuzzy_matching=True, update_creation_date=False)
    catalog.obsolete.clear()
    path.write_bytes(po_bytes(catalog))
    path.with_suffix(".mo").write_bytes(mo_bytes(catalog))
    return catalog


def po_bytes(catalog: Catalog) -> bytes:
    """The messages, sorted, each with its files and no line numbers: a change of a file changes little here."""
    file = BytesIO()
    write_po(file, catalog, width=WIDTH, sort_output=True, include_lineno=False, omit_header=False)
    return file.getvalue()


def mo_bytes(catalog: Catalog) -> bytes:
    file = BytesIO()
    write_mo(file, catalog)
    return file.getvalue()
