"""Tables made from a report; one file is one table, and holds it as `TABLE`."""

from pathlib import Path

from evaluation.tables._base import Cell, Table, TableMaker, interval_text, joined, p_text
from foundation.registry import Registry

TABLES = Registry[TableMaker]("table", __name__, Path(__file__).parent, attribute="TABLE")

__all__ = ["TABLES", "Cell", "Table", "TableMaker", "interval_text", "joined", "p_text"]
