"""Tables and figures made from a snapshot of a study; one file is one, and holds it as `TABLE`."""

from pathlib import Path

from evaluation.tables._base import TableOrFigure
from foundation.registry import Registry

TABLES = Registry[TableOrFigure]("table", __name__, Path(__file__).parent, attribute="TABLE")

__all__ = ["TABLES", "TableOrFigure"]
