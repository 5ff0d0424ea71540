"""The loader of this project's templates, and of those that installed packages bring for their kinds of work."""

import re
from pathlib import Path

from django.conf import settings
from django.template import Origin
from django.template.loaders.filesystem import Loader as FilesystemLoader
from django.templatetags.static import static
from django.utils.html import escape

from config.templating.cell_labels import with_cell_labels
from config.templating.components import with_components
from config.templating.whitespace import without_whitespace
from foundation.plugins import template_folders

STATIC = re.compile(r"\{% static '([^']+)' %\}")


class Loader(FilesystemLoader):
    """Reads templates from the folders of `DIRS` and of packages.

    Their components are written out, and the whitespace that shows nothing is left out.
    The addresses of static files are the same as long as a process lives: they are looked up here, and not by each of
    the pages, which name some forty.
    """

    def get_dirs(self) -> list[Path]:
        return [*super().get_dirs(), *template_folders()]

    def get_contents(self, origin: Origin) -> str:
        source = super().get_contents(origin)
        if origin.name.endswith(".txt"):  # mail: its lines are what people read
            return source
        source = without_whitespace(with_cell_labels(with_components(source, self._component)))
        return source if settings.DEBUG else STATIC.sub(lambda found: escape(static(found[1])), source)

    def _component(self, name: str) -> str:
        """The source of a component; LookupError where no folder has it."""
        for folder in self.get_dirs():
            path = Path(folder) / "components" / f"{name}.html"
            if path.is_file():
                return path.read_text(encoding="utf-8")
        raise LookupError(name)
