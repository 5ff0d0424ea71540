"""Gold rewrites on their way out: which count, with what provenance, and in which form."""

from annotation.gold.exporting import EXPORTS, Export, export

__all__ = ["EXPORTS", "Export", "export"]
