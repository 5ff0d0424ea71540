"""Every table and figure of a study, made once, when its report is."""

from collections.abc import Mapping
from typing import Any

from evaluation.tables._base import Exhibit, Lacking, Made
from evaluation.tables._json import exhibit_json
from evaluation.tables._record import Record
from foundation.errors import UserError


def tables_json(record: Record) -> dict[str, Any]:
    """All entries by name, in the order of their places; one that cannot be made says what is lacking."""
    from evaluation.tables import TABLES

    entries: Mapping[str, Exhibit] = {name: TABLES[name] for name in TABLES}
    names = sorted(entries, key=lambda name: (entries[name].kind, entries[name].order, name))
    return {name: exhibit_json(name, entries[name], _made(entries[name], record)) for name in names}


def _made(exhibit: Exhibit, record: Record) -> Made:
    try:
        return exhibit.make(record)
    except UserError as error:
        return Lacking(exhibit.title, [str(error)])
