"""Tables and figures made from a study's record; one file is one, and holds it as `TABLE`."""

from pathlib import Path

from evaluation.tables._base import (
    RANK,
    Cell,
    Exhibit,
    Figure,
    Lacking,
    Made,
    Table,
    interval_text,
    joined,
    p_text,
    traced,
)
from evaluation.tables._json import exhibit_json, made_of
from evaluation.tables._making import tables_before, tables_json
from evaluation.tables._record import Around, Counts, Judged, Mention, Record, Scored, SystemRow, Units, Workers
from foundation.registry import Registry

TABLES = Registry[Exhibit]("table", __name__, Path(__file__).parent, attribute="TABLE")

__all__ = [
    "RANK", "TABLES", "Around", "Cell", "Counts", "Exhibit", "Figure", "Judged", "Lacking", "Made", "Mention", "Record",
    "Scored", "SystemRow", "Table", "Units", "Workers", "exhibit_json", "interval_text", "joined", "made_of", "p_text",
    "tables_before", "tables_json", "traced",
]  # fmt: skip
