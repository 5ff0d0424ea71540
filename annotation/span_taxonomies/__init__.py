"""The taxonomies by which people mark spans of a text: kinds, severities and weights. A file is one, as `TAXONOMY`."""

from pathlib import Path

from annotation.span_taxonomies._base import Kind, Severity, Taxonomy
from foundation.registry import Registry

TAXONOMIES = Registry[Taxonomy]("span taxonomy", "annotation.span_taxonomies", Path(__file__).parent, "TAXONOMY")

__all__ = ["TAXONOMIES", "Kind", "Severity", "Taxonomy"]
