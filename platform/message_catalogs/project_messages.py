"""All messages of the project, each once, with the places in which it stands."""

from collections.abc import Iterator
from pathlib import Path

from babel.messages import Catalog

from foundation.project import ROOT
from message_catalogs.entry_messages import entry_messages
from message_catalogs.messages import Message
from message_catalogs.module_messages import read_module
from message_catalogs.template_messages import read_template

ROOMS = ("annotation", "evaluation", "modelserving", "platform")
NOT_READ = {
    "backup", "bench", "commands", "embedded", "gpucheck", "launcher", "message_catalogs", "migrations", "results",
}  # fmt: skip
"""Folders whose sentences stand in a terminal or a log alone; those are English."""


def project_messages() -> Iterator[Message]:
    """The messages in the order of their files."""
    modules = (path for room in ROOMS for path in sorted((ROOT / room).rglob("*.py")))
    for path in modules:
        if not NOT_READ.intersection(path.relative_to(ROOT).parts):
            yield from read_module(path, ROOT)
    for path in templates():
        yield from read_template(path, ROOT)
    yield from entry_messages()


def templates() -> list[Path]:
    return sorted(path for path in (ROOT / "templates").rglob("*") if path.suffix in {".html", ".txt"})


def project_catalog() -> Catalog:
    """The messages without translations, from which each language's catalog is brought up to date."""
    catalog = Catalog(project="Restyle", charset="utf-8", fuzzy=False)
    for message in project_messages():
        catalog.add(message.id, context=message.context or None, locations=[message.place])
    return catalog
