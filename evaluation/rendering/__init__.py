"""Forms in which a report leaves the site; one file is one form, and holds it as `RENDERER`."""

from pathlib import Path

from evaluation.rendering._base import Renderer
from foundation.registry import Registry

RENDERERS = Registry[Renderer]("report format", __name__, Path(__file__).parent, attribute="RENDERER")

__all__ = ["RENDERERS", "Renderer"]
