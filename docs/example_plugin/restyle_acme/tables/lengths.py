"""How many outputs each system has, shortest name first."""

from evaluation.snapshot import StudySnapshot
from evaluation.table_parts.contents import Cell, Table
from evaluation.tables._base import TableOrFigure


def make(snapshot: StudySnapshot) -> Table:
    """A row a system."""
    systems = sorted(snapshot.report["systems"], key=lambda system: len(system["name"]))
    rows = [[Cell(system["name"]), Cell(str(system["outputs"]), system["outputs"])] for system in systems]
    return Table("Outputs", ["System", "Outputs"], rows)


TABLE = TableOrFigure(title="Outputs", make=make, kind="study", order=90)
