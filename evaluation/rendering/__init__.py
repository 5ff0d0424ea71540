"""Forms in which a report, a table or a figure leaves the site; one file is one form, and holds it as `RENDERER`."""

from pathlib import Path

from evaluation.rendering._base import Renderer
from foundation.registry import Registry

RENDERERS = Registry[Renderer]("report format", __name__, Path(__file__).parent, attribute="RENDERER")


def forms_of(kind: str) -> dict[str, Renderer]:
    """The forms that a "table", a "figure" or a "report" has, by name."""
    return {name: renderer for name, renderer in RENDERERS.items() if renderer.fits(kind)}


__all__ = ["RENDERERS", "Renderer", "forms_of"]
